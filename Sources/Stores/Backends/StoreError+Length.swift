internal import FileStores

extension StoreError {
  /// `given` is nil if the source continues past its size.
  static func wrongLength(_ path: StorePath, declared: UInt64, given: UInt64?) -> StoreError {
    let instead = given.map { "after \($0)" } ?? "later"
    return StoreError(
      .badInput, "\"\(path)\" should have \(declared) bytes and ended \(instead).",
      remedy: "The file may have changed during the upload. Try again.", path: path)
  }

  /// `isHandedOut` if bytes of that answer are with the caller. They are not the file's, so no further try may go on
  /// behind them.
  static func tooManyBytes(
    _ path: StorePath, _ server: String, size: UInt64, isHandedOut: Bool = false
  ) -> StoreError {
    StoreError(
      isHandedOut ? .corrupt : .server, "\(server) sends more than the \(size) bytes that it says \"\(path)\" has.",
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

  private static let askOwner = "Try again later. If it happens again, ask the server's owner."
}
