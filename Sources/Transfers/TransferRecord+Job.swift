import FileStores

/// What follows from a record.
extension TransferRecord {
  /// True when the store has all bytes of an upload, and may have been asked to finish it.
  var isWhole: Bool { session != nil && contentHash != nil && total != nil && offset == total }

  /// True when something may be left of it in the store or on this machine.
  var hasLeftovers: Bool {
    switch order.direction {
    case .upload: session != nil || (attempts > 0 && phase == .cancelling)
    case .download: part != nil
    }
  }

  /// Back to nothing.
  mutating func startOver() {
    forgetProgress()
    restarts += 1
  }

  /// A cancelled one is wanted again: nothing of it is left, so it begins at its beginning.
  package mutating func beginAnew() {
    forgetProgress()
    (part, error, ended, notBefore) = (nil, nil, nil, nil)
  }

  private mutating func forgetProgress() {
    (session, sessionBegan, sourceStamp, revision, place, partBoot) = (nil, nil, nil, nil, nil, nil)
    offset = 0
    contentHash = nil
    if case .upload(_, _, let hash, _, _) = order.work { contentHash = hash }
  }
}
