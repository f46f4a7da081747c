import Basics
import FileStores
import JSON
import Synchronization
import TestKit
import Testing

@testable import Backends

struct S3SignerTests {
  /// The examples of AWS, "Signature Calculations for the Authorization Header: Transferring Payload in a Single
  /// Chunk".
  private struct Example {
    var method = "GET"
    var path = "/"
    var query: [(String, String)] = []
    var headers: [(String, String)] = []
    var payload = ""
    let signature: String
  }

  private static let examples = [
    Example(
      path: "/test.txt", headers: [("Range", "bytes=0-9")],
      signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
    Example(
      method: "PUT", path: "/test%24file.text",
      headers: [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
      payload: "Welcome to Amazon S3.",
      signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
    Example(
      query: [("lifecycle", "")], signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
    Example(
      query: [("prefix", "J"), ("max-keys", "2")],
      signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
  ]

  @Test(arguments: 0..<4) func `an example of AWS has its signature`(number: Int) throws {
    let example = Self.examples[number]
    let keys = try #require(
      S3Keys(id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"))
    let request = S3Signer.Request(
      method: example.method, host: "examplebucket.s3.amazonaws.com", path: example.path, query: example.query,
      headers: example.headers, payloadHash: SHA256.hexadecimal(of: example.payload.utf8))
    let fields = S3Signer(keys: keys, region: "us-east-1").fields(for: request, at: 1_369_353_600)
    let authorization = try #require(fields.last { $0.0 == "Authorization" })
    #expect(authorization.1.hasSuffix("Signature=\(example.signature)"))
    #expect(
      authorization.1.hasPrefix(
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders="))
  }

  /// Signed by botocore 1.44.5, for machines without it.
  @Test func `names that curl signs wrongly are encoded and sorted as AWS does`() {
    let query = [("uploads", ""), ("prefix", "a b+c=d/%3A"), ("X", "2"), ("A", "1"), ("X", "1")]
    #expect(S3Signer.canonicalQuery(query) == "A=1&X=1&X=2&prefix=a%20b%2Bc%3Dd%2F%253A&uploads=")
    #expect(S3Signer.date(1_369_353_600) == "20130524T000000Z")
    #expect(S3Signer.date(0) == "19700101T000000Z")
  }

  @Test(.enabled(if: PythonPackages.python != nil, Comment(rawValue: PythonPackages.reason)), arguments: 1...4)
  func `random requests have botocore's signature`(seed: Int) throws {
    let script = try #require(PythonPackages.script("signatures.py"))
    let outcome = try Spawn(
      try #require(PythonPackages.python), [script, String(seed), "250"], environment: [:]
    ).finish()
    #expect(outcome.status == 0, "\(outcome.said)")
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.count == 250)
    for line in lines {
      let value = try JSONReader.read(Array(line.utf8))
      func text(_ name: String) throws -> String { try #require(value[name]?.text) }
      func pairs(_ name: String) -> [(String, String)] {
        (value[name]?.elements ?? []).map { ($0.elements?[0].text ?? "", $0.elements?[1].text ?? "") }
      }
      let keys = try #require(S3Keys(id: text("id"), secret: text("secret"), sessionToken: value["token"]?.text))
      let request = try S3Signer.Request(
        method: text("method"), host: text("host"),
        path: "/" + PercentEncoding.encoded(text("key"), keepingSlashes: true), query: pairs("query"),
        headers: pairs("headers"), payloadHash: SHA256.hexadecimal(of: text("payload").utf8))
      guard case .integer(let seconds)? = value["seconds"] else {
        Issue.record("no seconds")
        return
      }
      let signer = try S3Signer(keys: keys, region: text("region"))
      let authorization = signer.fields(for: request, at: seconds).last?.1
      #expect(try authorization == text("authorization"), "\(line)")
    }
  }
}

struct S3KeysTests {
  @Test(arguments: [
    ("AKIA\nsecret\n", nil), ("AKIA\r\nsecret\r\ntoken\r\n", "token"), ("  AKIA \n\n secret ", nil),
    (#"{"Version": 1, "AccessKeyId": "AKIA", "SecretAccessKey": "secret"}"#, nil),
    ("{\n \"AccessKeyId\": \"AKIA\",\n \"SecretAccessKey\": \"secret\", \"SessionToken\": \"token\"}\n", "token"),
  ])
  func `a program prints keys on lines or as JSON`(_ row: (text: String, token: String?)) throws {
    let keys = try #require(S3Keys(printed: row.text))
    #expect(keys.id == "AKIA" && keys.secret == "secret" && keys.sessionToken == row.token)
    #expect("\(keys)" == "the keys AKIA" && String(reflecting: keys) == "the keys AKIA")
  }

  @Test(arguments: ["", "one", "1\n2\n3\n4", "{}", #"{"AccessKeyId": "a"}"#, "a b\nc", "a/b\nc", "a\n\u{1}", "ä\nb"])
  func `an output without keys is none`(text: String) { #expect(S3Keys(printed: text) == nil) }

  private static let credentials = """
    # comment
    [default]
    aws_access_key_id = ONE
    aws_secret_access_key=first==

    [ club ]
    aws_access_key_id=TWO
    aws_secret_access_key = second
    aws_session_token = token
    region = eu
    [half]
    aws_access_key_id = THREE
    """

  @Test func `a profile has its keys, and no others`() {
    func keys(_ profile: String) -> S3Keys? { Self.profile(profile, Self.credentials, isConfig: false).keys }
    #expect(keys("default")?.id == "ONE" && keys("default")?.secret == "first==")
    #expect(keys("club")?.id == "TWO" && keys("club")?.sessionToken == "token")
    #expect(keys("half") == nil && keys("none") == nil)
    let config = "[profile club]\naws_access_key_id=A\naws_secret_access_key=b\n[default]\naws_access_key_id=C\n"
    #expect(Self.profile("club", config).keys?.id == "A" && Self.profile("profile club", config).keys == nil)
  }

  @Test(arguments: [
    ("aws_access_key_id=A\naws_secret_access_key=a\n", "A"), ("aws_access_key_id=A\n", "B"), ("region=eu\n", "B"),
  ])
  func `the keys of a profile are all of one file`(_ row: (first: String, id: String)) {
    var profile = S3Profile("default")
    profile.read("[default]\n" + row.first, isConfig: false)
    profile.read(
      "[default]\naws_access_key_id=B\naws_secret_access_key=b\naws_session_token=t\n", isConfig: true)
    #expect(profile.keys?.id == row.id && profile.keys?.sessionToken == (row.id == "B" ? "t" : nil))
  }

  private static func profile(_ name: String, _ text: String, isConfig: Bool = true) -> S3Profile {
    var profile = S3Profile(name)
    profile.read(text, isConfig: isConfig)
    return profile
  }

  @Test(arguments: [
    ("club", "\u{FEFF}[profile club]\nAWS_ACCESS_KEY_ID=A\naws_secret_access_key=b\n"),
    ("my club", "[profile \"my club\"]\r\naws_access_key_id = A\r\naws_secret_access_key = b\r\n"),
    ("my club", "[profile my club]\naws_access_key_id=A\n\n# more\naws_secret_access_key=b\n"),
    ("default", "[profile default]\naws_access_key_id=A\naws_secret_access_key=b\n"),
  ])
  func `a profile is read as the AWS tools read it`(row: (name: String, config: String)) {
    #expect(Self.profile(row.name, row.config).keys?.id == "A")
  }

  @Test(
    arguments: [
      ("/opt/keys", ["/opt/keys"]), (" keys  --for club ", ["keys", "--for", "club"]),
      (#""/opt/my keys" 'a b' c\ d "" "e\"f" '\x'"#, ["/opt/my keys", "a b", "c d", "", "e\"f", "\\x"]), ("", nil),
    ] as [(String, [String]?)])
  func `a credential_process has its words without a shell`(row: (line: String, words: [String]?)) {
    #expect(Self.profile("club", "[profile club]\ncredential_process = \(row.line)\n").program == row.words)
  }

  /// Counts the programs that a source starts.
  private final class Programs: Sendable {
    let started = Mutex<[[String]]>([])

    func tokens(_ output: String) -> ProgramTokens {
      { [self] secret in
        started.withLock { $0.append(secret.command ?? []) }
        return StaticToken(output)
      }
    }
  }

  @Test func `the credential_process of a profile prints the keys, and that it does not is reported with the profile`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let config = "[profile club]\ncredential_process = keys --for club\n"
      try WholeFile.write(Array(config.utf8), to: folder + "/config")
      let variables = ["AWS_CONFIG_FILE": folder + "/config", "AWS_SHARED_CREDENTIALS_FILE": folder + "/none"]
      let programs = Programs()
      func source(_ profile: String, _ output: String) -> S3KeySource {
        S3KeySource(
          profile: profile, program: nil, programs: S3ProfilePrograms(programs.tokens(output)), pool: BlockingPool(),
          variable: { variables[$0] })
      }
      let found = try await source("club", #"{"AccessKeyId": "A", "SecretAccessKey": "b"}"#).keys()
      #expect(found.keys.id == "A" && programs.started.withLock { $0 } == [["keys", "--for", "club"]])
      let again = source("club", "A1\nb1")
      for _ in 0..<3 { #expect(try await again.keys().keys.id == "A1") }
      #expect(programs.started.withLock { $0.count } == 2)
      let refused: [(source: S3KeySource, stale: S3KeySource.Found?)] = [
        (source("club", "nothing"), nil), (source("club", found.text ?? ""), found),
      ]
      for row in refused {
        let error = await #expect(throws: StoreError.self) { try await row.source.keys(refusing: row.stale) }
        #expect(error?.kind == .notSignedIn && error?.remedy.contains("profile \"club\"") == true)
      }
    }
  }

  @Test func `the environment comes before the default profile, a profile of the config before it`() async throws {
    try await withTemporaryFolder { folder in
      try WholeFile.write(Array(Self.credentials.utf8), to: folder + "/credentials")
      let variables = [
        "AWS_ACCESS_KEY_ID": "ENV", "AWS_SECRET_ACCESS_KEY": "e",
        "AWS_SHARED_CREDENTIALS_FILE": folder + "/credentials",
        "AWS_CONFIG_FILE": folder + "/none",
      ]
      let pool = BlockingPool()
      func id(_ profile: String?, _ variables: [String: String]) async throws -> String {
        let source = S3KeySource(profile: profile, program: nil, pool: pool, variable: { variables[$0] })
        return try await source.keys().keys.id
      }
      #expect(try await id(nil, variables) == "ENV")
      #expect(try await id("club", variables) == "TWO")
      #expect(try await id(nil, variables.filter { !$0.key.contains("KEY") }) == "ONE")
      for profile in ["none", "half"] {
        let error = await #expect(throws: StoreError.self) { try await id(profile, variables) }
        #expect(error?.kind == .notSignedIn && error?.message.contains(profile) == true)
      }
    }
  }
}
