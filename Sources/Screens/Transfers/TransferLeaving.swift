public import FileStores

/// What becomes of transfers when the app quits.
public protocol TransferLeaving: Sendable {
  /// Whether another process carries the transfers out, so that they go on whatever becomes of this one.
  func isElsewhere() async -> Bool
  /// Whether the transfers can go on without the app: not when what they belong to goes with it, and not when no other
  /// process could sign in.
  func canGoOn() async -> Bool
  /// Pauses all transfers; that is in the journal when it returns.
  func pauseAll() async throws(StoreError)
  /// Hands the transfers to a process in the background. When it returns, that process carries them out.
  /// - Returns: a sentence for the member, to be read after the app has quit; nil when there was nothing left to do.
  func goOnInBackground() async throws(StoreError) -> String?
}
