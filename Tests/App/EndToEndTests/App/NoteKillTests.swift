import Foundation
import POSIX
import Synchronization
import TestKit
import TextUI
import Testing

/// byteclub is killed (-9) at moments that a seed chooses, while a member types, saves and sends: in a folder, and behind
/// a server that is slow, is busy, and loses answers. 20 kills, or as many as NOTE_KILLS says (scripts/soak kills).
@Suite(.timeLimit(.minutes(120))) struct NoteKillTests {
  private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
  private static var rounds: Int { number("NOTE_KILLS") ?? 20 }
  private static var first: Int { number("NOTE_KILLS_SEED") ?? 1 }
  private static let atOnce = 4
  private static let chaos = "latency=0.3:200ms,drop@/2/files/upload=0.3,503@/2/files/upload=0.2:1s"

  @Test(.timing("what a member typed a second before the kill must be kept"))
  func `whatever was typed a second before a kill -9 is in the note, a copy, a draft or the outbox, once`() throws {
    let serverHome = try MemberHome(hasClub: false)
    let server = try ClubServer(serverHome, folder: "served", chaos: Self.chaos)
    let (root, address, token) = (server.root, server.address, try server.admit("ray"))
    let wrong = Mutex<[String]>([])
    let counts = Mutex<[String: Int]>([:])
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = Self.atOnce
    for seed in Self.first..<(Self.first + Self.rounds) {
      queue.addOperation {
        do {
          let place: NoteKill.Place = seed % 2 == 0 ? .folder : .server(root: root, address: address, token: token)
          var round = try NoteKill(seed: UInt64(seed), place)
          let found = try round.run()
          wrong.withLock { $0 += found.map { "seed \(seed) (\(round.summary)): \($0)" } }
          counts.withLock { $0[round.remains, default: 0] += 1 }
        } catch {
          wrong.withLock { $0.append("seed \(seed): \(error)") }
        }
      }
    }
    queue.waitUntilAllOperationsAreFinished()
    print("\(Self.rounds) kills from seed \(Self.first); the last words were in: \(counts.withLock { $0 })")
    let all = wrong.withLock { $0 }
    #expect(all.isEmpty, "\(all.joined(separator: "\n"))")
    withExtendedLifetime(server) {}
  }
}

/// One member with a home of their own, who types words, each of them once, until the kill.
private struct NoteKill {
  enum Place: Sendable {
    case folder
    case server(root: String, address: String, token: String)
  }

  private struct Typed {
    let word: String
    let seen: ContinuousClock.Instant
  }

  private let home: MemberHome
  private let folder: String
  private let arguments: [String]
  private var variables: [String: String] = [:]
  /// The line that another member's program adds at the first save, if it adds one.
  private let planned: String?
  private var theirs: String?
  private var random: SeededNumbers
  private var saves = 0
  private var isDone = false
  private(set) var remains = "nothing"

  var summary: String { "\(saves) saves, \(isDone ? "done" : "in the editor"), theirs \(theirs ?? "none")" }

  init(seed: UInt64, _ place: Place) throws {
    random = SeededNumbers(seed)
    home = try MemberHome(hasClub: false)
    switch place {
    case .folder:
      folder = home.club
      arguments = ["--folder", folder]
      planned = nil
    case .server(let root, let address, let token):
      folder = "\(root)/club-\(seed)"
      let club = ["store": "dropbox", "server": address, "folder": "/club-\(seed)"]
      let config = try JSONSerialization.data(withJSONObject: ["clubs": ["pier": club]])
      try home.write(Array(config), to: ".config/byteclub/config.json")
      (arguments, variables) = ([], ["BYTECLUB_TOKEN": token])
      planned = random.below(2) == 0 ? "theirs\(seed)" : nil
    }
    try FileManager.default.createDirectory(atPath: "\(folder)/photos", withIntermediateDirectories: true)
    try Data("first\n\n\nthe end\n".utf8).write(to: URL(filePath: "\(folder)/a.md"))
  }

  /// Types, saves, is killed, and looks.
  /// - Returns: the promises that did not hold.
  mutating func run() throws -> [String] {
    let (typed, killed) = try typeAndKill()
    let due = typed.filter { $0.seen <= killed - .seconds(1) }.map(\.word)
    var wrong: [String] = []
    if due.isEmpty { wrong.append("nothing was typed in time") }
    let (notes, waiting) = (try notes(), try waiting())
    let places = notes.merging(waiting) { $1 }
    let kept = Set(places.values.flatMap(Self.words))
    wrong += due.filter { !kept.contains($0) }.map { "\($0) is nowhere: \(places)" }
    // The other member writes just before the first save. On a slow machine the kill may come before any.
    if let theirs, !notes.values.joined().contains(theirs) { wrong.append("\(theirs) is nowhere: \(places)") }
    if let last = due.last {
      remains = places.filter { Self.words($0.value).contains(last) }.keys.map {
        $0.hasSuffix(".md") ? "note" : "waiting"
      }
      .sorted().joined(separator: "+")
    }
    wrong += Self.doubled(places)
    // Everything is sent at the next start, and is there once.
    try sendAll()
    let after = try self.notes()
    let there = Set(after.values.flatMap(Self.words))
    wrong += kept.filter { !there.contains($0) }.sorted().map { "\($0) was not sent: \(after)" }
    if let theirs, !after.values.joined().contains(theirs) { wrong.append("\(theirs) is gone: \(after)") }
    return wrong + Self.doubled(after)
  }

  private mutating func typeAndKill() throws -> (typed: [Typed], killed: ContinuousClock.Instant) {
    let session = try home.start(arguments, size: Size(100, 24), variables)
    try session.wait("the list", timeout: .patient) { $0.isFullScreen && $0.contains("a.md") }
    try session.edit()
    let clock = ContinuousClock()
    let end = clock.now + .milliseconds(1100 + random.below(900))
    var typed: [Typed] = []
    while clock.now < end {
      let word = "w\(typed.count)"
      // Short lines, so that no word is cut at the window's edge.
      session.send(word + (typed.count % 12 == 11 ? "\n" : " "))
      try session.see(word)
      typed.append(Typed(word: word, seen: clock.now))
      guard random.below(12) == 0 else { continue }
      if saves == 0, let planned {
        try append(planned)
        theirs = planned
      }
      session.press("Ctrl-S")
      saves += 1
    }
    if random.below(3) == 0 {
      session.press("Ctrl-Q")
      isDone = true
    }
    // The moment of the kill is any of the next ones.
    // at any pace: the kill may come at any moment.
    Thread.sleep(forTimeInterval: Double(random.below(400)) / 1000)
    let killed = clock.now
    session.signal(SIGKILL)
    _ = try session.waitExit(timeout: .patient)
    return (typed, killed)
  }

  /// Another member's program adds a line at the end.
  private func append(_ word: String) throws {
    let path = "\(folder)/a.md"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try replaceFile(path, with: (text + word + "\n").utf8)
  }

  private func notes() throws -> [String: String] {
    var notes: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".md") {
      notes[name] = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    }
    return notes
  }

  private struct Listing: Decodable {
    struct Text: Decodable {
      let id: String
      let state: String
    }

    let results: [Text]
  }

  private func listing() throws -> [Listing.Text] {
    let outcome = try verb("draft", "ls", "--json")
    return try JSONDecoder().decode(Listing.self, from: Data(outcome.output)).results
  }

  private func waiting() throws -> [String: String] {
    var texts: [String: String] = [:]
    for text in try listing() { texts["\(text.state) \(text.id)"] = try verb("draft", "cat", text.id).text }
    return texts
  }

  /// Sends all saves and drafts; the server loses some answers.
  private func sendAll() throws {
    for _ in 0..<20 {
      let texts = try listing().filter { $0.state != "discarded" }
      if texts.isEmpty { return }
      for text in texts { _ = try verb("draft", "send", text.id, "--both") }
    }
    throw MemberHome.Missing(description: "texts wait after 20 tries: \(try listing())")
  }

  private func verb(_ words: String...) throws -> Spawn.Outcome {
    var all = PtySession.basicEnvironment
    for (name, value) in home.environment(variables) { all[name] = value.isEmpty ? nil : value }
    return try Spawn(try MemberHome.binary(), words + arguments, environment: all).finish()
  }

  private static func words(_ text: String) -> [String] {
    text.split { $0 == " " || $0 == "\n" }.map(String.init).filter { $0.hasPrefix("w") }
  }

  private static func doubled(_ texts: [String: String]) -> [String] {
    texts.compactMap { name, text in
      let words = words(text)
      return Set(words).count == words.count ? nil : "\(name) has a word twice: \(text)"
    }
  }
}
