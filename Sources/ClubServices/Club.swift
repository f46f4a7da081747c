public import FileStores

public struct Club: Sendable {
  public let name: String
  /// The location for display: `~/ByteClub`. Drafts and unsent saves belong to it, so a renamed club keeps them.
  public let place: String
  /// Finds the member's name for conflict copies. May ask the service or the system, so nothing else calls it.
  public let memberName: @Sendable () async -> String
  public let store: any FileStore
  public let photosFolder: StorePath
  /// The local copy in front of the store; nil for a club without a network.
  public let copy: LocalCopy?

  public init(
    name: String, place: String, memberName: @escaping @Sendable () async -> String, store: any FileStore,
    photosFolder: StorePath, copy: LocalCopy? = nil
  ) {
    (self.name, self.place, self.memberName) = (name, place, memberName)
    (self.store, self.photosFolder, self.copy) = (store, photosFolder, copy)
  }

  /// Tests with a short request if the store answers.
  /// - Throws: the error of that request.
  public func reach() async throws(StoreError) { _ = try await store.capabilities.changes?.start() }
}

enum NameText {
  /// The reason why a name cannot have these characters; nil if it can.
  static func fault(in name: String) -> String? {
    if name.unicodeScalars.contains(where: \.isHostile) { return "contains a control character" }
    // U+FFFD stands for bytes that are not UTF-8, for instance in a command-line argument.
    return name.unicodeScalars.contains("\u{FFFD}") ? "is not UTF-8" : nil
  }
}
