import Synchronization

/// Carries a task's cancellation to a thread that works for it.
package final class CancelFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  package init() {}

  package var isRaised: Bool { flag.load(ordering: .relaxed) }
  package func raise() { flag.store(true, ordering: .relaxed) }

  package func raisedByCancelling<Value, Failure: Error>(
    _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withTaskCancellationHandler {
      await .catching(body)
    } onCancel: {
      raise()
    }
    return try result.get()
  }
}

extension BlockingPool {
  /// As `run`; `body` polls `isCancelled`, which is true once the calling task is cancelled.
  package func runCancellable<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable (_ isCancelled: () -> Bool) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let flag = CancelFlag()
    return try await flag.raisedByCancelling { () throws(Failure) in
      try await run { () throws(Failure) in try body { flag.isRaised } }
    }
  }
}
