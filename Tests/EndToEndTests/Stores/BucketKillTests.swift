import Foundation
import POSIX
import TestKit
import Testing

/// byteclub is killed (-9) in the middle of transfers with a bucket of moto, at moments that a seed chooses.
@Suite(
  .serialized, .timeLimit(.minutes(4)),
  .enabled(if: PythonPackages.python != nil, Comment(rawValue: PythonPackages.reason))
) struct BucketKillTests {
  private static let kills = 6
  private static let picture = TransferScene.picture(5, mebibytes: 44)
  /// Under way in the buffers of the kernel, heads of requests, and the self-test.
  private static let underWay = 3 << 20
  private static let part = 8 << 20

  /// A member's home with the club "bucket", reached through a proxy that kills.
  private final class Lab {
    let bucket: Bucket
    let proxy: KillingProxy
    let scene: TransferScene

    init() throws {
      bucket = try Bucket()
      proxy = try KillingProxy(to: bucket.port)
      scene = try TransferScene()
      try scene.set("bucket", bucket.settings(through: proxy.port))
      try FileManager.default.createDirectory(
        atPath: scene.home.path + "/out", withIntermediateDirectories: false)
    }

    func start(_ words: [String]) throws -> Spawn { try scene.start(words + ["--progress", "none"], Bucket.keys) }

    func isDone() throws -> Bool {
      let all = try scene.list()
      return !all.isEmpty && all.allSatisfy { $0["state"] as? String == "done" }
    }

    /// Orders a transfer and kills the process that carries it out, again and again; then lets it end.
    /// - Returns: how many kills there were, and how many bytes went that way.
    func carry(
      _ order: [String], _ way: RawConnection.Way, upTo most: Int, _ numbers: inout SeededNumbers,
      check: (Int) throws -> Void
    ) throws -> (kills: Int, bytes: Int) {
      let before = proxy.count(way)
      var kills = 0
      for number in 1...BucketKillTests.kills where try number == 1 || !isDone() {
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

  @Test(arguments: TestTier.process.seeds([1, 2, 3]))
  func `an upload that is killed at any moment ends whole and once`(seed: UInt64) throws {
    let lab = try Lab()
    var numbers = SeededNumbers(seed)
    try lab.scene.home.write(Self.picture, to: "big.jpg")
    let order = ["photo", "put", "--club", "bucket", lab.scene.home.path + "/big.jpg"]
    let (kills, bytes) = try lab.carry(order, .toPort, upTo: 14 << 20, &numbers) { number in
      let there = try lab.bucket.content("photos/big.jpg")
      #expect(there == nil || there?.isEmpty == true || there == Self.picture, "kill \(number): a torn photo")
    }
    #expect(kills >= 3)
    #expect(try lab.bucket.content("photos/big.jpg") == Self.picture)
    #expect(try lab.bucket.names() == ["photos/big.jpg"])
    #expect(try lab.bucket.unfinished().isEmpty)
    let again = bytes - Self.picture.count
    #expect(again <= kills * Self.part + Self.underWay, "\(again) bytes went again for \(kills) kills")
  }

  @Test(arguments: TestTier.process.seeds([4, 5, 6]))
  func `a download that is killed at any moment ends whole and once`(seed: UInt64) throws {
    let lab = try Lab()
    var numbers = SeededNumbers(seed)
    try lab.bucket.put(Self.picture, at: "photos/big.jpg")
    let out = lab.scene.home.path + "/out"
    let order = ["photo", "get", "--club", "bucket", "big.jpg", "--to", out]
    let (kills, _) = try lab.carry(order, .fromPort, upTo: 14 << 20, &numbers) { number in
      let there = lab.scene.home.bytes("out/big.jpg")
      #expect(there == nil || there == Self.picture, "kill \(number): a torn photo")
    }
    #expect(kills >= 3)
    #expect(lab.scene.home.bytes("out/big.jpg") == Self.picture)
    #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["big.jpg"])
  }
}
