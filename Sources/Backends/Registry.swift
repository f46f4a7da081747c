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
  private typealias Opener =
    @Sendable (StoreDescription, BlockingPool, StoreNetwork?) throws(StoreError) -> any FileStore

  private static let openers: [(kind: String, opener: Opener)] = [
    ("folder", { (what, pool, _) throws(StoreError) in try FolderStore(root: what.required("path"), pool: pool) }),
    ("dropbox", { (what, pool, network) throws(StoreError) in try DropboxStore(what, network, pool: pool) }),
    ("dropbox-v1", { (what, pool, network) throws(StoreError) in try DropboxV1Store(what, network, pool: pool) }),
    ("memory", { (_, _, _) throws(StoreError) in MemoryStore() }),
  ]

  /// The kinds, in the order in which they are offered.
  public static var kinds: [String] { openers.map(\.kind) }

  /// Opens a store. No network is used yet; a folder's directory is looked at. Without `network`, a store behind one
  /// makes its own transport, and its calls say that nobody is signed in.
  /// - Throws: `badInput` for an unknown kind or a missing option, naming what is known; what the store throws.
  public static func open(
    _ description: StoreDescription, pool: BlockingPool, network: StoreNetwork? = nil
  ) throws(StoreError) -> any FileStore {
    guard let found = openers.first(where: { $0.kind == description.kind }) else {
      throw StoreError(
        .badInput, "There is no kind of store named \"\(description.kind)\".",
        remedy: "The kinds are: \(kinds.joined(separator: ", ")).")
    }
    return try found.opener(description, pool, network)
  }

  /// What carries the requests of such a store, as its options say and `adjust` changes them; nil for a kind that needs
  /// no network. Share it with what asks for the store's tokens, and with all who open that store: it keeps connections.
  public static func transport(
    for description: StoreDescription, adjust: (inout HTTPOptions) -> Void = { _ in }
  ) throws(StoreError) -> (any HTTPTransport)? {
    guard ["dropbox", "dropbox-v1"].contains(description.kind) else { return nil }
    var options = try DropboxServer(description).transportOptions(description)
    adjust(&options)
    return CurlTransport(options: options)
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
