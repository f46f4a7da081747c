import FileStores
import Synchronization
import TestKit
import Testing
import Transfers

@Suite struct `Progress` {
  private let bench: Bench

  init() throws { bench = try Bench(stands: true) }

  private func started(_ store: ScriptedStore, _ count: Int) async throws -> (
    TransferEngine, WatchingDelegate, Transfer.ID
  ) {
    let (engine, delegate) = (bench.engine(store, settings: TransferSettings(pieceBytes: 4)), bench.delegate)
    await engine.attach(delegate)
    return (engine, delegate, try await engine.add([bench.upload("a.jpg", Bench.bytes(count))])[0])
  }

  @Test func `is reported at most ten times a second, and the last count always`() async throws {
    let store = ScriptedStore()
    let clock = bench.clock
    store.run { step in if case .appended = step { clock.advance(by: .milliseconds(7)) } }
    let (engine, delegate, id) = try await started(store, 4000)
    #expect(await engine.ended(id)?.state == .done)
    let times = delegate.events(id).compactMap { if case .progress(_, _, let time) = $0 { time } else { nil } }
    for (index, time) in times.dropLast().enumerated() {
      #expect(times.dropLast().dropFirst(index).filter { $0 - time < .seconds(1) }.count <= 10)
    }
    #expect(times.count > 60 && delegate.counts(id).last == 4000 && delegate.breaches(id) == [])
  }

  /// The first piece is reported at once, the second within the same tenth of a second; then the store stalls.
  @Test func `that came too soon is reported when a tenth of a second is over, though nothing else comes`() async throws
  {
    let (store, gate) = (ScriptedStore(), Gate())
    store.run { step in if step == .append(at: 8) { await gate.wait() } }
    let (engine, delegate, id) = try await started(store, 12)
    await gate.arrivals(1)
    #expect(delegate.counts(id) == [4])
    bench.clock.advance(by: .milliseconds(99))
    #expect(delegate.counts(id) == [4])
    bench.clock.advance(by: .milliseconds(1))
    await delegate.reached(count: 8, id)
    #expect(delegate.counts(id) == [4, 8])
    // Nothing more to tell, and nothing that looks whether there is.
    #expect(bench.clock.dozing == 0)
    gate.open()
    #expect(await engine.ended(id)?.state == .done)
    #expect(delegate.counts(id) == [4, 8, 12] && delegate.breaches(id) == [], "\(delegate.events(id))")
    #expect(bench.clock.dozing == 0)
  }

  @Test func `that came too soon is reported by the machine's clock, too`() async throws {
    let (store, gate) = (ScriptedStore(), Gate())
    store.run { step in if step == .append(at: 8) { await gate.wait() } }
    let engine = TransferEngine(
      journal: bench.journal, stores: Bench.OneStore(store: store), settings: TransferSettings(pieceBytes: 4),
      pool: bench.pool, now: bench.now)
    let delegate = WatchingDelegate()
    await engine.attach(delegate)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(12))])[0]
    await gate.arrivals(1)
    await delegate.reached(count: 8, id)
    gate.open()
    #expect(await engine.ended(id)?.state == .done && delegate.counts(id).last == 12)
  }

  @Test func `is not reported any more once a member has paused it`() async throws {
    let (store, gate) = (ScriptedStore(), Gate())
    store.run { step in if step == .append(at: 8) { await gate.wait() } }
    let (engine, delegate, id) = try await started(store, 12)
    await gate.arrivals(1)
    try await engine.perform(.pause(id))
    await delegate.reached(.paused, id)
    let told = delegate.events(id)
    #expect(delegate.counts(id) == [4, 8] && bench.clock.dozing == 0)
    bench.clock.advance(by: .seconds(1))
    #expect(delegate.events(id) == told && delegate.breaches(id) == [])
    await engine.stop()
  }

  @Test func `says all bytes before it says done, and done only when the store has answered`() async throws {
    let (store, gate) = (ScriptedStore(), Gate())
    store.run { step in if step == .finished { await gate.wait() } }
    let (engine, delegate, id) = try await started(store, 10)
    await gate.arrivals(1)
    #expect(delegate.states(id) == [.queued, .running, .finishing] && delegate.counts(id).last == 10)
    #expect(try await engine.transfers().map(\.state) == [.finishing])
    gate.open()
    #expect(await engine.ended(id)?.state == .done)
  }

  @Test func `goes on from where the store is when that is elsewhere`() async throws {
    let store = ScriptedStore()
    let isFirst = Mutex(true)
    store.run { (step) throws(StoreError) in
      guard step == .appended(to: 8),
        isFirst.withLock({ was in
          defer { was = false }
          return was
        })
      else { return }
      // Taken, but told otherwise: as after an answer that never came and a second attempt.
      throw StoreError(.conflict, "Another offset.")
    }
    let (engine, delegate, id) = try await started(store, 10)
    #expect(await engine.ended(id)?.state == .done)
    #expect(store.file(try StorePath("a.jpg")) == Bench.bytes(10))
    #expect(delegate.resumes(id) == [8] && delegate.breaches(id) == [])
  }

  @Test func `ends in a failure when the store never says where it is, and can be tried again`() async throws {
    let store = ScriptedStore()
    store.run { (step) throws(StoreError) in
      if case .append = step { throw StoreError(.conflict, "Another offset.") }
    }
    let (engine, delegate, id) = try await started(store, 10)
    #expect(await engine.ended(id)?.error?.kind == .conflict)
    #expect(store.steps.filter { if case .append = $0 { true } else { false } }.count == 4)
    store.run { _ in }
    try await engine.perform(.retry(id))
    #expect(await engine.ended(id)?.state == .done)
    #expect(delegate.breaches(id) == [])
  }

  @Test func `falls back to nothing when the store refuses a file that went up in one request`() async throws {
    let (store, bytes) = (ScriptedStore(resumable: false), Bench.bytes(2000))
    let isFirst = Mutex(true)
    store.run { (step) throws(StoreError) in
      let fails = isFirst.withLock { isFirst in
        defer { if step == .finish { isFirst = false } }
        return isFirst && step == .finish
      }
      if fails { throw StoreError(.rateLimited, "Asked too often.", retryAfter: .seconds(30)) }
    }
    let (engine, delegate) = (bench.engine(store), bench.delegate)
    await engine.attach(delegate)
    let id = try await engine.add([bench.upload("a.jpg", bytes)])[0]
    await delegate.reached(.waiting, id)
    let waiting = try await engine.transfers()[0]
    #expect(waiting.sent == 0 && waiting.percent == 0, "\(waiting)")
    #expect(delegate.resumes(id) == [0])
    bench.clock.advance(by: .seconds(32))
    #expect(await engine.ended(id)?.sent == 2000)
    #expect(delegate.breaches(id) == [], "\(delegate.events(id))")
  }

  @Test(arguments: [true, false])
  func `does not count as success for a store that takes all bytes and fails each time`(isResumable: Bool) async throws
  {
    let (store, bytes) = (ScriptedStore(resumable: isResumable, pieceBytes: 5000), Bench.bytes(2000))
    store.run { (step) throws(StoreError) in
      if step == .finish { throw StoreError(.server, "The store failed.") }
    }
    let moving = try Bench()
    var settings = TransferSettings.small
    settings.pieceBytes = 5000
    settings.retry = .transfers(attempts: 3)
    let engine = moving.engine(store, settings: settings)
    let id = try await engine.add([moving.upload("a.jpg", bytes)])[0]
    let end = await engine.ended(id)
    #expect(end?.state == .failed && end?.attempts == 3)
  }
}
