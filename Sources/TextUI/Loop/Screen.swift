/// A screen: a value, what happens to it, and how it looks. All of it is pure; what touches the world is an effect,
/// performed elsewhere.
public protocol Screen {
  /// All that is on the screen or decides what will be.
  associatedtype State
  /// Something that happened.
  associatedtype Action: Sendable
  /// Something to be done.
  associatedtype Effect: Sendable

  /// What an event of the terminal means now; nil when nothing.
  static func action(for event: InputEvent, in state: State) -> Action?
  /// Tells the state what time it is, before anything else happens in a turn: ages are the only use.
  static func clockRead(_ state: inout State, secondsSince1970: Int64)
  /// After how many seconds that which is drawn changes by time alone, such as a countdown; nil when it never does.
  static func tick(_ state: State) -> Int?
  /// Changes the state. Never blocks.
  static func update(_ state: inout State, _ action: Action) -> [Command<Effect, Action>]
  /// Draws the state. Everything is drawn at each call, onto an empty canvas; the canvas knows what is there already.
  static func draw(_ state: State, on canvas: inout Canvas)
}

extension Screen {
  /// Nothing changes by time alone.
  public static func tick(_ state: State) -> Int? { nil }
}

/// Performs a screen's effects.
public protocol EffectPerformer<Effect, Action>: Sendable {
  /// Something to be done.
  associatedtype Effect: Sendable
  /// Something that happened.
  associatedtype Action: Sendable
  /// Does it. Runs outside the loop's thread; tells what happened through `sender`, any number of times.
  @concurrent func perform(_ effect: Effect, _ sender: Sender<Action>) async
  /// Takes an effect whose order matters (an edit for the draft's log). Called on the loop's thread: returns at once.
  func post(_ effect: Effect)
}
