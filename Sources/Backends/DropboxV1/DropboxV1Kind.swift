internal import FileStores

/// A folder at a server that speaks the first version of the Dropbox API.
struct DropboxV1Kind: StoreKind {
  let name = "dropbox-v1"
  let about = "a folder at a server that speaks the first version of the Dropbox API"
  let settings =
    [
      StoreSetting(
        "server",
        required: "name its server: Dropbox itself no longer offers this version of its API",
        about: "The address of the server that has the club NAME, such as https://club.example.org:8080.")
    ] + DropboxServer.settings + [
      StoreSetting(
        "appKey",
        about: "The key of the app that byteclub login signs in with. A byteclub serve knows byteclub by itself."),
      StoreSetting(
        "appSecret", isSecret: true,
        about:
          "The secret of the app, for a server that uses OAuth 1.0. Without it: OAuth 2, which needs "
          + "none."),
      StoreSetting(
        "signature", .choice([OAuth1Method.hmacSHA1.rawValue, OAuth1Method.plaintext.rawValue]),
        about: "How byteclub signs the calls of OAuth 1.0. Without it: HMAC-SHA1."), .tokenCommand,
    ]

  func place(of store: StoreDescription) -> StorePlace { DropboxServer.place(of: store) }
  func identity(of store: StoreDescription) -> String { DropboxServer.identity(of: store) }

  func check(_ store: StoreDescription) throws(StoreError) {
    _ = try DropboxServer(origin: store.required("server"), allowingPlain: store.allowsPlainHTTP)
    _ = try DropboxFolder(store.options["folder"] ?? "")
    _ = try DropboxV1SignIn(store, StaticToken(""))
  }

  func signIn(to store: StoreDescription) -> StoreSignIn { .tokens(TokenSignIn(.v1, store)) }

  func httpOptions(for store: StoreDescription) throws(StoreError) -> HTTPOptions? {
    _ = try store.required("server")
    return try DropboxServer(store).transportOptions(store)
  }

  func open(
    _ store: StoreDescription, pool: BlockingPool, network: StoreNetwork?
  ) throws(StoreError) -> any FileStore {
    try DropboxV1Store(store, network, pool: pool)
  }
}
