/// What the owner of the transfers says to another process: one JSON object a line.
enum TransferAnswer: Codable, Sendable, Hashable {
  /// The longest line that is read: a long list is one line.
  static let maxBytes = 256 << 20

  /// Answers `hello`.
  case hello(version: Int, process: Int32)
  /// Answers a `hello` that cannot be; the line ends after it.
  case refused(error: ErrorForm)

  case added(number: Int, ids: [String])
  /// Also when all that was there has been told.
  case done(number: Int)
  case failed(number: Int, error: ErrorForm)
  case transfers(number: Int, transfers: [TransferForm])
  case limit(number: Int, bytesPerSecond: UInt64?)

  // What delegates are told.
  case appeared(TransferForm)
  case progressed(TransferForm)
  case resumed(TransferForm, offset: UInt64)
  case entered(TransferForm)
  case finished(TransferForm)
  case disappeared(id: String)
  case reordered(ids: [String])
}
