/// A screen's state, changes and drawing. All of it is pure; effects, performed elsewhere, do the I/O.
public protocol Screen {
  associatedtype State
  associatedtype Action: Sendable
  /// Work outside the screen, beside other work.
  associatedtype Effect: Sendable
  /// Work in order, on the loop's thread; `Never` if none.
  associatedtype Posting: Sendable = Never

  static func action(for event: InputEvent, in state: State) -> Action?
  /// Called at the start of a turn. The state uses the time only for ages.
  static func clockRead(_ state: inout State, secondsSince1970: Int64)
  /// Called before the events of a turn, for the pauses between keys. Only differences have a meaning.
  static func eventsCame(_ state: inout State, milliseconds: Int64)
  /// Seconds until time alone changes the drawing, as in a countdown; nil if never.
  static func tick(_ state: State) -> Int?
  /// Never blocks.
  static func update(_ state: inout State, _ action: Action) -> [Command<Effect, Posting, Action>]
  /// Draws the whole state at each call; the canvas skips unchanged lines.
  static func draw(_ state: State, on canvas: inout Canvas)
}

extension Screen {
  public static func tick(_ state: State) -> Int? { nil }

  public static func eventsCame(_ state: inout State, milliseconds: Int64) {}
}

public protocol EffectPerformer<Effect, Posting, Action>: Sendable {
  associatedtype Effect: Sendable
  associatedtype Posting: Sendable = Never
  associatedtype Action: Sendable
  /// Runs outside the loop's thread; sends any number of actions.
  @concurrent func perform(_ effect: Effect, _ sender: Sender<Action>) async
  /// Called on the loop's thread, in order; returns at once.
  func post(_ posting: Posting)
}

extension EffectPerformer where Posting == Never {
  public func post(_ posting: Never) {}
}
