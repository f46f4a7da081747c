import FileStores
import Synchronization
import Testing
import Transfers

@Suite struct `Uploads` {
  let clock = StepClock()
  let delegate: RecordingDelegate
  let engine: OldTransferEngine
  let bytes = Array(UInt8(0)..<10)

  init() {
    delegate = RecordingDelegate(clock: clock)
    engine = OldTransferEngine(concurrent: 2, clock: clock)
  }

  private func upload(
    _ store: ScriptedStore, _ name: String = "a.jpg", mode: WriteMode = .create, source: (any ByteSource)? = nil
  ) async throws -> Transfer.ID {
    await engine.upload(
      file: source ?? DataSource(bytes, chunkSize: 3), name: name, to: try StorePath(name), mode: mode, store: store,
      delegate: delegate)
  }

  @Test(arguments: [true, false])
  func `arrive whole and are told in order`(resumable: Bool) async throws {
    let store = ScriptedStore(resumable: resumable)
    store.run { _ in clock.advance(.seconds(1)) }
    let id = try await upload(store)
    let entry = try await engine.result(of: id)?.get()
    #expect(entry?.size == 10)
    #expect(store.file(try StorePath("a.jpg")) == bytes)
    #expect(delegate.states(id) == [.queued, .running, .finishing, .done])
    #expect(delegate.counts(id) == (resumable ? [0, 4, 8, 10] : [0, 3, 6, 9, 10]))
    #expect(delegate.breaches(id) == [])
    #expect(store.openSessions == 0)
    let transfer = await engine.transfer(id)
    #expect(transfer?.sent == 10 && transfer?.total == 10 && transfer?.error == nil)
  }

  @Test(arguments: [true, false])
  func `of an empty file arrive`(resumable: Bool) async throws {
    let store = ScriptedStore(resumable: resumable)
    let id = try await upload(store, source: DataSource([]))
    #expect(try await engine.result(of: id)?.get().size == 0)
    #expect(store.file(try StorePath("a.jpg")) == [])
    #expect(delegate.breaches(id) == [])
  }

  @Test func `are not done before the store has answered`() async throws {
    let (store, gate) = (ScriptedStore(), Gate())
    store.run { step in if step == .finished { await gate.pass() } }
    let id = try await upload(store)
    await gate.arrivals(1)
    #expect(delegate.states(id) == [.queued, .running, .finishing])
    #expect(delegate.counts(id).last == 10)
    #expect(await engine.transfer(id)?.state == .finishing)
    gate.open()
    _ = await engine.result(of: id)
    #expect(delegate.states(id).last == .done)
  }

  @Test func `tell progress at most ten times a second, and the last count always`() async throws {
    let store = ScriptedStore(pieceBytes: 1)
    store.run { step in if case .appended = step { clock.advance(.milliseconds(7)) } }
    let id = try await upload(store, source: DataSource(Array(repeating: 1, count: 1000), chunkSize: 1))
    _ = await engine.result(of: id)
    let times: [Duration] = delegate.events(id).compactMap {
      if case .progress(_, _, let time) = $0 { time } else { nil }
    }
    for (index, time) in times.dropLast().enumerated() {
      let inSecond = times.dropLast().dropFirst(index).filter { $0 - time < .seconds(1) }
      #expect(inSecond.count <= 10)
    }
    #expect(times.count > 60)
    #expect(delegate.counts(id).last == 1000)
  }

  @Test func `read no further than the store takes`() async throws {
    let (store, gate) = (ScriptedStore(pieceBytes: 4), Gate())
    store.run { step in if case .append = step { await gate.pass() } }
    let source = WatchedSource(Array(repeating: 7, count: 100), chunkSize: 4)
    let id = try await upload(store, source: source)
    await gate.arrivals(1)
    #expect(source.taken == 4)
    gate.release()
    await gate.arrivals(2)
    #expect(source.taken == 8)
    gate.open()
    _ = try await engine.result(of: id)?.get()
    #expect(source.taken == 100)
  }

  @Test func `go on from where the store is when that is elsewhere`() async throws {
    let store = ScriptedStore()
    let isFirst = Mutex(true)
    store.run { (step) throws(StoreError) in
      guard step == .appended(to: 8),
        isFirst.withLock({ was in
          defer { was = false }; return was
        })
      else { return }
      // Taken, but told otherwise: as after an answer that never came and a second attempt.
      throw StoreError(.conflict, "Another offset.")
    }
    let id = try await upload(store)
    #expect(try await engine.result(of: id)?.get().size == 10)
    #expect(store.file(try StorePath("a.jpg")) == bytes)
    #expect(delegate.resumes(id) == [8])
    #expect(delegate.breaches(id) == [])
  }

  @Test func `give up when the store never says where it is`() async throws {
    let store = ScriptedStore()
    store.run { (step) throws(StoreError) in if case .append = step { throw StoreError(.conflict, "Another offset.") } }
    let id = try await upload(store)
    #expect(kind(await engine.result(of: id)) == .conflict)
    #expect(store.steps.filter { if case .append = $0 { true } else { false } }.count == 4)
    #expect(store.openSessions == 0)
    #expect(delegate.breaches(id) == [])
  }

  @Test(arguments: [true, false])
  func `take the next name when the name was taken meanwhile`(resumable: Bool) async throws {
    let store = ScriptedStore(resumable: resumable)
    store.set(try StorePath("a.jpg"), [1])
    store.set(try StorePath("a2.jpg"), [2])
    let names = Mutex(["a2.jpg", "a3.jpg"])
    let id = await engine.upload(
      file: DataSource(bytes), name: "a.jpg", to: try StorePath("a.jpg"), mode: .create, store: store,
      delegate: delegate
    ) { (_) throws(StoreError) in try StorePath(names.withLock { $0.removeFirst() }) }
    let entry = try await engine.result(of: id)?.get()
    #expect(entry?.path == (try StorePath("a3.jpg")))
    #expect(await engine.transfer(id)?.path == (try StorePath("a3.jpg")))
    #expect(store.file(try StorePath("a.jpg")) == [1])
    #expect(store.file(try StorePath("a3.jpg")) == bytes)
    #expect(delegate.breaches(id) == [])
  }

  @Test(arguments: [true, false])
  func `fail when the name is taken and there is no other`(resumable: Bool) async throws {
    let store = ScriptedStore(resumable: resumable)
    store.set(try StorePath("a.jpg"), [1])
    let id = try await upload(store)
    #expect(await engine.transfer(id)?.path == (try StorePath("a.jpg")))
    #expect(kind(await engine.result(of: id)) == .exists)
    #expect(store.file(try StorePath("a.jpg")) == [1])
    #expect(store.openSessions == 0)
  }

  @Test(arguments: [UInt64(9), 11], [true, false])
  func `of a source with another length than it said leave nothing`(size: UInt64, resumable: Bool) async throws {
    let store = ScriptedStore(resumable: resumable)
    let id = try await upload(store, source: WatchedSource(bytes, chunkSize: 3, size: size))
    #expect(kind(await engine.result(of: id)) == .badInput)
    #expect(store.paths == [] && store.openSessions == 0)
    #expect(delegate.states(id).last == .failed)
  }

  @Test func `say so when what was sent could not be removed`() async throws {
    let store = ScriptedStore()
    store.run { (step) throws(StoreError) in
      if step == .append(at: 4) { throw StoreError(.quota, "The account is full.") }
      if step == .abandon { throw StoreError(.offline, "Nobody answers.") }
    }
    let id = try await upload(store)
    guard case .failure(let error) = await engine.result(of: id) else {
      Issue.record("no failure")
      return
    }
    #expect(error.kind == .quota)
    #expect(error.message.contains("The account is full.") && error.message.contains("Nobody answers."))
  }

  @Test func `are carried out in order, so many at once`() async throws {
    let (store, gate) = (ScriptedStore(), Gate())
    store.run { step in if step == .begin { await gate.pass() } }
    var ids: [Transfer.ID] = []
    for index in 0..<5 {
      ids.append(try await upload(store, "\(index)"))
      await gate.arrivals(min(index + 1, 2))
    }
    func states() async -> [TransferState] { await engine.transfers.map(\.state) }
    #expect(await states() == [.running, .running, .queued, .queued, .queued])
    gate.release()
    await gate.arrivals(3)
    _ = await engine.result(of: ids[0])
    #expect(await states() == [.done, .running, .running, .queued, .queued])
    gate.open()
    for id in ids { _ = await engine.result(of: id) }
    #expect(store.paths.count == 5)
    #expect(ids.allSatisfy { delegate.breaches($0) == [] })
    await engine.forgetFinished()
    #expect(await engine.transfers.isEmpty)
  }

  @Test func `let go of the delegate when they are over`() async throws {
    weak var released: RecordingDelegate?
    do {
      let own = RecordingDelegate(clock: clock)
      released = own
      let id = await engine.upload(
        file: DataSource(bytes), name: "a", to: try StorePath("a"), mode: .create, store: ScriptedStore(), delegate: own
      )
      _ = await engine.result(of: id)
    }
    #expect(released == nil)
  }
}

func kind(_ result: Result<FileEntry, StoreError>?) -> StoreError.Kind? {
  if case .failure(let error) = result { error.kind } else { nil }
}
