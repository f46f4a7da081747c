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
  /// The find field, typed or in force.
  var find = FindField() {
    didSet { fitRows() }
  }
  /// The words of a running search through texts.
  var sought: String?
  /// Its hits until now.
  var hits: [StorePath: FoundFile] = [:]
  /// The rename field while it is open.
  var renaming: RenameField? {
    didSet { fitRows() }
  }
  /// Files that others added or changed since the member last looked.
  var news = NewsMarks()
  var remarks: [StorePath: ListedRemarks] = [:]
  /// The members who are in files now, in words.
  var here: [StorePath: String] = [:]
  /// Photos with remarks that the last listing did not have.
  var orphans: Set<StorePath> = []
  /// The turn of the last change of marks, from 1; effects that start in order may run in another.
  var lastTurn = 0
  /// Files at the top of the list, on this machine.
  var pins: Set<StorePath> = []
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
  /// True while the list shows the names that were known last, and all of it is on its way.
  var hasNamesAlone = false
  /// A list of the names at the top alone, until all are listed: one or none, out of the way of each copy of this list.
  /// News, pins and marks that come meanwhile are shown with all.
  var top: [FileList] = []
  /// True for a list of these, in which nothing is counted.
  var isTop = false
  /// True once the files have been requested.
  var isAsked = false
  /// True once the first listing has ended and deferred work has started.
  var hasBegun = false
  /// The album that is shown, as `EntryTable.album`, also before the first listing.
  var album: [UInt8]?
  /// This file is selected as soon as it appears in the list.
  var wanted: StorePath?
  /// True if the visible rows may have changed since the tab's last check.
  var hasMoved = false
  /// The searches of this member on this machine, the newest first.
  var searches: [String] = []
  /// The tags that complete `tag:`; nil until they have been requested.
  var tags: [String]?
  /// The day of the last event, for searches.
  var clock = QueryClock.utc

  init(_ words: FileListWords, album: [UInt8]? = nil) { (self.words, self.album) = (words, album) }

  /// The selected file; nil for an album or a folder.
  var selected: StorePath? { selectedRow.flatMap { table?.path(at: $0) } }

  /// The row of the selected file in the table: the albums are above the files.
  var selectedRow: Int? { rows.selected.flatMap(fileRow) }

  /// The rows above the files.
  var albums: [Album] { table?.albums.albums ?? [] }

  var selectedAlbum: Album? { rows.selected.flatMap { $0 < albums.count ? albums[$0] : nil } }

  /// nil for the row of an album.
  func fileRow(_ row: Int) -> Int? {
    let file = row - albums.count
    return file >= 0 && file < table?.count ?? 0 ? file : nil
  }

  /// The place that a search found in a file's text; nil if none.
  func sought(at path: StorePath) -> SoughtPlace? {
    // A note found by its name alone has no line to show.
    guard let found = find.found ?? find.texts, let line = found.files[path]?.line else { return nil }
    return SoughtPlace(words: found.marked, line: line - 1)
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

  /// The file that a link of a note leads to; nil if the list does not have it.
  func path(of words: LinkWords, from note: StorePath?) -> StorePath? { table?.path(of: words, from: note) }

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
  var rowLines: Int { find.found.map { !$0.files.isEmpty } == true ? lines + 1 : lines }

  /// The lines above the rows. The path of an album has one on every screen.
  var headLines: Int { isRoomy || isInAlbum ? 1 : 0 }

  mutating func fitRows() {
    rows.resize(height: max(1, (height - headLines - (hasLine ? 1 : 0)) / rowLines))
  }

  /// The row at a line of the list's part of the screen.
  func row(at point: Point) -> Int? {
    let line = point.y - headLines
    guard line >= 0 else { return nil }
    return rows.row(atLine: line / rowLines)
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
    (isListing, hasNamesAlone) = (false, false)
    problem = Problem(StoreError(error.kind, error.message), now: 0)
    return [.cancel(key: words.key("list"))]
  }

  /// Sets the lines for the list.
  mutating func resize(_ frame: Frame, lines: Int = 1) {
    (height, isRoomy, self.lines) = (frame.bodyHeight, frame.isRoomy, lines)
    fitRows()
    for index in top.indices { top[index].resize(frame, lines: lines) }
    hasMoved = true
  }

  mutating func select(_ row: Int) {
    rows.select(row)
    hasMoved = true
  }

  /// Selects a file by its row in the table.
  mutating func select(file row: Int) { select(row + albums.count) }

  /// Keeps a file selected when rows change.
  mutating func choose(_ path: StorePath?) {
    guard let table else { return }
    hasMoved = true
    rows.setCount(table.count + albums.count)
    guard let path, let row = table.row(of: path) else {
      // It is in another album.
      if path == wanted, album != nil, !find.isActive, path.map(table.contains) == true { wanted = nil }
      return
    }
    rows.select(row + albums.count)
    if path == wanted { wanted = nil }
  }

  /// Selects a file and shows it despite the filter, if the club has it.
  mutating func reveal(_ path: StorePath) {
    table?.show(path)
    find.keepChoice()
    choose(path)
  }

  /// Adds or updates a file, visible despite the filter. With `isChosen` it is selected, now or when it appears;
  /// otherwise the selection stays.
  mutating func add(_ entry: FileEntry, isChosen: Bool) {
    let old = selected
    let chosen = isChosen ? entry.path : old ?? entry.path
    if isChosen { wanted = entry.path }
    table?.apply([.present(entry)])
    table?.show(entry.path)
    if entry.revision != nil { news.see(entry.path, entry.revision) }
    if isChosen { find.keepChoice() }
    choose(chosen)
    // It is in another album: the rows above the selection may be others.
    if table?.row(of: chosen) == nil { choose(old) }
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
  let move: CommandID
  /// From folders to all files in one list, and back.
  let flat: CommandID
  let folders: Folders
  /// In the order in which the key of sorting goes round.
  var orders: [EntryTable.Order] = [.name, .date, .size]

  func order(after order: EntryTable.Order) -> EntryTable.Order {
    orders[((orders.firstIndex(of: order) ?? -1) + 1) % orders.count]
  }

  enum Folders: String { case album, folder }

  /// The word for a folder.
  var folder: String { folders.rawValue }
  var aOne: String { "a \(one)" }
  var aFolder: String { folders == .album ? "an album" : "a folder" }

  /// A number of files: `one note`, `12 notes`.
  func count(_ count: Int) -> String { count == 1 ? "one \(one)" : "\(count.grouped) \(many)" }

  /// The key of an effect; a new effect with the same key replaces the old one.
  func key(_ effect: String) -> String { "\(many).\(effect)" }
}
