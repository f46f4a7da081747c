internal import FileStores

/// A trash at a server that has moves but no trash: `<trashName>/<id>/`, with each file at its path in the club. Each
/// file moves in one step, so it is never in both places or in neither.
protocol ClubTrash: StoreTrash {
  /// The folder of the trash in the club's folder, which no listing shows.
  var trashName: String { get }
  /// The files below a folder of the trash, at any depth. Empty if the folder does not exist.
  func files(below folder: StorePath) async throws(StoreError) -> [(path: StorePath, size: UInt64)]
  /// - Returns: nil if the server reports that the moved file is gone.
  /// - Throws: `notFound`; `exists` if the name is taken.
  func moveBack(_ path: StorePath, to origin: StorePath) async throws(StoreError) -> FileEntry?
  /// Deletes one of byteclub's own paths with its content. A missing path is no error.
  func remove(_ path: StorePath) async throws(StoreError)
}

extension ClubTrash {
  var trashName: String { DropboxFolder.trashName }

  var folder: StorePath {
    get throws(StoreError) { try StorePath(trashName) }
  }

  func contents() async throws(StoreError) -> [TrashedFile] {
    try StoreError.checkCancelled("The listing of the trash")
    return try await files(below: folder).compactMap(trashed).sorted { left, right in
      left.discarded != right.discarded ? left.discarded > right.discarded : left.id > right.id
    }
  }

  func delete(_ file: TrashedFile.ID) async throws(StoreError) {
    try StoreError.checkCancelled("The deletion of a file")
    guard TrashID(file) != nil else { return }
    try await remove(try folder.appending(file))
  }

  func restore(_ file: TrashedFile.ID, as path: StorePath?) async throws(StoreError) -> FileEntry {
    try StoreError.checkCancelled("The restoring of a file")
    guard TrashID(file) != nil, let slot = try? folder.appending(file) else { throw .trashedFileGone }
    for found in try await files(below: slot) {
      guard let origin = trashed(found)?.origin else { continue }
      let entry: FileEntry?
      do throws(StoreError) {
        entry = try await moveBack(found.path, to: path ?? origin)
      } catch {
        throw error.kind == .notFound ? .trashedFileGone : error
      }
      // An empty slot left behind is harmless.
      try? await remove(slot)
      guard let entry else { throw .trashedFileGone }
      return entry
    }
    throw .trashedFileGone
  }

  func empty() async throws(StoreError) -> Int {
    try StoreError.checkCancelled("The emptying of the trash")
    let count = try await files(below: folder).compactMap(trashed).count
    try await remove(folder)
    return count
  }

  private func trashed(_ found: (path: StorePath, size: UInt64)) -> TrashedFile? {
    let parts = found.path.components
    guard parts.count >= 3, let id = TrashID(String(decoding: parts[1], as: UTF8.self)),
      let origin = try? StorePath(Array(parts[2...].joined(separator: [UInt8(ascii: "/")])))
    else { return nil }
    return TrashedFile(id: id.text, origin: origin, discarded: id.discarded, size: found.size)
  }
}

struct TrashID: Sendable, Equatable {
  let text: String
  let discarded: Timestamp

  init(discarded: Timestamp, word: UInt64) {
    self.discarded = discarded
    text = String(UInt64(bitPattern: discarded.nanoseconds), radix: 36) + "-" + String(word, radix: 36)
  }

  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let time = UInt64(parts[0], radix: 36), let word = UInt64(parts[1], radix: 36) else {
      return nil
    }
    self.init(discarded: Timestamp(nanoseconds: Int64(bitPattern: time)), word: word)
    guard self.text == text else { return nil }
  }
}
