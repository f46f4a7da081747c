internal import FileStores

extension StorePath {
  /// Rejects paths that no store writes: the root, byteclub's own, and names with more than `nameBytes` bytes.
  func checkWritable(nameBytes: Int = 255) throws(StoreError) {
    if isRoot {
      throw StoreError(.badInput, "The club's folder itself cannot be written, moved or deleted.", path: self)
    }
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
