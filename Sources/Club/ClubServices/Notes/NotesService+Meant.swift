import FileStores

extension NotesService {
  /// The index of the name that a typed one means although no name is equal: the only one that is it in another Unicode
  /// form (macOS writes "é" as two characters), or else the only one in another letter case. Nil if none or several are.
  public static func meant(
    by typed: String, of count: Int, ignoresCase: Bool = true, name: (Int) -> ArraySlice<UInt8>
  ) -> Int? {
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
    let found = same.isEmpty ? alike : same
    return found.count == 1 ? found[0] : nil
  }
}

extension FileStore {
  /// The file of a folder that a typed name means, as in `NotesService.meant`. Nil if the folder is missing, and where the
  /// store compares names so by itself.
  func entry(
    like name: String, in folder: StorePath, ignoresCase: Bool = true
  ) async throws(StoreError) -> FileEntry? {
    guard limits.caseSensitive else { return nil }
    do throws(StoreError) {
      let options = ListOptions(.names)
      var paths: [StorePath] = []
      var cursor: ListCursor?
      repeat {
        let page = try await list(folder, options, after: cursor)
        paths += page.entries.lazy.filter { $0.kind == .file && $0.path.name.first != UInt8(ascii: ".") }.map(\.path)
        cursor = page.next
      } while cursor != nil
      let meant = NotesService.meant(by: name, of: paths.count, ignoresCase: ignoresCase) { paths[$0].name }
      guard let meant else { return nil }
      return try await entry(at: paths[meant])
    } catch {
      guard error.kind == .notFound else { throw error }
      return nil
    }
  }
}
