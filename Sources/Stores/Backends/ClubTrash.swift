internal import FileStores

/// A trash at a server that has moves but no trash: `<trashName>/<id>/`, with each file at its path in the club. Each
/// file moves in one step, so it is never in both places or in neither.
protocol ClubTrash: StoreTrash {
  /// The folder of the trash in the club's folder, which no listing shows.
  var trashName: String { get }
  /// The files below a folder of the trash, at any depth. Empty if the folder does not exist.
  func files(below folder: StorePath) async throws(StoreError) -> [(path: StorePath, size: UInt64)]
  /// Reads one of byteclub's own files, of which `files` has said the size.
  func read(
    _ file: FileEntry, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError)
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
    return try await using(file) { found, origin throws(StoreError) in
      let entry = try await moveBack(found.path, to: path ?? origin)
      // An empty slot left behind is harmless.
      try? await remove(try folder.appending(file))
      guard let entry else { throw .trashedFileGone }
      return entry
    }
  }

  func read(_ file: TrashedFile.ID, limit: Int) async throws(StoreError) -> FileBeginning {
    try StoreError.checkCancelled("The reading of a file in the trash")
    return try await using(file) { found, _ throws(StoreError) in
      // Some servers refuse every part of an empty file.
      if found.size == 0 { return FileBeginning(of: [], limit: limit) }
      let entry = FileEntry(path: found.path, kind: .file, size: found.size)
      return try await FileBeginning(of: found.path, limit: limit) { options, receive throws(StoreError) in
        try await read(entry, options, receive)
      }
    }
  }

  /// Finds a file of the trash by its id.
  /// - Throws: `notFound` if it is not there, or no longer.
  private func using<Value>(
    _ file: TrashedFile.ID,
    _ body: (_ found: (path: StorePath, size: UInt64), _ origin: StorePath) async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    guard TrashID(file) != nil, let slot = try? folder.appending(file) else { throw .trashedFileGone }
    for found in try await files(below: slot) {
      guard let origin = trashed(found)?.origin else { continue }
      do throws(StoreError) {
        return try await body(found, origin)
      } catch {
        throw error.kind == .notFound ? .trashedFileGone : error
      }
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
