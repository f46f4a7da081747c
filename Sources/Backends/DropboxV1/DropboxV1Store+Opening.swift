internal import FileStores

extension DropboxV1Store {
  /// Opens the club that a config describes: `server` (which must be said: Dropbox itself has this version no more),
  /// `folder` (all that the server shows), `root` (`auto`), what `DropboxV1SignIn` reads, and for the transport, when
  /// none is given, `caFile` and `allowPlainHTTP` (`true`).
  convenience init(_ what: StoreDescription, _ network: StoreNetwork?, pool: BlockingPool) throws(StoreError) {
    _ = try what.required("server")
    let server = try DropboxServer(what, network)
    let tokens =
      network?.tokens
      ?? StaticToken("", remedy: "Sign in with: \(server.commands.login) (or set BYTECLUB_TOKEN to an access token).")
    try self.init(
      server: server, root: what.options["root"] ?? "auto", folder: what.options["folder"] ?? "",
      transport: network?.transport ?? CurlTransport(options: server.transportOptions(what)),
      signIn: DropboxV1SignIn(what, tokens), pool: pool)
  }
}
