import Foundation
import POSIX
import TestKit
import Testing

/// A member's home with a club at a server, reached through a proxy that kills.
final class KillLab {
  static let kills = 6
  /// Bytes under way in the buffers of the kernel, heads of requests, and the self-test.
  static let underWay = 3 << 20

  let proxy: KillingProxy
  let scene: TransferScene
  private let server: any ForeignServer

  init(_ server: any ForeignServer) throws {
    self.server = server
    proxy = try KillingProxy(to: server.port)
    scene = try TransferScene()
    try scene.set(server.name, server.settings(through: proxy.port))
    try FileManager.default.createDirectory(atPath: scene.home.path + "/out", withIntermediateDirectories: false)
  }

  func start(_ words: [String]) throws -> Spawn { try scene.start(words, server.secrets) }

  func isDone() throws -> Bool {
    let all = try scene.list()
    return !all.isEmpty && all.allSatisfy { $0["state"] as? String == "done" }
  }

  /// Orders an upload, or goes on with the one that is ordered.
  func upload(_ name: String) throws -> Spawn {
    try run(["photo", "put", "--club", server.name, scene.home.path + "/" + name])
  }

  private func run(_ order: [String]) throws -> Spawn {
    try start((try scene.list().isEmpty ? order : ["transfer", "run"]) + ["--progress", "none"])
  }

  /// Orders a transfer and kills the process that carries it out, again and again; then lets it end.
  /// - Returns: the number of kills, and of the bytes that went that way.
  private func carry(
    _ order: [String], _ way: RawConnection.Way, upTo most: Int, _ seed: UInt64, check: (Int) throws -> Void
  ) throws -> (kills: Int, bytes: Int) {
    var numbers = SeededNumbers(seed)
    let before = proxy.count(way)
    var kills = 0
    for number in 1...KillLab.kills where try number == 1 || !isDone() {
      let process = try run(order)
      proxy.kill(process.process, after: numbers.below(most), way)
      let outcome = try process.finish()
      proxy.spare()
      #expect([0, 128 + SIGKILL].contains(outcome.status), "kill \(number): \(outcome.status) \(outcome.said)")
      if outcome.status != 0 { kills += 1 }
      try check(number)
    }
    let last = try run(order).finish()
    #expect(last.status == 0, "\(last.said)")
    #expect(try isDone())
    #expect(kills >= 3)
    return (kills, proxy.count(way) - before)
  }

  /// Uploads a picture in spite of kills. It must be whole at each moment, and there in the end.
  /// - Parameters:
  ///   - most: the most bytes between two kills.
  ///   - piece: the most bytes that a kill may cost.
  ///   - reserves: true if an empty file may stand in its place until it comes.
  /// - Returns: the number of kills.
  func upload(
    _ picture: [UInt8], upTo most: Int, piece: Int, seed: UInt64, reserves: Bool = false
  ) throws -> Int {
    try scene.home.write(picture, to: "big.jpg")
    let order = ["photo", "put", "--club", server.name, scene.home.path + "/big.jpg"]
    let (kills, bytes) = try carry(order, .toPort, upTo: most, seed) { number in
      let there = try server.content("photos/big.jpg")
      #expect(there == nil || reserves && there?.isEmpty == true || there == picture, "kill \(number): a torn photo")
    }
    #expect(try server.content("photos/big.jpg") == picture)
    let again = bytes - picture.count
    #expect(again <= kills * piece + KillLab.underWay, "\(again) bytes went again for \(kills) kills")
    return kills
  }

  /// Downloads a picture in spite of kills. It must be whole under its name at each moment, and there alone in the end.
  func download(_ picture: [UInt8], upTo most: Int, seed: UInt64) throws {
    try server.put(picture, at: "photos/big.jpg")
    let out = scene.home.path + "/out"
    let order = ["photo", "get", "--club", server.name, "big.jpg", "--to", out]
    _ = try carry(order, .fromPort, upTo: most, seed) { number in
      let there = scene.home.bytes("out/big.jpg")
      #expect(there == nil || there == picture, "kill \(number): a torn photo")
    }
    #expect(scene.home.bytes("out/big.jpg") == picture)
    #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["big.jpg"])
  }
}
