import Backends
import Basics
import Foundation
import Synchronization
import TestKit

@testable import ClubServices
@testable import FileStores

/// Two to five members of one club, with the services of the program over real databases, a server that loses requests
/// and answers, and machines that crash between any two steps of their work. All of it runs on one thread, so that one
/// seed gives one trace.
final class ClubSimulation {
  struct Report: Sendable {
    var lost: [String] = []
    var doubled: [String] = []
    var apart: [String] = []
    var strayed: [String] = []
    var replaced: [String] = []
    /// The number of acknowledged remarks.
    var remarks = 0
    var trace: UInt64 = 0
    var events: [String] = []

    var isGood: Bool { [lost, doubled, apart, strayed, replaced].allSatisfy(\.isEmpty) }
  }

  private let pool: BlockingPool
  private let network = SimulatedNetwork()
  private let ledger: WordLedger
  private let server: WatchedServer
  private let withRemarks: Bool
  private let withFolders: Bool
  private let home: String
  private var random: SeededNumbers
  private var machines: [SimulatedMachine] = []
  /// The server's notes at an earlier time.
  private var backup: [StorePath: [UInt8]]?
  private var isRestored = false
  private var seen: [StorePath: [UInt8]] = [:]

  private init(
    seed: UInt64, home: String, pool: BlockingPool, withRemarks: Bool, withFolders: Bool, keepsEvents: Bool
  ) throws {
    (random, self.home, self.pool, self.withRemarks) = (SeededNumbers(seed), home, pool, withRemarks)
    self.withFolders = withFolders
    let ledger = WordLedger(keepsEvents: keepsEvents)
    self.ledger = ledger
    let network = network
    let server = WatchedServer(MemoryStore(now: { network.now }), ledger)
    self.server = server
    for number in 0..<(2 + random.below(4)) {
      machines.append(
        try SimulatedMachine(number, home: home) { folder, account, isConnected in
          try SimulatedProcess(
            number, folder: folder, account: account, isConnected: isConnected, server: server, network: network,
            ledger: ledger, pool: pool)
        })
    }
  }

  /// Runs a simulation in a folder of its own.
  static func run(
    seed: UInt64, operations: Int, withRemarks: Bool = false, withFolders: Bool = false, keepsEvents: Bool = false
  ) async throws -> Report {
    let pool = BlockingPool.oneThread()
    let place = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    let home = "\(place)/byteclub-" + String(UInt64.random(in: 0 ... .max), radix: 36)
    defer { removeFolder(home) }
    return try await Task.detached(executorPreference: pool.tasks) {
      let simulation = try ClubSimulation(
        seed: seed, home: home, pool: pool, withRemarks: withRemarks, withFolders: withFolders,
        keepsEvents: keepsEvents)
      try await simulation.begin()
      for _ in 0..<operations { try await simulation.step() }
      return try await simulation.end()
    }.value
  }

  private func begin() async throws {
    for number in 0..<10 {
      let text = (0..<4).map { "line \($0) of note \(number)\n" }.joined()
      let folder = withFolders ? ["", "f0/", "f1/", "g/f2/"][number % 4] : ""
      _ = try await server.put(DataSource(text.utf8), at: try StorePath("\(folder)n\(number).md"), mode: .overwrite)
    }
    for machine in machines { start(.names, machine) }
    await calm()
  }

  // MARK: - One operation

  private func step() async throws {
    network.tick()
    let machine = machines[random.below(machines.count)]
    switch random.below(1000) {
    case 0..<560: deliver()
    case 560..<580: try machine.sync()
    case 580..<605:
      machine.process.link.isConnected.toggle()
      ledger.note("network \(machine.number) \(machine.process.link.isConnected)")
    case 605..<620: try await crash(machine)
    case 620..<622: server.memory.forgetChanges()
    case 622..<624: try await backUp()
    case 624..<640: await stranger()
    default: act(machine)
    }
    await idle()
    if ledger.keepsEvents { try await follow() }
  }

  /// Notes the words that come to a note and leave it, for a reader who looks for a lost one.
  private func follow() async throws {
    let now = try await texts()
    for path in Set(now.keys).union(seen.keys).sorted() {
      let (before, after) = (Set(WordLedger.words(of: seen[path] ?? [])), Set(WordLedger.words(of: now[path] ?? [])))
      if before != after {
        ledger.tell("\(path): more \(after.subtracting(before).sorted()), less \(before.subtracting(after).sorted())")
      }
    }
    seen = now
  }

  private func act(_ machine: SimulatedMachine) {
    guard machine.process.running.withLock({ $0 < 3 }) else { return deliver() }
    let weighted: [(SimulatedMember.Action, Int)] = [
      (.edit, 40), (.leave, 4), (.append, 6), (.create, 6), (.rename, 9), (.trash, 4), (.restore, 3), (.send, 14),
      (.names, 3), (.refresh, 12), (.agree, 1), (.remark, withRemarks ? 16 : 0),
      (.moveFolder, withFolders ? 8 : 0),
    ]
    var dice = random.below(weighted.reduce(0) { $0 + $1.1 })
    for (action, weight) in weighted {
      if dice < weight { return start(action, machine) }
      dice -= weight
    }
  }

  private func start(_ action: SimulatedMember.Action, _ machine: SimulatedMachine) {
    let process = machine.process
    let member = SimulatedMember(process: process, random: SeededNumbers(random.next()))
    process.running.withLock { $0 += 1 }
    ledger.note("m\(machine.number) begins \(action)")
    Task.detached(executorPreference: pool.tasks) { [member] in
      var member = member
      await member.act(action)
      process.running.withLock { $0 -= 1 }
    }
  }

  /// Lets one request or answer of any machine arrive, or not.
  private func deliver() {
    guard network.count > 0 else { return }
    let turn = network.take(random.below(network.count))
    let fate: SimulatedNetwork.Fate =
      switch random.below(100) {
      case 0..<5: .isLost
      case 5..<6: .isBusy
      case 6..<7: .isBroken
      default: .passes
      }
    // A failing server has not done anything.
    let isFault = turn.isAnswer && (fate == .isBusy || fate == .isBroken)
    ledger.note("\(turn.link.machine) \(turn.call) \(turn.path) \(turn.isAnswer) \(fate)")
    turn.end(isFault ? .isLost : fate)
  }

  /// A crash after any number of steps of the work that the last operation began.
  private func crash(_ machine: SimulatedMachine) async throws {
    if random.below(3) > 0 {
      act(machine)
      await pool.advance(random.below(40))
    } else if random.below(2) == 0 {
      deliver()
      await pool.advance(random.below(40))
    }
    let loss = SimulatedMachine.CopyLoss.allCases[random.below(3)]
    if random.below(20) == 0 { machine.account = machine.account == "ann" ? "bob" : "ann" }
    ledger.note("crash \(machine.number) \(loss)")
    try machine.crash(loss)
    start(.names, machine)
  }

  // MARK: - The server's side

  /// A member without byteclub, whose program writes with a condition, too.
  private func stranger() async {
    do throws(StoreError) {
      let page = try await server.list(.root, ListOptions(.full), after: nil)
      let files = page.entries.filter { $0.kind == .file && !Talk.isNamed($0.path) }
      guard !files.isEmpty else { return }
      let file = files[random.below(files.count)]
      switch random.below(8) {
      case 0:
        _ = try await server.capabilities.trash?.discard(file.path, ifRevision: file.revision)
      case 1:
        _ = try await server.move(file.path, to: try StorePath("n\(random.below(14)).md"), ifRevision: file.revision)
      default:
        let (text, entry) = try await server.readAll(file.path, limit: 1 << 20)
        guard let revision = entry.revision else { return }
        let word = ledger.newWord()
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        lines.insert(Array(word.utf8), at: random.below(max(1, lines.count)))
        let new = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
        _ = try await server.put(DataSource(new), at: file.path, mode: .replace(revision))
        ledger.acknowledge([word])
        ledger.note("stranger types \(word)")
      }
      ledger.note("stranger \(file.path)")
    } catch {
      ledger.note("stranger: \(error.kind)")
    }
  }

  /// The server's notes are copied, or the copy comes back, once.
  private func backUp() async throws {
    guard let backup else {
      backup = try await texts()
      server.noteBackup()
      return
    }
    guard !isRestored, random.below(4) == 0 else { return }
    isRestored = true
    let now = try await texts()
    // The server has lost these words; no program can know.
    let kept = Set(backup.values.flatMap { WordLedger.words(of: $0) })
    ledger.remove(now.values.flatMap { WordLedger.words(of: $0) }.filter { !kept.contains($0) })
    let keptRemarks = Set(backup.values.flatMap { RemarkLedger.ids(of: $0) })
    ledger.remarks.remove(now.values.flatMap { RemarkLedger.ids(of: $0) }.filter { !keptRemarks.contains($0) })
    for path in now.keys.sorted() where backup[path] == nil { try await server.delete(path, ifRevision: nil) }
    for (path, text) in backup.sorted(by: { $0.key < $1.key }) where now[path] != text {
      try await server.overwrite(path, text)
    }
    server.memory.forgetChanges()
    ledger.note("restored an older state")
  }

  private func texts() async throws(StoreError) -> [StorePath: [UInt8]] {
    var texts: [StorePath: [UInt8]] = [:]
    for entry in try await server.contents(of: .root) where entry.kind == .file {
      texts[entry.path] = try await server.readAll(entry.path, limit: 1 << 20).bytes
    }
    return texts
  }

  // MARK: - The line of all work

  /// Returns when all work waits for the network.
  private func idle() async { await pool.advance(.max) }

  /// All requests pass until nothing is under way.
  private func calm() async {
    await idle()
    while network.count > 0 {
      let turn = network.take(0)
      ledger.tell("\(turn.link.machine) \(turn.call) \(turn.path) \(turn.isAnswer)")
      turn.end(.passes)
      await idle()
    }
  }

  // MARK: - The end

  private func end() async throws -> Report {
    for machine in machines { machine.process.link.isConnected = true }
    await calm()
    for _ in 0..<8 {
      var isDone = true
      for machine in machines {
        let member = SimulatedMember(process: machine.process, random: SeededNumbers(1))
        let task = Task.detached(executorPreference: pool.tasks) { () async throws -> Bool in
          try await member.sendAll()
        }
        await calm()
        if try await !task.value { isDone = false }
        if ledger.keepsEvents { try await follow() }
      }
      if isDone { break }
    }
    return try await report()
  }

  private func report() async throws -> Report {
    var report = Report()
    let notes = try await texts()
    var remains = Remains(files: notes)
    var found: Set<String> = []
    for (path, text) in notes.sorted(by: { $0.key < $1.key }) {
      let words = WordLedger.words(of: text)
      found.formUnion(words)
      var seen: Set<String> = []
      report.doubled += words.filter { !seen.insert($0).inserted }.map { "\($0) in \(path)" }
    }
    for machine in machines {
      let sight = try await look(machine.process)
      let (waiting, shown) = (sight.waiting, sight.shown)
      found.formUnion(waiting.flatMap(\.words))
      remains.apart.formUnion(sight.dropped)
      report.apart += sight.failures.map { "\(machine.number) lists what is not there: \($0)" }
      if sight.talks != ClubSimulation.talks(in: notes) {
        report.apart.append("\(machine.number) lists the remarks on \(sight.talks)")
      }
      let open = waiting.filter { $0.kind != .discarded }
      if shown.keys.sorted() != notes.keys.sorted() || !open.isEmpty {
        report.apart.append(
          "\(machine.number) has \(shown.keys.sorted()) instead of \(notes.keys.sorted()), \(open.count) waiting")
      }
      for (path, text) in notes where shown[path] != nil && shown[path] != text {
        report.apart.append("\(machine.number) has another text of \(path)")
      }
    }
    if let trash = server.capabilities.trash {
      for (number, file) in try await trash.contents().enumerated() {
        let entry = try await trash.restore(file.id, as: try StorePath("trash-\(number)"))
        let bytes = try await server.readAll(entry.path, limit: 1 << 20).bytes
        found.formUnion(WordLedger.words(of: bytes))
        remains.apart.formUnion(RemarkLedger.ids(of: bytes))
      }
    }
    checkRemarks(remains, ledger.remarks, &report)
    report.strayed = ledger.strayed
    report.lost += ledger.expected.filter { !found.contains($0) }
    (report.trace, report.events) = (ledger.trace, ledger.events)
    return report
  }

  private struct Sight: Sendable {
    var waiting: [(kind: WaitingText.Kind, words: [String])] = []
    var shown: [StorePath: [UInt8]] = [:]
    /// The ids of remarks in texts that were dropped.
    var dropped: [String] = []
    var talks: [String] = []
    /// Of listed notes that cannot be read.
    var failures: [String] = []
  }

  /// The texts that wait at a machine, and the notes that it shows.
  private func look(_ process: SimulatedProcess) async throws -> Sight {
    let task = Task.detached(executorPreference: pool.tasks) { () async throws -> Sight in
      var sight = Sight()
      for text in try await process.notes.waiting() {
        let bytes = text.isName ? [] : try await process.notes.text(of: text.id)
        sight.waiting.append((text.kind, WordLedger.words(of: bytes)))
        sight.dropped += RemarkLedger.ids(of: bytes)
      }
      for entry in process.copy.entries(of: process.copy.noteList) ?? [] where entry.kind == .file {
        do throws(StoreError) {
          sight.shown[entry.path] = try await process.notes.open(entry.path).bytes
        } catch {
          sight.failures.append("\(entry.path): \(error.kind)")
        }
      }
      sight.talks = try await process.notes.thingsWithTalk().map {
        ClubSimulation.words(of: $0.path, isGone: $0.isGone)
      }
      return sight
    }
    await calm()
    return try await task.value
  }
}

extension BlockingPool {
  /// Lets all work that is ready take so many steps.
  func advance(_ rounds: Int) async {
    await withUnsafeContinuation { advance(rounds, $0) }
  }

  private func advance(_ rounds: Int, _ continuation: UnsafeContinuation<Void, Never>) {
    submit {
      if rounds <= 0 || self.waitingJobs == 0 { return continuation.resume() }
      self.advance(rounds - 1, continuation)
    }
  }
}
