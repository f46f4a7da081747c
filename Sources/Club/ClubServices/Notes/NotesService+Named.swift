import Database
public import FileStores

extension NotesService {
  /// The path of a typed name, with the folders in front of it.
  /// - Throws: `badName` for a hidden name.
  public static func path(named name: String) throws(StoreError) -> StorePath {
    guard !name.isEmpty else { throw StoreError(.badName, "A note needs a name.", remedy: "Choose a name.") }
    let path = try StorePath(name)
    guard path.components.allSatisfy({ $0.first != UInt8(ascii: ".") }) else {
      throw StoreError(
        .badName, "\"\(name)\" has a part that begins with a dot; such files are not notes.",
        remedy: "Leave out the dot.")
    }
    return path
  }

  /// The name of a new note without a typed one: the words of its first line, with the first number that makes it free.
  /// Nil for a text without words.
  public static func name(ofText text: [UInt8], isTaken: (StorePath) -> Bool) -> String? {
    let limits = StoreLimits(nameBytes: 255, fileBytes: nil, caseSensitive: true, unicodeNamesOnly: true)
    for number in 1...99 {
      do throws(StoreError) {
        guard let path = try NoteName.first(of: text, number: number, limits) else { return nil }
        if !isTaken(path) { return "\(path)" }
      } catch {
        // The member types a name.
        return nil
      }
    }
    return nil
  }

  /// The possible paths for a typed name, in search order.
  /// - Throws: `badName`.
  public static func paths(named name: String) throws(StoreError) -> [StorePath] {
    var paths: [StorePath] = []
    for spelling in spellings(of: name) { paths.append(try path(named: spelling)) }
    return paths
  }

  /// Looks for a note of the typed name, then of the name with `.md` if it has no extension, then, unless a text waits for
  /// such a note, for the only note whose name is like it; `ignoresCase` as in `meant`.
  /// - Parameter isAnywhere: true if the only note of that name in any folder is meant, too.
  /// - Throws: `badName`; `badInput` if several notes in folders have the name; errors of the store.
  public func entry(
    named name: String, ignoresCase: Bool = true, isAnywhere: Bool = false
  ) async throws(StoreError) -> FileEntry? {
    let paths = try NotesService.paths(named: name)
    for path in paths {
      if let entry = try await store.entryIfAny(path), club.notes.isNote(entry) { return entry }
    }
    guard await saved({ paths.contains($0.path) }).isEmpty else { return nil }
    guard let path = paths.first else { return nil }
    let like = try await store.entry(
      like: String(decoding: path.name, as: UTF8.self), in: path.parent, ignoresCase: ignoresCase)
    if let like, club.notes.isNote(like) { return like }
    return isAnywhere && club.notes.hasFolders ? try await entry(anywhere: name, ignoresCase: ignoresCase) : nil
  }

  /// Reads a whole note in chunks. An error at the end may mean that the bytes are damaged.
  /// - Throws: as `FileStore.read`.
  @discardableResult
  public func read(
    _ path: StorePath, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try await store.read(path, from: 0, ifRevision: nil, receive)
  }

  /// - Throws: as `FileStore.read`; `tooLarge`.
  public func bytes(of path: StorePath) async throws(StoreError) -> (bytes: [UInt8], entry: FileEntry) {
    let (bytes, entry) = try await store.readAll(path, limit: NotesService.mostNoteBytes)
    past?.keep(bytes, of: entry)
    return (bytes, entry)
  }
}
