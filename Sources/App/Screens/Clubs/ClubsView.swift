internal import FileStores
internal import TextUI

/// A view of the screen of clubs: a value that takes input and answers, and returns what follows.
protocol ClubsView: Sendable {
  var title: String { get }
  /// For key lookup, the nearest first.
  var places: [KeyCommand.Place] { get }
  var footer: [CommandID] { get }
  /// The find key begins a search in it.
  var finds: Bool { get }
  /// Typed keys go into a field.
  var takesText: Bool { get }
  /// Digits choose a row.
  var takesDigits: Bool { get }
  /// The member waits for an answer. The keys that lead back stop waiting first.
  var isAsking: Bool { get }
  /// The screen may begin and end with it.
  var isHome: Bool { get }

  /// Called when the view is shown for the first time.
  mutating func begin() -> [ClubsStep]
  mutating func take(_ input: MemberInput, _ frame: Frame) -> [ClubsStep]
  /// The member has agreed to the view's question.
  mutating func agreed() -> [ClubsStep]
  mutating func answered(_ answer: ClubsAnswer) -> [ClubsStep]
  mutating func failed(_ call: ClubsCall, _ error: StoreError)
  /// The member no longer waits for the answer; false if that cannot be stopped.
  mutating func stop() -> Bool
  func draw(_ frame: Frame, on canvas: inout Canvas)
}

extension ClubsView {
  var finds: Bool { false }
  var takesText: Bool { false }
  var takesDigits: Bool { false }
  var isAsking: Bool { false }
  var isHome: Bool { false }

  mutating func begin() -> [ClubsStep] { [] }
  mutating func agreed() -> [ClubsStep] { [] }
  mutating func failed(_ call: ClubsCall, _ error: StoreError) {}
  mutating func stop() -> Bool { true }
}

/// A view's answer to an event.
enum ClubsStep: Sendable {
  case ask(ClubsCall)
  case stop(ClubsCall.Kind)
  case show(any ClubsView)
  /// Leave all views, and show this one over the list of clubs.
  case showOverList(any ClubsView)
  case showPlaces
  /// As it was left, if the member has begun it before.
  case showForm(PlaceForm)
  case showInvitation
  case question(String, yes: String)
  case say(String)
  case copy(String)
  case end(ClubsOutcome)
}

extension StoreError {
  /// For a view; nil for a call that the member cancelled.
  var shown: StoreError? { kind == .cancelled ? nil : self }
}

extension ListState {
  /// True for a click on the selected row, which opens it.
  mutating func point(_ mouse: InputEvent.Mouse) -> Bool {
    switch mouse.kind {
    case .wheelUp, .wheelDown: scroll(by: mouse.kind == .wheelUp ? -3 : 3)
    case .press:
      guard let row = row(atLine: mouse.point.y) else { return false }
      if row == selected { return true }
      select(row)
    case .release, .drag: break
    }
    return false
  }
}
