internal import FileStores
internal import Synchronization
internal import TextUI
internal import Transfers

/// Tells the loop what a delegate is told. The sender keeps only the newest progress of each transfer.
final class TransferTeller: OldTransferDelegate {
  private struct State {
    var hasBegun = false
    var rate = TransferRate(at: .zero)
  }

  private let sender: Sender<PhotosAction>
  private let line: @Sendable (Transfer.ID) -> TransferLine
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  /// `line` makes what the bar shows, once the transfer has its ID.
  init(_ sender: Sender<PhotosAction>, line: @escaping @Sendable (Transfer.ID) -> TransferLine) {
    self.sender = sender
    self.line = line
  }

  func transfer(_ id: Transfer.ID, didSend bytes: UInt64, of total: UInt64?) { progress(id, bytes, total) }

  func transfer(_ id: Transfer.ID, didReceive bytes: UInt64, of total: UInt64?) { progress(id, bytes, total) }

  func transfer(_ id: Transfer.ID, didResumeAt offset: UInt64, of total: UInt64?) { progress(id, offset, total) }

  func transfer(_ id: Transfer.ID, didEnter state: TransferState) {
    begin(id)
    sender.send(.entered(id, state))
  }

  func transferDidFinish(_ id: Transfer.ID, _ result: Result<FileEntry, StoreError>) {
    begin(id)
    sender.send(.finished(id, result))
  }

  /// The first call, whichever it is, puts the line into the bar: some transfers are over before `upload` returns.
  func begin(_ id: Transfer.ID) {
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    if isFirst { sender.send(.began(line(id))) }
  }

  private func progress(_ id: Transfer.ID, _ bytes: UInt64, _ total: UInt64?) {
    begin(id)
    let now = ContinuousClock.now - start
    let (speed, left) = state.withLock { state in
      state.rate.record(bytes, at: now)
      return (state.rate.bytesPerSecond(at: now), state.rate.secondsLeft(of: total, at: now))
    }
    sender.send(
      .progressed(id, sent: bytes, total: total, rate: speed, secondsLeft: left), replacing: "progress \(id)")
  }
}
