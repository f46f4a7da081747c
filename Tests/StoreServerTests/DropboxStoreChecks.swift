import Backends
import Database
import FileStores
import Foundation
import Logging
import StoreServer
import TestKit
import Testing

/// The contract of a store, kept by our client of the API over a real network (loopback), our server, and a folder.
@Suite(.serialized) struct DropboxStoreChecks {
  @Test("Dropbox over a server over a folder:", arguments: StoreChecks.all)
  func overFolder(check: StoreCheck) async throws {
    try await withServedFolder { served in
      try await check.run(StoreUnderTest(served.open("/club"), other: served.open("/Club")))
    }
  }

  @Test("Dropbox with tiny pages and pieces, in the server's root:", arguments: StoreChecks.all)
  func tiny(check: StoreCheck) async throws {
    try await withServedFolder { served in
      let store = try await served.open("") {
        $0.pageEntries = 3
        $0.pieceBytes = 100_000
      }
      try await check.run(StoreUnderTest(store))
    }
  }

  @Test("Dropbox over a bad line, through retries:", arguments: StoreChecks.all, [1, 2] as [UInt64])
  func lossy(check: StoreCheck, seed: UInt64) async throws {
    try await withServedFolder { served in
      let good = try await served.open("/club")
      let bad = try await served.open(
        "/club", tune: { $0.pieceBytes = 1_000_000 }, through: { LossyTransport($0, seed: seed) })
      let store = RetryingStore(
        bad, policy: RetryPolicy(attempts: 20), clock: ManualClock(advancesOnSleep: true), draw: { 0.5 })
      try await check.run(StoreUnderTest(store, other: good))
    }
  }

  @Test("Dropbox with files sent as they are read, over a bad line, through retries:", arguments: StoreChecks.all)
  func streamed(check: StoreCheck) async throws {
    try await withServedFolder { served in
      let good = try await served.open("/club")
      let bad = try await served.open(
        "/club",
        tune: {
          $0.pieceBytes = 10_000
          $0.streamedBytes = 150 << 20
        }, through: { LossyTransport($0, seed: 3) })
      let store = RetryingStore(
        bad, policy: RetryPolicy(attempts: 20), clock: ManualClock(advancesOnSleep: true), draw: { 0.5 })
      try await check.run(StoreUnderTest(store, other: good))
    }
  }

  @Test("Dropbox over TLS, with a certificate of one's own:", arguments: StoreChecks.all)
  func overTLS(check: StoreCheck) async throws {
    try await withServedFolder(isSecure: true) { served in
      try await check.run(StoreUnderTest(served.open("/club"), other: served.open("/club")))
    }
  }

  @Test("A server whose certificate is not trusted is refused, and gets no token")
  func notTrusted() async throws {
    try await withServedFolder(isSecure: true) { served in
      var stranger = served
      stranger.caFile = nil
      let thrown = await #expect(throws: StoreError.self) { try await stranger.open("/club") }
      #expect(thrown?.kind == .notPermitted)
    }
  }

  @Test("TLS is spoken from version 1.2 on", arguments: [("-tls1_1", false), ("-tls1_2", true), ("-tls1_3", true)])
  func oldTLS(version: String, isSpoken: Bool) async throws {
    try await withServedFolder(isSecure: true) { served in
      let words = [
        "s_client", "-connect", String(served.origin.dropFirst("https://".count)), version, "-cipher",
        "DEFAULT:@SECLEVEL=0",
      ]
      let outcome = try Spawn("/usr/bin/openssl", words, environment: [:]).finish()
      #expect((outcome.status == 0) == isSpoken, "\(outcome.said)")
    }
  }

  @Test("The cookie of the sign-in page is for TLS alone where the server speaks that", arguments: [true, false])
  func cookie(isSecure: Bool) async throws {
    try await withServedFolder(isSecure: isSecure) { served in
      let what = StoreDescription(
        kind: "dropbox", options: ["server": served.origin, "caFile": served.caFile].compactMapValues { $0 })
      let transport = try #require(try StoreRegistry.standard.transport(for: what))
      let query = "?response_type=code&client_id=byteclub&code_challenge_method=S256&code_challenge="
      let address = served.origin + "/oauth2/authorize" + query + String(repeating: "A", count: 43)
      let (response, _) = try await transport.call(HTTPRequest(.get, address), limit: 1 << 20)
      #expect(response.headers["Set-Cookie"]?.hasSuffix("; Secure") == isSecure)
    }
  }
}

/// A server over a folder, for one test.
struct ServedFolder: Sendable {
  let origin: String
  let token: String
  let members: ServerMembersDatabase
  /// The certificate that the server is known by.
  var caFile: String?
  let pool: BlockingPool

  /// A member's way to the club in a folder of the server; the folder is made.
  func open(
    _ folder: String, tune: (inout DropboxTuning) -> Void = { _ in },
    through wrap: (any HTTPTransport) -> any HTTPTransport = { $0 }
  ) async throws -> DropboxStore {
    let server = try DropboxServer(origin: origin)
    var tuning = DropboxTuning()
    tune(&tuning)
    let what = StoreDescription(kind: "dropbox", options: ["server": origin, "caFile": caFile].compactMapValues { $0 })
    let transport = try #require(try StoreRegistry.standard.transport(for: what))
    let store = try DropboxStore(
      server: server, folder: folder, transport: wrap(transport), tokens: StaticToken(token), pool: pool, tuning: tuning
    )
    try await RetryingStore(store, policy: RetryPolicy(attempts: 20), clock: ManualClock(advancesOnSleep: true))
      .createFolder(.root)
    return store
  }
}

private let pool = BlockingPool()

/// Serves a temporary folder at a free port of this machine while `body` runs.
func withServedFolder(
  isSecure: Bool = false, chaos: Chaos? = nil, _ body: @Sendable (ServedFolder) async throws -> Void
) async throws {
  let path = NSTemporaryDirectory() + "/byteclub-test-" + UUID().uuidString
  try FileManager.default.createDirectory(atPath: path + "/club", withIntermediateDirectories: true)
  defer { removeFolder(path) }
  let directory = try PrivateDirectory(making: path + "/own")
  let members = try ServerMembersDatabase(path: directory.path(of: "members.sqlite"))
  let token = try newMember(of: members)
  let store = try FolderStore(root: path + "/club", pool: pool, hidesTrash: false)
  var logger = Logger(label: "serve")
  logger.logLevel = .error
  let security = isSecure ? try certificate(in: path) : nil
  var options = ServerOptions(host: "127.0.0.1", port: 0, security: security)
  options.chaos = chaos
  let server = try StoreServer(
    store: store, directory: directory, members: members, options: options, pool: pool, logger: logger)
  let (ports, found) = AsyncStream<Int>.makeStream()
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      defer { found.finish() }
      try await server.run(handlingSignals: false) { found.yield($0) }
    }
    var iterator = ports.makeAsyncIterator()
    if let port = await iterator.next() {
      let origin = "\(isSecure ? "https" : "http")://127.0.0.1:\(port)"
      try await body(
        ServedFolder(
          origin: origin, token: token, members: members, caFile: isSecure ? path + "/cert.pem" : nil, pool: pool))
    }
    group.cancelAll()
    do { try await group.waitForAll() } catch is CancellationError {}
  }
}

/// Makes a certificate for this machine's address, and its key.
private func certificate(in path: String) throws -> ServerOptions.Security {
  let words = [
    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
    "/CN=club", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", path + "/key.pem", "-out", path + "/cert.pem",
  ]
  let outcome = try Spawn("/usr/bin/openssl", words, environment: [:]).finish()
  try #require(outcome.status == 0, "openssl: \(outcome)")
  return ServerOptions.Security(certificate: path + "/cert.pem", key: path + "/key.pem")
}

/// Adds a member, and returns a token that is good for everything.
private func newMember(of members: ServerMembersDatabase) throws -> String {
  let member = ServerMember(id: "dbid:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", name: "Ada", created: 1_795_240_800)
  _ = try members.add(member)
  let token = "bc.0123456789abcdef.0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"
  let hash = SHA256()
  hash.update(Array(token.utf8)[...])
  try members.add(
    ServerToken(
      id: "0123456789abcdef", digest: hash.finish(), member: member.id, purpose: .access, family: "0123456789abcdef"))
  return token
}
