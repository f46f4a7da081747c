import Backends
import FileStores
import Foundation
import TestKit
import Testing
import Transfers

@Suite struct `The engine` {
  @Test(arguments: [0, 1, 999, 1000, 1001, 25_000])
  func `carries a file up, whole`(count: Int) async throws {
    let bench = try Bench()
    let (engine, delegate, bytes) = (bench.engine(), bench.delegate, Bench.bytes(count))
    await engine.attach(delegate)
    let id = try await engine.add([bench.upload("a.jpg", bytes)])[0]
    let end = await engine.ended(id)
    #expect(end?.state == .done && end?.error == nil && end?.sent == UInt64(count), "\(String(describing: end))")
    #expect(try await bench.stored("a.jpg") == bytes)
    #expect(delegate.breaches(id) == [], "\(delegate.events(id))")
    #expect(delegate.states(id).last == .done)
    #expect(try await bench.journal.records().records.map(\.phase) == [.done])
  }

  @Test(arguments: [0, 1, 999, 1000, 1001, 25_000])
  func `carries a file down, whole`(count: Int) async throws {
    let bench = try Bench()
    let (engine, delegate, bytes) = (bench.engine(), bench.delegate, Bench.bytes(count))
    _ = try await bench.memory.put(DataSource(bytes), at: try StorePath("a.jpg"), mode: .create)
    await engine.attach(delegate)
    let id = try await engine.add([bench.download("a.jpg")])[0]
    let end = await engine.ended(id)
    #expect(end?.state == .done && end?.place == bench.folder.file("a.jpg"), "\(String(describing: end))")
    #expect(bench.folder.names() == ["a.jpg"] && bench.folder.bytes("a.jpg") == bytes)
    #expect(delegate.breaches(id) == [], "\(delegate.events(id))")
  }

  @Test func `writes an order down before anything is sent`() async throws {
    let bench = try Bench()
    let store = ScriptedStore(pieceBytes: 1000)
    let (gate, journal) = (Gate(), bench.journal)
    store.run { _ in await gate.wait() }
    let engine = bench.engine(store)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(3000))])[0]
    #expect(try await journal.records().records.map(\.id) == [id])
    await gate.arrivals(1)
    gate.open()
    #expect(await engine.ended(id)?.state == .done)
  }

  @Test func `takes no order that its stores refuse, and writes none of it down`() async throws {
    struct Others: TransferStores {
      func store(for order: TransferOrder) async throws(StoreError) -> any FileStore { MemoryStore() }
      func check(_ orders: [TransferOrder]) async throws(StoreError) { throw StoreError(.notSignedIn, "Another's.") }
    }
    let bench = try Bench()
    let engine = TransferEngine(
      journal: bench.journal, stores: Others(), settings: .small, pool: bench.pool, clock: bench.clock, now: bench.now)
    await #expect(throws: StoreError(.notSignedIn, "Another's.")) {
      try await engine.add([bench.upload("a.jpg", Bench.bytes(3))])
    }
    #expect(try await bench.journal.records().records.isEmpty)
    #expect(try await engine.transfers().isEmpty)
    await engine.stop()
  }

  @Test func `takes no order when it was stopped while its stores looked at it`() async throws {
    struct Slow: TransferStores {
      let gate: Gate
      func store(for order: TransferOrder) async throws(StoreError) -> any FileStore { MemoryStore() }
      func check(_ orders: [TransferOrder]) async throws(StoreError) { await gate.wait() }
    }
    let bench = try Bench()
    let gate = Gate()
    let engine = TransferEngine(
      journal: bench.journal, stores: Slow(gate: gate), settings: .small, pool: bench.pool, clock: bench.clock,
      now: bench.now)
    let order = try bench.upload("a.jpg", Bench.bytes(3))
    let adding = Task { try await engine.add([order]) }
    await gate.arrivals(1)
    await engine.stop()
    gate.open()
    await #expect(throws: StoreError.self) { try await adding.value }
    #expect(try await bench.journal.records().records.isEmpty)
  }

  @Test(.timeLimit(.minutes(5))) func `a cancelled task waits for no end, and gets the transfer as it stands`()
    async throws
  {
    let bench = try Bench()
    let store = ScriptedStore(pieceBytes: 1000)
    let gate = Gate()
    store.run { _ in await gate.wait() }
    let engine = bench.engine(store)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(3000))])[0]
    await gate.arrivals(1)
    let waits = Task { await engine.ended(id) }
    waits.cancel()
    #expect(await waits.value?.state == .running)
    gate.open()
    #expect(await engine.ended(id)?.state == .done)
  }

  @Test func `goes on where another engine stopped, up`() async throws {
    let bench = try Bench()
    let store = ScriptedStore(pieceBytes: 1000)
    let (gate, bytes) = (Gate(), Bench.bytes(10_000))
    store.run { step in if step == .append(at: 4000) { await gate.wait() } }
    let first = bench.engine(store)
    let id = try await first.add([bench.upload("a.jpg", bytes)])[0]
    await gate.arrivals(1)
    await first.stop()
    let row = try await bench.journal.records().records[0]
    #expect(row.phase == .wanted && row.session != nil && row.offset == 4000, "\(row)")
    gate.open()
    let (second, delegate) = (bench.engine(store), bench.delegate)
    await second.attach(delegate)
    try await second.start()
    let end = await second.ended(id)
    #expect(try end?.state == .done && end?.restarts == 0 && store.file(StorePath("a.jpg")) == bytes)
    #expect(delegate.resumes(id) == [4000] && delegate.breaches(id) == [], "\(delegate.events(id))")
    #expect(store.openSessions == 0)
    // No byte went twice but those of the piece that was on its way.
    #expect(store.steps.filter { if case .append(let at) = $0 { at < 4000 } else { false } }.count == 4)
  }

  @Test func `goes on where another engine stopped, down`() async throws {
    let bench = try Bench()
    let store = ScriptedStore(chunkBytes: 1000)
    let (gate, bytes) = (Gate(), Bench.bytes(10_000))
    let path = try StorePath("a.jpg")
    store.set(path, bytes)
    store.run { step in if step == .read(at: 4000) { await gate.wait() } }
    let first = bench.engine(store)
    let id = try await first.add([bench.download("a.jpg")])[0]
    await gate.arrivals(1)
    await first.stop()
    let row = try await bench.journal.records().records[0]
    #expect(row.offset == 4000 && row.part != nil && bench.parts.count == 1, "\(row)")
    gate.open()
    let (second, delegate) = (bench.engine(store), bench.delegate)
    await second.attach(delegate)
    try await second.start()
    #expect(await second.ended(id)?.state == .done)
    #expect(bench.folder.bytes("a.jpg") == bytes && bench.folder.names() == ["a.jpg"])
    #expect(delegate.resumes(id) == [4000] && delegate.breaches(id) == [], "\(delegate.events(id))")
  }

  @Test(arguments: [600, 5000])
  func `gives the file in the store its own time, in one request and in pieces`(count: Int) async throws {
    let (bench, club) = (try Bench(), try TemporaryFolder())
    defer { withExtendedLifetime(club) {} }
    let order = try bench.upload("a.jpg", Bench.bytes(count))
    let time = Date(timeIntervalSince1970: 1e9)
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: bench.folder.file("a.jpg"))
    let engine = bench.engine(try FolderStore(root: club.path, pool: bench.pool))
    let end = await engine.ended(try await engine.add([order])[0])
    #expect(end?.entry?.modified == Timestamp(seconds: 1_000_000_000), "\(String(describing: end))")
    await engine.stop()
  }

  @Test func `pauses, goes on and cancels`() async throws {
    let bench = try Bench()
    let store = ScriptedStore(pieceBytes: 1000)
    let (gate, bytes) = (Gate(), Bench.bytes(5000))
    store.run { step in if step == .append(at: 2000) { await gate.wait() } }
    let (engine, delegate) = (bench.engine(store), bench.delegate)
    await engine.attach(delegate)
    let id = try await engine.add([bench.upload("a.jpg", bytes)])[0]
    await gate.arrivals(1)
    try await engine.perform(.pause(id))
    try await engine.perform(.pause(id))
    await delegate.reached(.paused, id)
    #expect(try await bench.journal.records().records[0].phase == .paused)
    gate.open()
    try await engine.perform(.resume(id))
    #expect(await engine.ended(id)?.state == .done)
    #expect(try store.file(StorePath("a.jpg")) == bytes && delegate.breaches(id) == [], "\(delegate.events(id))")
  }

  @Test func `leaves nothing of what was cancelled`() async throws {
    let bench = try Bench()
    let store = ScriptedStore(pieceBytes: 1000, chunkBytes: 1000)
    store.set(try StorePath("down.jpg"), Bench.bytes(5000))
    let gate = Gate()
    store.run { step in if step == .append(at: 2000) || step == .read(at: 3000) { await gate.wait() } }
    let (engine, delegate) = (bench.engine(store), bench.delegate)
    await engine.attach(delegate)
    let ids = try await engine.add([bench.upload("up.jpg", Bench.bytes(5000)), bench.download("down.jpg")])
    await gate.arrivals(2)
    for id in ids { try await engine.perform(.cancel(id)) }
    for id in ids {
      let end = await engine.ended(id)
      #expect(end?.state == .cancelled && end?.error?.kind == .cancelled)
      #expect(delegate.breaches(id) == [], "\(delegate.events(id))")
    }
    #expect(try store.openSessions == 0 && store.paths == [StorePath("down.jpg")] && bench.folder.names() == ["up.jpg"])
    for id in ids { try await engine.perform(.dismiss(id)) }
    #expect(try await engine.transfers().isEmpty)
    #expect(try await bench.journal.records().records.isEmpty)
  }

  @Test func `knows the transfers of one file, whatever became of them`() async throws {
    let bench = try Bench()
    let store = ScriptedStore(pieceBytes: 1000)
    let gate = Gate()
    var engine = bench.engine(store)
    /// Those of a file, which are the same as by a look at all.
    func ids(_ name: String) async throws -> [Transfer.ID] {
      let (own, all) = (try await engine.transfers(ofLocal: bench.folder.file(name)), try await engine.transfers())
      #expect(own.map(\.id) == all.filter { $0.local == bench.folder.file(name) }.map(\.id))
      return own.map(\.id)
    }
    let (bytes, names) = ([UInt8](repeating: 7, count: 3), ["1.jpg", "2.jpg", "3.jpg"])
    let over = try await engine.add([bench.upload("a.jpg", bytes, to: "0.jpg")])[0]
    _ = await engine.ended(over)
    store.run { _ in await gate.wait() }
    let queued = try await engine.add(try names.map { try bench.upload("a.jpg", bytes, to: $0) })
    let other = try await engine.add([bench.upload("b.jpg", bytes)])
    #expect(try await ids("a.jpg") == queued + [over])
    #expect(try await ids("b.jpg") == other)
    try await engine.perform(.move(queued[2], .first))
    #expect(try await ids("a.jpg") == [queued[2], queued[0], queued[1], over])
    try await engine.perform(.dismiss(over))
    #expect(try await ids("a.jpg") == [queued[2], queued[0], queued[1]])
    gate.open()
    for id in queued + other { _ = await engine.ended(id) }
    await engine.stop()
    engine = bench.engine(store)
    #expect(try await Set(ids("a.jpg")) == Set(queued))
    for id in queued { try await engine.perform(.dismiss(id)) }
    #expect(try await ids("a.jpg").isEmpty)
    #expect(try await ids("b.jpg") == other)
    await engine.stop()
  }

  private final class Onlooker: TransferDelegate {
    var isSeen: Bool { true }
    func report(_ event: TransferEvent) {}
  }

  @Test(arguments: [true, false])
  func `writes down whether a member has seen how a transfer ended`(isSeen: Bool) async throws {
    let bench = try Bench()
    let engine = bench.engine()
    let (onlooker, watcher) = (Onlooker(), bench.delegate)
    if isSeen { await engine.attach(onlooker) } else { await engine.attach(watcher) }
    let id = try await engine.add([bench.upload("a.jpg", [1, 2, 3])])[0]
    #expect(await engine.ended(id)?.isAcknowledged == isSeen)
    #expect(try await bench.journal.records().records[0].isAcknowledged == isSeen)
    await engine.stop()
    let next = bench.engine()
    #expect(try await next.transfers()[0].isAcknowledged == isSeen)
    try await next.perform(.acknowledge(id))
    #expect(try await bench.journal.records().records[0].isAcknowledged)
    await next.stop()
  }
}
