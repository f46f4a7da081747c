internal import Basics
internal import FileStores

struct WebDAVKind: StoreKind {
  let name = "webdav"
  let about = "a folder at a WebDAV server, such as Nextcloud, ownCloud or Apache"
  let settings = [
    StoreSetting(
      "url", required: "name the address of its folder",
      about:
        "The address of the club's folder, such as https://cloud.example.org/remote.php/dav/files/ann/Club at a Nextcloud."
    ),
    StoreSetting(
      "user",
      about:
        "Your name at the server. Without it: no sign-in. tokenCommand needs it, too: a token does not name its account."
    ),
    StoreSetting(
      "passwordCommand", .program,
      about:
        "A program, such as a password manager, that prints your password for the club NAME as its first line. Without "
        + "it: the password that byteclub login has kept."),
    .tokenCommand, .caFile, .pin, WriteGuard.setting,
  ]

  var selfTest: (any ServerSelfTest)? { WebDAVSelfTest() }
  var form: (any StoreForm)? { WebDAVForm() }

  func place(of store: StoreDescription) -> StorePlace {
    .elsewhere((store.options["url"] ?? "").withoutAddressPasswords)
  }

  func identity(of store: StoreDescription) -> String {
    ["url", "user"].map { store.options[$0] ?? "" }.joined(separator: "\n")
  }

  func user(of store: StoreDescription) -> String? { store.options["user"] }

  func check(_ store: StoreDescription) throws(StoreError) {
    _ = try WebDAVAddress(store)
    if store.options["user"]?.utf8.contains(UInt8(ascii: ":")) == true {
      throw StoreError(.badInput, "The name of a user cannot have a colon.", remedy: "Correct \"user\" in the config.")
    }
    guard store.programs["passwordCommand"] == nil || store.options["user"] != nil else {
      throw StoreError(.badInput, "A password needs a name.", remedy: "Set \"user\" in the config.")
    }
    // Tokens change, so what waits here belongs to the name.
    guard store.programs["tokenCommand"] == nil || store.options["user"] != nil else {
      throw StoreError(
        .badInput, "The token of \"tokenCommand\" does not name its account, to which all belongs that waits here.",
        remedy: "Set \"user\" in the config to your name at the server.")
    }
  }

  func signIn(to store: StoreDescription) throws(StoreError) -> StoreSignIn {
    if store.programs["tokenCommand"] != nil { return .secret(SecretSignIn(setting: "tokenCommand", store)) }
    guard let user = store.options["user"] else { return .none }
    let member = SecretSignIn.Member(user: user, origin: try WebDAVAddress(store).origin.description)
    return .secret(SecretSignIn(setting: "passwordCommand", store, member: member))
  }

  func httpOptions(for store: StoreDescription) throws(StoreError) -> HTTPOptions? {
    try HTTPOptions(store, origins: [try WebDAVAddress(store).origin])
  }

  func open(
    _ store: StoreDescription, pool: BlockingPool, network: StoreNetwork?
  ) throws(StoreError) -> any FileStore {
    try WebDAVKind.open(store, pool: pool, network: network, tuning: WebDAVTuning())
  }

  static func open(
    _ store: StoreDescription, pool: BlockingPool, network: StoreNetwork?, tuning: WebDAVTuning
  ) throws(StoreError) -> WebDAVStore {
    let client = try client(store, network, tuning)
    let server = KnownServer(
      kind: WebDAVKind().name, version: WebDAVSelfTest().version, keeping: network?.findings, pool: pool
    ) { () throws(StoreError) in try await WebDAVProbe(client).findings() }
    return WebDAVStore(client, server: server, writing: WriteGuard(store), pool: pool)
  }

  static func client(
    _ store: StoreDescription, _ network: StoreNetwork?, _ tuning: WebDAVTuning
  ) throws(StoreError) -> WebDAVClient {
    let kind = WebDAVKind()
    let transport = try kind.transport(for: store, network)
    let commands = network?.commands ?? ClubCommands()
    let tokens: (any AccessTokens)? =
      switch try kind.signIn(to: store) {
      case .none: nil
      default: network?.tokens ?? StaticToken("", remedy: "Sign in with: \(commands.login)")
      }
    return WebDAVClient(
      try WebDAVAddress(store), user: store.programs["tokenCommand"] == nil ? store.options["user"] : nil,
      commands: commands, transport: transport, tokens: tokens, tuning: tuning)
  }
}

extension WebDAVAddress {
  /// The address in a config.
  init(_ store: StoreDescription) throws(StoreError) {
    try self.init(try store.required("url"), allowingPlain: store.allowsPlainHTTP)
  }
}
