import Backends
import Database
import FileStores
import TestKit
import Testing

@testable import StoreServer

/// The contract of a store, kept by our client of version 1 over a real network (loopback), our server, and a folder.
@Suite(.serialized) struct DropboxV1StoreChecks {
  @Test("Dropbox, version 1, over a server over a folder:", arguments: StoreChecks.all)
  func overFolder(check: StoreCheck) async throws {
    try await withServedFolder { served in
      try await check.run(StoreUnderTest(served.openV1("/club"), other: served.openV1("/Club")))
    }
  }

  @Test("Dropbox, version 1, with signed requests and tiny pieces, in the server's root:", arguments: StoreChecks.all)
  func signed(check: StoreCheck) async throws {
    try await withServedFolder { served in
      let store = try await served.openV1("", signedFor: "Ada", tune: { $0.pieceBytes = 100_000 })
      try await check.run(StoreUnderTest(store))
    }
  }

  @Test("Dropbox, version 1, through retries over faults:", arguments: StoreChecks.all)
  func faulty(check: StoreCheck) async throws {
    try await withServedFolder { served in
      let store = RetryingStore(
        FaultyStore(try await served.openV1("/club"), seed: 1), policy: RetryPolicy(attempts: 12),
        clock: ManualClock(advancesOnSleep: true), draw: { 0.5 })
      try await check.run(StoreUnderTest(store, other: served.openV1("/club")))
    }
  }

  @Test("Dropbox, version 1, over a bad line, through retries:", arguments: StoreChecks.all)
  func lossy(check: StoreCheck) async throws {
    try await withServedFolder { served in
      let good = try await served.openV1("/club")
      let bad = try await served.openV1(
        "/club", through: { LossyTransport($0, seed: 7) }, tune: { $0.pieceBytes = 1_000_000 })
      let store = RetryingStore(
        bad, policy: RetryPolicy(attempts: 12), clock: ManualClock(advancesOnSleep: true), draw: { 0.5 })
      try await check.run(StoreUnderTest(store, other: good))
    }
  }

  @Test("Both versions see each other's club, its changes and its trash")
  func bothVersions() async throws {
    try await withServedFolder { served in
      let (old, new) = (try await served.openV1("/club"), try await served.open("/club"))
      let path = try StorePath("Sub/Note.md")
      let feed = try #require(new.changes)
      let cursor = try await feed.start()
      let put = try await old.put(DataSource(Array("hello".utf8)), at: path, mode: .create)
      let told = try await feed.wait(since: cursor)
      #expect(told.changes.contains { if case .present(let entry) = $0 { entry.path == path } else { false } })
      #expect(try await new.entry(at: path).revision == put.revision)
      let discarded = try await #require(new.trash).discard(path, ifRevision: put.revision)
      #expect(try await #require(old.trash).contents() == [discarded])
      #expect(try await #require(old.trash).restore(discarded.id).path == path)
    }
  }

  @Test("The server says who is signed in") func account() async throws {
    try await withServedFolder { served in
      let store = try await served.openV1("/club")
      #expect(try await store.account().name == "Ada")
    }
  }
}

extension ServedFolder {
  /// A member's way to the club in a folder of the server over version 1; the folder is made.
  func openV1(
    _ folder: String, signedFor member: String? = nil,
    through wrap: (any HTTPTransport) -> any HTTPTransport = { $0 }, tune: (inout DropboxTuning) -> Void = { _ in }
  ) async throws -> DropboxV1Store {
    var tuning = DropboxTuning()
    tune(&tuning)
    var signIn = DropboxV1SignIn.bearer(StaticToken(token))
    if let member {
      let person = try #require(try members.members().first { $0.name == member })
      let keys = try OAuth1Tokens(members).issue(to: person, app: AppKeys(members).make().key)
      signIn = .oauth1(
        consumerKey: keys.consumerKey, consumerSecret: keys.consumerSecret,
        StaticToken("\(keys.token) \(keys.tokenSecret)"), .hmacSHA1)
    }
    let what = StoreDescription(kind: "dropbox-v1", options: ["server": origin])
    let transport = try #require(try StoreRegistry.standard.transport(for: what))
    let store = try DropboxV1Store(
      server: DropboxServer(origin: origin), folder: folder, transport: wrap(transport), signIn: signIn, pool: pool,
      tuning: tuning)
    try await RetryingStore(store, policy: RetryPolicy(attempts: 20), clock: ManualClock(advancesOnSleep: true))
      .createFolder(.root)
    return store
  }
}
