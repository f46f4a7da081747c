package import FileStores

/// The sentences of all stores about paths.
extension StoreError {
  package static func missing(_ path: StorePath) -> StoreError {
    StoreError(.notFound, "\"\(path)\" does not exist.", path: path)
  }

  /// - Parameter path: of the request; nil for that of the entry.
  package static func exists(_ there: FileEntry, at path: StorePath? = nil, _ note: String = "") -> StoreError {
    StoreError(
      .exists, "\"\(there.path)\" already exists.\(note)", remedy: "Choose another name.", path: path ?? there.path,
      current: there)
  }

  package static func conflict(_ path: StorePath, _ there: FileEntry?, _ note: String = "") -> StoreError {
    StoreError(
      .conflict, "\"\(path)\" has changed in the meantime.\(note)", remedy: "Nothing was overwritten.", path: path,
      current: there)
  }

  static func blocked(_ path: StorePath, by file: FileEntry) -> StoreError {
    StoreError(
      .exists, "\"\(path)\" cannot exist: \"\(file.path)\" is a file.", remedy: "Choose another folder.", path: path)
  }

  /// - Parameter done: such as `moved`.
  package static func clubItself(_ done: String) -> StoreError {
    StoreError(.badInput, "The club's folder itself cannot be \(done).", path: .root)
  }

  package static func intoItself(_ path: StorePath) -> StoreError {
    StoreError(.badInput, "\"\(path)\" cannot be moved into itself.", path: path)
  }

  package static func isFolder(_ path: StorePath) -> StoreError {
    StoreError(.badInput, "\"\(path)\" is a folder, not a file.", path: path)
  }

  static func notFile(_ path: StorePath) -> StoreError {
    StoreError(.badInput, "\"\(path)\" is not a file.", path: path)
  }

  package static func notFolder(_ path: StorePath) -> StoreError {
    StoreError(.badInput, "\"\(path)\" is not a folder.", path: path)
  }

  package static func folderDiscarded(_ path: StorePath) -> StoreError {
    StoreError(.badInput, "\"\(path)\" is a folder; only files go to the trash.", path: path)
  }

  package static func listingLost(_ folder: StorePath) -> StoreError {
    StoreError(
      .badInput, "The listing of \"\(folder)\" cannot be continued.", remedy: "Refresh the list.", path: folder)
  }

  static func tooLarge(_ path: StorePath, _ server: String) -> StoreError {
    StoreError(.tooLarge, "\"\(path)\" is larger than \(server) takes.", path: path)
  }

  package static func uploadGone(_ path: StorePath) -> StoreError {
    StoreError(.notFound, "The store no longer has this upload.", remedy: "Start again.", path: path)
  }

  static func otherOffset(_ have: UInt64, _ path: StorePath) -> StoreError {
    StoreError(
      .conflict, "The server has \(have) bytes of the upload, not the expected number.",
      remedy: "Continue from there.", path: path)
  }

  static func versionGone(_ revision: Revision, _ path: StorePath) -> StoreError {
    StoreError(
      .notFound, "\"\(path)\" no longer has the version \(revision).", remedy: "Look at its history again.", path: path)
  }

}

/// The sentences about the number of a file's bytes, and about answers that are not the server's.
extension StoreError {
  package static func pastTheEnd(_ path: StorePath, _ offset: UInt64, _ size: UInt64) -> StoreError {
    StoreError(.badInput, "\"\(path)\" has \(size) bytes; it cannot be read from byte \(offset).", path: path)
  }

  /// - Parameter clause: names the server and its answer.
  static func nonsense(_ clause: String, _ path: StorePath) -> StoreError {
    StoreError(
      .server, "\(clause).",
      remedy: "Something between you and the server may have answered, such as the sign-in page of a network.",
      path: path, isWrongAnswer: true)
  }

  /// `isDelivered` if bytes of that answer are with the caller. They are not the file's, so no further try may go on
  /// behind them.
  static func tooManyBytes(
    _ path: StorePath, _ server: String, size: UInt64, isDelivered: Bool = false
  ) -> StoreError {
    StoreError(
      isDelivered ? .corrupt : .server, "\(server) sends more than the \(size) bytes that it says \"\(path)\" has.",
      remedy: askOwner,
      path: path, isWrongAnswer: true)
  }

  static func tooFewBytes(_ path: StorePath, _ server: String, sent: UInt64, size: UInt64) -> StoreError {
    StoreError(
      .server, "\(server) sends only \(sent) of the \(size) bytes that it says \"\(path)\" has.",
      remedy: askOwner, path: path, isWrongAnswer: true)
  }

  static func foreignPage(_ path: StorePath, _ server: String) -> StoreError {
    StoreError(
      .server, "\(server) answered with something else than \"\(path)\".",
      remedy: "The sign-in page of a network may have answered. Check the network, then try again.", path: path,
      isWrongAnswer: true)
  }

  static func wrongPart(_ path: StorePath, _ server: String, from offset: UInt64) -> StoreError {
    StoreError(
      .server, "\(server) sends another part of \"\(path)\" than the one from byte \(offset).", remedy: askOwner,
      path: path, isWrongAnswer: true)
  }

  static let askOwner = "Try again later. If it happens again, ask the server's owner."
}
