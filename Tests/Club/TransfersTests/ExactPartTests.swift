import FileStores
import Synchronization
import TestKit
import Testing
import Transfers

/// Stores whose uploads have parts of one size, and are bound to the path of their beginning.
@Suite struct `An upload in exact parts` {
  private let path: StorePath
  private let bench: Bench

  init() throws {
    path = try StorePath("a.jpg")
    bench = try Bench()
  }

  @Test(arguments: [701, 1400, 1401, 5000])
  func `sends parts of the store's size, whatever the settings are`(count: Int) async throws {
    let store = ScriptedStore(partBytes: 700)
    let engine = bench.engine(store)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(count))])[0]
    let end = await engine.ended(id)
    #expect(end?.state == .done && store.file(path) == Bench.bytes(count) && store.openSessions == 0)
    let offsets = store.steps.compactMap { if case .append(let at) = $0 { at } else { nil } }
    #expect(offsets == stride(from: 0, to: UInt64(count), by: 700).map { $0 })
    #expect(end?.keptUntil == nil)
  }

  @Test func `says its size at its beginning, and sends parts of the size that its session has`() async throws {
    let store = ScriptedStore(partBytes: 700, longer: 1400)
    let engine = bench.engine(store)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(5000))])[0]
    #expect(await engine.ended(id)?.state == .done && store.file(path) == Bench.bytes(5000))
    let offsets: [UInt64] = store.steps.compactMap { if case .append(let at) = $0 { at } else { nil } }
    #expect(offsets == [0, 1400, 2800, 4200])
    #expect(store.state.withLock { $0.sizes } == [5000])
  }

  @Test func `goes in one request when it has no more than a part`() async throws {
    let store = ScriptedStore(partBytes: 700)
    let engine = bench.engine(store, settings: TransferSettings(pieceBytes: 10))
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(700))])[0]
    #expect(await engine.ended(id)?.state == .done)
    #expect(!store.steps.contains(.begin))
  }

  @Test func `goes on from the unbroken run of parts, however late`() async throws {
    let bench = try Bench(stands: true)
    let store = ScriptedStore(partBytes: 700)
    let isFull = Mutex(true)
    store.run { (step) throws(StoreError) in
      guard step == .append(at: 1400), isFull.withLock({ $0 }) else { return }
      throw StoreError(.quota, "It is full.")
    }
    let first = bench.engine(store)
    let id = try await first.add([bench.upload("a.jpg", Bench.bytes(5000))])[0]
    #expect(await first.ended(id)?.state == .failed)
    await first.stop()
    bench.clock.advance(by: .seconds(70 * 86_400))
    isFull.withLock { $0 = false }
    let (second, delegate) = (bench.engine(store), bench.delegate)
    await second.attach(delegate)
    try await second.start()
    try await second.perform(.retry(id))
    #expect(await second.ended(id)?.state == .done)
    #expect(delegate.resumes(id) == [1400] && store.file(path) == Bench.bytes(5000))
  }

  /// As a kill between the store's answer and the journal's row.
  private func losingItsBeginning(_ store: ScriptedStore) async throws -> (bench: Bench, id: Transfer.ID) {
    let bench = try Bench(stands: true)
    store.run { (step) throws(StoreError) in
      if step == .begun { throw StoreError(.quota, "The answer was lost.") }
    }
    let engine = bench.engine(store)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(5000))])[0]
    #expect(await engine.ended(id)?.state == .failed && store.openSessions == 1)
    await engine.stop()
    store.run { _ in }
    return (bench, id)
  }

  @Test func `that was lost at its beginning is abandoned when it begins anew`() async throws {
    let store = ScriptedStore(partBytes: 700)
    let (bench, id) = try await losingItsBeginning(store)
    let engine = bench.engine(store)
    try await engine.start()
    try await engine.perform(.retry(id))
    #expect(await engine.ended(id)?.state == .done && store.file(path) == Bench.bytes(5000))
    #expect(store.steps.filter { $0 == .abandonLost }.count == 1 && store.openSessions == 0)
  }

  @Test func `that was lost at its beginning is no reason to send nothing`() async throws {
    let store = ScriptedStore(partBytes: 700)
    let (bench, id) = try await losingItsBeginning(store)
    store.run { (step) throws(StoreError) in
      if step == .abandonLost { throw StoreError(.notPermitted, "You must not list uploads.") }
    }
    let engine = bench.engine(store)
    try await engine.start()
    try await engine.perform(.retry(id))
    #expect(await engine.ended(id)?.state == .done && store.file(path) == Bench.bytes(5000))
  }

  @Test func `takes a free name before its first part`() async throws {
    let store = ScriptedStore(partBytes: 700)
    store.set(path, [1])
    let engine = bench.engine(store)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(2000))])[0]
    let end = await engine.ended(id)
    #expect(end?.state == .done && end?.restarts == 0)
    let second = try StorePath("a (2).jpg")
    #expect(store.file(path) == [1] && store.file(second) == Bench.bytes(2000))
  }

  @Test func `is the file that is there already, when that has its content`() async throws {
    let store = ScriptedStore(partBytes: 700)
    store.set(path, Bench.bytes(2000))
    let engine = bench.engine(store)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(2000))])[0]
    #expect(await engine.ended(id)?.state == .done)
    #expect(store.paths == [path] && !store.steps.contains(.begin))
  }

  @Test func `begins anew when its name is taken while it is sent`() async throws {
    let store = ScriptedStore(partBytes: 700)
    let path = path
    store.run { step in if step == .append(at: 1400), store.file(path) == nil { store.set(path, [1]) } }
    let engine = bench.engine(store)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(2000))])[0]
    let end = await engine.ended(id)
    #expect(end?.state == .done && end?.restarts == 1)
    let second = try StorePath("a (2).jpg")
    #expect(store.file(path) == [1] && store.file(second) == Bench.bytes(2000))
    #expect(store.openSessions == 0)
  }
}
