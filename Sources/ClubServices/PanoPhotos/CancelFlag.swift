import FileStores
import Synchronization

/// Carries a task's cancellation to a thread that works for it.
final class CancelFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  var isRaised: Bool { flag.load(ordering: .relaxed) }
  func raise() { flag.store(true, ordering: .relaxed) }

  /// Runs `body`; the flag is raised when the calling task is cancelled meanwhile.
  func raisedByCancelling<Value, Failure: Error>(
    _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withTaskCancellationHandler {
      do throws(Failure) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    } onCancel: {
      raise()
    }
    return try result.get()
  }
}

extension BlockingPool {
  /// As `run`, with a question that `body` asks now and then: whether the calling task was cancelled.
  func runCancellable<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable (_ isCancelled: () -> Bool) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let flag = CancelFlag()
    return try await flag.raisedByCancelling { () throws(Failure) in
      try await run { () throws(Failure) in try body { flag.isRaised } }
    }
  }
}
