extension Command {
  /// The same command in the words of a screen that holds this one.
  public func map<OuterEffect, OuterAction>(
    _ effect: (Effect) -> OuterEffect, _ action: @escaping @Sendable (Action) -> OuterAction
  ) -> Command<OuterEffect, OuterAction> {
    switch self {
    case .run(let inner, let key): .run(effect(inner), key: key)
    case .post(let inner): .post(effect(inner))
    case .cancel(let key): .cancel(key: key)
    case .handOver(let program, let then): .handOver(program, then: { action(then($0)) })
    case .redraw: .redraw
    case .suspend: .suspend
    case .bell: .bell
    case .copy(let text): .copy(text)
    case .tell(let message): .tell(message)
    case .quit: .quit
    }
  }
}
