internal import ClubServices
internal import FileStores
internal import Merge
internal import TextUI

/// Two texts of one note, part by part: side by side, or one above the other on a narrow screen.
struct ConflictView: Sendable {
  enum Side: Sendable, Hashable { case same, mine, theirs, edited }

  enum Row: Sendable, Hashable {
    case part(Int)
    case pair(Int, mine: MarkedRow?, theirs: MarkedRow?)
    case line(Side, part: Int?, MarkedRow)
    /// Equal lines that are not shown.
    case skipped(Int)
    /// A side without a text.
    case nothing(Side, part: Int)
  }

  let conflict: SaveConflict
  let session: Int?
  private(set) var resolution: Resolution
  /// The chosen part.
  private(set) var part = 0
  /// The editor of the chosen part.
  var editing: PartEditor?
  /// The session of the draft with edited parts.
  var draft: Int?
  /// The text that Done writes.
  var written: [UInt8]?
  private(set) var rows: [Row] = []
  private(set) var top = 0
  private(set) var size: Size
  private var marks: [(removed: [Range<Int>], added: [Range<Int>])]

  /// Columns from which on the versions are side by side.
  private static let wide = 70
  /// Equal lines around a part.
  private static let context = 3
  /// Of one part, for each side; the editor shows all.
  private static let mostRows = 400
  /// In bytes; words of further parts are not compared.
  private static let mostCompared = 256 << 10

  /// `earlier` is the resolution that the member left, or that another change interrupted.
  init(_ conflict: SaveConflict, session: Int?, frame: Frame, earlier: Resolution? = nil) {
    self.conflict = conflict
    self.session = session
    size = frame.size
    resolution = conflict.resolution
    if let earlier { resolution.take(choicesOf: earlier) }
    var compared = 0
    marks = resolution.parts.map { part in
      compared += part.mine.count + part.theirs.count
      guard !part.mine.isEmpty, !part.theirs.isEmpty, compared <= Self.mostCompared else { return ([], []) }
      return TextDiff.words(from: part.mine[...], to: part.theirs[...])
    }
    resize(frame)
    go(to: resolution.nextOpen(from: 0) ?? 0)
  }

  /// The words of a part's other text that mine lacks.
  func marks(of part: Int) -> [Range<Int>] { marks[part].added }

  /// True if the versions are side by side.
  var isWide: Bool { size.width >= Self.wide && conflict.theirs != nil }

  /// False for a deleted or renamed note.
  var hasParts: Bool { conflict.theirs != nil && !resolution.parts.isEmpty }

  /// The rows above the parts.
  static let headLines = 2

  /// The columns of the left text.
  var half: Int { (size.width - 1) / 2 }

  private var height: Int { max(1, size.height - Self.headLines) }

  mutating func resize(_ frame: Frame) {
    size = Size(frame.size.width, max(1, frame.bodyHeight))
    layOut()
    let editorSize = editorSize
    editing?.text.resize(editorSize)
    go(to: part)
  }

  /// The size of the editor of a part.
  var editorSize: Size {
    isWide
      ? Size(max(1, half - 2), max(1, size.height - Self.headLines))
      : Size(max(1, size.width - 2), max(1, size.height - 2 - theirLines))
  }

  /// The rows of their text above the editor on a narrow screen.
  var theirLines: Int { max(1, size.height / 3) }

  // MARK: Choosing

  mutating func choose(_ choice: Resolution.Choice) {
    resolution.choose(choice, at: part)
    layOut()
    go(to: resolution.nextOpen(from: part) ?? part)
  }

  mutating func chooseAll(_ choice: Resolution.Choice) {
    resolution.chooseAll(choice)
    layOut()
    go(to: part)
  }

  /// - Returns: false if there is nothing to undo or redo.
  mutating func undo(_ again: Bool = false) -> Bool {
    guard let changed = again ? resolution.redo() : resolution.undo() else { return false }
    layOut()
    go(to: changed)
    return true
  }

  /// - Returns: false at the first or the last part.
  mutating func step(by parts: Int) -> Bool {
    guard resolution.parts.indices.contains(part + parts) else { return false }
    go(to: part + parts)
    return true
  }

  /// Chooses a part and brings it into view.
  mutating func go(to part: Int) {
    self.part = resolution.parts.indices.contains(part) ? part : 0
    guard let first = rows.firstIndex(of: .part(self.part)) else { return scroll(to: top) }
    let end = rows[(first + 1)...].firstIndex { $0.part != self.part } ?? rows.count
    if first >= top, end <= top + height { return }
    // With a row of the text before it, where there is room.
    scroll(to: end - first < height ? first - 1 : first)
  }

  mutating func scroll(by distance: Int) { scroll(to: top + distance) }

  mutating func scroll(_ command: CommandID) {
    switch TextReader.scroll(command) {
    case .top?: scroll(to: 0)
    case .bottom?: scroll(to: rows.count)
    case let way?: scroll(by: way.rows(height: height) ?? 0)
    case nil: break
    }
  }

  private mutating func scroll(to row: Int) { top = max(0, min(row, rows.count - height)) }

  // MARK: Rows

  private mutating func layOut() {
    rows = []
    for piece in resolution.pieces {
      switch piece {
      case .same(let text): addSame(text)
      case .part(let number): add(number)
      }
    }
    scroll(to: top)
  }

  private mutating func add(_ number: Int) {
    let part = resolution.parts[number]
    rows.append(.part(number))
    let width = isWide ? half - 2 : size.width - 2
    let mine = MarkedRow.rows(part.mine[...], marking: marks[number].removed, width: width, most: Self.mostRows)
    let theirs = MarkedRow.rows(part.theirs[...], marking: marks[number].added, width: width, most: Self.mostRows)
    if isWide {
      for row in 0..<max(mine.count, theirs.count) {
        rows.append(
          .pair(
            number, mine: row < mine.count ? mine[row] : nil, theirs: row < theirs.count ? theirs[row] : nil))
      }
    } else {
      rows += mine.isEmpty ? [.nothing(.mine, part: number)] : mine.map { .line(.mine, part: number, $0) }
      rows += theirs.isEmpty ? [.nothing(.theirs, part: number)] : theirs.map { .line(.theirs, part: number, $0) }
    }
    let result: [UInt8]? =
      switch part.choice {
      case .edited(let text): text
      case .merged: part.text
      default: nil
      }
    guard let result else { return }
    rows +=
      result.isEmpty
      ? [.nothing(.edited, part: number)]
      : MarkedRow.rows(result[...], width: size.width - 2, most: Self.mostRows)
        .map { .line(.edited, part: number, $0) }
  }

  private mutating func addSame(_ text: [UInt8]) {
    // The whole text of a deleted note is shown.
    guard conflict.theirs != nil else {
      rows += MarkedRow.rows(text[...], width: size.width - 2, most: 20 * Self.mostRows)
        .map { .line(.mine, part: nil, $0) }
      return
    }
    let lines = text.count { $0 == 0x0A } + (text.last == 0x0A ? 0 : 1)
    let isFirst = rows.isEmpty
    let isLast = resolution.pieces.last == .same(text)
    let (before, after) = (isFirst ? 0 : Self.context, isLast ? 0 : Self.context)
    guard lines > before + after + 1 else {
      return rows += MarkedRow.rows(text[...], width: size.width - 2).map { .line(.same, part: nil, $0) }
    }
    var head = 0
    for _ in 0..<before { head = (text[head...].firstIndex(of: 0x0A) ?? head) + 1 }
    var tail = text.count - (text.last == 0x0A ? 1 : 0)
    for _ in 0..<after { tail = text[..<tail].lastIndex(of: 0x0A) ?? 0 }
    rows += MarkedRow.rows(text[..<head], width: size.width - 2).map { .line(.same, part: nil, $0) }
    rows.append(.skipped(lines - before - after))
    guard after > 0 else { return }
    rows += MarkedRow.rows(text[(tail + 1)...], width: size.width - 2).map { .line(.same, part: nil, $0) }
  }
}

extension ConflictView.Row {
  var part: Int? {
    switch self {
    case .part(let part), .pair(let part, _, _), .nothing(_, let part): part
    case .line(_, let part, _): part
    case .skipped: nil
    }
  }
}

/// The editor of one part. Its draft has the whole text of the note, so that a kill loses neither the part nor the rest.
struct PartEditor: Sendable, DraftedText {
  let session: Int
  let part: Int
  var text: TextEditor
  var hasDraft = false
  private let path: StorePath
  private let base: Revision?
  private let whole: [UInt8]
  /// The place of the part in the whole text.
  private let offset: Int

  init(_ view: ConflictView, session: Int) {
    let part = view.resolution.parts[view.part]
    let start = part.text ?? (part.mine.isEmpty ? part.theirs : part.mine)
    var resolution = view.resolution
    resolution.choose(.edited(start), at: view.part)
    (self.session, self.part, path) = (session, view.part, view.conflict.path)
    (base, whole) = (view.conflict.theirEntry?.revision, resolution.textWithBoth)
    offset = resolution.offset(of: view.part)
    text = TextEditor(start, partOf: resolution.lineBreak)
    text.resize(view.editorSize)
  }

  var beginning: NotesPosting { .beginDraft(session: session, path: path, title: "\(path)", base: base, text: whole) }

  /// Records edits of the part as edits of the whole text.
  mutating func recordPart(_ outcome: EditOutcome) -> NotesScreen.Commands {
    guard case .edited(let edits) = outcome else { return [] }
    let shifted = edits.map { DraftEdit(offset: $0.offset + offset, removed: $0.removed, inserted: $0.inserted) }
    return begin() + [.post(.recordEdits(session: session, shifted))]
  }
}
