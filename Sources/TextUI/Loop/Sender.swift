/// How an effect tells what happened. Any thread may send; order is kept.
public struct Sender<Action: Sendable>: Sendable {
  private let body: @Sendable (Action, String?) -> Void

  /// Sends by a closure, which returns at once.
  public init(_ body: @escaping @Sendable (Action, _ replacing: String?) -> Void) { self.body = body }

  /// Sends an action. With `replacing`, an action of the same name that has not been looked at yet is dropped.
  public func send(_ action: Action, replacing name: String? = nil) { body(action, name) }

  /// A sender for a screen inside this one's.
  public func map<Inner>(_ outer: @escaping @Sendable (Inner) -> Action) -> Sender<Inner> {
    Sender<Inner> { send(outer($0), replacing: $1) }
  }
}
