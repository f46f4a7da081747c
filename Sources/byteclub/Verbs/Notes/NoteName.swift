import ClubServices
import FileStores

/// Which note a word on the command line means.
enum NoteName {
  /// The path that a name stands for, whether anything is there or not.
  /// - Throws: `badName` for what no note can be called.
  static func path(_ name: String) throws(StoreError) -> StorePath {
    guard !name.contains("/") else {
      throw StoreError(
        .badName, "\"\(name)\" is not the name of a note: notes are at the top of the club.",
        remedy: "Leave out the slash.")
    }
    guard !name.hasPrefix(".") else {
      throw StoreError(
        .badName, "\"\(name)\" begins with a dot; such files are not notes.", remedy: "Leave out the dot.")
    }
    return try StorePath.root.appending(name)
  }

  /// The note that is there: the name itself or, when it has no ending, the name with `.md`.
  /// - Throws: `notFound`.
  static func entry(_ name: String, in store: any FileStore) async throws(StoreError) -> FileEntry {
    for path in try paths(name) {
      do throws(StoreError) {
        let entry = try await store.entry(at: path)
        if entry.kind == .file { return entry }
      } catch {
        guard error.kind == .notFound else { throw error }
      }
    }
    throw StoreError(
      .notFound, "The club has no note \"\(name)\".", remedy: "See the names with: byteclub note ls",
      path: try path(name))
  }

  /// Asks for the history of the note that a name means, which need not be there any more.
  /// - Returns: what the first path answers that knows of one, and what is there now.
  /// - Throws: `notFound` when there is no note of that name and no version of one; what `ask` throws.
  static func withHistory<Value>(
    _ name: String, in store: any FileStore, _ ask: (StorePath) async throws(StoreError) -> Value
  ) async throws(StoreError) -> (path: StorePath, there: FileEntry?, value: Value) {
    var there: FileEntry?
    do throws(StoreError) {
      there = try await entry(name, in: store)
    } catch {
      guard error.kind == .notFound else { throw error }
    }
    if let there { return (there.path, there, try await ask(there.path)) }
    for path in try paths(name) {
      do throws(StoreError) {
        return (path, nil, try await ask(path))
      } catch {
        guard error.kind == .notFound || error.kind == .badInput else { throw error }
      }
    }
    throw StoreError(
      .notFound, "The club has no note \"\(name)\", and no version of one.",
      remedy: "See the names with: byteclub note ls",
      path: try path(name))
  }

  private static func paths(_ name: String) throws(StoreError) -> [StorePath] {
    var paths: [StorePath] = []
    for spelling in NotesService.spellings(of: name) { paths.append(try path(spelling)) }
    return paths
  }
}
