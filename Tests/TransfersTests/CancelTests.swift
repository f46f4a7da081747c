import FileStores
import Synchronization
import Testing
import Transfers

@Suite struct `Cancelling` {
  let clock = StepClock()
  let delegate: RecordingDelegate
  let engine: OldTransferEngine
  let bytes = Array(UInt8(0)..<10)

  init() {
    delegate = RecordingDelegate(clock: clock)
    engine = OldTransferEngine(concurrent: 1, clock: clock)
  }

  private func upload(_ store: ScriptedStore, _ name: String = "a.jpg") async throws -> Transfer.ID {
    await engine.upload(
      file: DataSource(bytes, chunkSize: 3), name: name, to: try StorePath(name), mode: .create, store: store,
      delegate: delegate)
  }

  @Test(arguments: 0..<12, [true, false])
  func `at any step leaves all or nothing`(stop: Int, resumable: Bool) async throws {
    let store = ScriptedStore(resumable: resumable)
    let count = Mutex(0)
    let engine = engine
    store.run { _ in
      let now = count.withLock { count in
        defer { count += 1 }
        return count
      }
      if now == stop { await engine.cancel("t1") }
    }
    let id = try await upload(store)
    let outcome = await engine.result(of: id)
    if let outcome, case .success = outcome {
      #expect(store.file(try StorePath("a.jpg")) == bytes)
    } else {
      #expect(kind(outcome) == .cancelled)
      #expect(store.paths == [])
    }
    #expect(store.openSessions == 0)
    #expect(delegate.breaches(id) == [])
  }

  @Test(arguments: [true, false])
  func `in the middle of a piece ends the upload`(resumable: Bool) async throws {
    let (store, gate) = (ScriptedStore(resumable: resumable), Gate())
    store.run { step in
      switch step {
      case .append(at: 4), .put(at: 3): await gate.pass()
      default: break
      }
    }
    let id = try await upload(store)
    await gate.arrivals(1)
    await engine.cancel(id)
    #expect(kind(await engine.result(of: id)) == .cancelled)
    #expect(store.paths == [] && store.openSessions == 0)
    #expect(delegate.states(id) == [.queued, .running, .cancelling, .cancelled])
    #expect(delegate.breaches(id) == [])
    #expect(await engine.transfer(id)?.error?.kind == .cancelled)
  }

  @Test(arguments: [true, false])
  func `loses when it meets the finish`(resumable: Bool) async throws {
    let (store, gate) = (ScriptedStore(resumable: resumable), Gate())
    store.run { step in if step == .finish { await gate.pass() } }
    let id = try await upload(store)
    await gate.arrivals(1)
    await engine.cancel(id)
    #expect(await engine.transfer(id)?.state == .cancelling)
    gate.open()
    #expect(try await engine.result(of: id)?.get().size == 10)
    #expect(store.file(try StorePath("a.jpg")) == bytes)
    #expect(delegate.states(id) == [.queued, .running, .finishing, .cancelling, .done])
    #expect(delegate.breaches(id) == [])
  }

  @Test(arguments: [true, false])
  func `wins when the finish fails`(resumable: Bool) async throws {
    let (store, gate) = (ScriptedStore(resumable: resumable), Gate())
    store.run { (step) throws(StoreError) in
      guard step == .finish else { return }
      await gate.pass()
      throw StoreError(.quota, "The account is full.")
    }
    let id = try await upload(store)
    await gate.arrivals(1)
    await engine.cancel(id)
    gate.open()
    #expect(kind(await engine.result(of: id)) == .cancelled)
    #expect(store.paths == [] && store.openSessions == 0)
    #expect(delegate.states(id) == [.queued, .running, .finishing, .cancelling, .cancelled])
  }

  @Test func `what waits never touches the store`() async throws {
    let (store, gate) = (ScriptedStore(), Gate())
    store.run { step in if step == .begin { await gate.pass() } }
    let first = try await upload(store, "first")
    await gate.arrivals(1)
    let second = try await upload(store, "second")
    await engine.cancel(second)
    #expect(delegate.states(second) == [.queued, .cancelled])
    #expect(delegate.counts(second) == [])
    #expect(delegate.breaches(second) == [])
    gate.open()
    _ = try await engine.result(of: first)?.get()
    #expect(kind(await engine.result(of: second)) == .cancelled)
    #expect(store.paths == [try StorePath("first")])
  }

  @Test func `twice, or after the end, changes nothing`() async throws {
    let (store, gate) = (ScriptedStore(), Gate())
    store.run { step in if step == .begin { await gate.pass() } }
    let id = try await upload(store)
    await gate.arrivals(1)
    await engine.cancel(id)
    await engine.cancel(id)
    _ = await engine.result(of: id)
    let events = delegate.events(id)
    await engine.cancel(id)
    await engine.cancel("unknown")
    #expect(delegate.events(id) == events)
    #expect(events.filter { $0 == .state(.cancelling) }.count == 1)
  }

  @Test func `all stops those that run and those that wait`() async throws {
    let (store, gate) = (ScriptedStore(), Gate())
    store.run { step in if step == .begin { await gate.pass() } }
    var ids: [Transfer.ID] = []
    for index in 0..<4 { ids.append(try await upload(store, "\(index)")) }
    await gate.arrivals(1)
    await engine.cancelAll()
    for id in ids { #expect(kind(await engine.result(of: id)) == .cancelled) }
    #expect(gate.arrived == 1)
    #expect(store.paths == [] && store.openSessions == 0)
    #expect(ids.allSatisfy { delegate.breaches($0) == [] })
  }
}
