public import Basics
public import FileStores

public struct StoreRegistry: Sendable {
  /// The kinds in display order. The first is a directory of this machine, the default for a club without a kind.
  public let kinds: [any StoreKind]

  /// Register a new kind here.
  public static let standard = StoreRegistry([DropboxKind(), DropboxV1Kind(), WebDAVKind(), S3Kind()])

  public init(_ others: [any StoreKind]) { kinds = [FolderKind()] + others }

  public func adding(_ kind: any StoreKind) -> StoreRegistry { StoreRegistry(kinds.dropFirst() + [kind]) }

  public var names: [String] { kinds.map(\.name) }

  public func directory(_ path: String) -> StoreDescription { FolderKind.directory(path) }

  public func plainDirectory(_ path: String) -> StoreDescription { FolderKind.plainDirectory(path) }

  public func served(at origin: String) -> StoreDescription { DropboxKind.served(at: origin) }

  /// - Throws: `badInput` with the known names if there is none.
  public func kind(_ name: String) throws(StoreError) -> any StoreKind {
    if let kind = kinds.first(where: { $0.name == name }) { return kind }
    throw StoreError(
      .badInput, "byteclub knows no kind of store named \"\(name)\".",
      remedy: "The kinds are: \(names.joined(separator: ", ")).")
  }

  /// - Throws: `badInput` for an unknown kind or a missing setting; errors of the store.
  public func open(
    _ store: StoreDescription, pool: BlockingPool, network: StoreNetwork? = nil
  ) throws(StoreError) -> any FileStore {
    try kind(store.kind).open(store, pool: pool, network: network)
  }

  /// A store's transport, if it has a network. Share it with the store's users and tokens, because it keeps
  /// connections.
  public func transport(
    for store: StoreDescription, adjust: (inout HTTPOptions) -> Void = { _ in }
  ) throws(StoreError) -> (any HTTPTransport)? {
    guard var options = try kind(store.kind).httpOptions(for: store) else { return nil }
    adjust(&options)
    return CurlTransport(options: options)
  }
}
