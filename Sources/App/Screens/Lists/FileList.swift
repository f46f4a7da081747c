internal import ClubServices
internal import FileStores
internal import TextUI

/// A tab's file list: rows, selection, marks, filter and order, and the commands of lists. Each tab holds one, and adds
/// features of one kind of file (texts, thumbnails) itself.
struct FileList: Sendable {
  typealias Commands = [Command<FileListEffect, Never, FileListAction>]

  let words: FileListWords
  /// Nil until the first listing.
  var table: EntryTable?
  /// The selection; its height counts rows, not lines.
  var rows = ListState()
  /// Lines of a row without found text.
  private var lines = 1
  /// Of a grid's cell; nil for a list.
  private var cellWidth: Int?
  /// The find field, typed or in force.
  var find = FindField() {
    didSet { fitRows() }
  }
  /// The words of a running search through texts.
  var sought: String?
  /// The rename field while it is open.
  var renaming: RenameField? {
    didSet { fitRows() }
  }
  /// Files that others added or changed since the member last looked.
  var news = NewsMarks()
  var remarks: [StorePath: ListedRemarks] = [:]
  /// Photos with remarks that the last listing did not have.
  var orphans: Set<StorePath> = []
  /// The turn of the last change of marks, from 1; effects that start in order may run in another.
  var lastTurn = 0
  var marks: Set<StorePath> = [] {
    didSet { fitRows() }
  }
  /// Lines for the list, its head and the line below it.
  private var height = 1
  /// True if the list has a head and a line with its state.
  private(set) var isRoomy = false
  /// The order of the rows, also before the first listing.
  var order = ListOrder()
  /// The error of the last listing; nil after a success.
  var problem: Problem?
  /// True once a notice has reported `problem`.
  var hasReportedProblem = false
  /// True if others' changes arrive late at present.
  var isLate = false
  var isListing = false
  /// True once the files have been requested.
  var isAsked = false
  /// True once the first listing has ended and deferred work has started.
  var hasBegun = false
  /// This file is selected as soon as it appears in the list.
  var wanted: StorePath?
  /// True if the visible rows may have changed since the tab's last check.
  var hasMoved = false

  init(_ words: FileListWords) { self.words = words }

  /// The selected file.
  var selected: StorePath? {
    guard let table, let row = rows.selected, row < table.count else { return nil }
    return table.path(at: row)
  }

  /// The place that a search found in a file's text; nil if none.
  func sought(at path: StorePath) -> SoughtPlace? {
    // A note found by its name alone has no line to show.
    guard let found = find.found ?? find.texts, let line = found.files[path]?.line else { return nil }
    return SoughtPlace(words: found.words.split(separator: " ").map(String.init), line: line - 1)
  }

  /// The marked files, or else the selected one.
  var targets: [StorePath] { marks.isEmpty ? selected.map { [$0] } ?? [] : marks.sorted() }

  /// The file with this name below the list's folder, visible or not; `.md` may be omitted. Without one, the only file whose
  /// name is like it.
  func path(named name: String) -> StorePath? {
    guard let table else { return nil }
    let names = NotesService.spellings(of: name)
    let exact = names.lazy.map { table.folder.descending(Array($0.utf8)[...]) }.first { table.contains($0) }
    return exact ?? table.path(like: name)
  }

  /// The file that a path in a text means: itself, or else the only one of the list whose name is like it.
  func path(like path: StorePath) -> StorePath {
    guard let table, !table.contains(path), let name = path.relative(to: table.folder) else { return path }
    return table.path(like: String(decoding: name, as: UTF8.self)) ?? path
  }

  /// True if typed keys go into a field of the list.
  var takesText: Bool { find.isTyping || renaming != nil }

  /// True if a line below the list shows a field, the filter, the marks or the position.
  var hasLine: Bool { isRoomy || takesText || find.isActive || !marks.isEmpty }

  /// Lines of a row; in a list, found text takes a line below the name.
  var rowLines: Int { cellWidth == nil && find.found.map { !$0.files.isEmpty } == true ? lines + 1 : lines }

  /// The lines above the rows.
  var headLines: Int { isRoomy ? 1 : 0 }

  private mutating func fitRows() {
    rows.resize(height: max(1, (height - headLines - (hasLine ? 1 : 0)) / rowLines), columns: rows.columns)
  }

  /// The row at a line and a column of the list's part of the screen.
  func row(at point: Point) -> Int? {
    let line = point.y - headLines
    guard line >= 0 else { return nil }
    return rows.row(atLine: line / rowLines, column: cellWidth.map { point.x / max(1, $0) } ?? 0)
  }

  /// True if the visible rows may have changed since the last call.
  mutating func takeMoved() -> Bool {
    defer { hasMoved = false }
    return hasMoved
  }

  /// Asks for the files anew.
  mutating func list() -> Commands.Element {
    (isListing, isAsked) = (true, true)
    problem?.tryNow()
    return .run(.list, key: words.key("list"))
  }

  /// Stops a listing that waits for its next try.
  mutating func stop(_ error: StoreError) -> Commands {
    guard isListing || problem?.error.isTemporary == true else { return [] }
    isListing = false
    problem = Problem(StoreError(error.kind, error.message), now: 0)
    return [.cancel(key: words.key("list"))]
  }

  /// Sets the lines for the list. A grid has several `columns` of cells.
  mutating func resize(_ frame: Frame, lines: Int = 1, columns: Int = 1, cellWidth: Int? = nil) {
    (height, isRoomy, self.lines, self.cellWidth) = (frame.bodyHeight, frame.isRoomy, lines, cellWidth)
    rows.resize(height: rows.height, columns: columns)
    fitRows()
    hasMoved = true
  }

  mutating func select(_ row: Int) {
    rows.select(row)
    hasMoved = true
  }

  /// Keeps a file selected when rows change.
  mutating func choose(_ path: StorePath?) {
    guard let table else { return }
    hasMoved = true
    rows.setCount(table.count)
    guard let path, let row = table.row(of: path) else { return }
    rows.select(row)
    if path == wanted { wanted = nil }
  }

  /// Selects a file and shows it despite the filter, if the club has it.
  mutating func reveal(_ path: StorePath) {
    table?.show(path)
    find.before = nil
    choose(path)
  }

  /// Adds or updates a file, visible despite the filter. With `isChosen` it is selected, now or when it appears;
  /// otherwise the selection stays.
  mutating func add(_ entry: FileEntry, isChosen: Bool) {
    let chosen = isChosen ? entry.path : selected ?? entry.path
    if isChosen { wanted = entry.path }
    table?.apply([.present(entry)])
    table?.show(entry.path)
    if entry.revision != nil { news.see(entry.path, entry.revision) }
    if isChosen { find.before = nil }
    choose(chosen)
  }

  /// Removes files. If the selected one goes, a neighbour is selected.
  mutating func remove(_ paths: [StorePath]) {
    table?.apply(paths.map { .absent($0) })
    for path in paths { news.forget(path) }
    choose(nil)
  }

  mutating func dropMarks() { marks.removeAll() }
}

/// The order of a list, as the member has chosen it.
public struct ListOrder: Sendable, Hashable {
  public var by = EntryTable.Order.name
  public var isReversed = false

  public init(_ by: EntryTable.Order = .name, isReversed: Bool = false) {
    (self.by, self.isReversed) = (by, isReversed)
  }

  /// The order of a text such as `date` or `name reversed`; nil for other texts.
  public init?(text: String) {
    let words = text.split(separator: " ")
    guard let by = words.first.flatMap({ EntryTable.Order(rawValue: String($0)) }), words.count <= 2,
      words.count == 1 || words[1] == "reversed"
    else { return nil }
    self.init(by, isReversed: words.count == 2)
  }

  public var text: String { by.rawValue + (isReversed ? " reversed" : "") }

  var words: String { by.words(isReversed: isReversed) }
}

/// A tab's words for its files, and its own keys that the list handles.
struct FileListWords: Sendable {
  /// The singular, within a sentence.
  let one: String
  /// The plural, also a part of the effect keys.
  let many: String
  /// The message until the first listing.
  let reading: String
  /// The key that makes the first file, and its verb.
  let making: (key: CommandID, verb: String)
  /// The word for a file's text, which a search includes.
  let text: String
  let rename: CommandID

  /// A number of files: `one note`, `12 notes`.
  func count(_ count: Int) -> String { count == 1 ? "one \(one)" : "\(count.grouped) \(many)" }

  /// The key of an effect; a new effect with the same key replaces the old one.
  func key(_ effect: String) -> String { "\(many).\(effect)" }
}
