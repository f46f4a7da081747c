internal import FileStores
internal import TextUI

protocol ClubTabAction: Sendable {
  static func input(_ input: MemberInput) -> Self
  static var resized: Self { get }
  /// nil has no effect.
  static func answered(_ action: Self?) -> Self
  var memberInput: MemberInput? { get }
}

/// A tab's state, changes and drawing.
/// The body is between the top line and the notice; keys, footer, help and questions are the app's.
protocol ClubTab: Sendable {
  associatedtype Action: ClubTabAction
  associatedtype Effect: Sendable
  associatedtype Posting: Sendable
  typealias Commands = [Command<Effect, Posting, Action>]

  var title: String { get }
  /// For the top line; nil if unknown.
  var count: Int? { get }
  /// Added or changed by others since the member last looked.
  var newCount: Int { get }
  /// Blocks the tab until it is answered.
  var question: Question<Action>? { get }
  var hasPreview: Bool { get }
  /// The columns of the list beside a preview; nil if it has all.
  func listWidth(_ frame: Frame) -> Int?
  var isFinding: Bool { get }
  var canFind: Bool { get }
  /// A key would clear the words that filter the list.
  var isFiltered: Bool { get }
  var isLoading: Bool { get }
  /// A view lies over the tab.
  var hasView: Bool { get }
  /// A view, a question or a field lies over the tab.
  var isCovered: Bool { get }
  var isBusy: Bool { get }
  /// The tab's body reports that the store does not answer.
  var saysConnection: Bool { get }
  /// Typed keys go into a text.
  var takesText: Bool { get }
  /// The reason for an empty view.
  var problem: Problem? { get }
  /// For key lookup, the nearest first.
  var places: [KeyCommand.Place] { get }
  var footer: [CommandID] { get }
  /// The footer's word for the key that shows a photo in another way; nil for its usual word.
  var nextLook: String? { get }
  /// The editor that takes vi's keys; nil without one.
  var vi: ViKeys? { get }
  /// The reason why a command can do nothing now, as a sentence; nil if it does something or says so itself.
  func reason(against command: CommandID, _ frame: Frame) -> String?

  mutating func update(_ action: Action, _ frame: inout Frame) -> Commands
  func draw(_ frame: Frame, on canvas: inout Canvas)
  mutating func shown(_ frame: inout Frame) -> Commands
  mutating func reconnected(_ frame: inout Frame) -> Commands
  /// The member stops waiting for a store that asks for a pause.
  mutating func stopWaiting(_ error: StoreError) -> Commands
}

extension ClubTab {
  var count: Int? { nil }
  var newCount: Int { 0 }
  var hasPreview: Bool { false }
  func listWidth(_ frame: Frame) -> Int? { hasPreview ? frame.listWidth : nil }
  var isFinding: Bool { false }
  var canFind: Bool { false }
  var isFiltered: Bool { false }
  var isLoading: Bool { false }
  var isBusy: Bool { false }
  var saysConnection: Bool { false }
  var takesText: Bool { false }
  var problem: Problem? { nil }
  var isCovered: Bool { hasView || isAsking }
  var nextLook: String? { nil }
  var vi: ViKeys? { nil }
  func reason(against command: CommandID, _ frame: Frame) -> String? { nil }
  var isAsking: Bool { question != nil }

  mutating func shown(_ frame: inout Frame) -> Commands { [] }
  mutating func reconnected(_ frame: inout Frame) -> Commands { [] }
  mutating func stopWaiting(_ error: StoreError) -> Commands { [] }

  func drawQuestion(on canvas: inout Canvas) { question?.draw(on: &canvas) }

  /// The topmost view handles the event; nil if it has no action.
  func action(for event: InputEvent, _ keys: KeyTable) -> Action? {
    switch event {
    case .key(let key):
      if let question { return question.answer(for: key).map { .answered($0.action) } }
      if let command = keys.command(for: key, in: places), vi?.takes(key, from: command) != true {
        return .input(.command(command))
      }
      return takesText ? .input(.typed(key)) : nil
    case .paste(let bytes): return takesText ? .input(.pasted(bytes)) : nil
    case .mouse(let mouse): return isAsking ? nil : .input(.mouse(mouse))
    case .resize: return .resized
    case .terminate, .resumed, .focus, .background, .report, .abilities: return nil
    }
  }
}

enum TabEvent: Sendable {
  case input(MemberInput)
  case resized
  case shown
  case reconnected
  case stopWaiting(StoreError)
}

extension ClubTab {
  mutating func take(_ event: TabEvent, _ frame: inout Frame) -> Commands {
    switch event {
    case .input(let input): update(.input(input), &frame)
    case .resized: update(.resized, &frame)
    case .shown: shown(&frame)
    case .reconnected: reconnected(&frame)
    case .stopWaiting(let error): stopWaiting(error)
    }
  }
}
