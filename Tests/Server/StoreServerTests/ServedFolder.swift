import Backends
import Basics
import Database
import Decoding
import FileStores
import Logging
import StoreServer
import Synchronization
import TestKit
import Testing

/// A server over a folder, for one test or for all cases of one.
struct ServedFolder: Sendable {
  let origin: String
  var token: String
  let members: ServerMembersDatabase
  /// The certificate that the server is known by.
  var caFile: String?
  let pool: BlockingPool
  private let lines = Lines()

  /// The server that all cases of a test with the trait `served` use.
  static var shared: ServedFolder { get throws { try #require(current) } }

  @TaskLocal fileprivate static var current: ServedFolder?

  /// The path of a club that no other case has used. Its folder is not there yet.
  func newClub() -> String { "/club-\(clubs.add(1, ordering: .relaxed).newValue)" }

  /// The same server for a new member.
  func added(_ name: String) throws -> (served: ServedFolder, name: String) {
    var other = self
    other.token = try MemberList(members).add(name)
    return (other, name)
  }

  /// A transport to the server, the same for all stores of a kind: its connections serve again.
  func transport(for kind: String) throws -> any HTTPTransport {
    try lines.transport(
      for: StoreDescription(
        kind: kind, options: ["server": origin, "caFile": caFile].compactMapValues { $0 }))
  }

  /// A member's way to the club in a folder of the server; the folder is made.
  func open(
    _ folder: String, tune: (inout DropboxTuning) -> Void = { _ in },
    through wrap: (any HTTPTransport) -> any HTTPTransport = { $0 }
  ) async throws -> DropboxStore {
    let server = try DropboxServer(origin: origin)
    var tuning = DropboxTuning()
    tune(&tuning)
    let store = try DropboxStore(
      server: server, folder: folder, transport: wrap(transport(for: "dropbox")), tokens: StaticToken(token),
      pool: pool, tuning: tuning)
    try await RetryingStore(store, policy: RetryPolicy(attempts: 20), clock: ManualClock(advancesOnSleep: true))
      .createFolder(.root)
    return store
  }
}

private let clubs = Atomic(0)

/// The transports that one server's stores share.
private final class Lines: Sendable {
  private let made = Mutex<[StoreDescription: any HTTPTransport]>([:])

  func transport(for store: StoreDescription) throws -> any HTTPTransport {
    try made.withLock { made in
      if let transport = made[store] { return transport }
      let transport = try #require(try StoreRegistry.standard.transport(for: store) { $0.timeouts = .patient })
      made[store] = transport
      return transport
    }
  }
}

/// One server for all cases of a test. Each case works in a club of its own (`newClub`).
struct ServedTrait: TestTrait, TestScoping {
  var isSecure = false
  /// The seed of a server that fails on purpose.
  var chaos: UInt64?

  func scopeProvider(for test: Test, testCase: Test.Case?) -> ServedTrait? { testCase == nil ? self : nil }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await withServedFolder(
      isSecure: isSecure, chaos: chaos.map { try Chaos(ChaosStoreChecks.everything, seed: $0) }
    ) { served in
      try await ServedFolder.$current.withValue(served) { try await function() }
    }
  }
}

extension Trait where Self == ServedTrait {
  static var served: Self { ServedTrait() }
  static var servedSecurely: Self { ServedTrait(isSecure: true) }
  static func served(chaos seed: UInt64) -> Self { ServedTrait(chaos: seed) }
}

private let pool = BlockingPool()

/// Serves a temporary folder at a free port of this machine while `body` runs.
func withServedFolder(
  isSecure: Bool = false, chaos: Chaos? = nil, _ body: @Sendable (ServedFolder) async throws -> Void
) async throws {
  let folder = try TemporaryFolder()
  let path = folder.path
  try FolderStore.create(root: path + "/club")
  let directory = try PrivateDirectory(making: path + "/own")
  let members = try ServerMembersDatabase(path: directory.path(of: "members.sqlite"))
  let token = try newMember(of: members)
  let store = try FolderStore(root: path + "/club", pool: pool, hidesTrash: false)
  var logger = Logger(label: "serve")
  logger.logLevel = .error
  let security = isSecure ? try certificate(in: path) : nil
  var options = ServerOptions(host: "127.0.0.1", port: 0, security: security)
  options.chaos = chaos
  (options.idleSeconds, options.slowestPieceSeconds, options.slowBodySeconds) = (600, 600, 600)
  options.sharesLinks = true
  let server = try StoreServer(
    clubs: [ClubSource(name: "club", store: store, directory: directory, members: members)], options: options,
    pool: pool, decoder: InProcessDecoder(pool: pool), logger: logger)
  let (ports, found) = AsyncStream<Int>.makeStream()
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      defer { found.finish() }
      try await server.run(handlingSignals: false) { (stage: ServerStage) in
        if case .listening(let port, _) = stage { found.yield(port) }
      }
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
