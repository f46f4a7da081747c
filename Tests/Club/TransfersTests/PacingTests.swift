import Backends
import FileStores
import Synchronization
import TestKit
import Testing
import Transfers

@Suite struct `Pacing` {
  // MARK: - Trying again

  @Test func `waits as long as the store asks for, and says until when`() async throws {
    let bench = try Bench(stands: true)
    let store = ScriptedStore(pieceBytes: 1000)
    let isFirst = Mutex(true)
    store.run { (step) throws(StoreError) in
      guard step == .append(at: 2000),
        isFirst.withLock({ first in
          defer { first = false }
          return first
        })
      else { return }
      throw StoreError(.rateLimited, "Too often.", retryAfter: .seconds(23))
    }
    let (engine, delegate) = (bench.engine(store), bench.delegate)
    await engine.attach(delegate)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(5000))])[0]
    await delegate.reached(.waiting, id)
    let waiting = try await engine.transfers()[0]
    #expect(waiting.state == .waiting && waiting.error?.kind == .rateLimited && waiting.sent == 2000)
    let until = try #require(waiting.resumesAt)
    #expect(until >= Timestamp(seconds: 1_700_000_023) && until <= Timestamp(seconds: 1_700_000_024))
    // One timer for the transfer, and one for its store.
    await bench.clock.waitForSleepers(2)
    #expect(bench.clock.slept.allSatisfy { $0 >= .seconds(23) && $0 <= .seconds(24) })
    bench.clock.advance(by: .seconds(24))
    #expect(await engine.ended(id)?.state == .done)
    #expect(delegate.resumes(id) == [2000] && delegate.breaches(id) == [], "\(delegate.events(id))")
  }

  @Test func `fails at once when the store asks for more than five minutes, and says when to come back`() async throws {
    let bench = try Bench(stands: true)
    let store = ScriptedStore(pieceBytes: 1000)
    store.run { (step) throws(StoreError) in
      if step == .append(at: 2000) { throw StoreError(.rateLimited, "Too often.", retryAfter: .seconds(301)) }
    }
    let engine = bench.engine(store)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(5000))])[0]
    let end = await engine.ended(id)
    #expect(end?.state == .failed && end?.sent == 2000 && end?.error?.message == "Too often.")
    #expect(end?.error?.remedy.hasPrefix("Come back ") == true && bench.clock.slept.isEmpty)
  }

  @Test func `leaves the others of a store alone that asked for it`() async throws {
    let bench = try Bench(stands: true)
    let store = ScriptedStore(pieceBytes: 1000)
    let isOut = Mutex(true)
    store.run { (step) throws(StoreError) in
      if isOut.withLock({ $0 }) { throw StoreError(.rateLimited, "Too often.", retryAfter: .seconds(10)) }
    }
    let (engine, delegate) = (bench.engine(store, settings: TransferSettings(concurrent: 1)), bench.delegate)
    await engine.attach(delegate)
    let orders = try (0..<20).map { try bench.upload("\($0).jpg", Bench.bytes(10)) }
    let ids = try await engine.add(orders)
    await delegate.reached(.waiting, ids[0])
    await bench.clock.waitForSleepers(2)
    #expect(try await engine.transfers().filter { $0.state == .queued }.count == 19 && store.steps.count == 1)
    isOut.withLock { $0 = false }
    bench.clock.advance(by: .seconds(11))
    for id in ids { #expect(await engine.ended(id)?.state == .done) }
  }

  @Test func `takes no network for no error, however long, and asks more and more seldom`() async throws {
    let bench = try Bench()
    let store = ScriptedStore(pieceBytes: 1000)
    let left = Mutex(30)
    store.run { (step) throws(StoreError) in
      switch step {
      case .append, .entry:
        if left.withLock({ left in
          if case .append = step { left -= 1 }
          return left >= 0
        }) {
          throw StoreError(.offline, "No network.")
        }
      default: return
      }
    }
    let engine = bench.engine(store)
    let end = await engine.ended(try await engine.add([bench.upload("a.jpg", Bench.bytes(2000))])[0])
    #expect(end?.state == .done && end?.attempts == 31 && end?.restarts == 0)
    let pauses = bench.clock.slept.filter { $0 > .zero }
    #expect(pauses.contains { $0 < .seconds(1) } && pauses.allSatisfy { $0 <= .seconds(60) })
    #expect(pauses.filter { $0 >= .seconds(30) }.count >= 20)
  }

  @Test func `gives up when connections break again and again while the store answers other requests`() async throws {
    let bench = try Bench()
    let store = ScriptedStore(pieceBytes: 1000)
    store.run { (step) throws(StoreError) in
      if case .append = step { throw StoreError(.offline, "The connection was reset.") }
    }
    let engine = bench.engine(store)
    let end = await engine.ended(try await engine.add([bench.upload("a.jpg", Bench.bytes(2000))])[0])
    #expect(end?.state == .failed && end?.attempts == 8 && end?.error?.kind == .server)
    let message = end?.error?.message ?? ""
    #expect(message.contains("answers other requests") && message.contains("reset") && message.contains("8 times"))
    await engine.stop()
  }

  @Test func `gives up on a store that fails again and again without taking a byte`() async throws {
    let bench = try Bench()
    let store = ScriptedStore(pieceBytes: 1000)
    let fails = Mutex(true)
    store.run { (step) throws(StoreError) in
      if case .append = step, fails.withLock({ $0 }) { throw StoreError(.server, "It failed.") }
    }
    let engine = bench.engine(store)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(2000))])[0]
    let end = await engine.ended(id)
    #expect(end?.state == .failed && end?.error?.kind == .server && end?.attempts == 8)
    fails.withLock { $0 = false }
    try await engine.perform(.retry(id))
    #expect(await engine.ended(id)?.state == .done)
  }

  @Test(arguments: [0.0, 0.5, 0.999])
  func `draws pauses between half and all of what is due`(draw: Double) {
    let retry = RetryPolicy(attempts: 4, firstPause: .seconds(2), longestPause: .seconds(60))
    let offline = StoreError(.offline, "No network.")
    for (failures, due) in [(1, 2), (2, 4), (5, 32), (6, 60), (500, 60)] {
      let pause = retry.pause(of: offline, failures: failures, draw: draw)
      #expect(pause == .seconds(due) * (0.5 + 0.5 * draw))
    }
    #expect(retry.pause(of: StoreError(.server, ""), failures: 4, draw: draw) == nil)
    #expect(retry.pause(of: StoreError(.quota, ""), failures: 1, draw: draw) == nil)
    let told = StoreError(.rateLimited, "", retryAfter: .seconds(300))
    #expect(
      retry.pause(of: told, failures: 1, draw: draw).map { $0 >= .seconds(300) && $0 <= .seconds(301) } == true)
  }

  // MARK: - The limit

  @Test func `holds a limit over all transfers, both ways, within a tenth`() async throws {
    let bench = try Bench()
    let (engine, delegate) = (bench.engine(settings: TransferSettings(concurrent: 4)), bench.delegate)
    await engine.attach(delegate)
    try await engine.perform(.limit(100_000))
    #expect(try await bench.journal.limit() == 100_000)
    for name in ["c.jpg", "d.jpg"] {
      _ = try await bench.memory.put(DataSource(Bench.bytes(600_000)), at: try StorePath(name), mode: .create)
    }
    let began = bench.clock.now.offset
    let ids = try await engine.add([
      bench.upload("a.jpg", Bench.bytes(600_000)), bench.upload("b.jpg", Bench.bytes(600_000)),
      bench.download("c.jpg"), bench.download("d.jpg"),
    ])
    for id in ids {
      let end = try #require(await engine.ended(id))
      #expect(end.state == .done)
      // How the four share it hangs on whose turn it is; none is faster than all may be, or slower than to the end.
      #expect(end.rate.map { $0 > 20_000 && $0 < 100_000 } == true, "\(String(describing: end.rate))")
      #expect(delegate.breaches(id) == [], "\(delegate.events(id))")
      #expect(delegate.counts(id).count >= 10 && delegate.counts(id).last == 600_000)
    }
    let took = bench.clock.now.offset - began
    #expect(took >= .seconds(21.6) && took <= .seconds(26.4), "\(took) for 2.4 MB at 100 kB/s")
  }

  @Test func `takes another limit while it runs, and keeps it for the next engine`() async throws {
    let bench = try Bench()
    let store = ScriptedStore(pieceBytes: 1 << 20)
    let engine = bench.engine(store)
    let marks = Mutex<[Duration]>([])
    store.run { [weak engine] step in
      guard case .append(let at) = step else { return }
      if at == 0 { marks.withLock { $0.append(bench.clock.now.offset) } }
      if at >= 500_000, marks.withLock({ $0.count }) == 1 {
        marks.withLock { $0.append(bench.clock.now.offset) }
        try? await engine?.perform(.limit(500_000))
      }
    }
    try await engine.perform(.limit(50_000))
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(3_000_000))])[0]
    #expect(await engine.ended(id)?.state == .done)
    let end = bench.clock.now.offset
    let times = marks.withLock { $0 }
    try #require(times.count == 2)
    #expect(times[1] - times[0] >= .seconds(9) && times[1] - times[0] <= .seconds(11), "\(times)")
    #expect(end - times[1] >= .seconds(4.4) && end - times[1] <= .seconds(5.5), "\(end - times[1])")
    let next = bench.engine(store)
    #expect(try await next.limit() == 500_000)
  }

  @Test(arguments: [1000, 50_000, 5_000_000])
  func `a bucket gives what its rate says, whatever the pieces`(piece: Int) {
    var bucket = TokenBucket(rate: 1_000_000, at: .zero)
    var (time, taken) = (Duration.zero, 0)
    while taken < 50_000_000 {
      if let wait = bucket.take(piece, at: time) { time += wait } else { taken += piece }
    }
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
    // The last piece is not paid for any more.
    #expect(abs(seconds - Double(50_000_000 - piece) / 1_000_000) < 0.1, "\(seconds)")
  }

  @Test func `a bucket does not save up what was not used`() {
    var bucket = TokenBucket(rate: 1000, at: .zero)
    #expect(bucket.take(1, at: .seconds(3600)) == nil)
    #expect(bucket.take(1000, at: .seconds(3600)) == nil)
    #expect(bucket.take(1, at: .seconds(3600)) != nil)
    #expect(bucket.take(1, at: .seconds(3601)) == nil)
  }

  // MARK: - Order

  @Test func `begins in the order that a member chose`() async throws {
    let bench = try Bench()
    let store = ScriptedStore(pieceBytes: 1000)
    let gate = Gate()
    store.run { step in if step == .putOpened { await gate.wait() } }
    let (engine, delegate) = (bench.engine(store, settings: TransferSettings(concurrent: 1)), bench.delegate)
    await engine.attach(delegate)
    let orders = try ["a", "b", "c", "d", "e"].map { try bench.upload($0, Bench.bytes(10)) }
    let ids = try await engine.add(orders)
    await gate.arrivals(1)
    try await engine.perform(.move(ids[4], .first))
    try await engine.perform(.move(ids[1], .last))
    try await engine.perform(.move(ids[3], .up))
    try await engine.perform(.move(ids[3], .up))
    let expected = [4, 3, 0, 2, 1].map { ids[$0] }
    #expect(try await engine.transfers().map(\.id) == expected)
    #expect(delegate.orders.last == expected)
    #expect(try await bench.journal.records().records.map(\.id) == expected)
    gate.open()
    for id in ids { _ = await engine.ended(id) }
    let begun = try await engine.transfers().map(\.id)
    // The first was running already; those that are over come newest first.
    #expect(begun == [0, 4, 3, 2, 1].map { ids[$0] }.reversed())
  }

  @Test func `runs no more at once than is allowed, in all and of one store`() async throws {
    let bench = try Bench()
    let store = ScriptedStore(pieceBytes: 1000)
    let gate = Gate()
    store.run { step in if step == .putOpened { await gate.wait() } }
    let engine = bench.engine(store, settings: TransferSettings(concurrent: 5, perStore: 2))
    let orders = try (0..<12).map { number in
      let order = try bench.upload("\(number)", Bench.bytes(10))
      return TransferOrder(
        club: "", store: number < 8 ? "one" : "other", work: order.work, path: order.path, name: order.name)
    }
    let ids = try await engine.add(orders)
    await gate.arrivals(4)
    let running = try await engine.transfers().filter { $0.state == .running }.map(\.name)
    #expect(running == ["0", "1", "8", "9"])
    gate.open()
    for id in ids { #expect(await engine.ended(id)?.state == .done) }
  }

  // MARK: - Many

  /// Counts writes, and holds each until all who can have come.
  private actor CountingJournal: TransferJournal {
    let base = MemoryJournal()
    private(set) var writes = 0
    func records() async throws(StoreError) -> (records: [TransferRecord], damaged: Int) { try await base.records() }
    func write(_ records: [TransferRecord]) async throws(StoreError) {
      writes += 1
      for _ in 0..<50 { await Task.yield() }
      try await base.write(records)
    }
    func remove(_ ids: [Transfer.ID]) async throws(StoreError) { try await base.remove(ids) }
    func limit() async throws(StoreError) -> UInt64? { nil }
    func setLimit(_ bytesPerSecond: UInt64?) async throws(StoreError) {}
  }

  @Test func `writes what ends together down together`() async throws {
    let bench = try Bench()
    let journal = CountingJournal()
    let engine = bench.engine(journal: journal, settings: TransferSettings(concurrent: 4))
    let orders = try (0..<500).map { try bench.upload("\($0)", Bench.bytes(20, seed: UInt64($0))) }
    let ids = try await engine.add(orders)
    for id in ids { #expect(await engine.ended(id)?.state == .done) }
    await engine.stop()
    #expect(try await bench.storedNames().count == 500)
    #expect(try await journal.records().records.allSatisfy { $0.phase == .done })
    #expect(await journal.writes < 500)
  }

  @Test func `takes no order that cannot be written down`() async throws {
    let bench = try Bench()
    let power = Power(cutAt: 1)
    let engine = bench.engine(journal: PoweredJournal(base: bench.journal, power: power))
    let order = try bench.upload("a.jpg", [1])
    await #expect(throws: StoreError.self) { try await engine.add([order]) }
    #expect(try await engine.transfers().isEmpty)
    #expect(try await bench.stored("a.jpg") == nil)
  }

  @Test func `tells who comes later what is there`() async throws {
    let bench = try Bench()
    let engine = bench.engine()
    let id = try await engine.add([bench.upload("a.jpg", [1, 2, 3])])[0]
    _ = await engine.ended(id)
    let delegate = bench.delegate
    await engine.attach(delegate)
    #expect(delegate.events(id) == [.appeared(.done)])
    await engine.detach(delegate)
    try await engine.perform(.dismiss(id))
    #expect(delegate.events(id) == [.appeared(.done)])
    #expect(await engine.ended(id) == nil)
  }
}
