internal import Basics
internal import FileStores

struct DropboxKind: StoreKind {
  let name = "dropbox"
  let about = "a folder in a Dropbox, or at a server that speaks the Dropbox API, such as byteclub serve"
  let settings =
    [
      StoreSetting(
        "server",
        about: "The address of the server that has the club NAME, such as https://club.example.org:8080. Without it: "
          + "Dropbox.")
    ] + DropboxServer.settings + [
      StoreSetting(
        "appKey",
        about: "The key of the app that byteclub login signs in with. Dropbox needs one of your own; a byteclub serve "
          + "knows byteclub by itself."), .tokenCommand,
    ]

  var form: (any StoreForm)? { DropboxForm() }

  static func served(at origin: String) -> StoreDescription {
    StoreDescription(kind: DropboxKind().name, options: ["server": origin, "folder": "/"])
  }

  func place(of store: StoreDescription) -> StorePlace { DropboxServer.place(of: store) }
  func identity(of store: StoreDescription) -> String { DropboxServer.identity(of: store) }

  func check(_ store: StoreDescription) throws(StoreError) {
    _ = try DropboxServer(store)
    _ = try DropboxFolder(store.options["folder"] ?? "")
  }

  func signIn(to store: StoreDescription) -> StoreSignIn { .tokens(TokenSignIn(.v2, store)) }

  func httpOptions(for store: StoreDescription) throws(StoreError) -> HTTPOptions? {
    try DropboxServer(store).transportOptions(store)
  }

  func open(
    _ store: StoreDescription, pool: BlockingPool, network: StoreNetwork?
  ) throws(StoreError) -> any FileStore {
    try DropboxStore(store, network, pool: pool)
  }
}

extension DropboxStore {
  /// Opens the club of a config. Options: `server` (default Dropbox), `folder` (default everything), and for the
  /// default transport `caFile`, `pin` and `allowPlainHTTP` (`true`).
  convenience init(_ what: StoreDescription, _ network: StoreNetwork?, pool: BlockingPool) throws(StoreError) {
    let server = try DropboxServer(what, network)
    try self.init(
      server: server, folder: what.options["folder"] ?? "",
      transport: try DropboxKind().transport(for: what, network),
      tokens: network?.tokens
        ?? StaticToken("", remedy: "Sign in with: \(server.commands.login) (or set BYTECLUB_TOKEN to an access token)."),
      pool: pool, tuning: DropboxTuning(what))
  }
}
