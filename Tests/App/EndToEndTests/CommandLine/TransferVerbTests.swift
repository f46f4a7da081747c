import Foundation
import POSIX
import TestKit
import Testing

/// The transfer verbs of the real program, with several processes at once. A limit makes the transfers slow.
@Suite(.enabled(if: CommandLineHome.binary != nil), .serialized, .timeLimit(.minutes(10))) struct TransferVerbTests {
  /// A whole picture of 24 MiB with much behind its end, as phones append films: at the limits of these tests it is under
  /// way for longer than a busy machine stops one of the programs.
  private static let picture: [UInt8] = {
    var random: UInt64 = 7
    let words = (0..<(24 << 17)).map { _ in
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return random
    }
    return Pictures.jpeg + words.withUnsafeBytes { Array($0) }
  }()

  private struct Never: Error, CustomStringConvertible {
    let description: String
  }

  /// A home with a config, the picture, and small pieces.
  private func home() throws -> CommandLineHome {
    let home = try CommandLineHome()
    try home.write(
      #"{"clubs":{"home":{"store":"folder","path":"~/ByteClub"}},"transfers":{"chunkMebibytes":1}}"#.utf8,
      to: ".config/byteclub/config.json")
    try home.write(Self.picture, to: "in/big.jpg")
    #expect(try home.run("club", "init").status == 0)
    return home
  }

  private func list(_ home: CommandLineHome) throws -> [[String: Any]] {
    let outcome = try home.run("transfer", "ls", "--json")
    #expect(outcome.status == 0, "\(outcome.said)")
    let document = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
    return document?["results"] as? [[String: Any]] ?? []
  }

  /// Asks until a transfer is so.
  private func first(
    _ home: CommandLineHome, _ what: String, where isSo: ([String: Any]) -> Bool
  ) throws -> [String: Any] {
    let end = ContinuousClock.now + .patient
    var last: [[String: Any]] = []
    while ContinuousClock.now < end {
      last = try list(home)
      if let found = last.first(where: isSo) { return found }
    }
    throw Never(description: "no transfer \(what): \(last)")
  }

  /// An upload that goes slowly once a piece of it is sent, and the process that carries it out.
  private func begun(_ home: CommandLineHome, limit: String = "300K") throws -> (put: Spawn, id: String) {
    #expect(try home.run("transfer", "limit", "600K").status == 0)
    let put = try home.start(["photo", "put", home.path + "/in/big.jpg", "--progress", "none"])
    let transfer = try first(home, "is running") {
      $0["state"] as? String == "running" && ($0["sent"] as? Int ?? 0) >= 2 << 20
    }
    #expect(try home.run("transfer", "limit", limit).status == 0)
    return (put, try #require(transfer["id"] as? String))
  }

  private func expectWhole(_ home: CommandLineHome) {
    #expect(home.read("ByteClub/photos/big.jpg") == Self.picture)
    #expect(home.read("ByteClub/photos/big (2).jpg") == nil)
    #expect(home.files(ending: ".part").isEmpty)
  }

  @Test func `without transfers there is nothing to list, to wait for or to carry on`() throws {
    let home = try home()
    #expect(try home.run("transfer", "ls").text == "")
    for verb in ["wait", "run"] {
      let outcome = try home.run("transfer", verb)
      #expect(outcome.status == 0 && outcome.text.isEmpty)
    }
    #expect(try home.run("transfer", "pause", "t4k2").status == 4)
    #expect(try home.run("transfer", "move", "t4k2", "sideways").status == 2)
  }

  @Test func `a limit is kept, and can be asked for`() throws {
    let home = try home()
    #expect(try home.run("transfer", "limit").text == "off\n")
    #expect(try home.run("transfer", "limit", "1.5M").text == "1.5 MiB/s\n")
    #expect(try home.run("transfer", "limit").text == "1.5 MiB/s\n")
    #expect(try home.run("transfer", "limit", "--json").text.contains(#""limit":1572864"#))
    #expect(try home.run("transfer", "limit", "off").text == "off\n")
    #expect(try home.run("transfer", "limit", "fast").status == 2)
  }

  @Test func `other processes see a transfer, pause it, let it go on, and lift its limit`() throws {
    let home = try home()
    let (put, id) = try begun(home)
    #expect(try home.run("transfer", "pause", String(id.prefix(6))).text.contains("paused"))
    let paused = try first(home, "is paused") { $0["state"] as? String == "paused" }
    // The piece on its way, of half a second, is given up.
    #expect(paused["sent"] as? Int ?? 0 >= 1 << 20)
    #expect(try home.run("transfer", "wait", id).status == 5)
    #expect(try home.run("transfer", "resume", id).status == 0)
    let wait = try home.start(["transfer", "wait", id, "--progress", "json"])
    try wait.wait(forNotice: #""state":"running""#)
    #expect(try home.run("transfer", "limit", "off").status == 0)
    #expect(try wait.finish().status == 0)
    #expect(try put.finish().status == 0)
    expectWhole(home)
  }

  @Test func `a transfer that another process cancels leaves nothing behind`() throws {
    let home = try home()
    let (put, id) = try begun(home)
    #expect(try home.run("transfer", "cancel", id).status == 0)
    #expect(try put.finish().status == 130)
    #expect(home.read("ByteClub/photos/big.jpg") == nil)
    #expect(home.files(ending: ".part").isEmpty)
    #expect(try list(home).isEmpty)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal in a put cancels it and leaves nothing behind`(number: Int32) throws {
    let home = try home()
    let (put, _) = try begun(home)
    put.signal(number)
    #expect(try put.finish().status == 130)
    #expect(try list(home).isEmpty && home.read("in/big.jpg") == Self.picture)
    #expect(home.read("ByteClub/photos/big.jpg") == nil)
    #expect(home.files(ending: ".part").isEmpty)
  }

  @Test func `after kill -9 nobody carries on until somebody is asked to, and then from where it was`() throws {
    let home = try home()
    let (put, id) = try begun(home)
    put.signal(SIGKILL)
    _ = try put.finish()
    let left = try #require(try list(home).first)
    #expect(left["id"] as? String == id && left["state"] as? String == "queued")
    // The journal never says more than is durable, and at most one piece less.
    #expect(left["sent"] as? Int ?? 0 > 0)
    // What only writes down does not carry out.
    #expect(try home.run("transfer", "pause", id).text.contains("paused"))
    #expect(try home.run("transfer", "run").said.contains("One transfer is paused."))
    #expect(home.read("ByteClub/photos/big.jpg") == nil)
    #expect(try home.run("transfer", "resume", id).text.contains("queued"))
    #expect(try home.run("transfer", "limit", "off").status == 0)
    let run = try home.run("transfer", "run", "--json")
    #expect(run.status == 0 && run.text.contains(#""state":"done""#))
    expectWhole(home)
    let done = try #require(try list(home).first)
    #expect(done["restarts"] as? Int == 0)
  }

  @Test func `of three that start at once one carries out, and all end when it is done`() throws {
    let home = try home()
    let (put, _) = try begun(home)
    put.signal(SIGKILL)
    _ = try put.finish()
    let runs = try (0..<3).map { _ in try home.start(["transfer", "run", "--progress", "json"]) }
    for run in runs { try run.wait(forNotice: #""state":"running""#) }
    // The put, and one of the three: all of them see it run.
    let log = String(decoding: home.read(".local/state/byteclub/log") ?? [], as: UTF8.self)
    #expect(log.components(separatedBy: "carrying out transfers").count - 1 == 2)
    #expect(try home.run("transfer", "limit", "off").status == 0)
    for run in runs { #expect(try run.finish().status == 0) }
    expectWhole(home)
  }

  @Test func `who waits takes over when the owner is killed`() throws {
    let home = try home()
    let (put, id) = try begun(home)
    let wait = try home.start(["transfer", "wait", id, "--progress", "json"])
    try wait.wait(forNotice: #""state":"running""#)
    put.signal(SIGKILL)
    _ = try put.finish()
    #expect(try home.run("transfer", "limit", "off").status == 0)
    #expect(try wait.finish().status == 0)
    expectWhole(home)
  }

  @Test func `transfers can be ordered anew while nobody carries them out`() throws {
    let home = try home()
    try home.write(Self.picture, to: "in/second.jpg")
    #expect(try home.run("transfer", "limit", "600K").status == 0)
    let put = try home.start(["photo", "put", home.path + "/in/big.jpg", home.path + "/in/second.jpg"])
    // Then both know their unfinished files. One that is not known yet is removed later, by the store.
    for name in ["big.jpg", "second.jpg"] {
      _ = try first(home, "has begun") { $0["name"] as? String == name && ($0["sent"] as? Int ?? 0) > 0 }
    }
    #expect(try home.run("transfer", "limit", "100K").status == 0)
    put.signal(SIGKILL)
    _ = try put.finish()
    let ids = try list(home).compactMap { $0["id"] as? String }
    try #require(ids.count == 2)
    #expect(try home.run("transfer", "move", ids[1], "first").status == 0)
    #expect(try list(home).compactMap { $0["id"] as? String } == [ids[1], ids[0]])
    #expect(try home.run("transfer", "cancel", ids[0], ids[1]).status == 0)
    #expect(try home.run("transfer", "run").status == 0)
    #expect(home.read("ByteClub/photos/big.jpg") == nil)
    #expect(home.files(ending: ".part").isEmpty)
  }

  @Test func `a process in the background owns, listens, and ends when all is done`() throws {
    let home = try home()
    let (put, id) = try begun(home)
    put.signal(SIGKILL)
    _ = try put.finish()
    let run = try home.start(["transfer", "run", "--detached"])
    _ = try first(home, "is running") { $0["state"] as? String == "running" }
    #expect(try home.run("transfer", "limit", "off").status == 0)
    #expect(try home.run("transfer", "wait", id).status == 0)
    let outcome = try run.finish()
    #expect(outcome.text == "owner\n" && outcome.said.isEmpty && outcome.status == 0)
    expectWhole(home)
  }

  /// An upload whose source is gone: it has failed.
  private func failed(_ home: CommandLineHome) throws -> String {
    let (put, id) = try begun(home)
    put.signal(SIGKILL)
    _ = try put.finish()
    try FileManager.default.removeItem(atPath: home.path + "/in/big.jpg")
    #expect(try home.run("transfer", "limit", "off").status == 0)
    #expect(try home.run("transfer", "run").status != 0)
    #expect(try list(home).first?["state"] as? String == "failed")
    return id
  }

  @Test func `a failed transfer is dismissed, and cancel says how`() throws {
    let home = try home()
    let id = try failed(home)
    let cancel = try home.run("transfer", "cancel", id)
    #expect(cancel.status == 5)
    #expect(cancel.said.contains("Remove it from the list with: byteclub transfer dismiss \(id)"))
    #expect(!home.files(ending: ".part").isEmpty)
    #expect(try home.run("transfer", "dismiss", id).status == 0)
    #expect(try list(home).isEmpty)
    #expect(try home.run("transfer", "retry", id).status == 4)
    #expect(try home.run("transfer", "run").status == 0)
    #expect(try list(home).isEmpty)
    #expect(home.files(ending: ".part").isEmpty)
  }

  @Test func `a cancelled transfer is taken up again by retry, which says who carries it out`() throws {
    let home = try home()
    let (put, id) = try begun(home)
    put.signal(SIGKILL)
    _ = try put.finish()
    let cancel = try home.run("transfer", "cancel", id)
    #expect(cancel.said.contains("No byteclub runs transfers now. To run them: byteclub transfer run"))
    #expect(try home.run("transfer", "run").status == 0)
    #expect(try list(home).first?["state"] as? String == "cancelled")
    #expect(try home.run("transfer", "retry", id).text.contains("queued"))
    #expect(try home.run("transfer", "limit", "off").status == 0)
    #expect(try home.run("transfer", "run").status == 0)
    expectWhole(home)
  }

  @Test(arguments: ["run", "wait"])
  func `after --timeout it tells what still waits, and ends with 6`(verb: String) throws {
    let home = try home()
    let (put, id) = try begun(home, limit: "50K")
    put.signal(SIGKILL)
    _ = try put.finish()
    let outcome = try home.run("transfer", verb, "--timeout", "1", "--progress", "none")
    #expect(outcome.status == 6, "\(outcome.said)")
    // On a busy machine "run" may not have got further than its queue in that second; "wait" runs nothing.
    let states = verb == "run" ? ["running", "queued"] : ["running"]
    let lines = states.map { "\"big.jpg\" (\(id)) has not finished: \($0)." }
    #expect(lines.contains { outcome.said.contains($0) }, "\(outcome.said)")
    #expect(try home.run("transfer", verb, "--timeout", "0").status == 2)
  }

  @Test func `a list for another club names the club of each transfer`() throws {
    let home = try home()
    _ = try failed(home)
    #expect(try !home.run("transfer", "ls").text.contains("home: big.jpg"))
    try FileManager.default.createDirectory(atPath: home.path + "/other", withIntermediateDirectories: false)
    #expect(try home.run("transfer", "ls", "--folder", home.path + "/other").text.contains("up    home: big.jpg"))
  }
}
