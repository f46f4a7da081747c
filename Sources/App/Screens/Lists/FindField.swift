internal import ClubServices
public import FileStores
internal import TextUI

/// The words that filter a list while they are typed.
struct FindField: Sendable {
  var field = TextField()
  /// True while keys go into the field.
  var isTyping = false
  /// The earlier selection, which Esc restores; nil once the member has selected another file.
  var before: Choice?
  /// True once the member has moved the cursor in what is found; until then it stands on the first row.
  var isMoved = false

  /// The member has chosen a file: Esc and further hits leave it.
  mutating func keepChoice() { (before, isMoved) = (nil, true) }

  /// The files that a search through texts found; typed words narrow them further.
  var found: Found?
  /// The files whose texts contain the typed words, below those whose names match; nil until they are known.
  var texts: Found?
  /// The texts that a search for the typed words has not read yet.
  var unread = 0
  /// The meaning of the typed text.
  var query = NoteQuery(plain: "")
  /// All that a search for the typed text has found, where names alone do not decide; nil until it is known.
  var within: Set<StorePath>?
  /// Ways to go on with the last word.
  var offers: QueryOffers?
  /// The place of the shown text among the remembered searches.
  var past: Int?

  /// The files of `texts`, in order.
  var textPaths: [StorePath] { texts.map { $0.files.keys.sorted() } ?? [] }

  /// The typed words that a name is compared with: the text itself, unless parts of it are filters or phrases.
  var names: String {
    let text = field.string
    return query.isPlain && query.words == NoteQuery(plain: text).words ? text : query.words.joined(separator: " ")
  }

  /// The words to mark in the texts that are shown.
  var marked: [String] { (texts ?? found)?.marked ?? [] }

  /// The reason why a part of the text is no search.
  var problem: String? { query.problem.map { "\($0)" } }

  var isActive: Bool { isTyping || !field.isEmpty || found != nil }

  /// The selected file of a list, and its top row.
  struct Choice: Sendable {
    let path: StorePath?
    /// An album in place of a file.
    var album: [UInt8]?
    let top: Int
  }

  struct Found: Sendable {
    let words: String
    let files: [StorePath: FoundFile]
    /// The words to mark in names and texts.
    let marked: [String]
    /// Stands in place of a line where no line was found.
    let reason: String

    init(words: String, files: [StorePath: FoundFile]) {
      (self.words, self.files, marked) = (words, files, NoteQuery.marked(in: words))
      let query = NoteQuery(words, .utc)
      let isByTag = query.terms.contains { $0.filter == .tag && !$0.isNegated }
      reason = !query.words.isEmpty ? "found by its name" : isByTag ? "found by its tag" : ""
    }
  }
}

public struct FoundFile: Sendable, Hashable {
  public let path: StorePath
  /// The number of the first matching line, from 1; nil if unknown.
  public let line: Int?
  /// The line, or the part of it with the words.
  public let text: String
  /// The number of further matching lines.
  public let more: Int

  public init(_ path: StorePath, line: Int? = nil, text: String = "", more: Int = 0) {
    (self.path, self.line, self.text, self.more) = (path, line, text, more)
  }
}

/// The words and the line to show when a text opens from a search.
struct SoughtPlace: Hashable, Sendable {
  let words: [String]
  /// From 0.
  let line: Int
}

/// A labelled field on the last line of a view, with a note about the typed text, and an error above it.
enum FieldLine {
  static func draw(
    _ label: String, _ field: TextField, note: String = "", problem: String? = nil, on canvas: inout Canvas
  ) {
    let y = canvas.size.height - 1
    canvas.fill(Rect(0, y, canvas.size.width, 1), style: canvas[.text])
    let used = 1 + canvas.text(label, x: 1, y: y, style: canvas[.label])
    let width = note.isEmpty ? 0 : GlyphReader.columns(of: note) + 2
    canvas.text(note, x: canvas.size.width - width + 1, y: y, style: canvas[.dim])
    canvas.inside(Rect(used, y, canvas.size.width - used - 1 - width, 1)) { field.draw(on: &$0) }
    guard let problem else { return }
    let line = NoticeLine(problem, .error)
    let height = min(y, line.height(for: canvas.size.width))
    canvas.fill(Rect(0, y - height, canvas.size.width, height), style: canvas[.text])
    canvas.inside(Rect(0, y - height, canvas.size.width, height)) { line.draw(on: &$0) }
  }
}
