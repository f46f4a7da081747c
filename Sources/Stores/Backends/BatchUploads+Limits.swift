internal import FileStores

extension BatchUploads {
  /// - Throws: `badInput` above the limit of one call.
  func checkCount(of files: [BatchFile]) throws(StoreError) {
    if files.count <= mostFiles { return }
    throw StoreError(
      .badInput, "\(files.count) files cannot be written at once, at most \(mostFiles).", remedy: "Write fewer.")
  }

  /// - Throws: `tooLarge`; `badInput` if the size differs from the declared one; errors of the source.
  func content(of file: BatchFile) async throws(StoreError) -> (bytes: [UInt8], hash: ContentHash) {
    if let size = file.source.size, size > mostBytes { throw tooLarge(file.path) }
    var pieces = try await SourcePieces(file.source, for: file.path, pieceBytes: Int(clamping: mostBytes))
    let piece = try await pieces.next()
    guard piece.isLast else { throw tooLarge(file.path) }
    return (piece.bytes, pieces.finishHash())
  }

  private func tooLarge(_ path: StorePath) -> StoreError {
    StoreError(
      .tooLarge, "\"\(path)\" is larger than the \(mostBytes) bytes that are written together with others.",
      remedy: "Write it alone.", path: path)
  }
}
