/// Passes pieces of content from the task that reads them to the one that sends them: one piece waits while another is
/// being sent, so memory stays small and the disk and the network work at the same time.
public actor ChunkHandoff {
  private var slot: ByteChunk?
  private var isFinished = false
  private var isStopped = false
  private var failure: (any Error)?
  private var sender: CheckedContinuation<Void, Never>?
  private var receiver: CheckedContinuation<Void, Never>?

  /// Nothing is on its way.
  public init() {}

  /// Hands over a piece once there is room.
  /// - Returns: false when no more are wanted.
  public func send(_ chunk: ByteChunk) async -> Bool {
    while slot != nil, !isStopped { await withCheckedContinuation { sender = $0 } }
    guard !isStopped else { return false }
    slot = chunk
    wakeReceiver()
    return true
  }

  /// Says that there are no more pieces, and why when that is a failure.
  public func finish(_ error: (any Error)? = nil) {
    isFinished = true
    failure = error
    wakeReceiver()
  }

  /// The next piece; nil at the end.
  public func next() async throws -> ByteChunk? {
    while slot == nil, !isFinished { await withCheckedContinuation { receiver = $0 } }
    guard let chunk = slot else {
      if let failure { throw failure }
      return nil
    }
    slot = nil
    wakeSender()
    return chunk
  }

  /// Says that no more pieces are wanted.
  public func stop() {
    isStopped = true
    slot = nil
    wakeSender()
  }

  private func wakeReceiver() {
    receiver?.resume()
    receiver = nil
  }

  private func wakeSender() {
    sender?.resume()
    sender = nil
  }
}
