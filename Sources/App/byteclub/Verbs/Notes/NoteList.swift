import ArgumentParser
import ClubServices
import FileStores
import JSON

struct NoteList: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List the folders and the notes by name.",
    discussion: Examples.text([
      "byteclub note ls": "the folders with the number of their notes, then one note a line",
      "byteclub note ls trips/": "those in a folder",
      "byteclub note ls --recursive": "the notes of all folders, by their paths",
      "byteclub note ls --long": "with size and time",
      "byteclub note ls --sort date": "the newest first",
      "byteclub note ls -z --recursive | xargs -0 -n1 byteclub note cat": "each note's text",
      "byteclub note ls --json": "with revision and state",
    ])
      + "\n\nFolders stand first, with a slash behind the name; --recursive and --null leave them out. A folder that has "
      + "files, but no notes, is not listed. Every line but a folder's is a name that the other commands take.")

  @Argument(help: "A folder; without it, the top of the club.", completion: NameCompletion.folders) var folder: String?
  @Flag(name: [.customShort("r"), .long], help: "List the notes of all folders in it, too.") var recursive = false
  @OptionGroup var form: ListForm
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    try form.check(shared)
    if form.sort == .taken { throw ValidationError("Notes are not taken. Sort them by name, date or size.") }
  }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    var top = StorePath.root
    if let folder { top = try await session.open.notes.folder(named: folder) }
    var list = try await NoteFolders(session.open.notes, namesOnly: form.needsNamesOnly && !session.isJSON)
    let news = session.isJSON ? await session.open.news.marks(ofAll: list.notes, in: .notes) : [:]
    list.notes = await session.open.notes.withOwn(list.notes)
    guard list.has(top) else {
      throw StoreError(
        .notFound, "The club has no folder \"\(top)\".", remedy: "See the folders with: byteclub note ls", path: top)
    }
    var (folders, notes) =
      recursive ? ([], list.notes.filter { $0.path.relative(to: top) != nil }) : list.contents(of: top)
    notes = form.sorted(notes) { $0.path.bytes[...] }
    if form.null { folders = [] }
    let counts = Dictionary(folders.map { ($0.entry.path, $0.count) }) { first, _ in first }
    let rows = form.sorted(folders.map(\.entry)) { $0.path.bytes[...] }.map { (entry: $0, count: counts[$0.path] ?? 0) }
    let deep = list.tooDeep.count { $0.relative(to: top) != nil }
    if deep > 0 {
      session.notice(
        "\(deep == 1 ? "1 folder lies" : "\(deep) folders lie") below \(NoteScope.mostDepth) others, and the notes "
          + "in \(deep == 1 ? "it" : "them") are not listed.")
    }
    // Builds only the printed form: each takes megabytes for a million names.
    guard session.isJSON else {
      return form.answer(
        rows.map { row in
          Record(
            .null,
            line: FileLine.bytes(
              folder: row.entry.path, count: row.count, newest: row.entry.modified, isLong: form.long))
        } + notes.map { Record(.null, line: FileLine.bytes($0, isLong: form.long)) })
    }
    let states = try await FileStates(session.open)
    return Answer(
      rows.map { Record(.folder($0.entry.path, count: $0.count, newest: $0.entry.modified), line: nil) }
        + notes.map { entry in
          Record(.listed(.file(entry, state: states.state(of: entry.path)), isNew: news[entry.path] != nil), line: nil)
        })
  }
}

/// All notes of a club and its folders.
struct NoteFolders: Sendable {
  /// A folder that a list shows.
  struct Folder: Sendable {
    let entry: FileEntry
    /// Of the notes in it, at any depth.
    let count: Int
  }

  var notes: [FileEntry] = []
  private var folders: Set<StorePath> = []
  /// The folders with other files, and those above them.
  private var others: Set<StorePath> = []
  private(set) var tooDeep: [StorePath] = []

  /// - Parameter namesOnly: true if size and time of the notes are not needed.
  init(_ service: NotesService, namesOnly: Bool) async throws(StoreError) {
    var (isWhole, found) = (true, NoteFolders())
    try await service.names { page in
      found.notes += page.notes
      found.folders.formUnion(page.folders)
      found.others.formUnion(page.others.keys)
      found.tooDeep += page.tooDeep
      isWhole = isWhole && page.isWhole
    }
    self = found
    for folder in found.others {
      var above = folder.parent
      while !above.isRoot, others.insert(above).inserted { above = above.parent }
    }
    guard !isWhole, !namesOnly else { return }
    notes = []
    try await service.details { notes += $0 }
  }

  private init() {}

  func has(_ folder: StorePath) -> Bool {
    folder.isRoot || folders.contains(folder) || notes.contains { $0.path.relative(to: folder) != nil }
  }

  /// The folders directly in a folder that have notes, or nothing at all, and its notes.
  func contents(of folder: StorePath) -> (folders: [Folder], notes: [FileEntry]) {
    let tree = Albums(
      in: folder.bytes, of: notes.count, name: { notes[$0].path.bytes[...] }, modified: { notes[$0].modified })
    let filled = tree.albums.map { album in
      let path = StorePath.root.descending(album.path[...])
      return Folder(entry: FileEntry(path: path, kind: .folder, modified: album.newest), count: album.count)
    }
    let known = Set(filled.map(\.entry.path))
    let empty = folders.filter { $0.parent == folder && !known.contains($0) && !others.contains($0) }
    return (
      filled + empty.map { Folder(entry: FileEntry(path: $0, kind: .folder), count: 0) },
      tree.photos.map { notes[Int($0)] }
    )
  }
}
