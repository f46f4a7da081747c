internal import FileStores
internal import TextUI

/// A path being typed, with what it could become.
struct PathPrompt: Sendable {
  let purpose: PathPurpose
  private(set) var field: TextField
  private(set) var completion = PathCompletion(choices: [], common: "")
  /// The text that `completion` is of; while it is another than the field's, the newest is on its way.
  private(set) var completedText: String?
  /// A key that waits for the newest completion.
  var waiting: CommandID?
  var list = ListState()
  /// Whether a row is highlighted, which Enter then takes.
  private(set) var hasHighlight = false
  /// Files marked for upload.
  var marks: [String] = []
  /// The photos to download.
  let photos: [StorePath]
  /// What was asked for by Enter and is being looked at, which typing on does not end; nil when nothing is.
  private(set) var asked: [String]?
  /// The text when it was asked for.
  private var askedText: String?
  /// Whether the text is the folder that was proposed, untouched.
  private var isFresh: Bool
  /// Why what was asked for last cannot be done.
  private(set) var problem: String?

  init(purpose: PathPurpose, text: String = "", photos: [StorePath] = []) {
    self.purpose = purpose
    field = TextField(text, placeholder: purpose == .upload ? "a path, or drop files here" : "a folder")
    self.photos = photos
    isFresh = !text.isEmpty
  }

  /// The highlighted possibility; nil while the possibilities are of another text.
  var chosen: PathCompletion.Choice? {
    guard isCompleted, hasHighlight, let row = list.selected, row < completion.choices.count else { return nil }
    return completion.choices[row]
  }

  /// Whether the possibilities are those of the text as it stands.
  var isCompleted: Bool { completedText == field.string }

  /// Whether the text is still the one that was asked for.
  var isAsAsked: Bool { askedText == field.string }

  /// Types a key; false when the text stays the same, and only the cursor may have moved. A path of its own takes the
  /// place of the proposed folder.
  mutating func type(_ key: Key) -> Bool {
    if isFresh, key.typed == "/" || key.typed == "~" { set("") }
    return change { $0.handle(key) }
  }

  /// Pastes; as `type`.
  mutating func paste(_ bytes: [UInt8]) -> Bool {
    let isWhole = ["/", "~", "'", "\"", "file://"].contains { bytes.starts(with: $0.utf8) }
    if isFresh, isWhole { set("") }
    return change { $0.paste(bytes) }
  }

  private mutating func change(_ change: (inout TextField) -> EditOutcome) -> Bool {
    let before = field.bytes
    guard change(&field) != .ignored, field.bytes != before else { return false }
    forget()
    return true
  }

  /// Puts another text in the place of the one that was typed.
  mutating func set(_ text: String) {
    field = TextField(text, placeholder: field.placeholder)
    forget()
  }

  private mutating func forget() {
    (hasHighlight, problem, waiting, isFresh) = (false, nil, nil, false)
    // A folder is only looked at, and another one may be meant by now; files that were asked for are on their way.
    if purpose == .download { asked = nil }
    list.select(0)
  }

  /// The possibilities of the text are there. A name that is being typed highlights the first of them; behind a slash
  /// nobody has chosen anything yet.
  mutating func take(_ completion: PathCompletion) {
    self.completion = completion
    completedText = field.string
    list.setCount(completion.choices.count)
    list.select(0)
    let isName = !field.isEmpty && field.bytes.last != UInt8(ascii: "/")
    let isFirst =
      switch completion.meaning {
      case .nothing: true
      case .folder: purpose == .upload
      case .files(let paths): paths.count == 1 && paths.first == completion.choices.first?.path
      }
    hasHighlight = isName && isFirst && !completion.choices.isEmpty
  }

  /// Moves the highlight by a key of lists; false for other keys.
  mutating func move(_ key: Key) -> Bool {
    let isBack = key.code == .backTab
    guard !isBack else {
      step(by: -1)
      return true
    }
    // The first arrow shows where the highlight is.
    guard hasHighlight || key.code != .down else {
      hasHighlight = list.selected != nil
      return true
    }
    guard list.handle(key) else { return false }
    hasHighlight = list.selected != nil
    return true
  }

  /// Highlights the next row or the one before, around the ends.
  mutating func step(by step: Int) {
    guard list.count > 0 else { return }
    if hasHighlight { list.select((list.selection + step + list.count) % list.count) }
    hasHighlight = true
  }

  /// Marks the highlighted file, or takes its mark away, and goes on to the next; without a highlight, the first.
  mutating func mark() {
    guard isCompleted else { return }
    hasHighlight = list.selected != nil
    guard let choice = chosen else { return }
    if let index = marks.firstIndex(of: choice.path) {
      marks.remove(at: index)
    } else if !choice.isDirectory {
      marks.append(choice.path)
    }
    list.move(.down)
  }

  /// What Enter asked for is being looked at.
  mutating func ask(_ paths: [String]) { (asked, askedText, problem) = (paths, field.string, nil) }

  /// It is under way; something else has been typed since.
  mutating func goOn() {
    marks.removeAll { asked?.contains($0) == true }
    asked = nil
  }

  /// It cannot be done: the text stays.
  mutating func refuse(_ problem: String) { (asked, self.problem) = (nil, problem) }
}
