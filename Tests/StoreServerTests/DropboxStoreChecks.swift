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

  @Test("Dropbox through retries over faults:", arguments: StoreChecks.all, [1, 2] as [UInt64])
  func faulty(check: StoreCheck, seed: UInt64) async throws {
    try await withServedFolder { served in
      let store = RetryingStore(
        FaultyStore(try await served.open("/club"), seed: seed), policy: RetryPolicy(attempts: 12),
        clock: ManualClock(advancesOnSleep: true), draw: { 0.5 })
      try await check.run(StoreUnderTest(store, other: served.open("/club")))
    }
  }
}

/// A server over a folder, for one test.
struct ServedFolder: Sendable {
  let origin: String
  let token: String
  let pool: BlockingPool

  /// A member's way to the club in a folder of the server; the folder is made.
  func open(_ folder: String, tune: (inout DropboxTuning) -> Void = { _ in }) async throws -> DropboxStore {
    let server = try DropboxServer(origin: origin)
    var tuning = DropboxTuning()
    tune(&tuning)
    let what = StoreDescription(kind: "dropbox", options: ["server": origin])
    let transport = try #require(try StoreRegistry.transport(for: what))
    let store = try DropboxStore(
      server: server, folder: folder, transport: transport, tokens: StaticToken(token), pool: pool, tuning: tuning)
    try await store.createFolder(.root)
    return store
  }
}

private let pool = BlockingPool()

/// Serves a temporary folder at a free port of this machine while `body` runs.
func withServedFolder(_ body: @Sendable (ServedFolder) async throws -> Void) async throws {
  let path = NSTemporaryDirectory() + "/byteclub-test-" + UUID().uuidString
  try FileManager.default.createDirectory(atPath: path + "/club", withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: path) }
  let directory = try PrivateDirectory(making: path + "/own")
  let members = try ServerMembersDatabase(path: directory.path(of: "members.sqlite"))
  let token = try newMember(of: members)
  let store = try FolderStore(root: path + "/club", pool: pool)
  var logger = Logger(label: "serve")
  logger.logLevel = .error
  let server = try StoreServer(
    store: store, directory: directory, members: members, options: ServerOptions(host: "127.0.0.1", port: 0),
    pool: pool, logger: logger)
  let (ports, found) = AsyncStream<Int>.makeStream()
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      defer { found.finish() }
      try await server.run(handlingSignals: false) { found.yield($0) }
    }
    var iterator = ports.makeAsyncIterator()
    if let port = await iterator.next() {
      try await body(ServedFolder(origin: "http://127.0.0.1:\(port)", token: token, pool: pool))
    }
    group.cancelAll()
    do { try await group.waitForAll() } catch is CancellationError {}
  }
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
