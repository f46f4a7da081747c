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

extension FileStore {
  /// The file of a folder that a typed name means, as in `NotesService.meant`. Nil if the folder is missing, where the
  /// store compares names so by itself, and for a name in ASCII, which has one form, unless the case is ignored.
  func entry(
    like name: String, in folder: StorePath, ignoresCase: Bool = true
  ) async throws(StoreError) -> FileEntry? {
    guard limits.caseSensitive, ignoresCase || name.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
    do throws(StoreError) {
      var paths: [StorePath] = []
      var cursor: ListCursor?
      repeat {
        let page = try await list(folder, ListOptions(.names), after: cursor)
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
