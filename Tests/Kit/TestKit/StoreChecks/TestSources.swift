public import FileStores
import Synchronization

/// A source that delivers some bytes and then ends in a chosen way.
public struct OddSource: ByteSource {
  /// The event after the bytes.
  public enum End: Sendable {
    case end
    case error(StoreError)
    /// A wait until the task is cancelled; the gate opens at the beginning.
    case hang(Gate)
  }

  /// The declared size.
  public let size: UInt64?
  private let bytes: [UInt8]
  private let end: End

  /// Declares `size`, delivers `bytes`, then does `end`.
  public init(_ bytes: [UInt8], size: UInt64?, end: End = .end) {
    self.bytes = bytes
    self.size = size
    self.end = end
  }

  public func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    Reading(rest: bytes.dropFirst(Int(clamping: offset)), end: end)
  }

  private struct Reading: ByteReading {
    var rest: ByteChunk
    let end: End

    mutating func next() async throws(StoreError) -> ByteChunk? {
      if !rest.isEmpty {
        defer { rest = rest.dropFirst(1000) }
        return rest.prefix(1000)
      }
      switch end {
      case .end: return nil
      case .error(let error): throw error
      case .hang(let gate):
        gate.open()
        await Gate().wait()
        throw .cancelled("The reading of the source")
      }
    }
  }
}

/// A source that records the counts of delivered bytes.
public final class HearingSource: ByteSource {
  private let base: any ByteSource
  private let counts = Mutex<[UInt64]>([])

  /// Delivers the bytes of `base`.
  public init(_ base: any ByteSource) { self.base = base }

  /// All counts, in order.
  public var heard: [UInt64] { counts.withLock { $0 } }
  public var size: UInt64? { base.size }
  public func open(at offset: UInt64) async throws(StoreError) -> any ByteReading { try await base.open(at: offset) }
  public func delivered(_ count: UInt64) { counts.withLock { $0.append(count) } }
}
