public import FileStores

/// The stores that a program knows.
public struct StoreRegistry: Sendable {
  /// The kinds, in the order in which they are offered. The first is a directory of this machine: a club that names no
  /// kind is one.
  public let kinds: [any StoreKind]

  /// The kinds that byteclub has. A new one is a word here.
  public static let standard = StoreRegistry([DropboxKind(), DropboxV1Kind()])

  /// Directories of this machine, and other kinds.
  public init(_ others: [any StoreKind]) { kinds = [FolderKind()] + others }

  /// These kinds and one more.
  public func adding(_ kind: any StoreKind) -> StoreRegistry { StoreRegistry(kinds.dropFirst() + [kind]) }

  /// The names of the kinds, in their order.
  public var names: [String] { kinds.map(\.name) }

  /// A directory of this machine as a store.
  public func directory(_ path: String) -> StoreDescription { FolderKind.directory(path) }

  /// The same for files that are only written there: nothing of what they replace is kept.
  public func plainDirectory(_ path: String) -> StoreDescription { FolderKind.plainDirectory(path) }

  /// A club at a `byteclub serve`: all that the server shows.
  public func served(at origin: String) -> StoreDescription { DropboxKind.served(at: origin) }

  /// The kind of that name.
  /// - Throws: `badInput` when there is none, naming those that there are.
  public func kind(_ name: String) throws(StoreError) -> any StoreKind {
    if let kind = kinds.first(where: { $0.name == name }) { return kind }
    throw StoreError(
      .badInput, "byteclub knows no kind of store named \"\(name)\".",
      remedy: "The kinds are: \(names.joined(separator: ", ")).")
  }

  /// Opens a store, as `StoreKind.open` does.
  /// - Throws: `badInput` for an unknown kind or a missing setting; what the store throws.
  public func open(
    _ store: StoreDescription, pool: BlockingPool, network: StoreNetwork? = nil
  ) throws(StoreError) -> any FileStore {
    try kind(store.kind).open(store, pool: pool, network: network)
  }

  /// What carries the requests of such a store, as its kind says and `adjust` changes it; nil for a store that needs
  /// no network. Share it with what asks for the store's tokens, and with all who open that store: it keeps connections.
  public func transport(
    for store: StoreDescription, adjust: (inout HTTPOptions) -> Void = { _ in }
  ) throws(StoreError) -> (any HTTPTransport)? {
    guard var options = try kind(store.kind).httpOptions(for: store) else { return nil }
    adjust(&options)
    return CurlTransport(options: options)
  }
}
