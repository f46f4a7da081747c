import FileStores
import Synchronization
import TestKit
import Testing
import Transfers

@Suite struct `Cancelling` {
  private let bench: Bench
  private let path: StorePath
  private let bytes = Bench.bytes(10)
  private let settings = TransferSettings(concurrent: 1, pieceBytes: 4)

  init() throws {
    bench = try Bench()
    path = try StorePath("a.jpg")
  }

  /// Counts the steps, and cancels each transfer at the one with this number. The engine holds the store that runs this.
  private static func cancelling(_ engine: TransferEngine, at stop: Int) -> ScriptedStore.Script {
    let count = Mutex(0)
    return { [weak engine] (_) throws(StoreError) in
      let now = count.withLock { count in
        defer { count += 1 }
        return count
      }
      guard now == stop, let engine else { return }
      for transfer in try await engine.transfers() { try await engine.perform(.cancel(transfer.id)) }
    }
  }

  // Begin, three pieces with their answers, finish with its answer; later there is nothing to cancel any more.
  @Test(arguments: 0..<10, [true, false])
  func `an upload at any step leaves all or nothing`(stop: Int, resumable: Bool) async throws {
    let store = ScriptedStore(resumable: resumable)
    let (engine, delegate) = (bench.engine(store, settings: settings), bench.delegate)
    await engine.attach(delegate)
    store.run(Self.cancelling(engine, at: stop))
    let id = try await engine.add([bench.upload("a.jpg", bytes)])[0]
    let end = try #require(await engine.ended(id))
    if end.state == .done {
      #expect(store.file(path) == bytes)
    } else {
      #expect(end.state == .cancelled && end.error?.kind == .cancelled && store.paths == [], "\(end)")
    }
    if stop == 0 { #expect(end.state == .cancelled) }
    if stop == 9 { #expect(end.state == .done) }
    #expect(store.openSessions == 0 && delegate.breaches(id) == [], "\(delegate.events(id))")
  }

  // A look at the entry, and reads at 0, 4, 8 and 10: five steps.
  @Test(arguments: 0..<6)
  func `a download at any step leaves nothing`(stop: Int) async throws {
    let store = ScriptedStore()
    store.set(path, bytes)
    let (engine, delegate) = (bench.engine(store, settings: settings), bench.delegate)
    await engine.attach(delegate)
    store.run(Self.cancelling(engine, at: stop))
    let id = try await engine.add([bench.download("a.jpg")])[0]
    #expect(await engine.ended(id)?.state == (stop < 5 ? .cancelled : .done))
    #expect(bench.folder.names() == (stop < 5 ? [] : ["a.jpg"]))
    #expect(delegate.breaches(id) == [], "\(delegate.events(id))")
  }

  @Test func `what waits never touches the store, and a second time changes nothing`() async throws {
    let (store, gate) = (ScriptedStore(), Gate())
    store.run { step in if step == .begin { await gate.wait() } }
    let (engine, delegate) = (bench.engine(store, settings: settings), bench.delegate)
    await engine.attach(delegate)
    let ids = try await engine.add([bench.upload("first", bytes), bench.upload("second", bytes)])
    await gate.arrivals(1)
    for _ in 0..<2 { try await engine.perform(.cancel(ids[1])) }
    #expect(await engine.ended(ids[1])?.state == .cancelled)
    let told = delegate.events(ids[1])
    #expect(delegate.counts(ids[1]) == [] && delegate.breaches(ids[1]) == [], "\(told)")
    gate.open()
    #expect(await engine.ended(ids[0])?.state == .done)
    for id in [ids[0], ids[1], "unknown"] { try await engine.perform(.cancel(id)) }
    #expect(delegate.events(ids[1]) == told && store.paths.map(\.description) == ["first"])
    #expect(try await engine.transfers().map(\.state) == [.done, .cancelled])
  }

  /// What could not be removed is said.
  @Test func `says so when what was sent could not be removed`() async throws {
    let (store, gate) = (ScriptedStore(), Gate())
    store.run { (step) throws(StoreError) in
      if step == .append(at: 4) { await gate.wait() }
      if step == .abandon { throw StoreError(.notPermitted, "That is not allowed.") }
    }
    let engine = bench.engine(store, settings: settings)
    let id = try await engine.add([bench.upload("a.jpg", bytes)])[0]
    await gate.arrivals(1)
    try await engine.perform(.cancel(id))
    let end = await engine.ended(id)
    #expect(end?.state == .cancelled && end?.error?.message.contains("That is not allowed.") == true)
  }

  // MARK: - Trying again

  @Test(arguments: [true, false])
  func `what was cancelled begins at its beginning when it is tried again`(isUpload: Bool) async throws {
    let (store, gate) = (ScriptedStore(), Gate())
    if !isUpload { store.set(path, bytes) }
    let stop: ScriptedStore.Step = isUpload ? .append(at: 8) : .read(at: 8)
    store.run { step in if step == stop { await gate.wait() } }
    let (engine, delegate) = (bench.engine(store, settings: settings), bench.delegate)
    await engine.attach(delegate)
    let order = isUpload ? try bench.upload("a.jpg", bytes) : try bench.download("a.jpg")
    let id = try await engine.add([order])[0]
    await gate.arrivals(1)
    try await engine.perform(.cancel(id))
    let cancelled = await engine.ended(id)
    #expect(cancelled?.state == .cancelled && cancelled?.sent == 0)
    store.run { _ in }
    try await engine.perform(.retry(id))
    let end = await engine.ended(id)
    #expect(end?.state == .done && end?.error == nil && end?.restarts == 0, "\(String(describing: end))")
    #expect(isUpload ? store.file(path) == bytes : bench.folder.bytes("a.jpg") == bytes)
    #expect(store.openSessions == 0 && bench.parts.isEmpty)
    #expect(delegate.breaches(id) == [], "\(delegate.events(id))")
  }
}
