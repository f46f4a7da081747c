internal import ClubServices
public import FileStores
internal import TextUI

extension EntryTable {
  public enum Order: String, Sendable, Hashable, CaseIterable {
    case name
    /// Newest first.
    case date
    /// Largest first.
    case size
    /// Of photos: the newest capture first.
    case taken

    /// The order in words.
    func words(isReversed: Bool) -> String {
      switch self {
      case .name: isReversed ? "name, from Z to A" : "name"
      case .date: isReversed ? "date, the oldest first" : "date, the newest first"
      case .size: isReversed ? "size, the smallest first" : "size, the largest first"
      case .taken: isReversed ? "date taken, the oldest first" : "date taken, the newest first"
      }
    }
  }

  public struct Builder: Sendable {
    private let folder: StorePath
    private var names = NameTable()
    private var folders: [[UInt8]] = []
    private var others: [[UInt8]: Int] = [:]
    private var pictures = NameTable()
    private var tooDeep: [[UInt8]] = []

    public init(folder: StorePath) { self.folder = folder }

    mutating func add(_ page: NotePage) {
      add(page.notes)
      add(folders: page.folders, others: page.others, pictures: page.pictures, tooDeep: page.tooDeep)
    }

    /// Adds folders, which may be empty, the numbers of files in each that are not listed, those that are pictures, and the
    /// folders that are not listed.
    public mutating func add(
      folders more: [StorePath], others left: [StorePath: Int] = [:], pictures seen: [StorePath] = [],
      tooDeep deep: [StorePath] = []
    ) {
      tooDeep += deep.compactMap { $0.parent.relative(to: folder).map { Array($0) } }
      for path in seen { if let name = path.relative(to: folder) { pictures.append(name) } }
      folders += more.compactMap { $0.relative(to: folder).map { Array($0) } }
      for (path, count) in left {
        if let name = path == folder ? [] : path.relative(to: folder) { others[Array(name), default: 0] += count }
      }
    }

    /// Adds a page; ignores entries outside the folder.
    public mutating func add(_ entries: [FileEntry]) {
      // By index: copying an entry would retain and release each of its parts.
      for index in entries.indices {
        if let name = entries[index].path.relative(to: folder) { names.append(name) }
      }
    }

    public func finish() -> EntryTable {
      EntryTable(folder: folder, names, folders: folders, others: others, pictures: pictures, tooDeep: tooDeep)
    }
  }
}

/// The authors of a table's items: each name is kept once.
struct AuthorColumn: Sendable {
  private(set) var names: [String] = []
  private var known: [String: UInt16] = [:]
  /// By item, 1 for the first name and 0 for none; empty until an author is known.
  private var numbers: [UInt16] = []

  subscript(item: Int) -> String? {
    guard item < numbers.count, numbers[item] > 0 else { return nil }
    return names[Int(numbers[item]) - 1]
  }

  mutating func set(_ name: String?, of item: Int, count: Int) {
    guard let name, !name.isEmpty else {
      if item < numbers.count { numbers[item] = 0 }
      return
    }
    if numbers.isEmpty { numbers = Array(repeating: 0, count: count) }
    numbers[item] = number(of: name)
  }

  /// 0 for a new name once there are too many.
  private mutating func number(of name: String) -> UInt16 {
    if let number = known[name] { return number }
    guard names.count < Int(UInt16.max) else { return 0 }
    names.append(name)
    known[name] = UInt16(names.count)
    return UInt16(names.count)
  }
}
