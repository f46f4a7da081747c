internal import Basics
public import FileStores

extension NotesService {
  /// The index of the name that a typed one means although no name is equal: the only one that is it in another Unicode
  /// form (macOS writes "é" as two characters), or else the only one in another letter case. Nil if none or several are.
  public static func meant(
    by typed: String, of count: Int, ignoresCase: Bool = true, name: (Int) -> ArraySlice<UInt8>
  ) -> Int? {
    let found = alike(typed, of: count, ignoresCase: ignoresCase, name: name)
    return found.count == 1 ? found[0] : nil
  }

  /// As `meant`, also if several are.
  private static func alike(
    _ typed: String, of count: Int, ignoresCase: Bool, name: (Int) -> ArraySlice<UInt8>
  ) -> [Int] {
    // Swift compares strings by canonical equivalence.
    let wanted = spellings(of: typed)
    let lower = ignoresCase ? wanted.map { $0.lowercased() } : []
    let first = typed.utf8.first ?? 0
    var (same, alike): ([Int], [Int]) = ([], [])
    for index in 0..<count {
      let bytes = name(index)
      // Most names differ in their first letters. One beyond ASCII may be equal to a letter with a mark.
      if let other = bytes.first, first < 0x80, other < 0x80, first | 0x20 != other | 0x20 { continue }
      guard let name = String(validating: bytes, as: UTF8.self) else { continue }
      if wanted.contains(name) { same.append(index) } else if lower.contains(name.lowercased()) { alike.append(index) }
    }
    return same.isEmpty ? alike : same
  }

  /// The only note whose path, or whose end of the path, is like the typed one: `oslo` and `2026/oslo` mean
  /// `trips/2026/oslo.md`. A slash in front means the whole path.
  /// - Throws: `badInput` if several notes are; errors of a listing.
  func entry(anywhere typed: String, ignoresCase: Bool) async throws(StoreError) -> FileEntry? {
    var paths: [StorePath] = []
    try await names { paths += $0.notes.map(\.path) }
    let (parts, isWhole) = (PathText.parts(typed), PathText.isAbsolute(typed))
    let path = parts.joined(separator: "/")
    if let whole = NotesService.meant(
      by: path, of: paths.count, ignoresCase: ignoresCase, name: { paths[$0].bytes[...] })
    {
      return try await store.entry(at: paths[whole])
    }
    guard !isWhole else { return nil }
    let found = NotesService.alike(path, of: paths.count, ignoresCase: ignoresCase) { paths[$0].end(parts.count) }
    guard found.count > 1 else {
      guard let only = found.first else { return nil }
      return try await store.entry(at: paths[only])
    }
    let names = found.map { paths[$0] }.sorted().prefix(NotesService.mostNamed).map { "\"\($0)\"" }
    let more = found.count > names.count ? " and \(found.count - names.count) more" : ""
    throw StoreError(
      .badInput, "\(found.count) notes are named \"\(typed)\": \(names.joined(separator: ", "))\(more).",
      remedy: "Name one by its path.")
  }

  private static let mostNamed = 10

  /// The folder that a typed path means, such as `trips`, `trips/` or `/trips/2026`; the top for none. A part that differs
  /// from a folder's name in letter case or Unicode form alone means that one.
  /// - Throws: `badName` for a folder that no list would show; errors of the listing, but not while the store is away.
  public func folder(named typed: String) async throws(StoreError) -> StorePath {
    let parts = PathText.parts(typed)
    guard !parts.isEmpty else { return .root }
    do throws(StoreError) {
      // It may have a name that no new folder can have.
      let exact = try NotesService.path(named: parts.joined(separator: "/"))
      if let there = try await folder(at: exact) { return there }
      let path = try folderPath(typed)
      var folders: [[UInt8]] = []
      try await names { folders += $0.folders.map(\.bytes) }
      return StorePath.root.descending(Albums.meant(by: path.bytes, among: folders)[...])
    } catch {
      guard error.isTemporary else { throw error }
      return try folderPath(typed)
    }
  }

  /// The folder of notes at a path as it is typed; nil if there is none.
  public func folder(at path: StorePath) async throws(StoreError) -> StorePath? {
    try await ifThere(or: [.badName]) { () throws(StoreError) in
      let entry = try await store.entry(at: path)
      return entry.kind == .folder && club.notes.isFolder(entry.path) ? entry.path : nil
    }
  }

  /// As `newPath`, below a folder as `folder(named:)` finds it.
  public func newPath(meaning typed: String) async throws(StoreError) -> StorePath {
    let path = try newPath(typed)
    guard !path.parent.isRoot else { return path }
    return try await folder(named: path.parent.description).descending(path.name)
  }

  /// - Throws: `exists` if another note has the name in another Unicode form: the two would look the same.
  func refuseTwin(of target: StorePath, besides path: StorePath? = nil) async throws(StoreError) {
    let twin: FileEntry?
    do throws(StoreError) {
      let name = String(decoding: target.name, as: UTF8.self)
      twin = try await store.entry(like: name, in: target.parent, ignoresCase: false)
    } catch {
      // The write itself reports the store's error.
      return
    }
    guard let twin, twin.path != path, twin.path != target else { return }
    throw StoreError(
      .exists, "\"\(twin.path)\" already exists, with letters in another Unicode form.",
      remedy: "Choose another name.", path: twin.path)
  }
}

extension StorePath {
  /// The last parts of the path.
  fileprivate func end(_ count: Int) -> ArraySlice<UInt8> {
    var rest = count
    let cut = bytes.lastIndex { byte in
      if byte == UInt8(ascii: "/") { rest -= 1 }
      return rest == 0
    }
    return bytes[(cut.map { $0 + 1 } ?? 0)...]
  }
}

extension FileStore {
  /// The file of a folder that a typed name means, as in `NotesService.meant`. Nil if the folder is missing, where the
  /// store compares names so by itself, and for a name in ASCII, which has one form, unless the case is ignored.
  func entry(
    like name: String, in folder: StorePath, ignoresCase: Bool = true
  ) async throws(StoreError) -> FileEntry? {
    guard limits.caseSensitive, ignoresCase || name.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
    return try await ifThere { () throws(StoreError) in
      let paths = try await contents(of: folder, .names, isDeep: false)
        .filter { $0.kind == .file && $0.path.name.first != UInt8(ascii: ".") }.map(\.path)
      let meant = NotesService.meant(by: name, of: paths.count, ignoresCase: ignoresCase) { paths[$0].name }
      guard let meant else { return nil }
      return try await entry(at: paths[meant])
    }
  }
}
