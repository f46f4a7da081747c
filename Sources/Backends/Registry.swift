public import FileStores

/// Which store to open, in plain values as a config has them.
public struct StoreDescription: Sendable, Hashable {
  /// One of `StoreRegistry.kinds`.
  public let kind: String
  /// What the kind wants to know.
  public let options: [String: String]

  /// Makes a description.
  public init(kind: String, options: [String: String] = [:]) {
    self.kind = kind
    self.options = options
  }
}

/// The stores that byteclub knows. A new backend is one line in `openers`.
public enum StoreRegistry {
  private typealias Opener = @Sendable (StoreDescription, BlockingPool) throws(StoreError) -> any FileStore

  private static let openers: [(kind: String, opener: Opener)] = [
    ("folder", { (what, pool) throws(StoreError) in try FolderStore(root: what.required("path"), pool: pool) }),
    ("memory", { (_, _) throws(StoreError) in MemoryStore() }),
  ]

  /// The kinds, in the order in which they are offered.
  public static var kinds: [String] { openers.map(\.kind) }

  /// Opens a store. No network is used; a folder's directory is looked at.
  /// - Throws: `badInput` for an unknown kind or a missing option, naming what is known; what the store throws.
  public static func open(
    _ description: StoreDescription, pool: BlockingPool
  ) throws(StoreError) -> any FileStore {
    guard let found = openers.first(where: { $0.kind == description.kind }) else {
      throw StoreError(
        .badInput, "There is no kind of store named \"\(description.kind)\".",
        remedy: "The kinds are: \(kinds.joined(separator: ", ")).")
    }
    return try found.opener(description, pool)
  }
}

extension StoreDescription {
  /// The value of an option that the kind cannot do without.
  func required(_ option: String) throws(StoreError) -> String {
    guard let value = options[option], !value.isEmpty else {
      throw StoreError(
        .badInput, "A store of kind \"\(kind)\" needs \"\(option)\".", remedy: "Set it in the config.")
    }
    return value
  }
}
