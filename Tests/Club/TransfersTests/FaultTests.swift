import Backends
import FileStores
import Foundation
import POSIX
import Synchronization
import TestKit
import Testing
import Transfers

/// What the line, the store, this machine's disk and other people do to a transfer.
@Suite struct `A transfer` {
  private let path: StorePath
  private let bench: Bench

  init() throws {
    path = try StorePath("a.jpg")
    bench = try Bench()
  }

  /// Fails with `error` at `step`, as often as `times` says, and not before `gate` is open, whatever is cancelled.
  private static func failing(
    _ step: ScriptedStore.Step, _ error: StoreError, times: Int = 1, behind gate: Gate? = nil
  ) -> ScriptedStore.Script {
    let left = Mutex(times)
    return { (now) throws(StoreError) in
      guard now == step,
        left.withLock({ left in
          left -= 1
          return left >= 0
        })
      else { return }
      await gate?.wait(whileNotCancelled: false)
      throw error
    }
  }

  // MARK: - Answers that were lost

  @Test(arguments: [600, 5000], [ScriptedStore.Step.finish, .finished])
  func `is there once when the answer to its finish is lost`(count: Int, step: ScriptedStore.Step) async throws {
    let store = ScriptedStore(pieceBytes: 1000)
    let bytes = Bench.bytes(count)
    store.run(Self.failing(step, StoreError(.offline, "The line broke.")))
    let (engine, delegate) = (bench.engine(store), bench.delegate)
    await engine.attach(delegate)
    let id = try await engine.add([bench.upload("a.jpg", bytes)])[0]
    let end = await engine.ended(id)
    #expect(end?.state == .done && end?.path == path && end?.restarts == 0)
    #expect(store.paths == [path] && store.file(path) == bytes && store.openSessions == 0)
    #expect(store.steps.filter { $0 == .finished }.count == 1)
    #expect(delegate.states(id).contains(.waiting) && delegate.breaches(id) == [], "\(delegate.events(id))")
  }

  @Test(arguments: [600, 5000])
  func `is there once when another engine has to find out`(count: Int) async throws {
    let store = ScriptedStore(pieceBytes: 1000)
    let (gate, bytes) = (Gate(), Bench.bytes(count))
    store.run { (step) throws(StoreError) in
      guard step == .finished else { return }
      await gate.wait()
      throw StoreError(.cancelled, "The process ended.")
    }
    let first = bench.engine(store)
    let id = try await first.add([bench.upload("a.jpg", bytes)])[0]
    await gate.arrivals(1)
    // Not a word of the answer reaches the journal.
    await first.stop()
    #expect(try await bench.journal.records().records[0].phase != .done)
    store.run { _ in }
    let second = bench.engine(store)
    try await second.start()
    #expect(await second.ended(id)?.state == .done)
    #expect(store.paths == [path] && store.file(path) == bytes && store.openSessions == 0)
  }

  // MARK: - Names

  @Test(arguments: [600, 5000])
  func `takes the next name when another file has its own`(count: Int) async throws {
    let store = ScriptedStore(pieceBytes: 1000)
    store.set(path, [1, 2, 3])
    store.set(try StorePath("a (2).jpg"), [4, 5, 6])
    let engine = bench.engine(store)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(count))])[0]
    let end = await engine.ended(id)
    #expect(try end?.state == .done && end?.path == StorePath("a (3).jpg"))
    #expect(try store.file(path) == [1, 2, 3] && store.file(StorePath("a (3).jpg")) == Bench.bytes(count))
  }

  @Test(arguments: [600, 5000])
  func `ends after the third name that the store refuses and does not have`(count: Int) async throws {
    let store = ScriptedStore(pieceBytes: 1000)
    store.run { (step) throws(StoreError) in
      if step == .finish { throw StoreError(.exists, "The server has given the photo another name.") }
    }
    let engine = bench.engine(store)
    let end = await engine.ended(try await engine.add([bench.upload("a.jpg", Bench.bytes(count))])[0])
    #expect(end?.state == .failed && end?.error?.kind == .exists)
    #expect(store.steps.filter { $0 == .finish }.count == 3 && store.paths == [])
    await engine.stop()
  }

  @Test func `downloads beside what has its name on this machine`() async throws {
    try bench.folder.write("a.jpg", [9])
    _ = try await bench.memory.put(DataSource(Bench.bytes(3000)), at: path, mode: .create)
    let engine = bench.engine()
    let end = await engine.ended(try await engine.add([bench.download("a.jpg")])[0])
    #expect(end?.place == bench.folder.file("a (2).jpg") && bench.folder.bytes("a.jpg") == [9])
    #expect(bench.folder.bytes("a (2).jpg") == Bench.bytes(3000) && bench.folder.names().count == 2)
  }

  // MARK: - What changes meanwhile

  @Test(arguments: [0, 1500, 5000, 9000])
  func `sends the source as it is when that was changed`(newCount: Int) async throws {
    let store = ScriptedStore(pieceBytes: 1000)
    let (bench, changed) = (bench, Bench.bytes(newCount, seed: 99))
    let isChanged = Mutex(false)
    store.run { step in
      guard step == .append(at: 2000),
        isChanged.withLock({ was in
          defer { was = true }
          return !was
        })
      else { return }
      try? bench.folder.write("a.jpg", changed)
    }
    let (engine, delegate) = (bench.engine(store), bench.delegate)
    await engine.attach(delegate)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(5000))])[0]
    let end = await engine.ended(id)
    #expect(end?.state == .done && end?.restarts == 1 && store.file(path) == changed, "\(String(describing: end))")
    #expect(delegate.resumes(id).contains(0) && delegate.breaches(id) == [], "\(delegate.events(id))")
    #expect(store.openSessions == 0)
  }

  /// The check of a changed source, as photos have one.
  private static let broken = StoreError(.corrupt, "\"a.jpg\" cannot be uploaded: it is cut.")

  @Test(arguments: [true, false])
  func `looks again at a source that was cut while it went up`(isWhole: Bool) async throws {
    let store = ScriptedStore(pieceBytes: 1000)
    let (bench, bytes) = (bench, Bench.bytes(5000))
    let once = Mutex(true)
    let looks = Mutex(0)
    store.run { step in
      guard step == .append(at: 3000), once.withLock({ $0 }) else { return }
      once.withLock { $0 = false }
      #expect(truncate(bench.folder.file("a.jpg"), 1000) == 0)
    }
    var settings = TransferSettings.small
    settings.check = { (source) throws(StoreError) in
      looks.withLock { $0 += 1 }
      #expect(source.size == 1000)
      if !isWhole { throw Self.broken }
    }
    let engine = bench.engine(store, settings: settings)
    let end = await engine.ended(try await engine.add([bench.upload("a.jpg", bytes)])[0])
    #expect(end?.state == (isWhole ? .done : .failed) && end?.error?.message == (isWhole ? nil : Self.broken.message))
    #expect(store.paths == (isWhole ? [path] : []) && store.openSessions == 0)
    #expect(looks.withLock { $0 } == 1)
  }

  @Test func `looks at a source that was changed before it went up, and at no other`() async throws {
    let bench = bench
    let looks = Mutex(0)
    var settings = TransferSettings.small
    settings.check = { (_) throws(StoreError) in
      looks.withLock { $0 += 1 }
      throw Self.broken
    }
    let engine = bench.engine(settings: settings)
    func order(stamped: Bool) async throws -> TransferOrder {
      let plain = try bench.upload("a.jpg", Bench.bytes(2000))
      let stamp = try await FileSource(path: bench.folder.file("a.jpg"), pool: bench.pool).stampText
      return TransferOrder(
        club: plain.club, store: plain.store, work: plain.work, path: plain.path, name: plain.name,
        sourceStamp: stamped ? stamp : "1:2000:3")
    }
    #expect(await engine.ended(try await engine.add([order(stamped: false)])[0])?.error?.kind == .corrupt)
    #expect(await engine.ended(try await engine.add([order(stamped: true)])[0])?.state == .done)
    #expect(looks.withLock { $0 } == 1)
  }

  /// The order's hash is a wrong one here, so that it shows.
  @Test func `hashes no file again that is as it was when its upload was ordered`() async throws {
    let plain = try bench.upload("a.jpg", Bench.bytes(5000))
    let file = bench.folder.file("a.jpg")
    let stamp = try await FileSource(path: file, pool: bench.pool).stampText
    let order = TransferOrder(
      club: plain.club, store: plain.store,
      work: .upload(
        file: file, size: 5000, contentHash: ContentHash(of: [1]), name: Array("a.jpg".utf8), number: 1),
      path: path, name: "a.jpg", sourceStamp: stamp)
    for (isLater, state) in [(true, TransferState.failed), (false, .done)] {
      let now = Timestamp(seconds: Int64(time(nil)) + (isLater ? 86_400 : -86_400))
      let engine = TransferEngine(
        journal: MemoryJournal(), stores: Bench.OneStore(store: bench.memory), settings: .small, pool: bench.pool,
        clock: bench.clock, now: { now })
      #expect(await engine.ended(try await engine.add([order])[0])?.state == state)
    }
  }

  /// In place: the file is the same, and what is behind its new end is gone while it is being read.
  @Test(arguments: [0, 2500, 4999])
  func `sends what is left of a source that was truncated while it went up`(left: Int) async throws {
    let store = ScriptedStore(pieceBytes: 1000)
    let (bench, bytes) = (bench, Bench.bytes(5000))
    let once = Mutex(true)
    store.run { step in
      guard step == .append(at: 3000), once.withLock({ $0 }) else { return }
      once.withLock { $0 = false }
      #expect(truncate(bench.folder.file("a.jpg"), left) == 0)
    }
    let (engine, delegate) = (bench.engine(store), bench.delegate)
    await engine.attach(delegate)
    let id = try await engine.add([bench.upload("a.jpg", bytes)])[0]
    let end = await engine.ended(id)
    #expect(end?.state == .done && end?.restarts == 1, "\(String(describing: end))")
    #expect(store.file(path) == Array(bytes.prefix(left)) && store.paths == [path] && store.openSessions == 0)
    #expect(delegate.resumes(id).contains(0) && delegate.breaches(id) == [], "\(delegate.events(id))")
  }

  @Test func `fails when the source is written to without end, and can be tried again`() async throws {
    let store = ScriptedStore(pieceBytes: 1000)
    let bench = bench
    let count = Mutex(0)
    store.run { step in
      guard case .append(let at) = step, at > 0 else { return }
      let number = count.withLock { count in
        count += 1
        return count
      }
      try? bench.folder.write("a.jpg", Bench.bytes(5000 + number))
    }
    let engine = bench.engine(store)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(5000))])[0]
    let end = await engine.ended(id)
    #expect(end?.state == .failed && end?.error?.kind == .badInput && store.paths.isEmpty)
    store.run { _ in }
    try await engine.perform(.retry(id))
    #expect(await engine.ended(id)?.state == .done)
    #expect(store.file(path) == bench.folder.bytes("a.jpg") && store.openSessions == 0)
  }

  @Test func `fails when the source is gone, and goes on when it is back`() async throws {
    let bytes = Bench.bytes(5000)
    let order = try bench.upload("a.jpg", bytes)
    try FileManager.default.removeItem(atPath: bench.folder.file("a.jpg"))
    let engine = bench.engine()
    let id = try await engine.add([order])[0]
    #expect(await engine.ended(id)?.error?.kind == .notFound)
    try bench.folder.write("a.jpg", bytes)
    try await engine.perform(.retry(id))
    #expect(await engine.ended(id)?.state == .done)
    #expect(try await bench.stored("a.jpg") == bytes)
  }

  @Test func `receives the new version when the file was replaced`() async throws {
    let store = ScriptedStore(chunkBytes: 1000)
    let new = Bench.bytes(6000, seed: 5)
    store.set(path, Bench.bytes(5000))
    let path = path
    let isChanged = Mutex(false)
    store.run { [unowned store] step in
      guard step == .read(at: 2000),
        isChanged.withLock({ was in
          defer { was = true }
          return !was
        })
      else { return }
      store.set(path, new)
    }
    let (engine, delegate) = (bench.engine(store), bench.delegate)
    await engine.attach(delegate)
    let id = try await engine.add([bench.download("a.jpg")])[0]
    let end = await engine.ended(id)
    #expect(end?.state == .done && end?.restarts == 1 && bench.folder.bytes("a.jpg") == new)
    #expect(delegate.resumes(id) == [0] && delegate.breaches(id) == [] && bench.parts.isEmpty)
  }

  @Test func `keeps what it has when the file in the store is gone, until it is dismissed`() async throws {
    let store = ScriptedStore(chunkBytes: 1000)
    store.set(path, Bench.bytes(5000))
    store.run(Self.failing(.read(at: 2000), StoreError(.notFound, "It is gone.")))
    let engine = bench.engine(store)
    let id = try await engine.add([bench.download("a.jpg")])[0]
    let end = await engine.ended(id)
    #expect(end?.state == .failed && end?.error?.kind == .notFound && end?.sent == 2000 && bench.parts.count == 1)
    try await engine.perform(.dismiss(id))
    await engine.stop()
    #expect(bench.folder.names().isEmpty)
  }

  @Test func `a failure that was dismissed at rest is cleaned up by the next engine, and is gone`() async throws {
    let store = ScriptedStore(pieceBytes: 1000)
    store.run(Self.failing(.append(at: 3000), StoreError(.quota, "No.")))
    let first = bench.engine(store)
    let id = try await first.add([bench.upload("a.jpg", Bench.bytes(5000))])[0]
    #expect(await first.ended(id)?.state == .failed && store.openSessions == 1)
    await first.stop()
    var record = try #require(try await bench.journal.records().records.first)
    record.phase = .discarding
    try await bench.journal.write([record])
    let (engine, delegate) = (bench.engine(store), bench.delegate)
    await engine.attach(delegate)
    try await engine.start()
    if let end = await engine.ended(id) { #expect(end.state == .cancelling) }
    #expect(try await engine.transfers().isEmpty && store.openSessions == 0)
    #expect(delegate.events(id) == [.appeared(.cancelling), .disappeared])
    await engine.stop()
    #expect(try await bench.journal.records().records.isEmpty)
  }

  @Test func `a failure that is dismissed is gone, though its process ends before it is cleaned up`() async throws {
    let store = ScriptedStore(pieceBytes: 1000)
    store.run(Self.failing(.append(at: 3000), StoreError(.quota, "No.")))
    let (engine, delegate) = (bench.engine(store), bench.delegate)
    await engine.attach(delegate)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(5000))])[0]
    #expect(await engine.ended(id)?.state == .failed)
    try await engine.perform(.dismiss(id))
    // Durable when the request is taken.
    #expect(try await bench.journal.records().records.allSatisfy { $0.phase == .discarding })
    await engine.stop()
    #expect(delegate.breaches(id) == [], "\(delegate.events(id))")
  }

  // MARK: - Faults that do not pass, and are retried from where it was

  @Test(arguments: [StoreError.Kind.notSignedIn, .quota, .notPermitted])
  func `fails as the store says, and goes on from there`(kind: StoreError.Kind) async throws {
    let store = ScriptedStore(pieceBytes: 1000)
    store.run(Self.failing(.append(at: 3000), StoreError(kind, "No.")))
    let (engine, delegate) = (bench.engine(store), bench.delegate)
    await engine.attach(delegate)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(5000))])[0]
    let end = await engine.ended(id)
    #expect(end?.state == .failed && end?.error?.kind == kind && end?.sent == 3000 && store.openSessions == 1)
    try await engine.perform(.retry(id))
    try await engine.perform(.retry(id))
    #expect(await engine.ended(id)?.state == .done)
    #expect(delegate.resumes(id) == [3000] && delegate.breaches(id) == [], "\(delegate.events(id))")
    #expect(store.file(path) == Bench.bytes(5000))
  }

  @Test(arguments: [
    (DiskStep.write, ENOSPC, StoreError.Kind.quota), (.flush, EDQUOT, .quota), (.link, EACCES, .notPermitted),
  ])
  func `fails when the disk says no, and goes on when it says yes`(
    _ fault: (step: DiskStep, code: Int32, kind: StoreError.Kind)
  ) async throws {
    let bytes = Bench.bytes(1_500_000)
    _ = try await bench.memory.put(DataSource(bytes), at: path, mode: .create)
    let isFull = Mutex(true)
    var settings = TransferSettings(pieceBytes: 256 * 1024)
    settings.diskProbe = { step, isDone in step == fault.step && !isDone && isFull.withLock { $0 } ? fault.code : 0 }
    let engine = bench.engine(settings: settings)
    let id = try await engine.add([bench.download("a.jpg")])[0]
    let end = await engine.ended(id)
    #expect(end?.state == .failed && end?.error?.kind == fault.kind, "\(String(describing: end?.error))")
    #expect(bench.folder.names() == bench.parts && bench.parts.count == 1)
    isFull.withLock { $0 = false }
    try await engine.perform(.retry(id))
    #expect(await engine.ended(id)?.state == .done)
    #expect(bench.folder.bytes("a.jpg") == bytes && bench.parts.isEmpty)
  }

  @Test func `removes what arrived as something else, and says so`() async throws {
    let store = ScriptedStore(pieceBytes: 1000)
    store.tellWrongHashes()
    let engine = bench.engine(store)
    for (name, count) in [("a.jpg", 5000), ("b.jpg", 500)] {
      let end = await engine.ended(try await engine.add([bench.upload(name, Bench.bytes(count))])[0])
      #expect(end?.state == .failed && end?.error?.kind == .corrupt && store.paths.isEmpty && store.openSessions == 0)
    }
  }

  @Test func `never gives its name to what is not what the store has`() async throws {
    let store = ScriptedStore(chunkBytes: 1000)
    store.set(path, Bench.bytes(3000))
    store.tellWrongHashes()
    let engine = bench.engine(store)
    let end = await engine.ended(try await engine.add([bench.download("a.jpg")])[0])
    #expect(end?.state == .failed && end?.error?.kind == .corrupt && bench.folder.names() == bench.parts)
  }

  // MARK: - Sessions

  @Test func `starts again when the store has lost its session`() async throws {
    let store = ScriptedStore(pieceBytes: 1000)
    let isLost = Mutex(false)
    store.run { [unowned store] step in
      guard step == .append(at: 3000),
        isLost.withLock({ was in
          defer { was = true }
          return !was
        })
      else { return }
      store.loseSessions()
    }
    let (engine, delegate) = (bench.engine(store), bench.delegate)
    await engine.attach(delegate)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(5000))])[0]
    let end = await engine.ended(id)
    #expect(end?.state == .done && end?.restarts == 1 && delegate.resumes(id) == [0])
    #expect(store.file(path) == Bench.bytes(5000) && delegate.breaches(id) == [], "\(delegate.events(id))")
  }

  @Test func `starts again when its session is older than a week, and says until when it is kept`() async throws {
    let bench = try Bench(stands: true)
    let store = ScriptedStore(pieceBytes: 1000)
    store.run(Self.failing(.append(at: 3000), StoreError(.quota, "It is full.")))
    let first = bench.engine(store)
    let id = try await first.add([bench.upload("a.jpg", Bench.bytes(5000))])[0]
    #expect(await first.ended(id)?.keptUntil == Timestamp(seconds: 1_700_000_000 + 7 * 86_400))
    await first.stop()
    bench.clock.advance(by: .seconds(7 * 86_400))
    let (second, delegate) = (bench.engine(store), bench.delegate)
    await second.attach(delegate)
    try await second.start()
    try await second.perform(.retry(id))
    #expect(await second.ended(id)?.state == .done)
    #expect(delegate.resumes(id) == [0] && store.file(path) == Bench.bytes(5000) && store.openSessions == 0)
  }

  // MARK: - Cancel and the finish

  @Test(arguments: [600, 5000])
  func `is there when the cancel comes after the store was asked`(count: Int) async throws {
    let store = ScriptedStore(pieceBytes: 1000)
    let gate = Gate()
    store.run { step in if step == .finish { await gate.wait(whileNotCancelled: false) } }
    let (engine, delegate) = (bench.engine(store), bench.delegate)
    await engine.attach(delegate)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(count))])[0]
    await gate.arrivals(1)
    try await engine.perform(.cancel(id))
    await delegate.reached(.cancelling, id)
    gate.open()
    let end = await engine.ended(id)
    if count > 1000 {
      #expect(end?.state == .done && store.file(path) == Bench.bytes(count))
    } else {
      // One request: it is cut off, unless the store had it.
      #expect(end?.state == .cancelled && store.paths.isEmpty || end?.state == .done && store.paths == [path])
    }
    #expect(delegate.breaches(id) == [], "\(delegate.events(id))")
  }

  @Test(arguments: [600, 5000], [ScriptedStore.Step.finish, .finished])
  func `is reported truly when the cancel meets a finish without an answer`(
    count: Int, step: ScriptedStore.Step
  ) async throws {
    let store = ScriptedStore(pieceBytes: 1000)
    let gate = Gate()
    store.run(Self.failing(step, StoreError(.offline, "The line broke."), behind: gate))
    let (engine, delegate) = (bench.engine(store), bench.delegate)
    await engine.attach(delegate)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(count))])[0]
    await gate.arrivals(1)
    try await engine.perform(.cancel(id))
    gate.open()
    let end = await engine.ended(id)
    let isThere = step == .finished
    #expect(end?.state == (isThere ? .done : .cancelled) && store.paths == (isThere ? [path] : []))
    #expect(store.openSessions == 0 && delegate.breaches(id) == [], "\(delegate.events(id))")
  }

  @Test func `is paused when the finish that met the pause gets no answer`() async throws {
    let store = ScriptedStore(pieceBytes: 1000)
    let gate = Gate()
    store.run(Self.failing(.finished, StoreError(.offline, "The line broke."), behind: gate))
    let (engine, delegate) = (bench.engine(store), bench.delegate)
    await engine.attach(delegate)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(5000))])[0]
    await gate.arrivals(1)
    try await engine.perform(.pause(id))
    gate.open()
    await delegate.reached(.paused, id)
    try await engine.perform(.resume(id))
    #expect(await engine.ended(id)?.state == .done)
    #expect(store.paths == [path] && delegate.breaches(id) == [], "\(delegate.events(id))")
  }
}
