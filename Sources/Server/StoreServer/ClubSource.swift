public import Database
public import FileStores

/// One club of a server: its files, and the server's own data about it.
public struct ClubSource: Sendable {
  /// In the log, in the metrics and in options.
  public let name: String
  let store: any FileStore
  /// Outside the club's folder.
  let directory: PrivateDirectory
  let members: ServerMembersDatabase
  /// The most bytes of the club's files; nil for no quota.
  public var quota: UInt64?
  /// The size of the disk in bytes; nil if unknown. Blocks.
  public var capacity: @Sendable () -> UInt64? = { nil }
  /// The free bytes of the disk; nil if unknown. Blocks.
  public var available: @Sendable () -> UInt64? = { nil }
  /// Throws the reason why the club's files cannot be read or written; nil to ask the store for a listing. Blocks.
  public var check: (@Sendable () throws(StoreError) -> Void)?

  public init(
    name: String, store: any FileStore, directory: PrivateDirectory, members: ServerMembersDatabase
  ) {
    (self.name, self.store, self.directory, self.members) = (name, store, directory, members)
  }
}
