import Foundation
import Glibc
import TestKit
import Testing

/// byteclub is killed (-9) in the middle of transfers, at moments that a seed chooses, through a server that misbehaves.
/// `scripts/soak` does the same for hours, with large files.
@Suite(.serialized, .enabled(if: CommandLineHome.binary != nil), .timeLimit(.minutes(4))) struct KillTests {
  private static let kills = 10
  private static let size = 24 << 20
  private static let chunk = 1 << 20
  /// Under way in the kernel's buffers, and the head of a request.
  private static let underWay = 1 << 20
  private static let head = 8192

  private struct Random {
    var state: UInt64
    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  /// A picture with much behind its end, as phones append films.
  private static let picture: [UInt8] = {
    var random: UInt64 = 99
    var bytes = Pictures.jpeg
    bytes.reserveCapacity(size + 8)
    while bytes.count < size {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      withUnsafeBytes(of: random) { bytes.append(contentsOf: $0.dropFirst(4)) }
    }
    return bytes
  }()

  /// The server, the proxy before it, and a home that knows it.
  private final class Lab {
    let home: CommandLineHome
    let proxy: KillingProxy
    private let server: Spawn
    private let token: String

    init() throws {
      home = try CommandLineHome()
      let root = home.path + "/served"
      try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
      token = try home.run("serve", "member", "add", "ann", "--root", root).text
        .trimmingCharacters(in: .whitespacesAndNewlines)
      let chaos =
        "bandwidth=40MiB,503@/2/files/upload_session/append_v2=0.03,cutbody@/2/files/upload_session/append_v2=0.03,"
        + "drop@/2/files/upload_session/finish=0.5,cut@/2/files/download=0.2"
      server = try home.start([
        "serve", "--root", root, "--listen", "127.0.0.1:0", "--chaos", chaos, "--seed", "5",
      ])
      try server.wait(forNotice: "listening on 127.0.0.1:")
      let told = server.said.split(separator: "listening on 127.0.0.1:").last
      proxy = try KillingProxy(to: try #require(told.flatMap { UInt16($0.prefix { $0.isNumber }) }))
      try home.write(
        (#"{"club":"lab","clubs":{"lab":{"store":"dropbox","server":"http://127.0.0.1:"# + "\(proxy.port)"
          + #"","folder":"/"}},"transfers":{"chunkMebibytes":1}}"#).utf8, to: ".config/byteclub/config.json")
    }

    deinit { server.signal(SIGKILL) }

    func start(_ words: [String]) throws -> Spawn { try home.start(words, ["BYTECLUB_TOKEN": token]) }

    func transfers() throws -> [[String: Any]] {
      let outcome = try start(["transfer", "ls", "--json"]).finish()
      let document = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
      return try #require(document?["results"] as? [[String: Any]], "\(outcome.said)")
    }

    /// Ends the server.
    /// - Returns: how many requests it answered, and how many of them it failed.
    func close() throws -> (requests: Int, faults: Int) {
      server.signal(SIGINT)
      let lines = try server.finish().said.split(separator: "\n").filter { $0.hasSuffix(" ms") || $0.contains(" ms, ") }
      let faults = lines.filter { line in ["503", "cut", "drop"].contains { line.contains("+\($0)") } }
      return (lines.count, faults.count)
    }

    func names(_ folder: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: home.path + "/" + folder).sorted()
    }
  }

  /// Orders a transfer, kills whoever carries it out, and carries on, until it is done.
  private func carry(
    _ lab: Lab, _ way: RawConnection.Way, _ order: [String], goal: String, random: inout Random
  ) throws -> Int {
    let before = lab.proxy.count(way)
    for number in 1...Self.kills {
      let words = try lab.transfers().contains { $0["state"] as? String != "done" } ? ["transfer", "run"] : order
      let process = try lab.start(words + ["--progress", "none"])
      lab.proxy.kill(process.process, after: random.next(Self.size / Self.kills), way)
      // In every third round another one waits, and takes over.
      let waiting = number % 3 == 0 ? try lab.start(["transfer", "wait", "--progress", "none"]) : nil
      let outcome = try process.finish()
      lab.proxy.spare()
      #expect(outcome.status == 128 + SIGKILL, "kill \(number): \(outcome.said)")
      if let waiting {
        lab.proxy.kill(waiting.process, after: random.next(Self.chunk), way)
        _ = try waiting.finish()
        lab.proxy.spare()
      }
      let there = lab.home.read(goal)
      #expect(there == nil || there == Self.picture, "kill \(number): a torn file has its final name")
    }
    let last = try lab.start(["transfer", "run", "--progress", "none"]).finish()
    #expect(last.status == 0, "\(last.said)")
    #expect(lab.home.read(goal) == Self.picture)
    #expect(try lab.transfers().allSatisfy { $0["state"] as? String == "done" })
    return lab.proxy.count(way) - before
  }

  /// What was sent more than once is at most a piece for each kill (also of those that waited) and fault.
  private func expectLittleTwice(_ moved: Int, _ served: (requests: Int, faults: Int)) {
    let again = moved - Self.size - served.requests * Self.head
    let breaks = Self.kills + Self.kills / 3 + served.faults
    #expect(again <= breaks * (Self.chunk + Self.underWay), "\(again) bytes went again for \(breaks) breaks")
  }

  @Test(arguments: [UInt64(1), 2]) func `an upload survives kill -9 at any moment`(seed: UInt64) throws {
    let lab = try Lab()
    var random = Random(state: seed)
    try lab.home.write(Self.picture, to: "in/big.jpg")
    let order = ["photo", "put", lab.home.path + "/in/big.jpg"]
    let moved = try carry(lab, .toPort, order, goal: "served/photos/big.jpg", random: &random)
    expectLittleTwice(moved, try lab.close())
    #expect(try lab.names("served/photos") == ["big.jpg"])
    #expect(lab.home.files(ending: ".part").isEmpty)
  }

  @Test(arguments: [UInt64(3), 4]) func `a download survives kill -9 at any moment`(seed: UInt64) throws {
    let lab = try Lab()
    var random = Random(state: seed)
    try lab.home.write(Self.picture, to: "served/photos/big.jpg")
    try FileManager.default.createDirectory(atPath: lab.home.path + "/out", withIntermediateDirectories: false)
    let order = ["photo", "get", "big.jpg", "--to", lab.home.path + "/out"]
    let moved = try carry(lab, .fromPort, order, goal: "out/big.jpg", random: &random)
    expectLittleTwice(moved, try lab.close())
    #expect(try lab.names("out") == ["big.jpg"])
  }
}
