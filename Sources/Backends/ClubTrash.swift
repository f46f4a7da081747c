internal import FileStores

/// The trash of a club at a server that knows moves and no trash: files below `.club-trash/<id>/`, each at the path that
/// it had in the club. One move takes a file there or back, so that it is never in both places or in none.
protocol ClubTrash: StoreTrash {
  /// The files below a folder of the trash, at any depth. None when the folder is not there.
  func files(below folder: StorePath) async throws(StoreError) -> [(path: StorePath, size: UInt64)]
  /// Moves a file of the trash to where it was.
  /// - Returns: nil when the server says of it that nothing is there.
  /// - Throws: `notFound`; `exists` when something new is there.
  func moveBack(_ path: StorePath, to origin: StorePath) async throws(StoreError) -> FileEntry?
  /// Deletes what is byteclub's own, with all that is in it; what is gone already is no error.
  func remove(_ path: StorePath) async throws(StoreError)
}

extension ClubTrash {
  /// The trash as a folder.
  var folder: StorePath {
    get throws(StoreError) { try StorePath(DropboxFolder.trashName) }
  }

  func contents() async throws(StoreError) -> [TrashedFile] {
    try checkCancelled("The listing of the trash")
    return try await files(below: folder).compactMap(trashed).sorted { left, right in
      left.discarded != right.discarded ? left.discarded > right.discarded : left.id > right.id
    }
  }

  func delete(_ file: TrashedFile.ID) async throws(StoreError) {
    try checkCancelled("The deletion of a file")
    guard TrashID(file) != nil else { return }
    try await remove(try folder.appending(file))
  }

  func restore(_ file: TrashedFile.ID, as path: StorePath?) async throws(StoreError) -> FileEntry {
    try checkCancelled("The restoring of a file")
    guard TrashID(file) != nil, let slot = try? folder.appending(file) else { throw gone }
    for found in try await files(below: slot) {
      guard let origin = trashed(found)?.origin else { continue }
      let entry: FileEntry?
      do throws(StoreError) {
        entry = try await moveBack(found.path, to: path ?? origin)
      } catch {
        throw error.kind == .notFound ? gone : error
      }
      // An empty slot is no file: what is left of it harms nobody.
      try? await remove(slot)
      guard let entry else { throw gone }
      return entry
    }
    throw gone
  }

  func empty() async throws(StoreError) -> Int {
    try checkCancelled("The emptying of the trash")
    let count = try await files(below: folder).compactMap(trashed).count
    try await remove(folder)
    return count
  }

  private func checkCancelled(_ what: String) throws(StoreError) {
    if Task.isCancelled { throw .cancelled(what, path: .root) }
  }

  private var gone: StoreError {
    StoreError(.notFound, "The trash no longer has this file.", path: .root)
  }

  /// Nil for what byteclub did not put there.
  private func trashed(_ found: (path: StorePath, size: UInt64)) -> TrashedFile? {
    let parts = found.path.components
    guard parts.count >= 3, let id = TrashID(String(decoding: parts[1], as: UTF8.self)),
      let origin = try? StorePath(Array(parts[2...].joined(separator: [UInt8(ascii: "/")])))
    else { return nil }
    return TrashedFile(id: id.text, origin: origin, discarded: id.discarded, size: found.size)
  }
}
