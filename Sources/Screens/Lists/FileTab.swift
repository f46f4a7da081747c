internal import TextUI

/// What happens to each tab alike.
protocol FileTabAction: FailableAction {
  static func input(_ input: MemberInput) -> Self
  static var resized: Self { get }
  /// A question was answered; nil: nothing is to happen.
  static func answered(_ action: Self?) -> Self
  /// To the list.
  static func files(_ action: FileListAction) -> Self
}

extension FileTabAction {
  static func failed(_ sentence: String) -> Self { .files(.failed(sentence)) }
}

/// A tab: a list of files, views over it, and a question over those.
protocol FileTab: Sendable {
  associatedtype Action: FileTabAction
  var frame: Frame { get }
  /// A question that must be answered first.
  var question: Question<Action>? { get }
  /// Whether words to find are typed.
  var isFinding: Bool { get }
  /// Whether words can be found in what is seen.
  var canFind: Bool { get }
  /// Whether what is seen is still being opened.
  var isLoading: Bool { get }
  /// Whether a view lies over the list.
  var hasView: Bool { get }
  /// The files.
  var files: FileList { get }
  /// Whether keys that type something go into a text now.
  var takesText: Bool { get }
  /// Why what is seen shows nothing, if it does not.
  var problem: Problem? { get }
  /// Where keys are looked up now, the nearest first.
  var places: [KeyCommand.Place] { get }
  /// The commands for the footer.
  var footer: [CommandID] { get }
}

extension FileTab {
  var isFinding: Bool { !hasView && files.find.isTyping }
  var canFind: Bool { !hasView }
  var isLoading: Bool { false }
  /// Whether a question is asked.
  var isAsking: Bool { question != nil }
  /// Whether a view, a question or a field lies over the list.
  var isCovered: Bool { hasView || isAsking || files.renaming != nil }

  func drawQuestion(on canvas: inout Canvas) { question?.draw(on: &canvas) }

  /// What an event means to the topmost view; nil when nothing.
  func action(for event: InputEvent) -> Action? {
    switch event {
    case .key(let key):
      if let question { return question.answer(for: key).map { .answered($0.action) } }
      if let command = frame.keys.command(for: key, in: places) { return .input(.command(command)) }
      return takesText ? .input(.typed(key)) : nil
    case .paste(let bytes): return takesText ? .input(.pasted(bytes)) : nil
    case .mouse(let mouse): return isAsking ? nil : .input(.mouse(mouse))
    case .resize: return .resized
    case .terminate, .resumed, .focus: return nil
    }
  }
}
