import Backends
import Basics
import FileStores
import Foundation
import POSIX
import Synchronization
import TestKit
import Testing

@testable import StoreServer

/// Keys and certificates that the server makes itself.
@Suite(.serialized) struct OwnCertificateTests {
  private static let day: Int64 = 86_400
  private static let start: Int64 = 1_800_000_000

  private final class Days: Sendable {
    let passed = Atomic<Int64>(0)
  }

  private func bytes(_ path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map { Array($0) } }

  private func openssl(_ words: String...) throws -> String {
    let outcome = try Spawn("/usr/bin/openssl", words, environment: ["PATH": "/usr/bin:/bin"]).finish()
    try #require(outcome.status == 0, "\(outcome.said)")
    return outcome.text
  }

  /// The pin of a public key as OpenSSL prints it.
  private func pin(of publicKey: String) throws -> KeyPin {
    let letters = publicKey.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
    return KeyPin(publicKey: Array(try #require(Data(base64Encoded: letters))))
  }

  private func own(_ folder: String, _ hosts: [String] = ["club.example"], day: Int64 = 0) throws -> OwnCertificate {
    let now = OwnCertificateTests.start + day * OwnCertificateTests.day
    return OwnCertificate(in: try PrivateDirectory(making: folder), hosts: hosts, now: { now })
  }

  @Test("The key is made once, for its owner alone, and its pin is what OpenSSL says")
  func once() async throws {
    try await withTemporaryFolder { folder in
      let directory = PrivateDirectory(at: folder)
      #expect(try OwnCertificate.pin(in: directory) == nil)
      let certificate = try own(folder, ["club.example", "192.0.2.7", "::1", "bad,DNS:evil.example", "club.example"])
      try certificate.prepare()
      let (key, text) = (bytes(certificate.files.key), bytes(certificate.files.certificate))
      try certificate.prepare()
      #expect(bytes(certificate.files.key) == key && bytes(certificate.files.certificate) == text)
      let facts = try FileManager.default.attributesOfItem(atPath: certificate.files.key)
      #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o600)
      #expect(try Set(directory.names()) == ["tls-key.pem", "tls-certificate.pem"])
      let names = try openssl("x509", "-in", certificate.files.certificate, "-noout", "-ext", "subjectAltName")
      #expect(names.contains("DNS:club.example, IP Address:192.0.2.7, IP Address:0:0:0:0:0:0:0:1\n"), "\(names)")
      let pin = try self.pin(of: openssl("pkey", "-in", certificate.files.key, "-pubout"))
      #expect(try certificate.pin() == pin)
      #expect(try OwnCertificate.pin(in: directory) == pin)
      #expect(try self.pin(of: openssl("x509", "-in", certificate.files.certificate, "-noout", "-pubkey")) == pin)
    }
  }

  @Test(
    "The certificate is renewed over the same key, in its last 30 days or for other hosts",
    arguments: [
      (794, ["club.example"], false), (796, ["club.example"], true), (2000, ["club.example"], true),
      (1, ["club.example", "192.0.2.7"], true), (1, ["CLUB.example", "club.example"], false),
    ])
  func renewed(day: Int64, hosts: [String], isRenewed: Bool) async throws {
    try await withTemporaryFolder { folder in
      let files = try own(folder).files
      try own(folder).prepare()
      let (key, old) = (bytes(files.key), bytes(files.certificate))
      try own(folder, hosts, day: day).prepare()
      #expect(bytes(files.key) == key)
      #expect((bytes(files.certificate) != old) == isRenewed)
    }
  }

  @Test("A damaged certificate is made again, over the same key")
  func damagedCertificate() async throws {
    try await withTemporaryFolder { folder in
      let certificate = try own(folder)
      try certificate.prepare()
      let pin = try certificate.pin()
      try Data("nothing".utf8).write(to: URL(fileURLWithPath: certificate.files.certificate))
      try certificate.prepare()
      #expect(try self.pin(of: openssl("x509", "-in", certificate.files.certificate, "-noout", "-pubkey")) == pin)
    }
  }

  @Test("A damaged key is an error, and stays as it is", arguments: ["empty", "cut", "flipped", "long", "other"])
  func damagedKey(kind: String) async throws {
    try await withTemporaryFolder { folder in
      let certificate = try own(folder)
      try certificate.prepare()
      var key = try #require(bytes(certificate.files.key))
      switch kind {
      case "empty": key = []
      case "cut": key = Array(key.prefix(150))
      // In the middle of the secret number, where any bits are a number.
      case "flipped": key[90] = key[90] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      case "long": key += [UInt8](repeating: 0x20, count: 20_000)
      default: key = try #require(bytes(certificate.files.certificate))
      }
      try Data(key).write(to: URL(fileURLWithPath: certificate.files.key))
      let asks: [() throws -> Void] = [
        { try certificate.prepare() }, { _ = try OwnCertificate.pin(in: PrivateDirectory(at: folder)) },
      ]
      for ask in asks {
        let error = #expect(throws: StoreError.self) { try ask() }
        #expect(error?.kind == .corrupt)
        #expect(error?.message.hasPrefix("The server's key \"\(certificate.files.key)\" is damaged.") == true)
        #expect(error?.remedy.contains("backup") == true)
      }
      #expect(bytes(certificate.files.key) == key)
    }
  }

  @Test("All clubs of a server have one key, which the first with one gives to the others")
  func severalClubs() async throws {
    try await withTemporaryFolder { folder in
      let clubs = try ["a", "b", "c"].map { try PrivateDirectory(making: folder + "/" + $0) }
      try own(clubs[1].path).prepare()
      let pin = try own(clubs[1].path).pin()
      let shared = OwnCertificate(in: clubs[0], and: Array(clubs.dropFirst()), hosts: ["club.example"])
      try shared.prepare()
      for club in clubs { #expect(try OwnCertificate.pin(in: club) == pin) }
      let stranger = try PrivateDirectory(making: folder + "/d")
      try own(stranger.path).prepare()
      let old = try OwnCertificate.pin(in: stranger)
      let error = #expect(throws: StoreError.self) {
        try OwnCertificate(in: clubs[0], and: [stranger], hosts: []).prepare()
      }
      #expect(error?.kind == .conflict)
      #expect(error?.message.contains(stranger.path) == true)
      #expect(try OwnCertificate.pin(in: stranger) == old && old != pin)
    }
  }

  @Test("Members with the pin are served, also after the certificate was renewed; others are refused")
  func served() async throws {
    try await withTemporaryFolder { folder in
      let place = try PrivateDirectory(making: folder + "/data")
      let days = Days()
      let certificate = OwnCertificate(in: place, hosts: ["other.example"]) {
        // Past its end by the clocks of all members, as after years without a restart.
        OwnCertificateTests.start + (days.passed.load(ordering: .relaxed) - 3000) * OwnCertificateTests.day
      }
      let security = ServerOptions.Security(own: certificate)
      try await withServer(in: folder, tune: { $0.security = security }) { server in
        let origin = "https://127.0.0.1:\(server.client.port)"
        func list(_ pin: KeyPin?) async throws -> Int {
          let what = StoreDescription(
            kind: "dropbox",
            options: ["server": origin, "folder": "/", "pin": pin?.configText].compactMapValues { $0 })
          let transport = try StoreRegistry.standard.transport(for: what) { $0.timeouts = .patient }
          let network = StoreNetwork(transport: try #require(transport), tokens: StaticToken(server.token))
          let store = try StoreRegistry.standard.open(what, pool: BlockingPool(threads: 1), network: network)
          return try await store.list(.root, ListOptions(.names), after: nil).entries.count
        }
        let pin = try #require(try OwnCertificate.pin(in: place))
        let old = bytes(certificate.files.certificate)
        #expect(try await list(pin) == 0)
        days.passed.store(800, ordering: .relaxed)
        #expect(server.reload())
        #expect(bytes(certificate.files.certificate) != old)
        #expect(try await list(pin) == 0)
        for wrong in [nil, KeyPin(publicKey: [1])] {
          let error = await #expect(throws: StoreError.self) { try await list(wrong) }
          #expect(error?.kind == .notPermitted)
        }
      }
    }
  }

  @Test("A backup has the key, and the restored club has the same pin")
  func backup() async throws {
    try await withTemporaryFolder { folder in
      let pool = BlockingPool(threads: 4)
      func store(_ root: String) throws -> FolderStore {
        try FolderStore(root: root, pool: pool, isFollowed: false, keepsVersions: false, hidesTrash: false)
      }
      let place = try PrivateDirectory(making: folder + "/data")
      let certificate = OwnCertificate(in: place, hosts: ["club.example"])
      let security = ServerOptions.Security(own: certificate)
      try await withServer(in: folder, tune: { $0.security = security }) { _ in }
      let pin = try certificate.pin()
      let backup = ClubBackup(club: "club", store: try store(folder + "/root"), own: place, pool: pool)
      for _ in 0..<2 { _ = try await backup.run(into: folder + "/backup") }
      #expect(try PrivateDirectory(at: folder + "/backup").names().filter { $0.hasPrefix("key-") } == ["key-2.pem"])

      func restore(to name: String) async throws {
        try FolderStore.create(root: folder + "/" + name)
        let restoration = ClubRestoration(
          root: folder + "/" + name, store: try store(folder + "/" + name),
          own: try PrivateDirectory(making: folder + "/own-" + name), pool: pool)
        _ = try await restoration.run(from: folder + "/backup")
      }
      try await restore(to: "new")
      #expect(try OwnCertificate.pin(in: PrivateDirectory(at: folder + "/own-new")) == pin)

      // Another server's key is not replaced.
      try own(folder + "/own-taken").prepare()
      let error = await #expect(throws: StoreError.self) { try await restore(to: "taken") }
      #expect(error?.kind == .exists)
      #expect(try OwnCertificate.pin(in: PrivateDirectory(at: folder + "/own-taken")) != pin)

      // A damaged key does not take the place of the one in the backup.
      try Data("nothing".utf8).write(to: URL(fileURLWithPath: certificate.files.key))
      let damaged = await #expect(throws: StoreError.self) { _ = try await backup.run(into: folder + "/backup") }
      #expect(damaged?.kind == .corrupt)
      try await restore(to: "newest")
      #expect(try OwnCertificate.pin(in: PrivateDirectory(at: folder + "/own-newest")) == pin)
    }
  }
}
