import FileStores
import POSIX
import TestKit
import Testing

@testable import Backends

/// The checks of the contract on a real server: moto, or Ceph in `scripts/conformance`.
@Suite(.serialized, .enabled(if: S3Server.isThere, Comment(rawValue: PythonPackages.reason))) struct S3Checks {
  private static let findings = SharedFindings()
  private static let versioned = SharedFindings()

  private func run(
    _ check: StoreCheck, _ bucket: String, isVersioned: Bool = false, pageEntries: Int? = nil, seed: UInt64? = nil
  ) async throws {
    let server = try S3Server.shared.get()
    let bucket = try await server.bucket(bucket, isVersioned: isVersioned)
    let findings = isVersioned ? Self.versioned : Self.findings
    let club = S3Server.newClub()
    func store() async throws -> S3Store {
      let store = try server.store(bucket, club, findings: findings) { $0.pageEntries = pageEntries }
      // The capabilities depend on the findings.
      _ = try await store.server.findings()
      return store
    }
    let (one, other) = (try await store(), try await store())
    let tested: any FileStore =
      seed.map {
        RetryingStore(
          FaultyStore(one, seed: $0), policy: RetryPolicy(attempts: 12), clock: ManualClock(advancesOnSleep: true),
          draw: { 0.5 })
      } ?? one
    try await check.run(StoreUnderTest(tested, other: other))
  }

  @Test("S3:", arguments: StoreChecks.all) func plain(check: StoreCheck) async throws {
    try await run(check, "plain")
  }

  @Test("S3 with tiny pages:", arguments: StoreChecks.share(1)) func tiny(check: StoreCheck) async throws {
    try await run(check, "plain", pageEntries: 3)
  }

  /// moto 5.2.5 lists the folders of deleted keys in a bucket with versions: their delete markers count.
  @Test(
    "S3 with versions:", .enabled(if: getenv("BYTECLUB_TEST_S3") == nil),
    arguments: StoreChecks.share(2).filter {
      $0.name != "A change of case alone is a move, both ways, for files and folders"
    })
  func versioned(check: StoreCheck) async throws {
    try await run(check, "versioned", isVersioned: true)
  }

  @Test(
    "S3 history and trash:", .enabled(if: getenv("BYTECLUB_TEST_S3") == nil),
    arguments: StoreChecks.all.filter { check in
      ["ersion", "trash", "iscard", "estor", "mptying"].contains { check.name.contains($0) }
    })
  func history(check: StoreCheck) async throws {
    try await run(check, "versioned", isVersioned: true)
  }

  @Test("S3 through retries over faults:", arguments: StoreChecks.share(3, seeds: [1, 2]))
  func faulty(check: StoreCheck, seed: UInt64) async throws {
    try await run(check, "plain", seed: seed)
  }

  @Test("S3, over a line that lies:", arguments: LyingTransport.Lie.allCases)
  func lying(lie: LyingTransport.Lie) async throws {
    let server = try S3Server.shared.get()
    let (bucket, club) = (try await server.bucket("plain"), S3Server.newClub())
    let honest = try server.store(bucket, club, findings: Self.findings)
    _ = try await honest.server.findings()
    let line = LyingLine()
    let store = try server.store(
      bucket, club, findings: Self.findings, { $0.clock = ManualClock(advancesOnSleep: true) },
      through: { LyingTransport($0, line) })
    try await LieCheck.run(lie, store, over: line, honest: honest)
  }

  @Test(arguments: 0..<25) func `of eight writers over one base one wins, and its text is there`(round: Int)
    async throws
  {
    let server = try S3Server.shared.get()
    let bucket = try await server.bucket("plain")
    let club = S3Server.newClub()
    let path = try StorePath("note.md")
    let first = try server.store(bucket, club, findings: Self.findings)
    for mode in [nil, WriteMode.create] {
      if mode != nil { try await first.delete(path, ifRevision: nil) }
      let base =
        mode == nil ? try await first.put(DataSource("base".utf8), at: path, mode: .create).revision : nil
      let wins = await withTaskGroup(of: String?.self) { group in
        for writer in 0..<8 {
          group.addTask {
            let text = "writer \(writer) of round \(round)"
            guard let store = try? server.store(bucket, club, findings: Self.findings) else { return nil }
            do throws(StoreError) {
              _ = try await store.put(DataSource(text.utf8), at: path, mode: mode ?? .replace(base ?? Revision("")))
              return text
            } catch {
              // Ceph 16 answers 500 to some that come too late.
              return error.kind == .conflict || error.kind == .exists || error.kind == .server ? nil : "\(error)"
            }
          }
        }
        return await group.reduce(into: [String]()) { all, text in if let text { all.append(text) } }
      }
      #expect(wins.count == 1, "\(wins)")
      #expect(String(decoding: try await first.readAll(path, limit: 100).bytes, as: UTF8.self) == wins.first)
    }
  }

  @Test func `the test of the server finds what it keeps, and leaves nothing`() async throws {
    let server = try S3Server.shared.get()
    let bucket = try await server.bucket("plain")
    let store = try server.store(bucket, S3Server.newClub())
    let findings = try await store.server.findings()
    #expect(findings["create"] == "kept" && findings["delete"] == (server.isMoto ? "kept" : "ignored"))
    #expect(findings["replace"] == (server.isMoto ? "kept" : "unquoted"))
    #expect(findings["body"] == "kept" && store.limits.comparesBytes)
    #expect(findings["copyTarget"] == "ignored" && findings["versions"] == "no")
    #expect(findings["completeReplace"] == "ignored", "\(findings)")
    #expect(try await store.allFiles(below: .root, own: true).isEmpty)
    #expect(S3SelfTest().sentences(findings).allSatisfy { $0.hasSuffix(".") })
  }
}
