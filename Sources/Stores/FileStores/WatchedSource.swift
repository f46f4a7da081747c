internal import Synchronization

/// A source that remembers its own failure, which no repetition of a request mends.
package final class WatchedSource: ByteSource {
  private let base: any ByteSource
  private let thrown = Mutex<StoreError?>(nil)

  package init(_ base: any ByteSource) {
    self.base = base
  }

  package var size: UInt64? { base.size }
  package var modified: Timestamp? { base.modified }

  package func delivered(_ count: UInt64) { base.delivered(count) }

  /// The first error that the source has thrown.
  package var failure: StoreError? { thrown.withLock { $0 } }

  package func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    do throws(StoreError) {
      return Reading(base: try await base.open(at: offset), source: self)
    } catch {
      throw note(error)
    }
  }

  private func note(_ error: StoreError) -> StoreError {
    thrown.withLock { $0 = $0 ?? error }
    return error
  }

  private struct Reading: ByteReading {
    var base: any ByteReading
    let source: WatchedSource

    mutating func next() async throws(StoreError) -> ByteChunk? {
      do throws(StoreError) {
        return try await base.next()
      } catch {
        throw source.note(error)
      }
    }
  }
}
