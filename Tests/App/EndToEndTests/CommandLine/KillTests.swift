import Foundation
import POSIX
import TestKit
import Testing

/// byteclub is killed (-9) in the middle of transfers, at moments that a seed chooses, through a server that misbehaves.
/// `scripts/soak` does the same for hours, with large files.
@Suite(.serialized, .enabled(if: CommandLineHome.binary != nil), .timeLimit(.minutes(10))) struct KillTests {
  private static let kills = 10
  private static let size = 24 << 20
  /// What comes is longer than what goes: each process must get on by more than may come twice, or nobody would see one
  /// that begins anew.
  private static let film = (0..<10).flatMap { _ in picture }
  private static let chunk = 1 << 20
  /// Under way to the server in the kernel's buffers, and the head of a request.
  private static let underWay = 1 << 20
  /// Under way to the disk: in the kernel's and the client's buffers, in line to be written, and durable but not noted yet.
  private static let onTheWayIn = 4 << 20
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
    static let faults =
      ",503@/2/files/upload_session/append_v2=0.03,cutbody@/2/files/upload_session/append_v2=0.03,"
      + "drop@/2/files/upload_session/finish=0.5,cut@/2/files/download=0.2"
    private let server: Spawn
    private let token: String

    /// - Parameter bandwidth: at which a debug build of byteclub keeps up, so that little waits in the kernel when it dies.
    init(bandwidth: String, chaos faults: String = Lab.faults) throws {
      home = try CommandLineHome()
      let root = home.path + "/served"
      try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
      token = try home.run("serve", "member", "add", "ann", "--root", root).text
        .trimmingCharacters(in: .whitespacesAndNewlines)
      let chaos = "bandwidth=\(bandwidth)\(faults)"
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
    _ lab: Lab, _ way: RawConnection.Way, _ order: [String], of content: [UInt8], goal: String, random: inout Random
  ) throws -> Int {
    let before = lab.proxy.count(way)
    for number in 1...Self.kills {
      let words = try lab.transfers().contains { $0["state"] as? String != "done" } ? ["transfer", "run"] : order
      let process = try lab.start(words + ["--progress", "none"])
      lab.proxy.kill(process.process, after: random.next(content.count / Self.kills), way)
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
      #expect(there == nil || there == content, "kill \(number): a torn file has its final name")
    }
    let last = try lab.start(["transfer", "run", "--progress", "none"]).finish()
    #expect(last.status == 0, "\(last.said)")
    #expect(lab.home.read(goal) == content)
    #expect(try lab.transfers().allSatisfy { $0["state"] as? String == "done" })
    return lab.proxy.count(way) - before
  }

  /// What was sent more than once is at most a piece for each kill (also of those that waited) and fault.
  private func expectLittleTwice(
    _ moved: Int, of size: Int, underWay: Int, _ served: (requests: Int, faults: Int)
  ) {
    let again = moved - size - served.requests * Self.head
    let breaks = Self.kills + Self.kills / 3 + served.faults
    #expect(again <= breaks * (Self.chunk + underWay), "\(again) bytes went again for \(breaks) breaks")
  }

  @Test(arguments: TestTier.process.seeds([1, 2])) func `an upload survives kill -9 at any moment`(seed: UInt64) throws
  {
    let lab = try Lab(bandwidth: "40MiB")
    var random = Random(state: seed)
    try lab.home.write(Self.picture, to: "in/big.jpg")
    let order = ["photo", "put", lab.home.path + "/in/big.jpg"]
    let moved = try carry(lab, .toPort, order, of: Self.picture, goal: "served/photos/big.jpg", random: &random)
    expectLittleTwice(moved, of: Self.size, underWay: Self.underWay, try lab.close())
    #expect(try lab.names("served/photos") == ["big.jpg"])
    #expect(lab.home.files(ending: ".part").isEmpty)
  }

  @Test(arguments: [(1 << 20, "512KiB"), (20 << 20, "8MiB")])
  func `a download that was killed asks for the rest alone`(size: Int, bandwidth: String) throws {
    let lab = try Lab(bandwidth: bandwidth, chaos: "")
    let content = Array(Self.picture.prefix(size))
    try lab.home.write(content, to: "served/photos/big.jpg")
    try FileManager.default.createDirectory(atPath: lab.home.path + "/out", withIntermediateDirectories: false)
    let process = try lab.start(
      ["photo", "get", "big.jpg", "--to", lab.home.path + "/out", "--progress", "none"])
    lab.proxy.kill(process.process, after: size / 2, .fromPort)
    #expect(try process.finish().status == 128 + SIGKILL)
    lab.proxy.spare()
    let part = try #require(try lab.names("out").first { $0.contains(".byteclub-part-") })
    let kept = try #require(lab.home.read("out/" + part)?.count)
    #expect(kept > size / 8 && kept < size, "\(kept) of \(size)")
    let before = lab.proxy.count(.fromPort)
    #expect(try lab.start(["transfer", "run", "--progress", "none"]).finish().status == 0)
    #expect(lab.home.read("out/big.jpg") == content)
    let came = lab.proxy.count(.fromPort) - before
    #expect(came >= size - kept && came <= size - kept + 4 * Self.head, "\(came) bytes for \(size - kept)")
  }

  @Test func `a download survives kill -9 at any moment`() throws {
    let lab = try Lab(bandwidth: "24MiB")
    var random = Random(state: 4)
    try lab.home.write(Self.film, to: "served/photos/big.jpg")
    try FileManager.default.createDirectory(atPath: lab.home.path + "/out", withIntermediateDirectories: false)
    let order = ["photo", "get", "big.jpg", "--to", lab.home.path + "/out"]
    let moved = try carry(lab, .fromPort, order, of: Self.film, goal: "out/big.jpg", random: &random)
    expectLittleTwice(moved, of: Self.film.count, underWay: Self.onTheWayIn, try lab.close())
    #expect(try lab.names("out") == ["big.jpg"])
  }
}
