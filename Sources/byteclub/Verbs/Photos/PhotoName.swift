import ClubServices
import FileStores
import JSON

/// Photos are named by their path from the photos folder.
enum PhotoName {
  /// The path in the store.
  static func path(_ name: String, _ club: Club) throws(StoreError) -> StorePath {
    guard !name.isEmpty else {
      throw StoreError(.badName, "A photo needs a name.", remedy: "See the names with: byteclub photo ls")
    }
    return try StorePath(club.photosFolder.bytes + [UInt8(ascii: "/")] + Array(name.utf8))
  }

  /// The photo that is there.
  /// - Throws: `notFound` with a remedy.
  static func entry(_ name: String, _ club: Club) async throws(StoreError) -> FileEntry {
    let path = try path(name, club)
    do throws(StoreError) {
      let entry = try await club.store.entry(at: path)
      if entry.kind == .file { return entry }
    } catch {
      guard error.kind == .notFound else { throw error }
    }
    throw StoreError(
      .notFound, "The club has no photo \"\(name)\".", remedy: "See the names with: byteclub photo ls",
      path: path)
  }

  /// The name of a path: the bytes below the photos folder.
  static func bytes(_ path: StorePath, _ club: Club) -> [UInt8] {
    Array(path.relative(to: club.photosFolder) ?? path.bytes[...])
  }

  /// The object of a photo.
  static func json(_ entry: FileEntry, _ club: Club) -> JSONValue {
    .file(entry, shown: String(decoding: bytes(entry.path, club), as: UTF8.self))
  }

  /// The object of a photo that needs no transfer; `place` is the file of this machine that holds the same.
  static func already(_ entry: FileEntry, _ club: Club, place: String? = nil) -> JSONValue {
    var more = [JSONMember("already", .bool(true))]
    if let place { more.append(JSONMember("place", .string(place))) }
    return json(entry, club).adding(more)
  }
}
