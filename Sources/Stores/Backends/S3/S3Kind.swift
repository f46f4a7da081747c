internal import Basics
internal import FileStores

struct S3Kind: StoreKind {
  let name = "s3"
  let about = "a bucket of Amazon S3, or of a server that speaks its protocol, such as Ceph, MinIO or Cloudflare R2"
  let settings = S3Place.settings + [WriteGuard.setting]

  func place(of store: StoreDescription) -> StorePlace {
    let path = [store.options["bucket"] ?? "", store.options["prefix"] ?? ""].filter { !$0.isEmpty }
    let server = store.options["endpoint"]?.withoutAddressPasswords ?? "Amazon S3"
    return .elsewhere("\(path.joined(separator: "/")) at \(server)")
  }

  func identity(of store: StoreDescription) -> String {
    ["endpoint", "bucket", "prefix"].map { store.options[$0] ?? "" }.joined(separator: "\n")
  }

  func check(_ store: StoreDescription) throws(StoreError) {
    _ = try S3Place(store)
    guard S3Kind.keyID(of: store).map({ S3Keys(id: $0, secret: "any") != nil }) ?? true else {
      throw StoreError(
        .badInput, "\"accessKeyID\" has a space or another unusual character.", remedy: "Correct it in the config.")
    }
  }

  /// Keys of the environment and of profiles need no sign-in. A program's come as a secret, and so does the secret key
  /// of a key id, which all buckets of an endpoint share.
  func signIn(to store: StoreDescription) throws(StoreError) -> StoreSignIn {
    if store.programs[S3Kind.command] != nil {
      var secret = SecretSignIn(setting: S3Kind.command, store)
      secret.takesAllLines = true
      return .secret(secret)
    }
    guard let id = S3Kind.keyID(of: store) else { return .none }
    let member = SecretSignIn.Member(user: id, origin: try S3Place(store).endpoint.description)
    var secret = SecretSignIn(setting: S3Kind.command, store, member: member)
    secret.word = "secret key"
    return .secret(secret)
  }

  static let command = "credentialsCommand"

  static func keyID(of store: StoreDescription) -> String? {
    store.options["accessKeyID"].flatMap { $0.isEmpty ? nil : $0 }
  }

  func httpOptions(for store: StoreDescription) throws(StoreError) -> HTTPOptions? {
    try HTTPOptions(store, origins: [try S3Place(store).origin])
  }

  var selfTest: (any ServerSelfTest)? { S3SelfTest() }
  var form: (any StoreForm)? { S3Form() }

  func open(
    _ store: StoreDescription, pool: BlockingPool, network: StoreNetwork?
  ) throws(StoreError) -> any FileStore {
    try S3Store(store, network, pool: pool, tuning: S3Tuning())
  }
}

extension S3Client {
  convenience init(
    _ store: StoreDescription, _ network: StoreNetwork?, pool: BlockingPool, tuning: S3Tuning
  ) throws(StoreError) {
    let place = try S3Place(store, commands: network?.commands ?? ClubCommands())
    let program = store.programs[S3Kind.command] == nil ? nil : network?.tokens
    let keyID = program == nil ? S3Kind.keyID(of: store) : nil
    let secretKey = keyID.map { id -> (id: String, secret: any AccessTokens) in
      (id, network?.tokens ?? StaticToken("", remedy: "Sign in with: \(place.commands.login)"))
    }
    let profile = store.options["profile"].flatMap { $0.isEmpty ? nil : $0 }
    let now = tuning.now
    self.init(
      place: place, transport: try S3Kind().transport(for: store, network),
      keys: S3KeySource(
        profile: profile, program: program, secretKey: secretKey, programs: S3ProfilePrograms(network?.programs),
        pool: pool,
        variable: tuning.variable),
      now: { now() / 1_000_000_000 })
  }
}

extension S3Store {
  /// Opens the club of a config; sends nothing yet.
  convenience init(
    _ store: StoreDescription, _ network: StoreNetwork?, pool: BlockingPool, tuning: S3Tuning
  ) throws(StoreError) {
    let client = try S3Client(store, network, pool: pool, tuning: tuning)
    let (kind, test, random) = (S3Kind().name, S3SelfTest(), tuning.random)
    let server = KnownServer(kind: kind, version: test.version, keeping: network?.findings, pool: pool) {
      () async throws(StoreError) in try await test.run(client, word: random())
    }
    self.init(client: client, server: server, guarding: WriteGuard(store), pool: pool, tuning: tuning)
  }
}
