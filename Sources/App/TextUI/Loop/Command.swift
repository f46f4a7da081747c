public enum Command<Effect: Sendable, Posting: Sendable, Action: Sendable>: Sendable {
  /// A `key` cancels the running effect of the same key; only reads have keys, never writes.
  case run(Effect, key: String? = nil)
  /// Calls `EffectPerformer.post` on the loop's thread, in order.
  case post(Posting)
  case cancel(key: String)
  case handOver(ExternalProgram, then: @Sendable (ExternalProgram.End) -> Action)
  /// Repaints the whole terminal at the next frame.
  case redraw
  case suspend
  case bell
  /// Through the terminal (OSC 52), without control characters.
  case copy(String)
  /// Outside the screen, as far as the terminal can.
  case tell(TerminalMessage)
  case askBackground
  case quit
}

public struct ExternalProgram: Sendable, Hashable {
  /// No shell is involved.
  public var arguments: [String]

  public init(_ arguments: [String]) { self.arguments = arguments }

  public enum End: Sendable, Hashable {
    case exited(Int32)
    case signalled(Int32)
    case notStarted(String)
  }
}

extension Command {
  public func map<OuterEffect, OuterPosting, OuterAction>(
    _ effect: (Effect) -> OuterEffect, _ posting: (Posting) -> OuterPosting,
    _ action: @escaping @Sendable (Action) -> OuterAction
  ) -> Command<OuterEffect, OuterPosting, OuterAction> {
    switch self {
    case .run(let inner, let key): .run(effect(inner), key: key)
    case .post(let inner): .post(posting(inner))
    case .cancel(let key): .cancel(key: key)
    case .handOver(let program, let then): .handOver(program, then: { action(then($0)) })
    case .redraw: .redraw
    case .suspend: .suspend
    case .bell: .bell
    case .copy(let text): .copy(text)
    case .tell(let message): .tell(message)
    case .askBackground: .askBackground
    case .quit: .quit
    }
  }
}

extension Command where Posting == Never {
  /// For a screen that posts nothing.
  public func map<OuterEffect, OuterPosting, OuterAction>(
    _ effect: (Effect) -> OuterEffect, _ action: @escaping @Sendable (Action) -> OuterAction
  ) -> Command<OuterEffect, OuterPosting, OuterAction> {
    map(effect, { (_: Never) -> OuterPosting in }, action)
  }
}
