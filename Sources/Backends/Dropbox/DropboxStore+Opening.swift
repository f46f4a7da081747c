internal import FileStores

extension DropboxStore {
  /// Opens the club that a config describes: `server` (Dropbox itself when it is not said), `folder` (all that the
  /// server shows), and for the transport, when none is given, `caFile` and `allowPlainHTTP` (`true`).
  convenience init(_ what: StoreDescription, _ network: StoreNetwork?, pool: BlockingPool) throws(StoreError) {
    let server = try DropboxServer(what)
    try self.init(
      server: server, folder: what.options["folder"] ?? "",
      transport: network?.transport ?? CurlTransport(options: server.transportOptions(what)),
      tokens: network?.tokens
        ?? StaticToken("", remedy: "Sign in with: byteclub login, or set BYTECLUB_TOKEN to an access token."),
      pool: pool)
  }
}

extension DropboxServer {
  /// The server that a config describes.
  init(_ what: StoreDescription) throws(StoreError) {
    guard let origin = what.options["server"], !origin.isEmpty else {
      self = .official
      return
    }
    try self.init(origin: origin, allowingPlain: what.options["allowPlainHTTP"] == "true")
  }

  /// How the server is reached. Nothing secret goes to any other.
  func transportOptions(_ what: StoreDescription) -> HTTPOptions {
    HTTPOptions(
      origins: Set([api, content, notify].compactMap { HTTPOrigin($0) }), caFile: what.options["caFile"],
      allowPlainHTTP: what.options["allowPlainHTTP"] == "true")
  }
}
