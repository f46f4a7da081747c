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
  @Test("Dropbox, over a line that lies:", .served, arguments: LyingTransport.Lie.allCases)
  func lying(lie: LyingTransport.Lie) async throws {
    let served = try ServedFolder.shared
    let club = served.newClub()
    let line = LyingLine()
    let store = try await served.open(
      club,
      through: { LyingTransport($0, line) })
    try await LieCheck.run(lie, store, over: line, honest: served.open(club))
  }

  @Test("Dropbox over a server over a folder:", .served, arguments: StoreChecks.all)
  func overFolder(check: StoreCheck) async throws {
    let served = try ServedFolder.shared
    let club = served.newClub()
    let bob = try served.added("Bob of \(club) by open")
    try await check.run(
      StoreUnderTest(
        served.open(club), other: served.open(club.uppercased()),
        writers: ("Ada", bob.name, bob.served.open(club))))
  }

  /// Each check has a server of its own: in the root it would meet the others' files.
  @Test("Dropbox with tiny pages and pieces, in the server's root:", arguments: StoreChecks.share(1))
  func tiny(check: StoreCheck) async throws {
    try await withServedFolder { served in
      let store = try await served.open("") {
        $0.pageEntries = 3
        $0.pieceBytes = 100_000
      }
      try await check.run(StoreUnderTest(store))
    }
  }

  @Test(
    "Dropbox over a bad line, through retries:", .served,
    arguments: StoreChecks.share(2, seeds: [1, 2]))
  func lossy(check: StoreCheck, seed: UInt64) async throws {
    let served = try ServedFolder.shared
    let club = served.newClub()
    let good = try await served.open(club)
    let bad = try await served.open(
      club, tune: { $0.pieceBytes = 1_000_000 }, through: { LossyTransport($0, seed: seed) })
    try await check.run(StoreUnderTest(steady(bad, attempts: 20), other: good))
  }

  @Test(
    "Dropbox with files sent as they are read, over a bad line, through retries:", .served,
    arguments: StoreChecks.share(3))
  func streamed(check: StoreCheck) async throws {
    let served = try ServedFolder.shared
    let club = served.newClub()
    let good = try await served.open(club)
    let bad = try await served.open(
      club,
      tune: {
        $0.pieceBytes = 10_000
        $0.streamedBytes = 150 << 20
      }, through: { LossyTransport($0, seed: 3) })
    try await check.run(StoreUnderTest(steady(bad, attempts: 20), other: good))
  }

  @Test("Dropbox over TLS, with a certificate of one's own:", .servedSecurely, arguments: StoreChecks.share(0))
  func overTLS(check: StoreCheck) async throws {
    let served = try ServedFolder.shared
    let club = served.newClub()
    try await check.run(StoreUnderTest(served.open(club), other: served.open(club)))
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
      let transport = try #require(try StoreRegistry.standard.transport(for: what) { $0.timeouts = .patient })
      let query = "?response_type=code&client_id=byteclub&code_challenge_method=S256&code_challenge="
      let address = served.origin + "/oauth2/authorize" + query + String(repeating: "A", count: 43)
      let (response, _) = try await transport.call(HTTPRequest(.get, address), limit: 1 << 20)
      #expect(response.headers["Set-Cookie"]?.hasSuffix("; Secure") == isSecure)
    }
  }
}
