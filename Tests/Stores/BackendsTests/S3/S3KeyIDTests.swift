import Basics
import FileStores
import TestKit
import Testing

@testable import Backends

/// A club whose config has the key id, and whose secret key `byteclub login` keeps.
struct S3KeyIDTests {
  private static func store(_ options: [String: String]) -> StoreDescription {
    StoreDescription(kind: "s3", options: ["bucket": "b", "endpoint": "https://s3.test"].merging(options) { $1 })
  }

  @Test func `the secret key belongs to the key id and the endpoint, whatever the bucket and the style`() throws {
    for options in [["bucket": "other", "style": "host"], ["prefix": "p/"], [:]] {
      let store = Self.store(options.merging(["accessKeyID": "AKIA"]) { $1 })
      guard case .secret(let secret) = try S3Kind().signIn(to: store) else {
        Issue.record("no sign-in")
        continue
      }
      #expect(secret.member == SecretSignIn.Member(user: "AKIA", origin: "https://s3.test"))
      #expect(secret.word == "secret key")
    }
    #expect(try S3Kind().signIn(to: Self.store([:])) == .none)
    var store = Self.store(["accessKeyID": "AKIA"])
    store.programs["credentialsCommand"] = ["pass"]
    guard case .secret(let secret) = try S3Kind().signIn(to: store) else { throw StoreError(.server, "no sign-in") }
    #expect(secret.member == nil && secret.command == ["pass"])
  }

  @Test(arguments: ["A B", "AKIA/x", "a,b", "é"])
  func `a key id that cannot stand in a request is refused with the name of the setting`(_ id: String) {
    let error = #expect(throws: StoreError.self) { try S3Kind().check(Self.store(["accessKeyID": id])) }
    #expect(error?.message.contains("\"accessKeyID\"") == true)
  }

  @Test func `the kept secret key comes before the environment and the profile`() async throws {
    let variables = ["AWS_ACCESS_KEY_ID": "ENV", "AWS_SECRET_ACCESS_KEY": "e"]
    let source = S3KeySource(
      profile: "club", program: nil, secretKey: ("AKIA", StaticToken(" very-secret\r")), pool: BlockingPool(),
      variable: { variables[$0] })
    let found = try await source.keys()
    #expect(found.keys.id == "AKIA" && found.keys.secret == "very-secret")
    // The server refuses it, and there is no other.
    let error = await #expect(throws: StoreError.self) { try await source.keys(refusing: found) }
    #expect(error?.kind == .notSignedIn)
  }

  @Test func `a secret key that cannot be one is reported without it`() async {
    let source = S3KeySource(
      profile: nil, program: nil, secretKey: ("AKIA", StaticToken("two words")), pool: BlockingPool(),
      variable: { _ in nil })
    let error = await #expect(throws: StoreError.self) { try await source.keys() }
    #expect(error?.kind == .notSignedIn && error?.description.contains("two words") == false)
  }

  @Test(
    "A profile that gets its keys elsewhere is named, with the way to give them",
    arguments: [
      ("sso_session = work", "has its keys by sso_session"), ("role_arn = arn:aws:iam::1:role/x", "by role_arn"),
      ("sso_start_url = https://a.example/start", #"["aws", "configure", "export-credentials", "--profile", "club"]"#),
      ("region = eu-central-1", "Set \"accessKeyID\""),
    ])
  func profiles(_ line: String, _ words: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("config", Array("[profile club]\n\(line)\n".utf8))
    let variables = ["AWS_CONFIG_FILE": folder.file("config"), "HOME": folder.path]
    let source = S3KeySource(
      profile: "club", program: nil, secretKey: nil, pool: BlockingPool(), variable: { variables[$0] })
    let error = await #expect(throws: StoreError.self) { try await source.keys() }
    #expect(error?.kind == .notSignedIn && error?.description.contains(words) == true, "\(String(describing: error))")
  }

  @Test func `without a sign-in nothing is sent, also with keys in the environment`() async throws {
    let transport = ScriptedTransport([])
    let options = Self.store(["accessKeyID": "AKIA"])
    var tuning = S3Tuning()
    tuning.variable = { ["AWS_ACCESS_KEY_ID": "ENV", "AWS_SECRET_ACCESS_KEY": "e"][$0] }
    let store = try S3Store(
      options, StoreNetwork(transport: transport, tokens: StaticToken("")), pool: S3Server.pool, tuning: tuning)
    let error = await #expect(throws: StoreError.self) { try await store.list(.root, ListOptions(.names), after: nil) }
    #expect(error?.kind == .notSignedIn && transport.recorded.isEmpty)
  }

  @Test(.enabled(if: S3Server.isThere, Comment(rawValue: PythonPackages.reason)))
  func `a server takes requests that are signed with it`() async throws {
    let server = try S3Server.shared.get()
    let options = StoreDescription(
      kind: "s3",
      options: [
        "endpoint": server.endpoint, "bucket": try await server.bucket("plain"), "prefix": S3Server.newClub(),
        "accessKeyID": server.id,
      ])
    var tuning = server.tuning()
    tuning.variable = { _ in nil }
    let network = StoreNetwork(
      transport: CurlTransport.patient(try #require(try S3Kind().httpOptions(for: options))),
      tokens: StaticToken(server.secret))
    let store = try S3Store(options, network, pool: S3Server.pool, tuning: tuning)
    _ = try await store.put(DataSource("high at noon".utf8), at: StorePath("Tides.md"), mode: .create)
    let names = try await store.list(.root, ListOptions(.names), after: nil).entries.map(\.path.description)
    #expect(names == ["Tides.md"])
  }
}
