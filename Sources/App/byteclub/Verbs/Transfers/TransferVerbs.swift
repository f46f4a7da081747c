import ArgumentParser
import Basics
import ClubServices
import Database
import FileStores
import JSON
import Screens
import TextUI
import Transfers

struct TransferNoun: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transfer",
    abstract: "List, pause, resume, cancel and continue uploads and downloads.",
    discussion: Examples.text([
      "byteclub transfer ls": "all transfers of every running byteclub",
      "byteclub transfer run": "finish all unfinished transfers",
      "byteclub transfer pause t4k2": "stop one for a while; the beginning of its id is enough",
      "byteclub transfer limit 2M": "at most 2 MiB a second, from now on",
      "byteclub transfer wait": "wait until all have finished",
    ])
      + "\n\nA journal keeps the transfers: after a crash or a reboot they continue where they stopped. One byteclub at a "
      + "time runs them: the app, a photo put or get, or transfer run. The other commands reach it wherever it "
      + "runs; when no byteclub runs transfers, they only change the journal.",
    subcommands: [
      TransferList.self, TransferPause.self, TransferResume.self, TransferCancel.self, TransferRetryVerb.self,
      TransferDismiss.self,
      TransferMoveVerb.self, TransferLimit.self, TransferWaitVerb.self, TransferRunVerb.self,
    ])
}

struct TransferSession: Sendable {
  let hub: TransferHub
  let base: TransferBase
  let outbox: OutboxDatabase
  let output: Output
  let isJSON: Bool

  /// Those of this member. The process that runs the transfers may be another member's.
  func transfers() async throws(StoreError) -> [Transfer] { await base.own(try await hub.transfers()) }

  /// Attaches delegates to the events of this member's transfers.
  func attachOwn(_ delegates: [any TransferDelegate]) async throws(StoreError) {
    // Finds the owners, of whom an event cannot ask.
    _ = try await base.heldCounts(outbox)
    await hub.attach(delegates.map { OwnEvents($0, isOwn: base.isOwn) })
  }
}

/// A verb that needs no open club, because transfers store their own.
protocol TransferVerb: PlainVerb {
  /// This process runs the transfers while no other process does.
  var carries: Bool { get }
  /// Ctrl-C cancels it.
  func perform(_ session: TransferSession) async throws(StoreError) -> Answer
}

extension TransferVerb {
  var carries: Bool { false }

  func perform(_ output: Output) async throws -> Answer {
    let base = try TransferBase(shared.start)
    let outbox = OutboxDatabase(openingLater: base.paths.outboxFile)
    let hub = TransferHub.of(base, outbox: outbox, carries: carries)
    let session = TransferSession(hub: hub, base: base, outbox: outbox, output: output, isJSON: shared.json)
    do throws(StoreError) {
      let answer = try await perform(session)
      await hub.stop()
      return answer
    } catch {
      await hub.stop()
      throw error
    }
  }
}

struct TransferList: TransferVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List all transfers in the order of the queue, finished ones last.",
    discussion: Examples.text([
      "byteclub transfer ls": "id, state, progress, name",
      "byteclub transfer ls --json": "all details",
    ]))

  @OptionGroup var shared: SharedOptions

  func perform(_ session: TransferSession) async throws(StoreError) -> Answer {
    let answer = TransferLines.answer(try await session.transfers(), club: session.base.club)
    if let sentence = try await session.base.heldBack(session.outbox) { session.output.alert(sentence) }
    return answer
  }
}

enum TransferLines {
  /// Each line names its club if there are several, or another than `club`.
  static func answer(_ transfers: [Transfer], club: String? = nil) -> Answer {
    let clubs = Set(transfers.map(\.club)).union(club.map { [$0] } ?? [])
    let short = TransferName.short(transfers.map(\.id))
    let rows = transfers.map { ($0, short[$0.id] ?? $0.id, state($0)) }
    let ids = rows.map { $0.1.count }.max() ?? 0
    let words = rows.map { $0.2.count }.max() ?? 0
    return Answer(
      rows.map { transfer, id, word in
        let columns = [padded(id, ids), padded(word, words), progress(transfer), what(transfer, clubs.count > 1)]
        return Record(.transfer(transfer), line: columns.joined(separator: "  "))
      })
  }

  /// `paused`, `waiting 23 s (rate limited)`, …
  static func state(_ transfer: Transfer) -> String {
    guard transfer.state == .waiting else { return transfer.state.word }
    return WaitingWords.text(transfer, now: Timestamp.now().seconds)
  }

  private static func what(_ transfer: Transfer, _ namesClub: Bool) -> String {
    let club = namesClub && !transfer.club.isEmpty ? "\(transfer.club): " : ""
    let name = (transfer.direction == .upload ? "up    " : "down  ") + club + transfer.name
    guard transfer.state == .failed || transfer.state == .waiting, let error = transfer.error else { return name }
    return "\(name): \(error.message)"
  }

  private static func progress(_ transfer: Transfer) -> String {
    guard let percent = transfer.percent else { return "     " }
    return String(repeating: " ", count: 3 - "\(percent)".count) + "\(percent) %"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

enum TransferName {
  /// - Throws: `notFound`; `badInput` if several ids begin with the name.
  static func find(_ name: String, among transfers: [Transfer]) throws(StoreError) -> Transfer {
    if let exact = transfers.first(where: { $0.id == name }) { return exact }
    let remedy = "See the ids with: byteclub transfer ls"
    let found = name.isEmpty ? [] : transfers.filter { $0.id.hasPrefix(name) }
    guard let first = found.first else {
      throw StoreError(.notFound, "byteclub has no transfer \"\(name)\".", remedy: remedy)
    }
    guard found.count == 1 else {
      throw StoreError(.badInput, "\"\(name)\" begins the ids of \(found.count) transfers.", remedy: remedy)
    }
    return first
  }

  /// The shortest unique beginnings, at least five characters long.
  static func short(_ ids: [Transfer.ID]) -> [Transfer.ID: String] {
    // In sorted order, an id shares its longest prefix with a neighbour.
    let sorted = ids.sorted()
    var short: [Transfer.ID: String] = [:]
    for (at, id) in sorted.enumerated() {
      let neighbours = [at > 0 ? sorted[at - 1] : "", at + 1 < sorted.count ? sorted[at + 1] : ""]
      let shared = neighbours.map { zip($0, id).prefix { $0 == $1 }.count }.max() ?? 0
      short[id] = String(id.prefix(max(5, shared + 1)))
    }
    return short
  }
}

struct TransferMoveVerb: TransferVerb {
  enum Place: String, CaseIterable, ExpressibleByArgument, Sendable {
    case up, down, first, last

    var move: TransferMove {
      switch self {
      case .up: .up
      case .down: .down
      case .first: .first
      case .last: .last
      }
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Change a transfer's place in the queue.",
    discussion: Examples.text(["byteclub transfer move t4k2 first": "it starts next"]))

  @Argument(help: "The id, or its beginning.") var id: String
  @Argument(help: "up, down, first or last.") var place: Place
  @OptionGroup var shared: SharedOptions

  func perform(_ session: TransferSession) async throws(StoreError) -> Answer {
    let transfer = try TransferName.find(id, among: try await session.transfers())
    guard !transfer.state.isOver else {
      throw StoreError(
        .conflict, "\"\(transfer.name)\" (\(transfer.id)) is \(transfer.state.word) and has no place in the queue.",
        path: transfer.path)
    }
    try await session.hub.perform(.move(transfer.id, place.move))
    return TransferLines.answer(try await session.transfers().filter { !$0.state.isOver })
  }
}

struct TransferLimit: TransferVerb {
  static let configuration = CommandConfiguration(
    commandName: "limit", abstract: "Limit the rate of all transfers together, or print the limit.",
    discussion: Examples.text([
      "byteclub transfer limit 500K": "at most 500 KiB a second, also after a restart",
      "byteclub transfer limit off": "no limit",
      "byteclub transfer limit": "print the limit",
    ]))

  @Argument(help: "Bytes a second, such as 500K or 2M, or off.") var rate: ByteRate?
  @OptionGroup var shared: SharedOptions

  func perform(_ session: TransferSession) async throws(StoreError) -> Answer {
    if let rate { try await session.hub.perform(.limit(rate.bytesPerSecond)) }
    let limit = try await session.hub.limit()
    return Answer([
      Record(
        .members(["limit": limit.map { .number($0) } ?? .null]),
        line: limit.map { ByteCount.rate(Int(clamping: $0)) } ?? "off")
    ])
  }
}

extension ByteRate: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

struct WaitingLimit: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Stop waiting after this many seconds, and say what still waits and why (exit code 6).", valueName: "seconds"))
  var timeout: Int?

  func validate() throws {
    if let timeout, timeout < 1 { throw ValidationError("--timeout needs 1 second or more.") }
  }

  /// Waits until no transfer is active; false if the time ran out.
  func settled(_ watch: TransferWatch) async -> Bool {
    guard let timeout else {
      await watch.settled()
      return true
    }
    let isInTime = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await watch.settled()
        return true
      }
      group.addTask { (try? await TimerClock().sleep(for: .seconds(timeout))) == nil }
      let first = await group.next() ?? true
      group.cancelAll()
      return first
    }
    return isInTime || Task.isCancelled
  }

  static func note(_ transfers: [Transfer], in answer: inout Answer) {
    answer.isOutOfTime = true
    for transfer in transfers where !transfer.state.isOver && transfer.state != .paused {
      let why = transfer.error.map { " \($0.message)" } ?? ""
      answer.failures.append(
        StoreError(
          .offline, "\"\(transfer.name)\" (\(transfer.id)) has not finished: \(TransferLines.state(transfer)).\(why)",
          remedy: "To continue: byteclub transfer run", path: transfer.path))
    }
  }
}
