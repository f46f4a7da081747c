public import FileStores
public import TextUI

/// An action type with one case for the failures of all effects. The effect says what failed.
public protocol FailableAction: Sendable {
  associatedtype Effect: Sendable
  static func failed(_ effect: Effect, _ error: StoreError) -> Self
}

/// Performs effects that may fail as a whole.
public protocol AnsweringPerformer: EffectPerformer where Action: FailableAction, Effect == Action.Effect {
  /// Returns the last action of the effect; nil if there is none, or it was sent.
  func answer(to effect: Effect, _ sender: Sender<Action>) async throws(StoreError) -> Action?
  /// The tries after a temporary failure; nil if the effect then ends.
  func tries(of effect: Effect) -> NextTries?
}

extension AnsweringPerformer {
  public func tries(of effect: Effect) -> NextTries? { nil }

  @concurrent
  public func perform(_ effect: Effect, _ sender: Sender<Action>) async {
    func send() async throws(StoreError) {
      if let action = try await answer(to: effect, sender) { sender.send(action) }
    }
    func fail(_ error: StoreError) { sender.send(.failed(effect, error)) }
    if let tries = tries(of: effect) { return await tries.run(failed: fail, send) }
    do throws(StoreError) {
      try await send()
    } catch {
      fail(error)
    }
  }
}
