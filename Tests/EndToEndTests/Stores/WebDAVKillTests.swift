import Foundation
import POSIX
import TestKit
import Testing

/// byteclub is killed (-9) in the middle of transfers with an Apache, at moments that a seed chooses.
@Suite(
  .serialized, .enabled(if: WebDAVProgram.Kind.apache.program != nil, "apache2 is not installed"),
  .timeLimit(.minutes(4))
) struct WebDAVKillTests {
  private static let kills = 6
  private static let picture = TransferScene.picture(7, mebibytes: 24)
  /// Under way in the buffers of the kernel, heads of requests, and the self-test.
  private static let underWay = 3 << 20
  private static let piece = 1 << 20

  /// A member's home with the club "cloud", reached through a proxy that kills.
  private final class Lab {
    let server: WebDAVProgram
    let proxy: KillingProxy
    let scene: TransferScene
    let club: String

    init() async throws {
      server = try await WebDAVProgram(.apache)
      proxy = try KillingProxy(to: try #require(UInt16(exactly: server.port)))
      let name = try server.newClub()
      club = server.files + "/" + name
      scene = try TransferScene()
      try scene.set(
        "cloud",
        ["store": "webdav", "url": "http://127.0.0.1:\(proxy.port)/\(name)", "user": WebDAVProgram.user])
      try FileManager.default.createDirectory(atPath: scene.home.path + "/out", withIntermediateDirectories: false)
      // Tests the server: without its findings, the first upload goes in one piece.
      let doctor = try start(["doctor", "--club", "cloud"], progress: false).finish()
      #expect(doctor.text.contains("goes on after a break"), "\(doctor.text) \(doctor.said)")
    }

    deinit { server.stop() }

    func start(_ words: [String], progress: Bool = true) throws -> Spawn {
      try scene.start(words + (progress ? ["--progress", "none"] : []), ["BYTECLUB_TOKEN": WebDAVProgram.password])
    }

    func content(_ name: String) -> [UInt8]? {
      FileManager.default.contents(atPath: club + "/" + name).map { Array($0) }
    }

    func isDone() throws -> Bool {
      let all = try scene.list()
      return !all.isEmpty && all.allSatisfy { $0["state"] as? String == "done" }
    }

    /// Orders a transfer and kills the process that carries it out, again and again; then lets it end.
    /// - Returns: the number of kills, and of the bytes that went that way.
    func carry(
      _ order: [String], _ way: RawConnection.Way, upTo most: Int, _ numbers: inout SeededNumbers,
      check: (Int) throws -> Void
    ) throws -> (kills: Int, bytes: Int) {
      let before = proxy.count(way)
      var kills = 0
      for number in 1...WebDAVKillTests.kills where try number == 1 || !isDone() {
        let process = try start(try scene.list().isEmpty ? order : ["transfer", "run"])
        proxy.kill(process.process, after: numbers.below(most), way)
        let outcome = try process.finish()
        proxy.spare()
        #expect([0, 128 + SIGKILL].contains(outcome.status), "kill \(number): \(outcome.status) \(outcome.said)")
        if outcome.status != 0 { kills += 1 }
        try check(number)
      }
      let last = try start(try scene.list().isEmpty ? order : ["transfer", "run"]).finish()
      #expect(last.status == 0, "\(last.said)")
      #expect(try isDone())
      return (kills, proxy.count(way) - before)
    }
  }

  @Test(arguments: TestTier.process.seeds([1, 2, 3])) func `an upload that is killed at any moment ends whole and once`(
    seed: UInt64
  ) async throws {
    let lab = try await Lab()
    var numbers = SeededNumbers(seed)
    try lab.scene.home.write(Self.picture, to: "big.jpg")
    let order = ["photo", "put", "--club", "cloud", lab.scene.home.path + "/big.jpg"]
    let (kills, bytes) = try lab.carry(order, .toPort, upTo: 7 << 20, &numbers) { number in
      let there = lab.content("photos/big.jpg")
      #expect(there == nil || there == Self.picture, "kill \(number): a torn photo")
    }
    #expect(kills >= 3)
    #expect(lab.content("photos/big.jpg") == Self.picture)
    #expect(try FileManager.default.contentsOfDirectory(atPath: lab.club + "/photos") == ["big.jpg"])
    // The sweep takes a part that was begun and not noted yet.
    let others = try FileManager.default.contentsOfDirectory(atPath: lab.club).filter { $0 != "photos" }
    #expect(others.allSatisfy { $0 == ".byteclub" || $0.hasPrefix(".byteclub-part-") }, "\(others)")
    #expect(others.count <= 1 + kills)
    let again = bytes - Self.picture.count
    #expect(again <= kills * Self.piece + Self.underWay, "\(again) bytes went again for \(kills) kills")
  }

  @Test(arguments: TestTier.process.seeds([4, 5, 6]))
  func `a download that is killed at any moment ends whole and once`(
    seed: UInt64
  ) async throws {
    let lab = try await Lab()
    var numbers = SeededNumbers(seed)
    try FileManager.default.createDirectory(atPath: lab.club + "/photos", withIntermediateDirectories: false)
    try Data(Self.picture).write(to: URL(filePath: lab.club + "/photos/big.jpg"))
    let out = lab.scene.home.path + "/out"
    let order = ["photo", "get", "--club", "cloud", "big.jpg", "--to", out]
    let (kills, _) = try lab.carry(order, .fromPort, upTo: 7 << 20, &numbers) { number in
      let there = lab.scene.home.bytes("out/big.jpg")
      #expect(there == nil || there == Self.picture, "kill \(number): a torn photo")
    }
    #expect(kills >= 3)
    #expect(lab.scene.home.bytes("out/big.jpg") == Self.picture)
    #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["big.jpg"])
  }
}
