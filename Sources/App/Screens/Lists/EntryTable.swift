import Basics
internal import ClubServices
internal import FileStores
internal import TextUI

/// The files of a list, up to hundreds of thousands in little memory: names, sizes and ages. The find field filters
/// them, and the member chooses the order.
///
/// *Rows* count visible files; *items* count all files and are private.
public struct EntryTable: Sendable {
  /// The base of all names.
  let folder: StorePath
  /// Sorted by name.
  let names: NameTable
  private var index: NameIndex
  let alike = AlikeNames()
  /// In bytes; negative if unknown.
  private var sizes: [Int64]
  /// In nanoseconds since 1970; `.min` if unknown.
  private(set) var times: [Int64]
  private var authors = AuthorColumn()
  /// In seconds since 1970, by item; `.min` if unknown, and empty until one is known.
  private var captures: [Int64] = []
  private var finder = NameFinder()
  /// The items with non-ASCII names, and their folded names; made at the first search.
  var folded: NameFinder.Spellings?
  /// The text of the find field.
  private var words = ""
  /// The files that a search found; nil without a search.
  private var found: Set<StorePath>?
  /// Files whose texts contain the words; they follow those whose names match.
  private var texts: [StorePath] = []
  /// The facts that files must have to be visible.
  private var filter: RowFilter?
  /// Files that stay visible although their names do not match, until the words change.
  private var exempt: Set<StorePath> = []
  /// The visible items; nil for all in the order of names.
  private var shown: [Int32]?
  var pins: Set<StorePath> = [] { didSet { if pins != oldValue { show() } } }
  /// Grows with each change of the rows, their sizes, dates and authors.
  private(set) var version = 0
  private(set) var order = Order.name
  /// True to show the last first.
  private(set) var isReversed = false
  /// The album that is shown alone while nothing is sought; empty for the top, nil for all files, whatever their album.
  private(set) var album: [UInt8]?
  /// The albums and files directly in it; empty while all files are shown.
  private(set) var albums = Albums()
  let folderOrder: NameTable.FolderOrder
  /// The folders that a listing or the member named, in the order of their bytes; they may be without files.
  var folders: [[UInt8]]
  /// The numbers of files that the list leaves out, by folder.
  let others: [[UInt8]: Int]
  /// The folders with a folder in them that is too deep to be listed, once for each.
  let tooDeep: [[UInt8]]
  /// The pictures among these, which links of notes may mean.
  let pictures: NameTable
  /// True while the best matches of the words come first. A new order ends that until the words change.
  private var isRanked = false
  /// True if the best matches come first, whatever the order.
  var isBestFirst: Bool { isRanked && !finder.query.isEmpty }

  /// Accepts names and folders in any order.
  init(
    folder: StorePath, _ unsorted: NameTable, folders: [[UInt8]] = [], others: [[UInt8]: Int] = [:],
    pictures: NameTable = NameTable(), tooDeep: [[UInt8]] = []
  ) {
    self.folder = folder
    self.tooDeep = tooDeep
    self.folders = folders.sorted { $0.lexicographicallyPrecedes($1) }
    self.others = others
    self.pictures = pictures
    names = unsorted.sorted()
    index = NameIndex(names)
    folderOrder = names.folderOrder
    sizes = Array(repeating: -1, count: names.count)
    times = Array(repeating: .min, count: names.count)
  }

  /// The number of visible rows.
  public var count: Int { shown?.count ?? names.count }
  /// The number of all files, visible or not.
  public var total: Int { names.count }

  private func item(at row: Int) -> Int { shown.map { Int($0[row]) } ?? row }

  /// The name, relative to the folder.
  func name(at row: Int) -> ArraySlice<UInt8> { names[item(at: row)] }

  /// The size in bytes; nil if unknown.
  func size(at row: Int) -> UInt64? { size(ofItem: item(at: row)) }

  func size(ofItem item: Int) -> UInt64? { UInt64(exactly: sizes[item]) }

  /// The modification time; nil if unknown.
  func modified(at row: Int) -> Timestamp? {
    let time = times[item(at: row)]
    return time == .min ? nil : Timestamp(nanoseconds: time)
  }

  /// The moment of a photo; nil if unknown.
  func taken(at row: Int) -> Timestamp? {
    guard !captures.isEmpty, captures[item(at: row)] != .min else { return nil }
    return Timestamp(seconds: captures[item(at: row)])
  }

  /// The member who wrote the file last; nil if unknown.
  func author(at row: Int) -> String? { author(ofItem: item(at: row)) }

  func author(ofItem item: Int) -> String? { authors[item] }

  /// True if the files have several authors: the name of the only one would say nothing.
  var hasAuthors: Bool { authors.names.count > 1 }

  var knownAuthors: [String] { authors.names }

  func hasDetails(at row: Int) -> Bool { sizes[item(at: row)] >= 0 }

  func path(at row: Int) -> StorePath { folder.descending(name(at: row)) }

  /// The row of a file; nil if the file is missing or filtered out.
  func row(of path: StorePath) -> Int? {
    guard let item = item(of: path) else { return nil }
    return shown.map { rows in rows.firstIndex(of: Int32(item)) } ?? item
  }

  /// True if the table has the file, visible or not.
  func contains(_ path: StorePath) -> Bool { item(of: path) != nil }

  /// The only file, visible or not, whose name a typed name means (`NotesService.meant`).
  func path(like name: String) -> StorePath? {
    alike.item(of: name) { NotesService.meant(by: name, of: names.count) { names[$0] } }
      .map { folder.descending(names[$0]) }
  }

  func item(of path: StorePath) -> Int? {
    path.relative(to: folder).flatMap { index.item(named: $0, in: names) }
  }

  // MARK: What is seen

  /// Shows only names that match all words of a text, the best first, optionally among these files. `texts` are shown
  /// below, although their names do not match.
  mutating func find(
    _ text: String, among found: Set<StorePath>? = nil, texts: [StorePath] = [], where filter: RowFilter? = nil
  ) {
    self.texts = texts
    if text != words || found != self.found || filter != self.filter { exempt = [] }
    if text != words { isRanked = true }
    (words, self.found, self.filter) = (text, found, filter)
    search()
  }

  /// The ranges of the words in a name.
  func places(at row: Int) -> [Range<Int>] { words.isEmpty ? [] : finder.query.places(in: name(at: row)) }

  /// Keeps a file visible until the words change.
  mutating func show(_ path: StorePath) {
    guard !words.isEmpty || found != nil || filter != nil, contains(path), exempt.insert(path).inserted else { return }
    show()
  }

  /// Copies the filter and the order of another table.
  mutating func look(as old: EntryTable) {
    version = old.version + 1
    (order, isReversed, isRanked, words, album) = (old.order, old.isReversed, old.isRanked, old.words, old.album)
    (found, texts, exempt, filter, pins) = (old.found, old.texts, old.exempt, old.filter, old.pins)
    search()
  }

  private mutating func search() {
    if !words.isEmpty {
      let folded = self.folded ?? foldedNames()
      self.folded = folded
      finder.change(to: SearchFold.folded(words), in: names, spellings: folded)
    } else {
      finder = NameFinder()
    }
    show()
  }

  func foldedNames() -> NameFinder.Spellings { EntryTable.folded(names) }

  static func folded(_ names: NameTable) -> NameFinder.Spellings {
    let items = (0..<Int32(names.count)).filter { item in names[Int(item)].contains { $0 >= 0x80 } }
    return (items, NameTable(items.map { SearchFold.folded(names[Int($0)]) }))
  }

  mutating func sort(_ order: Order, isReversed: Bool = false) {
    (self.order, self.isReversed, isRanked) = (order, isReversed, false)
    show()
  }

  /// Sorts again after sizes and ages have arrived.
  mutating func resort() {
    if order != .name || album != nil || filter != nil { show() }
  }

  /// Shows the files and albums directly in an album; nil for all files.
  mutating func open(_ album: [UInt8]?) {
    self.album = album
    show()
  }

  /// All names, visible or not, in order.
  var allNames: [ArraySlice<UInt8>] { (0..<names.count).map { names[$0] } }

  /// The name of a visible file in the album that is shown.
  func shownName(at row: Int) -> ArraySlice<UInt8> {
    let name = name(at: row)
    return albums.folder.isEmpty || name.count <= albums.folder.count ? name : name.dropFirst(albums.folder.count + 1)
  }

  private mutating func show() {
    arrange()
    raisePins()
  }

  /// Pinned files come first, in the list's order, unless words are sought.
  private mutating func raisePins() {
    guard !pins.isEmpty, words.isEmpty, found == nil, filter == nil else { return }
    let pinned = Set(pins.compactMap { item(of: $0).map { Int32($0) } })
    let items = shown ?? Array(0..<Int32(names.count))
    if !pinned.isEmpty { shown = items.filter(pinned.contains) + items.filter { !pinned.contains($0) } }
  }

  private mutating func arrange() {
    version += 1
    var rows = isBestFirst ? finder.best : finder.rows
    albums = Albums()
    // At the top of a club without albums all rows are shown.
    if let album, words.isEmpty, found == nil, filter == nil, hasFolders || !album.isEmpty {
      albums = contents(of: album).sorted(byDate: order == .date, isReversed: isReversed)
      rows = albums.photos
    }
    if let found {
      let items = Set(found.compactMap { item(of: $0).map { Int32($0) } })
      rows = rows?.filter(items.contains) ?? items.sorted()
    }
    if let filter { rows = (rows ?? Array(0..<Int32(names.count))).filter { filter.admits(facts(of: Int($0))) } }
    if let some = rows, !exempt.isEmpty || !texts.isEmpty {
      let more = Set(exempt.union(texts).compactMap { item(of: $0).map { Int32($0) } }).subtracting(some).sorted()
      rows = isBestFirst ? some + more : (some + more).sorted()
    }
    guard !isBestFirst else {
      shown = rows
      return
    }
    guard order != .name else {
      shown = isReversed ? (rows ?? Array(0..<Int32(names.count))).reversed() : rows
      return
    }
    let keys =
      switch order {
      case .size: sizes
      case .taken: zip(captures.isEmpty ? times.map { _ in .min } : captures, times).map(EntryTable.moment)
      case .name, .date: times
      }
    let items = rows ?? Array(0..<Int32(names.count))
    shown = items.sorted { left, right in
      let (first, second) = (keys[Int(left)], keys[Int(right)])
      return first == second ? left < right : isReversed ? first < second : first > second
    }
  }

  /// True if the words find the file by its name.
  func isFoundByName(_ path: StorePath) -> Bool {
    guard let item = item(of: path), let rows = finder.rows else { return item(of: path) != nil }
    let row = rows.indices.bisected { rows[$0] < Int32(item) }
    return row < rows.count && rows[row] == Int32(item)
  }

  /// The facts of a listed file; nil for others.
  func facts(of path: StorePath) -> NoteQuery.Facts? { item(of: path).map(facts) }

  private func facts(of item: Int) -> NoteQuery.Facts {
    NoteQuery.Facts(
      folder.descending(names[item]), modified: times[item] == .min ? nil : Timestamp(nanoseconds: times[item]),
      author: authors[item])
  }

  /// True if a file has the facts that the search asks for.
  func admits(_ path: StorePath) -> Bool {
    guard let filter, let item = item(of: path) else { return filter == nil }
    return filter.admits(facts(of: item))
  }

  // MARK: What is known

  /// Sets sizes, ages and authors; ignores entries of other folders and unknown names.
  mutating func merge(_ entries: [FileEntry]) {
    version += 1
    for entry in entries {
      guard let item = item(of: entry.path) else { continue }
      let isOther = times[item] != .min && times[item] != entry.modified?.nanoseconds ?? 0
      if isOther, !captures.isEmpty { captures[item] = .min }
      sizes[item] = entry.size.map { Int64(clamping: $0) } ?? 0
      times[item] = entry.modified?.nanoseconds ?? 0
      authors.set(entry.member, of: item, count: names.count)
    }
  }

  /// The file's change stands for the capture of a photo that does not say it.
  private static func moment(_ taken: Int64, _ changed: Int64) -> Int64 {
    if taken != .min { return taken }
    return changed == .min ? .min : changed / 1_000_000_000
  }

  /// Sets the moments of photos; ignores unknown names.
  mutating func merge(taken: [StorePath: Timestamp]) {
    guard !taken.isEmpty else { return }
    if captures.isEmpty { captures = Array(repeating: .min, count: names.count) }
    for (path, moment) in taken { if let item = item(of: path) { captures[item] = moment.seconds } }
    if order == .taken, !isBestFirst { show() }
  }

  /// Copies sizes, ages and authors from an older table where they are unknown here.
  mutating func adoptDetails(of old: EntryTable) {
    if !old.captures.isEmpty, captures.isEmpty { captures = Array(repeating: .min, count: names.count) }
    for item in 0..<names.count where sizes[item] < 0 || !old.captures.isEmpty && captures[item] == .min {
      guard let known = old.index.item(named: names[item], in: old.names) else { continue }
      // A file that was replaced has another moment.
      if !old.captures.isEmpty, times[item] == .min || times[item] == old.times[known] {
        captures[item] = old.captures[known]
      }
      guard sizes[item] < 0 else { continue }
      sizes[item] = old.sizes[known]
      times[item] = old.times[known]
      authors.set(old.authors[known], of: item, count: names.count)
    }
  }

  /// Adds and removes files.
  mutating func apply(_ changes: [ChangeSet.Change]) {
    var gone: Set<Int> = []
    var new: [StorePath: FileEntry] = [:]
    for change in changes {
      switch change {
      case .present(let entry):
        if let item = item(of: entry.path) { gone.remove(item) } else { new[entry.path] = entry }
        if !folders.isEmpty { forget(folder: entry.path) }
      case .absent(let path):
        new[path] = nil
        if let item = item(of: path) { gone.insert(item) }
      }
    }
    if !gone.isEmpty || !new.isEmpty { rebuild(without: gone, with: new.keys.compactMap { $0.relative(to: folder) }) }
    merge(changes.compactMap { if case .present(let entry) = $0 { entry } else { nil } })
    if order != .name || isReversed || album != nil || !pins.isEmpty { show() }
  }

  private mutating func rebuild(without gone: Set<Int>, with new: [ArraySlice<UInt8>]) {
    var kept = NameTable()
    for item in 0..<names.count where !gone.contains(item) { kept.append(names[item]) }
    for name in new { kept.append(name) }
    var table = EntryTable(
      folder: folder, kept, folders: folders, others: others, pictures: pictures, tooDeep: tooDeep)
    table.adoptDetails(of: self)
    table.look(as: self)
    self = table
  }
}
