internal import FileStores

extension DropboxStore {
  /// Opens the club that a config describes: `server` (Dropbox itself when it is not said), `folder` (all that the
  /// server shows), and for the transport, when none is given, `caFile` and `allowPlainHTTP` (`true`).
  convenience init(_ what: StoreDescription, _ network: StoreNetwork?, pool: BlockingPool) throws(StoreError) {
    let server = try DropboxServer(what, network)
    try self.init(
      server: server, folder: what.options["folder"] ?? "",
      transport: network?.transport ?? CurlTransport(options: server.transportOptions(what)),
      tokens: network?.tokens
        ?? StaticToken("", remedy: "Sign in with: \(server.commands.login) (or set BYTECLUB_TOKEN to an access token)."),
      pool: pool)
  }
}
