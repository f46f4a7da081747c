import Backends
import Basics
import Database
import FileStores
import Logging
import TestKit
import Testing

@testable import StoreServer

/// Batches that wait reach the receiver, whatever it answers.
@Suite(.timeLimit(.minutes(5))) struct HookDeliveryTests {
  private static let pool = BlockingPool(threads: 4)
  private static let place = ServerHookDatabase.Place(epoch: "e", number: 1)

  private func batch(_ number: Int) -> ServerHookDatabase.Batch {
    ServerHookDatabase.Batch(id: "batch \(number)", body: "{\"number\":\(number)}")
  }

  private func index(over store: any FileStore = MemoryStore()) throws -> ClubIndex {
    ClubIndex(
      store: store, database: try ServerIndexDatabase(path: ":memory:"), pool: Self.pool, now: { HookReceiver.time })
  }

  /// A database with batches that wait.
  private func waiting(_ count: Int, in folder: String = "") throws -> ServerHookDatabase {
    let database = try ServerHookDatabase(path: folder.isEmpty ? ":memory:" : folder + "/hook.sqlite")
    for number in 0..<count { _ = try database.add(batch(number), endingAt: Self.place, most: 1000) }
    return database
  }

  private func club(
    _ hook: EventHook, _ waiting: ServerHookDatabase, log: KeptLog = KeptLog(), _ index: ClubIndex? = nil
  ) throws -> ClubHook {
    let index = try index ?? self.index()
    let place = try index.database.read {
      ServerHookDatabase.Place(epoch: try $0.epoch(), number: try $0.newestNumber())
    }
    try waiting.begin(after: place)
    return ClubHook(
      hook, club: "club", index: index, waiting: waiting, logger: Logger(label: "test") { _ in log.handler })
  }

  @Test func `a batch has the signature of its time and body, and is sent once`() async throws {
    let receiver = try HookReceiver { _ in RawAnswer(200) }
    let waiting = try waiting(3)
    let club = try club(receiver.hook(ManualClock()), waiting)
    let running = Task { await club.run() }
    let found = await receiver.next(3)
    #expect(found.map(\.id) == (0..<3).map { batch($0).id } && found.map(\.body) == (0..<3).map { batch($0).body })
    for delivery in found {
      let mac = HMAC.sha256("1700000000." + delivery.body, key: HookReceiver.key)
      #expect(delivery.signature == "t=1700000000,v1=" + SHA256.hexadecimal(mac))
    }
    while try waiting.oldest() != nil { await Task.yield() }
    running.cancel()
    await running.value
    #expect(receiver.all.count == 3)
  }

  @Test
  func `a receiver that fails, redirects, answers garbage or breaks off gets the same batch again, later and later`()
    async throws
  {
    let receiver = try HookReceiver { number in
      switch number {
      case 0: RawAnswer(500)
      case 1: RawAnswer(302, headers: ["Location": "http://127.0.0.1/elsewhere"])
      case 2: RawAnswer(raw: "NONSENSE\r\n\r\n")
      case 3: RawAnswer(raw: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx")
      case 4: RawAnswer(200, body: [UInt8](repeating: 7, count: 200_000), closes: true)
      default: RawAnswer(200)
      }
    }
    let (clock, log, waiting) = (ManualClock(), KeptLog(), try waiting(2))
    let club = try club(receiver.hook(clock), waiting, log: log)
    let running = Task { await club.run() }
    for _ in 0..<5 {
      _ = await receiver.next()
      await clock.waitForSleepers()
      clock.advance(by: .seconds(3600))
    }
    _ = await receiver.next(2)
    running.cancel()
    await running.value
    #expect(receiver.all.map(\.id) == Array(repeating: batch(0).id, count: 6) + [batch(1).id])
    #expect(Set(receiver.all.prefix(6).map(\.body)) == [batch(0).body])
    let pauses = clock.slept
    #expect(
      pauses.count == 5 && pauses.prefix(3).allSatisfy { $0 < .seconds(60) } && pauses[4] > pauses[0], "\(pauses)")
    #expect(log.all.count == 5 && log.all.allSatisfy { $0.contains("did not take a batch") }, "\(log.all)")
    #expect(log.all.first?.contains("It answered with status 500.") == true)
  }

  @Test func `a receiver that hangs is left after thirty seconds of the hook's clock`() async throws {
    let receiver = try HookReceiver { $0 == 0 ? nil : RawAnswer(200) }
    let (clock, log, waiting) = (ManualClock(), KeptLog(), try waiting(1))
    let club = try club(receiver.hook(clock), waiting, log: log)
    let running = Task { await club.run() }
    _ = await receiver.next()
    while clock.dozing == 0 { await Task.yield() }
    clock.advance(by: EventHook.longestAnswer)
    await clock.waitForSleepers()
    #expect(log.all.first?.contains("It did not answer within 30 seconds.") == true, "\(log.all)")
    clock.advance(by: .seconds(3600))
    #expect(await receiver.next().map(\.id) == [batch(0).id])
    running.cancel()
    await running.value
  }

  @Test func `of a thousand batches that wait the oldest goes for a new one, which is said`() async throws {
    let receiver = try HookReceiver { _ in nil }
    let (clock, log, waiting, store) = (ManualClock(), KeptLog(), try waiting(1000), MemoryStore())
    let index = try index(over: store)
    let club = try club(receiver.hook(clock), waiting, log: log, index)
    let running = Task { await club.run() }
    _ = await receiver.next()
    _ = try await store.put(DataSource([1]), at: StorePath("new.md"), mode: .overwrite)
    _ = try await index.look(at: StorePath("new.md"))
    await clock.waitForSleepers()
    clock.advance(by: .seconds(60))
    while !log.all.contains(where: { $0.contains("has not taken 1000 batches, so the oldest one was dropped") }) {
      await Task.yield()
    }
    #expect(try waiting.oldest() == batch(1))
    running.cancel()
    await running.value
  }

  @Test func `an address of this machine gets nothing unless its owner allows it`() async throws {
    let receiver = try HookReceiver { _ in RawAnswer(200) }
    let (clock, log) = (ManualClock(), KeptLog())
    let club = try club(receiver.hook(clock, allowsPrivate: false), waiting(1), log: log)
    let running = Task { await club.run() }
    await clock.waitForSleepers()
    running.cancel()
    await running.value
    #expect(receiver.all.isEmpty && log.all.first?.contains("is not a public address") == true, "\(log.all)")
  }

  @Test func `what was not acknowledged is sent again after a restart, and nothing else`() async throws {
    try await withTemporaryFolder { folder in
      let receiver = try HookReceiver { $0 == 1 ? nil : RawAnswer(200) }
      try await run(receiver, waiting(2, in: folder)) { _ = await receiver.next(2) }
      #expect(receiver.all.map(\.id) == [batch(0).id, batch(1).id])
      let again = try waiting(0, in: folder)
      try await run(receiver, again) {
        _ = await receiver.next()
        while try again.oldest() != nil { await Task.yield() }
      }
      #expect(receiver.all.map(\.id) == [batch(0).id, batch(1).id, batch(1).id])
      #expect(try waiting(0, in: folder).oldest() == nil)
    }
  }

  private func run(
    _ receiver: HookReceiver, _ waiting: ServerHookDatabase, _ body: () async throws -> Void
  ) async throws {
    let club = try club(receiver.hook(ManualClock()), waiting)
    let running = Task { await club.run() }
    try await body()
    running.cancel()
    await running.value
  }

  @Test func `a key of a few characters is refused`() {
    let error = #expect(throws: StoreError.self) { try EventHook(key: Array("short".utf8), post: { _, _ in 200 }) }
    #expect(error?.message == "The key of the hook has less than 16 characters.")
  }
}
