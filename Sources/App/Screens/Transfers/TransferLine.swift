internal import Transfers

struct TransferLine: Sendable {
  /// Its count stays while a piece that was in transit is sent again.
  private(set) var transfer: Transfer
  /// The count as last reported, where the transfer continues.
  private(set) var offset: UInt64
  /// The bytes before it restarted from zero; nil once it has reached them again.
  private(set) var fellFrom: UInt64?
  /// Seconds since 1970 when it was first seen running.
  private(set) var begunAt: Int64?
  /// The time of the last report.
  private(set) var heardAt: Int64
  var isEndReported: Bool

  /// The most bytes in an upload's first piece. A piece in transit at a pause, or at the end of its owner, is sent
  /// again; that is no restart.
  static let pieceBytes: UInt64 = 1 << 20

  /// The most bytes of a piece of a small file. A count that falls by more, and below the kept bytes, has lost bytes.
  private static let mostPieceBytes: UInt64 = 8 << 20

  /// Seconds without a report before the screen says so.
  static let quietSeconds: Int64 = 10

  /// An end before the transfer appeared is not reported again.
  init(_ transfer: Transfer, now: Int64) {
    (self.transfer, offset) = (transfer, transfer.sent)
    heardAt = now
    isEndReported = transfer.state.isOver
    if transfer.state == .running { begunAt = now }
  }

  var id: Transfer.ID { transfer.id }

  mutating func take(_ new: Transfer, now: Int64) {
    let isFall =
      new.restarts > transfer.restarts || new.sent == 0 && (transfer.kept ?? transfer.sent) > Self.pieceBytes
    if isFall { fellFrom = max(transfer.sent, fellFrom ?? 0) }
    if let fellFrom, new.sent >= fellFrom || new.state.isOver { self.fellFrom = nil }
    if new.state == .running, begunAt == nil { begunAt = now }
    if !new.state.isOver { isEndReported = false }
    heardAt = now
    let (before, kept) = (transfer.sent, transfer.kept ?? .max)
    (transfer, offset) = (new, new.sent)
    if !isFall, !new.state.isOver, before > offset, offset >= kept || before - offset <= Self.mostPieceBytes {
      transfer.sent = before
    }
  }

  /// True until a restarted transfer reaches its earlier count again.
  var isRestarted: Bool { fellFrom != nil }

  /// Seconds without a report while it should be running; nil below `quietSeconds`.
  func quiet(now: Int64) -> Int? {
    guard transfer.state == .running, now - heardAt >= Self.quietSeconds else { return nil }
    return Int(now - heardAt)
  }
}
