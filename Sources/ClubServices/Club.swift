public import FileStores

/// A club: its name, its store, and who is looking.
public struct Club: Sendable {
  /// Its name in the configuration.
  public let name: String
  /// Where it is, for people: `~/ByteClub`. What is kept for later (drafts, unsent saves) belongs to the place, so that
  /// a club that gets another name in the configuration keeps it.
  public let place: String
  /// Finds the member's name for conflict copies. It may ask the service or the system, so it is called only for those.
  public let memberName: @Sendable () async -> String
  /// Where its files are.
  public let store: any FileStore
  /// The folder that holds its photos.
  public let photosFolder: StorePath

  /// Makes a club.
  public init(
    name: String, place: String, memberName: @escaping @Sendable () async -> String, store: any FileStore,
    photosFolder: StorePath
  ) {
    (self.name, self.place, self.memberName) = (name, place, memberName)
    (self.store, self.photosFolder) = (store, photosFolder)
  }

  /// Asks the store something short, to see whether it answers.
  /// - Throws: what keeps it from answering.
  public func reach() async throws(StoreError) { _ = try await store.changes?.start() }
}
