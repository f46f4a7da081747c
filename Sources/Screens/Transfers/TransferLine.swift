internal import FileStores
internal import Transfers

/// A transfer, and what only the screen knows of it.
struct TransferLine: Sendable {
  /// As it was told last.
  private(set) var transfer: Transfer
  /// The count from which it began again at nothing; nil once it is there again.
  private(set) var fellFrom: UInt64?
  /// When it was first seen to run, in seconds since 1970; nil while it has not.
  private(set) var begunAt: Int64?
  /// When anything was told of it last.
  private(set) var heardAt: Int64
  /// Whether the member has been told of its end.
  var isEndTold: Bool

  /// An upload's first piece has so many bytes at most. A piece that was on its way when the upload was paused or its
  /// owner ended is sent once more; that is no restart.
  static let pieceBytes: UInt64 = 1 << 20

  /// How long nothing may come before that is said, in seconds.
  static let quietSeconds: Int64 = 10

  /// A transfer that appeared. How one ended that was over by then is not told again.
  init(_ transfer: Transfer, now: Int64) {
    self.transfer = transfer
    heardAt = now
    isEndTold = transfer.state.isOver
    if transfer.state == .running { begunAt = now }
  }

  var id: Transfer.ID { transfer.id }

  /// Takes what was told.
  mutating func take(_ new: Transfer, now: Int64) {
    if new.restarts > transfer.restarts || new.sent == 0 && transfer.sent > Self.pieceBytes {
      fellFrom = max(transfer.sent, fellFrom ?? 0)
    }
    if let fellFrom, new.sent >= fellFrom || new.state.isOver { self.fellFrom = nil }
    if new.state == .running, begunAt == nil { begunAt = now }
    if !new.state.isOver { isEndTold = false }
    heardAt = now
    transfer = new
  }

  /// True while it goes over what it had done before it began again.
  var isRestarted: Bool { fellFrom != nil }

  /// Seconds for which nothing came, when it should run and that is odd.
  func quiet(now: Int64) -> Int? {
    guard transfer.state == .running, now - heardAt >= Self.quietSeconds else { return nil }
    return Int(now - heardAt)
  }
}
