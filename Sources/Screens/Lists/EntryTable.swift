public import FileStores
internal import TextUI

/// The files of a list: names, sizes and ages of up to hundreds of thousands, in little memory, narrowed by what is
/// typed into find and sorted as the member wants.
///
/// A *row* counts what is seen; the rest is private.
public struct EntryTable: Sendable {
  /// The folder that all names are relative to.
  let folder: StorePath
  /// In the order of names.
  private let names: NameTable
  private var index: NameIndex
  /// Bytes; negative while unknown.
  private var sizes: [Int64]
  /// Nanoseconds since 1970; `.min` while unknown.
  private var times: [Int64]
  private var filter = NameFilter()
  /// The items whose names are not ASCII, and these names folded; made when find is used.
  private var folded: (items: [Int32], names: NameTable)?
  /// What is typed into find.
  private var words = ""
  /// The only files that are seen; nil for all.
  private var found: Set<StorePath>?
  /// Files that are seen although the words are not in their names, until other words are typed.
  private var exempt: Set<StorePath> = []
  /// The items that are seen, when that is not all in the order of names.
  private var shown: [Int32]?
  /// How it is sorted.
  private(set) var order = Order.name

  /// A table of names in any order.
  init(folder: StorePath, _ unsorted: NameTable) {
    self.folder = folder
    names = unsorted.sorted()
    index = NameIndex(names)
    sizes = Array(repeating: -1, count: names.count)
    times = Array(repeating: .min, count: names.count)
  }

  /// How many rows are seen.
  public var count: Int { shown?.count ?? names.count }
  /// How many files there are, seen or not.
  public var total: Int { names.count }

  private func item(at row: Int) -> Int { shown.map { Int($0[row]) } ?? row }

  /// The name below the folder.
  func name(at row: Int) -> ArraySlice<UInt8> { names[item(at: row)] }

  /// Bytes; nil while unknown.
  func size(at row: Int) -> UInt64? { UInt64(exactly: sizes[item(at: row)]) }

  /// When it was changed; nil while unknown.
  func modified(at row: Int) -> Timestamp? {
    let time = times[item(at: row)]
    return time == .min ? nil : Timestamp(nanoseconds: time)
  }

  func hasDetails(at row: Int) -> Bool { sizes[item(at: row)] >= 0 }

  /// Where the file is.
  func path(at row: Int) -> StorePath { folder.descending(name(at: row)) }

  /// The row that shows a file; nil when it is not there or not seen.
  func row(of path: StorePath) -> Int? {
    guard let item = item(of: path) else { return nil }
    return shown.map { rows in rows.firstIndex(of: Int32(item)) } ?? item
  }

  /// Whether a file is there, seen or not.
  func contains(_ path: StorePath) -> Bool { item(of: path) != nil }

  private func item(of path: StorePath) -> Int? {
    path.relative(to: folder).flatMap { index.item(named: $0, in: names) }
  }

  // MARK: What is seen

  /// Narrows to the names that hold all words of a text, among all files or these.
  mutating func find(_ text: String, among found: Set<StorePath>? = nil) {
    if text != words || found != self.found { exempt = [] }
    (words, self.found) = (text, found)
    filter.change(to: SearchFold.folded(text), in: names)
    show()
  }

  /// Where the words stand in a name.
  func places(at row: Int) -> [Range<Int>] { words.isEmpty ? [] : filter.query.places(in: name(at: row)) }

  /// Shows a file whatever the words, until others are typed.
  mutating func show(_ path: StorePath) {
    guard !words.isEmpty || found != nil, contains(path), exempt.insert(path).inserted else { return }
    show()
  }

  /// Takes over what another table shows of its files, and in which order.
  mutating func look(as old: EntryTable) {
    (order, words, found, exempt) = (old.order, old.words, old.found, old.exempt)
    find(words, among: found)
  }

  /// The items that have the words; nil for all.
  private mutating func named() -> [Int32]? {
    guard let rows = filter.rows else { return nil }
    let folded = self.folded ?? foldedNames()
    self.folded = folded
    let query = NameQuery(SearchFold.folded(words))
    guard let others = folded.names.rows(matching: query), !others.isEmpty else { return rows }
    return Set(rows + others.map { folded.items[Int($0)] }).sorted()
  }

  private func foldedNames() -> (items: [Int32], names: NameTable) {
    let items = (0..<Int32(names.count)).filter { item in names[Int(item)].contains { $0 >= 0x80 } }
    return (items, NameTable(items.map { SearchFold.folded(names[Int($0)]) }))
  }

  /// Sorts.
  mutating func sort(_ order: Order) {
    self.order = order
    show()
  }

  /// Sorts again, because sizes and ages are known now.
  mutating func resort() {
    if order != .name { show() }
  }

  private mutating func show() {
    var rows = named()
    if let found {
      let items = found.compactMap { item(of: $0).map { Int32($0) } }
      let named = rows.map { Set($0) }
      rows = items.filter { named?.contains($0) ?? true }.sorted()
    }
    if let some = rows, !exempt.isEmpty {
      rows = Set(some + exempt.compactMap { item(of: $0).map { Int32($0) } }).sorted()
    }
    guard order != .name else {
      shown = rows
      return
    }
    let keys = order == .size ? sizes : times
    let items = rows ?? Array(0..<Int32(names.count))
    shown = items.sorted { left, right in
      let (first, second) = (keys[Int(left)], keys[Int(right)])
      return first == second ? left < right : first > second
    }
  }

  // MARK: What is known

  /// Takes sizes and ages; entries of other folders and unknown names are passed over.
  mutating func merge(_ entries: [FileEntry]) {
    for entry in entries {
      guard let item = item(of: entry.path) else { continue }
      sizes[item] = entry.size.map { Int64(clamping: $0) } ?? 0
      times[item] = entry.modified?.nanoseconds ?? 0
    }
  }

  /// Takes what an older table knew of the names of which nothing is known here, until it is told anew.
  mutating func adoptDetails(of old: EntryTable) {
    for item in 0..<names.count where sizes[item] < 0 {
      guard let known = old.index.item(named: names[item], in: old.names) else { continue }
      sizes[item] = old.sizes[known]
      times[item] = old.times[known]
    }
  }

  /// Takes files in and out.
  mutating func apply(_ changes: [ChangeSet.Change]) {
    var gone: Set<Int> = []
    var new: [StorePath: FileEntry] = [:]
    for change in changes {
      switch change {
      case .present(let entry):
        if let item = item(of: entry.path) { gone.remove(item) } else { new[entry.path] = entry }
      case .absent(let path):
        new[path] = nil
        if let item = item(of: path) { gone.insert(item) }
      }
    }
    if !gone.isEmpty || !new.isEmpty { rebuild(without: gone, with: new.keys.compactMap { $0.relative(to: folder) }) }
    merge(changes.compactMap { if case .present(let entry) = $0 { entry } else { nil } })
    if order != .name { show() }
  }

  private mutating func rebuild(without gone: Set<Int>, with new: [ArraySlice<UInt8>]) {
    var kept = NameTable()
    for item in 0..<names.count where !gone.contains(item) { kept.append(names[item]) }
    for name in new { kept.append(name) }
    var table = EntryTable(folder: folder, kept)
    table.adoptDetails(of: self)
    table.look(as: self)
    self = table
  }
}

extension EntryTable {
  /// How a list is sorted.
  public enum Order: Sendable, Hashable, CaseIterable {
    /// By name.
    case name
    /// The newest first.
    case date
    /// The largest first.
    case size

    var word: String {
      switch self {
      case .name: "name"
      case .date: "date, the newest first"
      case .size: "size, the largest first"
      }
    }

    var next: Order {
      switch self {
      case .name: .date
      case .date: .size
      case .size: .name
      }
    }
  }

  /// Collects pages of a listing.
  public struct Builder: Sendable {
    private let folder: StorePath
    private var names = NameTable()

    /// For names below a folder.
    public init(folder: StorePath) { self.folder = folder }

    /// Takes a page; what is not below the folder is passed over.
    public mutating func add(_ entries: [FileEntry]) {
      // By index: an entry taken out would have each of its parts retained and released.
      for index in entries.indices {
        if let name = entries[index].path.relative(to: folder) { names.append(name) }
      }
    }

    /// The table.
    public func finish() -> EntryTable { EntryTable(folder: folder, names) }
  }
}

/// Finds a name's place in a table: open addressing over the table's own bytes, 8 to 16 bytes a name.
struct NameIndex: Sendable {
  /// Item + 1, or 0 for an empty place; a power of two of them, at least half empty.
  private var slots: [UInt32]

  init(_ names: NameTable) {
    var size = 16
    while size < names.count * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
    for item in 0..<names.count {
      var slot = NameIndex.hash(names[item]) & (size - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
      slots[slot] = UInt32(item + 1)
    }
  }

  /// The first item of this name.
  func item(named name: ArraySlice<UInt8>, in names: NameTable) -> Int? {
    var slot = NameIndex.hash(name) & (slots.count - 1)
    while slots[slot] != 0 {
      let item = Int(slots[slot] - 1)
      if names[item].elementsEqual(name) { return item }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// FNV-1a, folded to a positive number. Names are not chosen against it: a club's members gain nothing from a slow list.
  private static func hash(_ bytes: ArraySlice<UInt8>) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int(truncatingIfNeeded: (hash ^ hash >> 32) & 0x7FFF_FFFF)
  }
}
