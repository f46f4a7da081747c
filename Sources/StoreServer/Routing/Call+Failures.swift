extension Call {
  /// Counts a wrong secret from this address.
  /// - Throws: 429 when there have been too many.
  func noteFailure() throws(APIFailure) {
    if let seconds = club.failures.note(peer, at: club.index.now()) { throw .tooMany(retryAfter: seconds) }
  }

  /// - Throws: 429 when there have been too many wrong secrets from this address: where a right one would be found by
  ///   guessing, it is not even looked at.
  func checkFailures() throws(APIFailure) {
    if let seconds = club.failures.wait(peer, at: club.index.now()) { throw .tooMany(retryAfter: seconds) }
  }
}
