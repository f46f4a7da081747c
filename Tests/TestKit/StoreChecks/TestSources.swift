public import FileStores
import Synchronization

/// A source that gives some bytes, and then does something else.
public struct OddSource: ByteSource {
  /// What comes after the bytes.
  public enum End: Sendable {
    /// Just the end.
    case end
    /// An error.
    case error(StoreError)
    /// Nothing, until the task is cancelled; the gate is opened when it begins.
    case hang(Gate)
  }

  /// How many bytes there will be.
  public let size: UInt64?
  private let bytes: [UInt8]
  private let end: End

  /// Declares `size`, gives `bytes`, then does `end`.
  public init(_ bytes: [UInt8], size: UInt64?, end: End = .end) {
    self.bytes = bytes
    self.size = size
    self.end = end
  }

  /// Starts a reading at an offset; see `ByteSource`.
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

/// Something to wait for: opened once. Waiting also ends when the task is cancelled.
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var cancelled: Set<UInt64> = []
    var tickets: UInt64 = 0
  }

  private let state = Mutex(State())

  /// A closed gate.
  public init() {}

  /// True once opened.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Lets all pass, now and later.
  public func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters.removeAll() }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until it is open, or the task is cancelled.
  public func wait() async {
    let ticket = state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let pass = state.withLock { state in
          if state.isOpen || state.cancelled.remove(ticket) != nil { return true }
          state.waiters[ticket] = continuation
          return false
        }
        if pass { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        let waiter = state.waiters.removeValue(forKey: ticket)
        if waiter == nil { state.cancelled.insert(ticket) }
        return waiter
      }
      waiter?.resume()
    }
  }
}

/// A source that writes down how many of its bytes the store can have.
public final class HearingSource: ByteSource {
  private let base: any ByteSource
  private let counts = Mutex<[UInt64]>([])

  /// Hands out the bytes of `base`.
  public init(_ base: any ByteSource) { self.base = base }

  /// All counts, in order.
  public var heard: [UInt64] { counts.withLock { $0 } }
  /// How many bytes there will be.
  public var size: UInt64? { base.size }
  /// Starts a reading at an offset; see `ByteSource`.
  public func open(at offset: UInt64) async throws(StoreError) -> any ByteReading { try await base.open(at: offset) }
  /// Writes a count down.
  public func delivered(_ count: UInt64) { counts.withLock { $0.append(count) } }
}
