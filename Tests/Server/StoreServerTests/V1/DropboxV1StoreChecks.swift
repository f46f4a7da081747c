import Backends
import Database
import FileStores
import TestKit
import Testing

@testable import StoreServer

/// The contract of a store, kept by our client of version 1 over a real network (loopback), our server, and a folder.
@Suite(.serialized) struct DropboxV1StoreChecks {
  @Test("Dropbox, version 1, over a line that lies:", .served, arguments: LyingTransport.Lie.allCases)
  func lying(lie: LyingTransport.Lie) async throws {
    let served = try ServedFolder.shared
    let club = served.newClub()
    let line = LyingLine()
    let store = try await served.openV1(
      club,
      through: { LyingTransport($0, line) })
    try await LieCheck.run(lie, store, over: line, honest: served.openV1(club))
  }

  @Test("Dropbox, version 1, over a server over a folder:", .served, arguments: StoreChecks.all)
  func overFolder(check: StoreCheck) async throws {
    let served = try ServedFolder.shared
    let club = served.newClub()
    let bob = try served.added("Bob of \(club) by openV1")
    try await check.run(
      StoreUnderTest(
        served.openV1(club), other: served.openV1(club.uppercased()),
        writers: ("Ada", bob.name, bob.served.openV1(club))))
  }

  /// Each check has a server of its own: in the root it would meet the others' files.
  @Test(
    "Dropbox, version 1, with signed requests and tiny pieces, in the server's root:", arguments: StoreChecks.share(0))
  func signed(check: StoreCheck) async throws {
    try await withServedFolder { served in
      let store = try await served.openV1("", signedFor: "Ada", tune: { $0.pieceBytes = 100_000 })
      try await check.run(StoreUnderTest(store))
    }
  }

  @Test("Dropbox, version 1, through retries over faults:", .served, arguments: StoreChecks.share(1))
  func faulty(check: StoreCheck) async throws {
    let served = try ServedFolder.shared
    let club = served.newClub()
    let store = steady(FaultyStore(try await served.openV1(club), seed: 1), attempts: 12)
    try await check.run(StoreUnderTest(store, other: served.openV1(club)))
  }

  @Test("Dropbox, version 1, over a bad line, through retries:", .served, arguments: StoreChecks.share(2))
  func lossy(check: StoreCheck) async throws {
    let served = try ServedFolder.shared
    let club = served.newClub()
    let good = try await served.openV1(club)
    let bad = try await served.openV1(
      club, through: { LossyTransport($0, seed: 7) }, tune: { $0.pieceBytes = 1_000_000 })
    try await check.run(StoreUnderTest(steady(bad, attempts: 12), other: good))
  }

  @Test("Both versions see each other's club, its changes and its trash")
  func bothVersions() async throws {
    try await withServedFolder { served in
      let (old, new) = (try await served.openV1("/club"), try await served.open("/club"))
      let path = try StorePath("Sub/Note.md")
      let feed = try #require(new.capabilities.changes)
      let cursor = try await feed.start()
      let put = try await old.put(DataSource(Array("hello".utf8)), at: path, mode: .create)
      let told = try await feed.wait(since: cursor)
      #expect(told.changes.contains { if case .present(let entry) = $0 { entry.path == path } else { false } })
      #expect(try await new.entry(at: path).revision == put.revision)
      let discarded = try await #require(new.capabilities.trash).discard(path, ifRevision: put.revision)
      #expect(try await #require(old.capabilities.trash).contents() == [discarded])
      #expect(try await #require(old.capabilities.trash).restore(discarded.id).path == path)
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
    let store = try DropboxV1Store(
      server: DropboxServer(origin: origin), folder: folder, transport: wrap(transport(for: "dropbox-v1")),
      signIn: signIn, pool: pool,
      tuning: tuning)
    try await RetryingStore(store, policy: RetryPolicy(attempts: 20), clock: ManualClock(advancesOnSleep: true))
      .createFolder(.root)
    return store
  }
}
