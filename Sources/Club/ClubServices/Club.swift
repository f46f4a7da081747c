public import FileStores

public struct Club: Sendable {
  public let name: String
  /// The location for display: `~/ByteClub`.
  public let place: String
  /// The place and the account. All that waits, and all that this machine keeps of the club, belongs to it: a renamed club
  /// keeps both, and another account at the same place sees and sends neither.
  public let key: String
  /// The key of drafts that belong to no account, because no account was known when they were kept; nil for a club whose
  /// place names the account.
  public let strays: String?
  /// Finds the member's name for conflict copies. May ask the service or the system, so nothing else calls it.
  public let memberName: @Sendable () async -> String
  /// The name that the store gives to this member's writes; nil if unknown, or where it names no accounts.
  let ownName: @Sendable () async -> String?
  public let store: any FileStore
  public let photosFolder: StorePath
  public let notes: NoteScope
  /// The local copy in front of the store; nil for a club without a network.
  public let copy: LocalCopy?
  let talkTexts = TalkTexts()

  /// Without a `key`, the place names the account.
  public init(
    name: String, place: String, key: String? = nil, strays: String? = nil,
    memberName: @escaping @Sendable () async -> String,
    ownName: @escaping @Sendable () async -> String? = { nil }, store: any FileStore, photosFolder: StorePath,
    copy: LocalCopy? = nil, hasNoteFolders: Bool = true
  ) {
    (self.name, self.place, self.memberName, self.ownName) = (name, place, memberName, ownName)
    (self.key, self.strays) = (key ?? place, strays)
    (self.store, self.photosFolder, self.copy) = (store, photosFolder, copy)
    notes = NoteScope(
      photosFolder: photosFolder, hasFolders: hasNoteFolders, ignoresCase: !store.limits.caseSensitive)
  }

  /// The member's name in remarks and walks: that of the account, so that it fits the authors of versions, else that of
  /// `memberName`. May ask the service.
  func spokenName() async -> String {
    if let name = await ownName(), !name.isEmpty { return name }
    return await memberName()
  }

  /// True if no account is known: texts are kept as drafts and wait for the member.
  var isNobodys: Bool { key == strays }

  func storeTrash() throws(StoreError) -> any StoreTrash {
    guard let trash = store.capabilities.trash else {
      throw StoreError(
        .unsupported, "The store of \"\(name)\" has no trash.",
        remedy: "To delete the file for good, use another program.")
    }
    return trash
  }

  /// Tests with a short request if the store answers.
  /// - Throws: the error of that request.
  public func reach() async throws(StoreError) { _ = try await store.capabilities.changes?.start() }
}

extension StoreError {
  /// The error of a change by a member who is known to be a reader.
  public static let reader = StoreError(
    .notPermitted, "You are a reader of this club: you can read everything and change nothing.",
    remedy: "Ask its owner if you want to write.")
}

enum NameText {
  /// The reason why a name cannot have these characters; nil if it can.
  static func fault(in name: String) -> String? {
    if name.unicodeScalars.contains(where: \.isHostile) { return "contains a control character" }
    // U+FFFD stands for bytes that are not UTF-8, for instance in a command-line argument.
    return name.unicodeScalars.contains("\u{FFFD}") ? "is not UTF-8" : nil
  }
}
