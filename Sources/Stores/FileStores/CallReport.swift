internal import Basics

/// A report of a retrying store about one of its calls.
public enum CallReport: Sendable {
  case asks
  case answered
  /// A call failed with a temporary error; the next try follows after this pause.
  case waits(StoreError, Duration)
  /// A call failed with a temporary error, and no try follows.
  case failed(StoreError)
  /// The number of unreadable entries of a list.
  case unreadable(Int)
}

/// Receives reports on any thread, between the steps of the calls. Must return at once.
public typealias CallObserver = @Sendable (CallReport) -> Void

/// The running pauses before further tries, so that a member can end them. Any thread may use it.
public final class CallPauses: Sendable {
  private let ends = ChangeCount()

  public init() {}

  /// Ends the running pauses: each call fails with the error before its pause.
  public func end() { ends.fire() }

  /// - Returns: false if the pause was ended early.
  /// - Throws: `CancellationError`.
  func wait(_ pause: Duration, _ clock: any Clock<Duration>) async throws(CancellationError) -> Bool {
    let begun = ends.number
    let isWhole = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        do {
          try await clock.sleep(for: pause)
          return true
        } catch {
          return false
        }
      }
      group.addTask {
        await self.ends.wait(past: begun)
        return false
      }
      let isWhole = await group.next() ?? false
      group.cancelAll()
      return isWhole
    }
    if Task.isCancelled { throw CancellationError() }
    return isWhole
  }
}

public struct WatchedStore: StoreWrapper {
  public let base: any FileStore
  private let observer: CallObserver

  /// `observer` gets a report of each request, of its end, and of each chunk that is read.
  public init(_ base: any FileStore, observer: @escaping CallObserver) {
    (self.base, self.observer) = (base, observer)
  }

  public func call<Answer: Sendable>(
    _ call: StoreCall<Answer>, _ body: () async throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    observer(.asks)
    defer { observer(.answered) }
    return try await body()
  }

  public func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try await call(.read(path, options)) { () throws(StoreError) in
      try await base.read(path, options) { chunk throws(StoreError) in
        observer(.answered)
        try await receive(chunk)
        observer(.asks)
      }
    }
  }
}
