public import Transfers

/// A transfer as the bar shows it.
public struct TransferLine: Sendable, Hashable {
  /// The engine's word for it.
  public let id: Transfer.ID
  /// Which way.
  public let direction: Transfer.Direction
  /// What people call it.
  public let name: String
  /// The name that was taken already, when another had to be found.
  public let renamedFrom: String?
  /// Where a download goes.
  public let place: String?
  var state = TransferState.queued
  var sent: UInt64 = 0
  var total: UInt64?
  var rate: Double?
  var secondsLeft: Int?

  /// A transfer that has just been put into the queue.
  public init(
    id: Transfer.ID, direction: Transfer.Direction, name: String, renamedFrom: String? = nil, place: String? = nil,
    total: UInt64? = nil
  ) {
    self.id = id
    self.direction = direction
    self.name = name
    self.renamedFrom = renamedFrom
    self.place = place
    self.total = total
  }
}
