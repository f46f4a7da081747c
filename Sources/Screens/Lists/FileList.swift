internal import ClubServices
internal import FileStores
internal import TextUI

/// A tab's files: what is listed, chosen, marked, found and sorted, and what the keys of lists do. What only one kind
/// of file has (texts, thumbnails) is its tab's, which holds one of these.
struct FileList: Sendable {
  typealias Commands = [Command<FileListEffect, FileListAction>]

  /// What the files are called.
  let words: FileListWords
  /// The files; nil until they have been listed.
  var table: EntryTable?
  /// Which row is chosen; its height counts rows, not lines.
  var rows = ListState()
  /// Lines of a row while no lines of texts are found.
  private var lines = 1
  /// What is typed into find, while it is typed or in force.
  var find = FindField() {
    didSet { fitRows() }
  }
  /// The words that texts are searched for just now.
  var sought: String?
  /// The new name of a file, while it is typed.
  var renaming: RenameField? {
    didSet { fitRows() }
  }
  /// The marked files.
  var marks: Set<StorePath> = [] {
    didSet { fitRows() }
  }
  /// Lines for the list and the line below it.
  private var height = 1
  /// Why the last listing failed, until one succeeds.
  var problem: Problem?
  /// Whether others' changes arrive late at present.
  var isLate = false
  /// Whether a listing is under way.
  var isListing = false
  /// Whether the files were ever asked for.
  var isAsked = false
  /// Whether the first listing is over, and with it the wait of what can wait.
  var hasBegun = false
  /// The choice waits for this file to appear in the list.
  var wanted: StorePath?
  /// Whether other rows may be in view than when the tab last looked.
  var hasMoved = false

  init(_ words: FileListWords) { self.words = words }

  /// The chosen file.
  var selected: StorePath? {
    guard let table, let row = rows.selected, row < table.count else { return nil }
    return table.path(at: row)
  }

  /// The place that a search found in a file's text; nil without one.
  func sought(at path: StorePath) -> SoughtPlace? {
    // A note found by its name alone has no line, and nothing to mark.
    guard let found = find.found, let line = found.files[path]?.line else { return nil }
    return SoughtPlace(words: found.words.split(separator: " ").map(String.init), line: line - 1)
  }

  /// The marked files, or else the chosen one.
  var targets: [StorePath] { marks.isEmpty ? selected.map { [$0] } ?? [] : marks.sorted() }

  /// The file that is called so below the list's folder, seen or not; `.md` may be left out.
  func path(named name: String) -> StorePath? {
    guard let table else { return nil }
    let names = NotesService.spellings(of: name)
    return names.lazy.map { table.folder.descending(Array($0.utf8)[...]) }.first { table.contains($0) }
  }

  /// Whether keys that type something go into a field of the list.
  var takesText: Bool { find.isTyping || renaming != nil }

  /// Whether a line below the list has a field, the filter or the marks.
  var hasLine: Bool { takesText || find.isActive || !marks.isEmpty }

  /// Lines of a row: what was found in a text is below its name.
  var rowLines: Int { find.found.map { !$0.files.isEmpty } == true ? lines + 1 : lines }

  private mutating func fitRows() { rows.resize(height: max(1, (height - (hasLine ? 1 : 0)) / rowLines)) }

  /// Whether other rows may be in view than at the last call.
  mutating func takeMoved() -> Bool {
    defer { hasMoved = false }
    return hasMoved
  }

  /// Asks for the files anew.
  mutating func list() -> Command<FileListEffect, FileListAction> {
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

  /// The list is drawn on this many lines.
  mutating func resize(height: Int, lines: Int = 1) {
    (self.height, self.lines) = (height, lines)
    fitRows()
    hasMoved = true
  }

  /// Chooses a row.
  mutating func select(_ row: Int) {
    rows.select(row)
    hasMoved = true
  }

  /// Keeps the choice on a file when rows come, go or move.
  mutating func choose(_ path: StorePath?) {
    guard let table else { return }
    hasMoved = true
    rows.setCount(table.count)
    guard let path, let row = table.row(of: path) else { return }
    rows.select(row)
    if path == wanted { wanted = nil }
  }

  /// Takes a file in, or what is known of it now; it is seen whatever the filter. It is chosen, now or when it appears,
  /// if `isChosen`; else the choice stays where it is.
  mutating func add(_ entry: FileEntry, isChosen: Bool) {
    let chosen = isChosen ? entry.path : selected ?? entry.path
    if isChosen { wanted = entry.path }
    table?.apply([.present(entry)])
    table?.show(entry.path)
    if isChosen { find.before = nil }
    choose(chosen)
  }

  /// Takes files out; a neighbour is chosen in the place of the chosen one.
  mutating func remove(_ paths: [StorePath]) {
    table?.apply(paths.map { .absent($0) })
    choose(nil)
  }

  mutating func dropMarks() { marks.removeAll() }
}

/// What a tab calls its files, and which of its keys the list carries out.
struct FileListWords: Sendable {
  /// One of them, in the middle of a sentence.
  let one: String
  /// Several; effects that are run once at a time are named for them, too.
  let many: String
  /// What is shown until they have been listed.
  let reading: String
  /// The key that makes the first of them, and the verb for it.
  let making: (key: CommandID, verb: String)
  /// Whether a search looks into the files as well.
  let haveTexts: Bool
  /// The key that renames.
  let rename: CommandID

  /// The key of an effect of which only the newest counts.
  func key(_ effect: String) -> String { "\(many).\(effect)" }
}
