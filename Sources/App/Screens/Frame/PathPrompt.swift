internal import FileStores
internal import TextUI

struct PathPrompt: Sendable {
  let purpose: PathPurpose
  private(set) var field: TextField
  private(set) var completion = PathCompletion(choices: [], common: "")
  /// If this text differs from the field's, a newer completion is on its way.
  private(set) var completedText: String?
  /// A key that waits for the newest completion.
  var waiting: CommandID?
  var list = ListState()
  /// Enter then takes the highlighted row.
  private(set) var hasHighlight = false
  var marks: [String] = []
  let photos: [StorePath]
  /// The name of the album for an upload.
  private let album: String?
  /// The files or folder that Enter has requested, while they are checked.
  private(set) var asked: [String]?
  /// The text is the proposed folder, unchanged.
  private var isFresh: Bool
  private(set) var problem: String?

  init(purpose: PathPurpose, text: String = "", photos: [StorePath] = [], album: String? = nil) {
    (self.purpose, self.album) = (purpose, album)
    field = TextField(text, placeholder: purpose == .upload ? "a path, or drop files here" : "a folder")
    self.photos = photos
    isFresh = !text.isEmpty
  }

  /// nil while the choices belong to another text.
  var chosen: PathCompletion.Choice? {
    guard isCompleted, hasHighlight, let row = list.selected, row < completion.choices.count else { return nil }
    return completion.choices[row]
  }

  /// The completions belong to the present text.
  var isCompleted: Bool { completedText == field.string }

  /// The files of an upload are checked: the prompt takes no key but the one that closes it.
  var isChecking: Bool { purpose == .upload && asked != nil }

  /// False if the text stays the same, although the cursor may have moved. An absolute path replaces the proposed
  /// folder.
  mutating func type(_ key: Key) -> Bool {
    if isFresh, key.typed == "/" || key.typed == "~" { set("") }
    return change { $0.handle(key) }
  }

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

  mutating func set(_ text: String) {
    field = TextField(text, placeholder: field.placeholder)
    forget()
  }

  private mutating func forget() {
    (hasHighlight, problem, waiting, isFresh, asked) = (false, nil, nil, false, nil)
    list.select(0)
  }

  /// An incomplete name highlights the first completion; after a slash nothing is highlighted.
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

  /// False for other keys than those of lists.
  mutating func move(_ key: Key) -> Bool {
    let isBack = key.code == .backTab
    guard !isBack else {
      step(by: -1)
      return true
    }
    // The first arrow key only shows the highlight.
    guard hasHighlight || key.code != .down else {
      hasHighlight = list.selected != nil
      return true
    }
    guard list.handle(key) else { return false }
    hasHighlight = list.selected != nil
    return true
  }

  /// Wraps around.
  mutating func step(by step: Int) {
    guard list.count > 0 else { return }
    if hasHighlight { list.select((list.selection + step + list.count) % list.count) }
    hasHighlight = true
  }

  /// Marks the highlighted file and moves on. Without a highlight it takes the first file.
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

  mutating func ask(_ paths: [String]) { (asked, problem) = (paths, nil) }

  /// The request failed: the text stays.
  mutating func refuse(_ problem: String) { (asked, self.problem) = (nil, problem) }
}

extension PathPrompt {
  func draw(on canvas: inout Canvas) {
    let label = purpose == .download ? "Download to: " : album.map { "Upload to \($0)/: " } ?? "Upload: "
    let folder = commonFolder
    canvas.prompt(label, field, problem: problem ?? completion.problem, sentence: words, list) {
      line, row, isSelected in
      guard row < completion.choices.count else { return }
      let choice = completion.choices[row]
      let isChosen = isSelected && chosen != nil
      line.text(isChosen ? ">" : " ", x: 1, y: 0, style: line[.accent])
      line.text(marks.contains(choice.path) ? "+" : " ", x: 2, y: 0, style: line[.marked])
      let style = line[isChosen ? .selection : choice.isDirectory ? .directory : .text]
      line.text(Array(choice.path.utf8.dropFirst(folder))[...], x: 3, y: 0, style: style, width: line.size.width - 4)
    }
  }

  private var words: String {
    if let asked, isChecking {
      return asked.count == 1 ? "Looking at the picture." : "Looking at \(asked.count) pictures."
    }
    if !marks.isEmpty { return "\(marks.count) marked. Enter uploads \(marks.count == 1 ? "it" : "them")." }
    let several = isCompleted ? completion.several.count : 0
    return several > 0 ? "\(several) pictures. Enter uploads all." : ""
  }

  /// In bytes; the rows omit the common folder.
  private var commonFolder: Int {
    func folder(_ path: String) -> Substring {
      let bare = path.hasSuffix("/") ? path.dropLast() : path[...]
      return bare.lastIndex(of: "/").map { bare[...$0] } ?? ""
    }
    guard let first = completion.choices.first.map({ folder($0.path) }) else { return 0 }
    return completion.choices.allSatisfy { folder($0.path) == first } ? first.utf8.count : 0
  }
}

extension Canvas {
  /// Draws a field with choices, from top to bottom: the text, the problem or a sentence about it, the choices.
  mutating func prompt(
    _ label: String, _ field: TextField, problem: String?, sentence: String, _ choices: ListState,
    row: (_ line: inout Canvas, _ row: Int, _ isSelected: Bool) -> Void
  ) {
    let size = size
    let used = 1 + text(label, x: 1, y: 0, style: self[.label])
    let problem = problem.map { NoticeLine($0, .error) }
    let lines = min(problem?.height(for: size.width) ?? 1, max(1, size.height - 2))
    inside(Rect(0, 1, size.width, lines)) { part in
      if let problem { problem.draw(on: &part) } else { part.text(sentence, x: 1, y: 0, style: part[.dim]) }
    }
    var list = choices
    list.resize(height: max(1, size.height - 1 - lines))
    inside(Rect(0, 1 + lines, size.width, max(0, size.height - 1 - lines))) { list.draw(on: &$0, row: row) }
    inside(Rect(used, 0, size.width - used - 1, 1)) { field.draw(on: &$0) }
  }
}
