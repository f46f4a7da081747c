import Backends
import Basics
import Database
import Decoding
import FileStores
import JSON
import Logging
import TestKit
import Testing

@testable import StoreServer

/// A server in this process, at a port of its own on loopback, and a member of it.
struct TestServer: Sendable {
  var client: RawClient
  var token: String
  let members: ServerMembersDatabase
  /// The club's folder.
  let root: String
  /// The server's own directory.
  let data: String
  /// Ends the server, as the end of a test does.
  var stop: @Sendable () -> Void = {}
  /// The port for health checks and metrics.
  var metricsPort: Int?
  /// Reads the certificate again.
  var reload: @Sendable () -> Bool = { false }
  /// The same server for the members of its other clubs.
  var others: [TestServer] = []

  /// A call: JSON in, JSON out.
  func call(_ route: String, _ argument: JSON, token: String? = nil) async throws -> Reply {
    try await client.request(
      "POST", "/2/" + route,
      [("Authorization", "Bearer " + (token ?? self.token)), ("Content-Type", "application/json")],
      Array(argument.encoded.utf8))
  }

  /// A call with content.
  func send(_ route: String, _ argument: JSON, _ content: [UInt8]) async throws -> Reply {
    try await client.request(
      "POST", "/2/" + route,
      [
        ("Authorization", "Bearer " + token), ("Content-Type", "application/octet-stream"),
        ("Dropbox-API-Arg", argument.ascii),
      ], content)
  }

  /// A call for content.
  func fetch(_ route: String, _ argument: JSON, _ headers: [(String, String)] = []) async throws -> Reply {
    try await client.request(
      "POST", "/2/" + route,
      [("Authorization", "Bearer " + token), ("Dropbox-API-Arg", argument.ascii)] + headers)
  }

  /// Uploads a file, which must succeed.
  @discardableResult
  func upload(_ path: String, _ text: String, _ more: KeyValuePairs<String, JSON?> = [:]) async throws -> JSON {
    let reply = try await send(
      "files/upload", JSON.members(["path": .string(path)]).adding(JSON.members(more).list), Array(text.utf8))
    try #require(reply.status == 200, "\(reply.text)")
    return reply.json
  }

  /// The paths that a listing tells, sorted.
  func paths(_ folder: String = "", recursive: Bool = true) async throws -> [String] {
    try await call("files/list_folder", .members(["path": .string(folder), "recursive": .bool(recursive)]))
      .json["entries"].elements.compactMap { $0["path_display"]?.string }.sorted()
  }
}

/// Runs `body` with a server over a folder, and stops it.
func withServer(
  over make: ((String, BlockingPool) throws -> any FileStore)? = nil, tune: (inout ServerOptions) -> Void = { _ in },
  _ body: (TestServer) async throws -> Void
) async throws {
  try await withTemporaryFolder { folder in
    try await withServer(in: folder, over: make, tune: tune, body)
  }
}

/// The same below a folder that outlives the server, so that it can be started again.
/// - Parameters:
///   - others: names of further clubs of the same server; the first one is "club".
///   - arrange: changes a club before it is served.
///   - stage: gets the stages of the server.
func withServer(
  in folder: String, over make: ((String, BlockingPool) throws -> any FileStore)? = nil,
  tune: (inout ServerOptions) -> Void = { _ in }, handler: (any LogHandler)? = nil, others: [String] = [],
  arrange: (inout ClubSource) -> Void = { _ in }, stage: @escaping @Sendable (ServerStage) -> Void = { _ in },
  _ body: (TestServer) async throws -> Void
) async throws {
  let pool = BlockingPool(threads: 4)
  var options = ServerOptions(host: "127.0.0.1", port: 0)
  options.failuresPerMinute = 100_000
  // A client that is stopped for a while is no slow one.
  (options.idleSeconds, options.slowestPieceSeconds, options.slowBodySeconds) = (600, 600, 600)
  tune(&options)
  var clubs: [ClubSource] = []
  var members: [TestServer] = []
  for (number, club) in (["club"] + others).enumerated() {
    let suffix = number == 0 ? "" : "-" + club
    let data = try PrivateDirectory(making: folder + "/data" + suffix)
    let root = folder + "/root" + suffix
    try FolderStore.create(root: root)
    let database = try ServerMembersDatabase(path: data.path(of: "members.sqlite"))
    let token = try MemberList(database).add("ann-" + FreshID.word(6))
    let store = try make?(root, pool) ?? FolderStore(root: root, pool: pool, keepsVersions: false, hidesTrash: false)
    var source = ClubSource(name: club, store: store, directory: data, members: database)
    arrange(&source)
    clubs.append(source)
    members.append(
      TestServer(client: RawClient(port: 0), token: token, members: database, root: root, data: data.path))
  }
  let server = try StoreServer(
    clubs: clubs, options: options, pool: pool, decoder: InProcessDecoder(pool: pool),
    logger: Logger(label: "test", factory: { _ in handler ?? SwiftLogNoOpLogHandler() }))
  let (ports, ready) = AsyncStream<(Int, Int?)>.makeStream()
  let running = Task {
    defer { ready.finish() }
    try await server.run(handlingSignals: false) { (now: ServerStage) in
      stage(now)
      if case .listening(let port, let metrics) = now { ready.yield((port, metrics)) }
    }
  }
  defer { running.cancel() }
  var iterator = ports.makeAsyncIterator()
  guard let (port, metrics) = await iterator.next() else {
    try await running.value
    throw StoreError(.server, "The server ended before it answered.")
  }
  let all = members.map { member in
    var each = member
    each.client = RawClient(port: port)
    (each.stop, each.metricsPort, each.reload) = ({ running.cancel() }, metrics, { server.reload() })
    return each
  }
  var first = all[0]
  first.others = Array(all.dropFirst())
  try await body(first)
  running.cancel()
  _ = await running.result
}

extension JSON {
  var string: String? { if case .string(let text) = self { text } else { nil } }
  var isTrue: Bool { self == .bool(true) }
  var list: [JSONMember] { if case .object(let members) = self { members } else { [] } }
  /// A path through members.
  func at(_ keys: String...) -> JSON { keys.reduce(self) { $0[$1] ?? .null } }
}

extension Optional where Wrapped == JSON {
  var elements: [JSON] { if case .array(let elements)? = self { elements } else { [] } }
}
