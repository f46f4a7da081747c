public import FileStores

/// One upload or download, as it stands.
public struct Transfer: Sendable, Identifiable {
  /// The engine's word for it: unique among the transfers of one engine.
  public typealias ID = String

  /// Which way the bytes go.
  public enum Direction: String, Sendable, Hashable, CaseIterable {
    /// To the store.
    case upload
    /// From the store.
    case download
  }

  /// The engine's word for it.
  public let id: ID
  /// Which way the bytes go.
  public let direction: Direction
  /// What people call it: the name of the file. Not filtered for a terminal.
  public let name: String
  /// Where the file is, or will be, in the store. An upload whose name was taken by somebody meanwhile moves on to
  /// another.
  public internal(set) var path: StorePath
  /// What it is doing.
  public internal(set) var state: TransferState = .queued
  /// Bytes that the store has taken, or that have been received.
  public internal(set) var sent: UInt64 = 0
  /// Bytes in all, once that is known.
  public internal(set) var total: UInt64?
  /// Why it failed, or the error of kind `cancelled`; nil until it is over and when it is done.
  public internal(set) var error: StoreError?
  /// Where a finished download lies on this machine.
  public internal(set) var place: String?
}
