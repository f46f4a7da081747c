import Basics
import FileStores
import TestKit
import Testing

@testable import Backends

/// The promises of a store, at the double of a Nextcloud.
@Suite(.serialized) struct NextcloudChecks {
  @Test("WebDAV at a Nextcloud:", .atNextcloud, arguments: StoreChecks.all)
  func plain(check: StoreCheck) async throws {
    let cloud = try NextcloudDouble.shared
    let club = cloud.newClub()
    let (store, other) = try await (cloud.open(club), cloud.open(club))
    #expect(store.capabilities.uploads != nil)
    try await check.run(StoreUnderTest(store, other: other))
    #expect(cloud.leavings(in: club).isEmpty)
  }

  @Test(
    "WebDAV at a Nextcloud, through retries over faults:", .atNextcloud, arguments: StoreChecks.share(3, seeds: [1, 2]))
  func faulty(check: StoreCheck, seed: UInt64) async throws {
    let cloud = try NextcloudDouble.shared
    let club = cloud.newClub()
    let store = RetryingStore(
      FaultyStore(try await cloud.open(club), seed: seed), policy: RetryPolicy(attempts: 12),
      clock: ManualClock(advancesOnSleep: true), draw: { 0.5 })
    try await check.run(StoreUnderTest(store, other: try await cloud.open(club)))
  }
}

/// The facts that only such a server keeps.
@Suite(.serialized) struct NextcloudFactTests {
  @Test(.atNextcloud) func `a file keeps the time of its content, through the part by which it comes`() async throws {
    let cloud = try NextcloudDouble.shared
    let (store, path) = (try await cloud.open(cloud.newClub()), try StorePath("Old.md"))
    let time = Timestamp(seconds: 1_262_304_000)
    _ = try await store.put(DataSource(Array("old".utf8), modified: time), at: path, mode: .create)
    #expect(try await store.entry(at: path).modified == time)
  }

  @Test(.atNextcloud) func `a file from 1970 comes without its time`() async throws {
    let cloud = try NextcloudDouble.shared
    let (store, path) = (try await cloud.open(cloud.newClub()), try StorePath("Old.md"))
    let source = DataSource(Array("old".utf8), modified: Timestamp(seconds: 1))
    _ = try await store.put(source, at: path, mode: .create)
    #expect(try await store.entry(at: path).modified != Timestamp(seconds: 1))
  }

  @Test(.atNextcloud) func `bytes that the server damaged are found by the checksum, and not without one`() async throws
  {
    let cloud = try NextcloudDouble.shared
    defer { cloud.misbehave() }
    let (store, path) = (try await cloud.open(cloud.newClub()), try StorePath("Plan.md"))
    let bytes = Array("Buy rope.".utf8)
    let whole = try await store.put(DataSource(bytes), at: path, mode: .create)
    #expect(try await store.readAll(path, limit: 100).bytes == bytes)
    cloud.misbehave(.damagedFile)
    _ = try await store.put(DataSource(bytes), at: path, mode: .replace(try #require(whole.revision)))
    let error = await #expect(throws: StoreError.self) { try await store.readAll(path, limit: 100) }
    #expect(error?.kind == .corrupt && error?.path == path, "\(String(describing: error))")
    // A part of a file has no checksum.
    var rest: [UInt8] = []
    _ = try await store.read(path, from: 1, ifRevision: nil) { rest += $0 }
    #expect(rest == Array(bytes.dropFirst()))
  }

  @Test(
    arguments: [
      ("SHA1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d", true),
      ("MD5:x SHA1:AAF4C61DDCC5E8A2DABEDE0F3B482CD9AEA9434D", true),
      ("SHA1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434e", false), ("SHA1:", false), ("ADLER32:1", nil), ("", nil),
    ] as [(String, Bool?)])
  func `of several checksums the one that is known counts`(row: (field: String, isRight: Bool?)) {
    var check = NextcloudFacts.Check(HTTPResponse(200, headers: ["OC-Checksum": row.field]))
    check?.add(Array("hel".utf8)[...])
    check?.add(Array("lo".utf8)[...])
    #expect(check?.isRight == row.isRight || row.isRight == nil && check == nil)
  }
}

@Suite(.serialized) struct NextcloudUploadTests {
  private let path: StorePath
  private let bytes = Array("The whole of the harbour, in pieces of seven bytes.".utf8)

  init() throws { path = try StorePath("harbour.jpg") }

  private func send(_ store: WebDAVStore, as path: StorePath? = nil) async throws -> (
    any ResumableUploads, UploadSession
  ) {
    let uploads = try #require(store.capabilities.uploads)
    let session = try await uploads.begin(path ?? self.path, size: UInt64(bytes.count))
    for start in stride(from: 0, to: bytes.count, by: 7) {
      let end = min(start + 7, bytes.count)
      let sent = try await uploads.append(bytes[start..<end], to: session, at: UInt64(start))
      #expect(sent == UInt64(end))
    }
    return (uploads, session)
  }

  @Test(.atNextcloud, arguments: [false, true])
  func `a file in pieces keeps the time of its content`(isThere: Bool) async throws {
    let cloud = try NextcloudDouble.shared
    let store = try await cloud.open(cloud.newClub()) { $0.chunkBytes = 7 }
    let old = isThere ? try await store.put(DataSource([1]), at: path, mode: .create).revision : nil
    var (uploads, session) = try await send(store)
    session.modified = Timestamp(seconds: 1_262_304_000)
    _ = try await uploads.finish(
      session, size: UInt64(bytes.count), at: path, mode: old.map { .replace($0) } ?? .create)
    #expect(try await store.entry(at: path).modified == session.modified)
  }

  @Test(.atNextcloud) func `the test of the server finds chunks, deep tags and conditions that can collide`()
    async throws
  {
    let cloud = try NextcloudDouble.shared
    let club = cloud.newClub()
    let findings = try await cloud.open(club, isFirst: true).server.findings()
    #expect(findings["chunks"] == "kept" && findings["body"] == "whole" && findings["revisions"] == "differ")
    #expect(WebDAVWay(findings) == .condition && findings["overlap"] != "kept", "\(findings)")
    #expect(cloud.names(in: club) == [".byteclub"] && cloud.openUploads.isEmpty)
    #expect(WebDAVSelfTest().sentences(findings).contains { $0.contains("in chunks") })
  }

  @Test(.atNextcloud, arguments: [(NextcloudDouble.Fault.noChunks, "none"), (.noConditions, "condition: status 204")])
  func `a server without sound chunks gets whole files`(row: (fault: NextcloudDouble.Fault, finding: String))
    async throws
  {
    let cloud = try NextcloudDouble.shared
    cloud.misbehave(row.fault)
    defer { cloud.misbehave() }
    let store = try await cloud.open(cloud.newClub(), isFirst: true)
    #expect(store.server.known?["chunks"] == row.finding && store.capabilities.uploads == nil)
    _ = try await store.put(DataSource(bytes), at: path, mode: .create)
    #expect(try await store.readAll(path).bytes == bytes)
  }

  @Test(
    arguments: [
      ("https://h/remote.php/dav/files/ann/Club", "https://h/remote.php/dav/uploads/ann"),
      ("https://h/cloud/remote.php/dav/files/b%40c", "https://h/cloud/remote.php/dav/uploads/b%40c"),
      ("https://h/remote.php/webdav/Club", nil), ("https://h/dav/files/ann/Club", nil), ("https://h/", nil),
      ("https://h/remote.php/dav/files", nil),
    ] as [(String, String?)])
  func `the address of uploads follows from that of the files`(row: (club: String, uploads: String?)) throws {
    let address = try WebDAVAddress(row.club)
    #expect(address.nextcloudUploads?.url(.root) == row.uploads)
  }

  @Test(
    arguments: [
      ([(1, 7), (2, 7), (3, 3)], 17), ([(1, 7), (3, 7)], 7), ([(2, 7)], 0), ([(1, 3), (2, 7)], 3), ([(1, 8)], 0),
      ([(1, 7), (1, 7), (2, 7)], 7), ([], 0),
    ] as [([(Int, UInt64)], UInt64)])
  func `chunks count up to the first gap`(row: (chunks: [(Int, UInt64)], bytes: UInt64)) {
    let session = NextcloudSession(path: path, chunkBytes: 7) { 1 }
    let run = session.run(row.chunks.map { UploadChunk(number: $0.0, size: $0.1) })
    #expect(run.reduce(0) { $0 + $1.size } == row.bytes)
  }

  @Test(
    arguments: [
      (0, 10), (100_000, 10), (100_001, 20), (400_000, 40), (51_200_000_000_001, nil),
    ] as [(UInt64, Int?)])
  func `a chunk doubles until ten thousand suffice`(row: (size: UInt64, chunk: Int?)) {
    #expect(NextcloudUploads.chunkBytes(for: row.size, from: 10) == row.chunk)
  }

  @Test(arguments: [
    "", "../a", "nextcloud", "nextcloud.7.x.byteclub-a.YQ", "nextcloud.0.9.byteclub-a.YQ", "nextcloud.7.9.byteclub-a.",
    "nextcloud.7.9.byteclub-a.Ly4u",
    "nextcloud.7.9.byteclub-../x.YQ", "nextcloud.7.9.byteclub-%2e%2e.YQ", "nextcloud.7.9.other-a.YQ",
    "s3.7.9.byteclub-a.YQ",
    "nextcloud.-7.9.byteclub-a.YQ", "nextcloud.7.9.byteclub-\(String(repeating: "a", count: 99)).YQ",
  ])
  func `a session of another store is refused`(word: String) {
    #expect(NextcloudSession(UploadSession(word)) == nil)
  }

  @Test(.atNextcloud) func `the conversation of one upload`() async throws {
    let cloud = try NextcloudDouble.shared
    let club = cloud.newClub()
    let store = try await cloud.open(club) { $0.chunkBytes = 20 }
    _ = cloud.takeRecorded()
    let uploads = try #require(store.capabilities.uploads)
    let session = try await uploads.begin(path, size: UInt64(bytes.count))
    for start in stride(from: 0, to: bytes.count, by: 20) {
      _ = try await uploads.append(bytes[start..<min(start + 20, bytes.count)], to: session, at: UInt64(start))
    }
    #expect(try await uploads.offset(of: session) == UInt64(bytes.count))
    let entry = try await uploads.finish(session, size: UInt64(bytes.count), at: path, mode: .create)
    let (base, id) = (try #require(entry.revision), try #require(NextcloudSession(session)).id.dropFirst(9))
    let second = try await uploads.begin(path, size: nil)
    _ = try await uploads.append(bytes[..<20], to: second, at: 0)
    let other = try #require(NextcloudSession(second)).id.dropFirst(9)
    _ = try await uploads.finish(second, size: 20, at: path, mode: .replace(base))
    var text = ""
    for request in cloud.takeRecorded() {
      text += "\(request.status) \(request.method) \(request.path)\n"
      for name in ["Depth", "Destination", "Overwrite", "If", "OC-Total-Length"] {
        if let value = request.headers[name] { text += "    \(name): \(value)\n" }
      }
      if request.method == "PUT" { text += "    (\(request.bytes) bytes)\n" }
    }
    text = text.replacing(cloud.origin, with: "http://cloud").replacing(
      club.dropFirst(cloud.origin.count), with: "/CLUB"
    )
    .replacing(id, with: "FIRST").replacing(other, with: "SECOND")
    .replacing(try #require(WebDAVTag.quoted(base)), with: "BASE")
    expectGolden(text.replacing(/seats\/[0-9a-f]{16}-[0-9a-z]+/, with: "seats/MARK"), named: "WebDAV/nextcloud-upload")
  }

  @Test(.atNextcloud, arguments: [NextcloudDouble.Fault.late(1), .late(4), .lostAnswer, .failed])
  func `an upload is there once, whatever becomes of the closing answer`(fault: NextcloudDouble.Fault) async throws {
    let cloud = try NextcloudDouble.shared
    let club = cloud.newClub()
    let clock = ManualClock(advancesOnSleep: true)
    let store = try await cloud.open(club) { ($0.chunkBytes, $0.clock) = (7, clock) }
    let base = try await store.put(DataSource("old".utf8), at: try StorePath("old.jpg"), mode: .create).revision
    for (name, mode) in [("new.jpg", WriteMode.create), ("old.jpg", .replace(try #require(base)))] {
      let path = try StorePath(name)
      let (uploads, session) = try await send(store, as: path)
      cloud.misbehave(fault)
      let entry = try await uploads.finish(session, size: UInt64(bytes.count), at: path, mode: mode)
      #expect(entry.size == UInt64(bytes.count))
      #expect(try await store.readAll(path).bytes == bytes)
    }
    #expect(cloud.leavings(in: club).isEmpty)
    #expect(cloud.names(in: club).filter { !$0.hasPrefix(".byteclub") } == ["new.jpg", "old.jpg"])
    #expect(cloud.openUploads.isEmpty)
  }

  @Test(.atNextcloud) func `an upload that waits for its place is finished by another byteclub`() async throws {
    let cloud = try NextcloudDouble.shared
    let club = cloud.newClub()
    let (store, other) = try await (cloud.open(club) { $0.chunkBytes = 7 }, cloud.open(club) { $0.chunkBytes = 7 })
    let (uploads, session) = try await send(store)
    // The mark of another byteclub stands in the way; this one is stopped while it waits.
    try await other.makeFolder(lease().parent)
    _ = try await other.client.call(WebDAVCall(.mkcol, other.address.url(try lease()), about: path))
    let waiting = Task { try await uploads.finish(session, size: UInt64(bytes.count), at: path, mode: .create) }
    while !cloud.names(in: club).contains(where: { $0.contains("-part-") }) { await Task.yield() }
    waiting.cancel()
    _ = await waiting.result
    await other.remove(try lease())
    #expect(try await other.look(at: path) == nil && cloud.openUploads.isEmpty)
    let again = try #require(other.capabilities.uploads)
    #expect(try await again.offset(of: session) == UInt64(bytes.count))
    _ = try await again.finish(session, size: UInt64(bytes.count), at: try StorePath("sub/harbour.jpg"), mode: .create)
    #expect(try await other.readAll(try StorePath("sub/harbour.jpg")).bytes == bytes)
    #expect(cloud.leavings(in: club).isEmpty)
  }

  private func lease() throws -> StorePath {
    try StorePath(WebDAVLease.folder).appending("\(SHA256.hexadecimal(of: path.bytes).prefix(16))-0")
  }

  @Test(.atNextcloud) func `an upload that the server has forgotten is gone`() async throws {
    let cloud = try NextcloudDouble.shared
    let store = try await cloud.open(cloud.newClub()) { $0.chunkBytes = 7 }
    let (uploads, session) = try await send(store)
    cloud.forgetUploads()
    for action in 0..<3 {
      let error = await #expect(throws: StoreError.self) {
        switch action {
        case 0: _ = try await uploads.offset(of: session)
        case 1: _ = try await uploads.append([1, 2, 3], to: session, at: 49)
        default: _ = try await uploads.finish(session, size: 51, at: path, mode: .create)
        }
      }
      #expect(error?.kind == .notFound || action == 1 && error?.kind == .conflict, "\(String(describing: error))")
    }
    #expect(try await store.look(at: path) == nil)
  }

  @Test(.atNextcloud) func `a chunk whose answer was lost is not sent twice`() async throws {
    let cloud = try NextcloudDouble.shared
    let store = RetryingStore(
      try await cloud.open(cloud.newClub()) { $0.chunkBytes = 7 }, clock: ManualClock(advancesOnSleep: true))
    let uploads = try #require(store.capabilities.uploads)
    let session = try await uploads.begin(path, size: nil)
    cloud.misbehave(.lostChunk)
    _ = cloud.takeRecorded()
    #expect(try await uploads.append(bytes[..<7], to: session, at: 0) == 7)
    #expect(cloud.takeRecorded().filter { $0.method == "PUT" }.count == 1)
  }
}

extension NextcloudDouble {
  /// The double that all cases of a test with the trait `atNextcloud` use.
  static var shared: NextcloudDouble { get throws { try #require(current) } }
  @TaskLocal fileprivate static var current: NextcloudDouble?
  @TaskLocal fileprivate static var findings = FindingsMemory()
  private static let pool = BlockingPool()

  /// A store that has tested its server: anew, or with the findings of another store of this test.
  func open(
    _ club: String, isFirst: Bool = false, tune: (inout WebDAVTuning) -> Void = { _ in },
    through wrap: (any HTTPTransport) -> any HTTPTransport = { $0 }
  ) async throws -> WebDAVStore {
    let description = StoreDescription(kind: "webdav", options: ["url": club, "user": "ann"])
    let options = try #require(try WebDAVKind().httpOptions(for: description))
    var tuning = WebDAVTuning()
    (tuning.firstPoll, tuning.longestPoll, tuning.chunkBytes) = (.milliseconds(20), .milliseconds(200), 10_000)
    tuning.sweeps = false
    tune(&tuning)
    let store = try WebDAVKind.open(
      description, pool: Self.pool,
      network: StoreNetwork(
        transport: wrap(CurlTransport.patient(options)), tokens: StaticToken("x"),
        findings: isFirst ? nil : Self.findings), tuning: tuning)
    _ = try await store.server.findings()
    return store
  }

  /// Names of byteclub's own that a finished piece of work must not leave.
  func leavings(in club: String) -> [String] {
    names(in: club).filter { $0.contains("-part-") || $0.hasPrefix(WebDAVLease.folder + "/") || $0.contains("probe-") }
  }
}

/// One double for all cases of a test.
struct AtNextcloud: TestTrait, TestScoping {
  func scopeProvider(for test: Test, testCase: Test.Case?) -> AtNextcloud? { testCase == nil ? self : nil }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let cloud = try NextcloudDouble()
    defer { cloud.stop() }
    try await NextcloudDouble.$current.withValue(cloud) {
      try await NextcloudDouble.$findings.withValue(FindingsMemory()) { try await function() }
    }
  }
}

extension Trait where Self == AtNextcloud {
  static var atNextcloud: Self { AtNextcloud() }
}
