package import FileStores

extension FileStore {
  package func checkCancelled(_ what: String, _ path: StorePath) throws(StoreError) {
    if Task.isCancelled { throw .cancelled("\(what) of \"\(path)\"", path: path) }
  }

  /// Hands bytes of a file on.
  func hand(
    _ bytes: ByteChunk?, of path: StorePath, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    guard let bytes, !bytes.isEmpty else { return }
    try checkCancelled("The reading", path)
    try await receive(bytes)
  }

  /// The error for a path below a file; nil if no parent is a file.
  func blocked(
    _ path: StorePath, _ look: (StorePath) async throws(StoreError) -> FileEntry?
  ) async throws(StoreError) -> StoreError? {
    var above = path.parent
    while !above.isRoot {
      if let there = try await look(above) { return there.kind == .folder ? nil : .blocked(path, by: there) }
      above = above.parent
    }
    return nil
  }
}

extension StoreError {
  /// For work that is about no path.
  package static func checkCancelled(_ what: String) throws(StoreError) {
    if Task.isCancelled { throw .cancelled(what, path: .root) }
  }
}

extension WriteMode {
  /// - Throws: `exists`; `conflict`.
  package func check(_ there: FileEntry?, at path: StorePath) throws(StoreError) {
    switch self {
    case .create: if let there { throw .exists(there, at: path) }
    case .overwrite: if let there, there.kind != .file { throw .exists(there, at: path) }
    case .replace(let base): if there?.revision != base { throw .conflict(path, there) }
    }
  }
}

extension StorePath {
  /// Rejects paths that no store writes: the root, byteclub's own, and names with more than `nameBytes` bytes.
  package func checkWritable(nameBytes: Int = 255) throws(StoreError) {
    if isRoot { throw .clubItself("written, moved or deleted") }
    if isReserved {
      throw StoreError(
        .badName, "Names that begin with .byteclub are byteclub's own: \"\(self)\".", remedy: "Choose another name.",
        path: self)
    }
    for name in components where name.count > nameBytes {
      throw StoreError(
        .badName,
        "The name \"\(String(decoding: name, as: UTF8.self))\" has \(name.count) bytes, and the store takes "
          + "\(nameBytes).",
        remedy: "Choose a shorter name.", path: self)
    }
  }
}
