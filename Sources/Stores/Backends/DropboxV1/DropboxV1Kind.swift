internal import Basics
public import FileStores
internal import JSON

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

public enum DropboxV1SignIn: Sendable {
  case bearer(any AccessTokens)
  /// The key and secret of the app, and the member's token and secret as one text with a space between (OAuth 1.0).
  case oauth1(consumerKey: String, consumerSecret: String, any AccessTokens, OAuth1Method)

  var tokens: any AccessTokens {
    switch self {
    case .bearer(let tokens), .oauth1(_, _, let tokens, _): tokens
    }
  }
}

extension DropboxV1SignIn {
  /// The sign-in of a config: OAuth 1.0 if it has `appSecret`, else OAuth 2. `signature` is `HMAC-SHA1` (the default)
  /// or `PLAINTEXT`.
  /// - Throws: `badInput` for an unknown signature, and for a secret without `appKey`.
  init(_ what: StoreDescription, _ tokens: any AccessTokens) throws(StoreError) {
    guard let secret = what.options["appSecret"], !secret.isEmpty else {
      self = .bearer(tokens)
      return
    }
    let word = what.options["signature"] ?? OAuth1Method.hmacSHA1.rawValue
    guard let method = OAuth1Method(rawValue: word) else {
      throw StoreError(
        .badInput, "byteclub does not know the signature \"\(word)\".",
        remedy: "Set \"signature\" in the config to HMAC-SHA1 or PLAINTEXT, or leave it out.")
    }
    self = .oauth1(consumerKey: try what.required("appKey"), consumerSecret: secret, tokens, method)
  }
}

extension DropboxV1Store {
  /// Opens the club of a config. Options: `server` (required, because Dropbox itself dropped this version), `folder`
  /// (default everything), `root` (default `auto`), those of `DropboxV1SignIn`, and for the default transport `caFile`,
  /// `pin` and `allowPlainHTTP` (`true`).
  convenience init(_ what: StoreDescription, _ network: StoreNetwork?, pool: BlockingPool) throws(StoreError) {
    _ = try what.required("server")
    let server = try DropboxServer(what, network)
    let tokens =
      network?.tokens
      ?? StaticToken("", remedy: "Sign in with: \(server.commands.login) (or set BYTECLUB_TOKEN to an access token).")
    try self.init(
      server: server, root: what.options["root"] ?? "auto", folder: what.options["folder"] ?? "",
      transport: try DropboxV1Kind().transport(for: what, network),
      signIn: DropboxV1SignIn(what, tokens), pool: pool, tuning: DropboxTuning(what))
  }
}

extension DropboxV1Store {
  /// The member's display name, and the email address if the server has one.
  /// - Throws: `notSignedIn` among others.
  public func account() async throws(StoreError) -> (name: String, email: String?) {
    let call = DropboxV1Call(.account, about: .root, [:])
    let json = try await client.result(call)
    guard let name = json["display_name"]?.text else { throw client.nonsense("no name", call) }
    return (name, json["email"]?.text)
  }
}
