package import Basics
internal import Synchronization

/// A source that watches what passes through it: its own failure, which no repetition of a request mends; on request its
/// length, so that a wrong one ends a request unfinished; and on request the hash of its bytes.
package final class CheckedSource: ByteSource {
  private struct State {
    var failure: StoreError?
    var lane: ContentHashLane?
    var isWhole = false
  }

  private let base: any ByteSource
  private let declared: UInt64?
  private let path: StorePath
  private let pool: BlockingPool?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - declared: the length that is checked before the last bytes; nil to check none.
  ///   - path: the path in errors about the length.
  ///   - pool: the pool that hashes a reading from the beginning; nil to hash none.
  package init(
    _ base: any ByteSource, size declared: UInt64? = nil, for path: StorePath = .root, hashing pool: BlockingPool? = nil
  ) {
    (self.base, self.declared, self.path, self.pool) = (base, declared, path, pool)
  }

  package var size: UInt64? { declared ?? base.size }
  package var modified: Timestamp? { base.modified }

  package func delivered(_ count: UInt64) { base.delivered(count) }

  /// The first error that a reading has thrown.
  package var failure: StoreError? { state.withLock { $0.failure } }
  /// True if the last reading began at the beginning, was hashed, and has delivered all bytes.
  package var isWhole: Bool { state.withLock { $0.isWhole } }

  /// The hash of all bytes; call it once. Reads the source again unless one reading delivered all bytes.
  package func hash() async throws(StoreError) -> ContentHash {
    if let lane = state.withLock({ $0.isWhole ? $0.lane : nil }) { return await lane.finish() }
    return try await base.contentHash()
  }

  package func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    let lane = offset == 0 ? pool.map { ContentHashLane(pool: $0) } : nil
    state.withLock { ($0.lane, $0.isWhole) = (lane, false) }
    do throws(StoreError) {
      return Reading(base: try await base.open(at: offset), source: self, lane: lane, total: offset)
    } catch {
      throw note(error)
    }
  }

  private func note(_ error: StoreError) -> StoreError {
    state.withLock { $0.failure = $0.failure ?? error }
    return error
  }

  private struct Reading: ByteReading {
    var base: any ByteReading
    let source: CheckedSource
    let lane: ContentHashLane?
    var total: UInt64
    /// With a checked length, one chunk is held back until the next is known, because the last one needs the check.
    var held: ByteChunk?
    var isAtEnd = false

    mutating func next() async throws(StoreError) -> ByteChunk? {
      do throws(StoreError) {
        if held == nil { held = try await pull() }
        let chunk = held
        held = source.declared == nil || chunk == nil ? nil : try await pull()
        if let lane, let chunk { await lane.add(chunk) }
        if lane != nil, isAtEnd, held == nil { source.state.withLock { $0.isWhole = true } }
        return chunk
      } catch {
        throw source.note(error)
      }
    }

    private mutating func pull() async throws(StoreError) -> ByteChunk? {
      guard !isAtEnd else { return nil }
      guard let chunk = try await base.next() else {
        if let declared = source.declared, total != declared {
          throw .wrongLength(source.path, declared: declared, given: total)
        }
        isAtEnd = true
        return nil
      }
      guard let declared = source.declared else { return chunk }
      if Task.isCancelled { throw .cancelled("The writing of \"\(source.path)\"", path: source.path) }
      total += UInt64(chunk.count)
      if total > declared { throw .wrongLength(source.path, declared: declared, given: nil) }
      return chunk
    }
  }
}

extension StoreError {
  /// `given` is nil if the source continues past its size.
  package static func wrongLength(_ path: StorePath, declared: UInt64, given: UInt64?) -> StoreError {
    let instead = given.map { "after \($0)" } ?? "later"
    return StoreError(
      .badInput, "\"\(path)\" should have \(declared) bytes and ended \(instead).",
      remedy: "The file may have changed during the upload. Try again.", path: path)
  }
}
