public import FileStores

/// Where a download goes.
///
/// The engine's order is: open, write (any number), verify, publish; from anywhere before `publish` has returned it
/// may open again, which starts over, or discard. One call at a time.
public protocol TransferSink: Sendable {
  /// Starts with nothing. Called again, throws away what was written.
  func open() async throws(StoreError)
  /// Takes the next bytes.
  func write(_ bytes: ByteChunk) async throws(StoreError)
  /// Compares what was written with what the store says of it, and makes it durable.
  /// - Throws: `corrupt` when it is something else.
  func verify(size: UInt64, contentHash: ContentHash?) async throws(StoreError)
  /// Makes the bytes visible, whole, without replacing anything.
  /// - Returns: where they are, for people.
  func publish() async throws(StoreError) -> String
  /// Leaves nothing behind, also when the task is cancelled. Nothing happens when nothing is there.
  func discard() async
}
