import FileStores

struct FaultyHistory: RevisionHistory {
  let base: any RevisionHistory
  let faults: Faults

  var largestKept: UInt64? { base.largestKept }

  func versions(of path: StorePath, limit: Int) async throws(StoreError) -> [FileEntry] {
    try await faults.call("versions", path) { () throws(StoreError) in
      try await base.versions(of: path, limit: limit)
    }
  }
  func read(
    _ revision: Revision, of path: StorePath, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    // Broken off in the middle of the first chunk, or after all was handed out.
    let fault = faults.next("readVersion", path)
    let entry = try await base.read(revision, of: path) { chunk throws(StoreError) in
      guard fault == .before else { return try await receive(chunk) }
      try await receive(chunk.prefix(chunk.count / 2))
      throw Faults.error(path)
    }
    if fault != .none { throw Faults.error(path) }
    return entry
  }
  func restore(_ revision: Revision, of path: StorePath, over base: Revision?) async throws(StoreError) -> FileEntry {
    try await faults.call("restoreVersion", path) { () throws(StoreError) in
      try await self.base.restore(revision, of: path, over: base)
    }
  }
}

struct FaultySearch: StoreSearch {
  let base: any StoreSearch
  let faults: Faults

  var fewestCharacters: Int { base.fewestCharacters }

  func files(matching words: String, below folder: StorePath, limit: Int) async throws(StoreError) -> [StoreMatch] {
    try await faults.call("search", folder) { () throws(StoreError) in
      try await base.files(matching: words, below: folder, limit: limit)
    }
  }
}

struct FaultyThumbnails: StoreThumbnails {
  let base: any StoreThumbnails
  let faults: Faults

  var batchFiles: Int { base.batchFiles }
  var questionsAtOnce: Int { base.questionsAtOnce }
  var largestSide: Int { base.largestSide }

  /// Fails as a whole, or for some of the pictures.
  func thumbnails(of paths: [StorePath], side: Int) async throws(StoreError) -> [Result<StoreThumbnail, StoreError>] {
    let results = try await faults.call("thumbnails", .root) { () throws(StoreError) in
      try await base.thumbnails(of: paths, side: side)
    }
    return zip(paths, results).map { path, result in
      faults.next("thumbnail", path) == .none ? result : .failure(Faults.error(path))
    }
  }
}

struct FaultyBatches: BatchUploads {
  let base: any BatchUploads
  let faults: Faults

  var mostFiles: Int { base.mostFiles }
  var mostBytes: UInt64 { base.mostBytes }

  /// Fails as a whole, before or after all is written, or for some of the files, which are written all the same.
  func put(_ files: [BatchFile]) async throws(StoreError) -> [Result<FileEntry, StoreError>] {
    let results = try await faults.call("batch", .root) { () throws(StoreError) in try await base.put(files) }
    return zip(files, results).map { file, result in
      guard case .success = result, faults.next("batched", file.path) != .none else { return result }
      return .failure(Faults.error(file.path))
    }
  }
}

struct FaultyFolderReading: FolderReading {
  let base: any FolderReading
  let faults: Faults

  var mostEntries: Int { base.mostEntries }
  var mostBytes: UInt64 { base.mostBytes }

  /// Breaks off before the first byte, or after some of them.
  func read(
    _ files: [FileEntry], below folder: StorePath, _ receive: ([FolderPart]) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    let fault = faults.next("readFolder", folder)
    if fault == .before { throw Faults.error(folder) }
    try await base.read(files, below: folder) { parts throws(StoreError) in
      guard fault == .after else { return try await receive(parts) }
      try await receive(Array(parts.prefix(parts.count / 2)))
      throw Faults.error(folder)
    }
  }
}
