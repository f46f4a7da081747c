import Backends
import Basics
import Dispatch
import FileStores
import Foundation
import POSIX
import Synchronization
import TestKit
import Testing
import Transfers

/// What a download does to the folder that it goes to.
@Suite struct `Downloads` {
  private let bench: Bench
  private let store = ScriptedStore(chunkBytes: 4)
  private let bytes = Bench.bytes(10)

  init() throws {
    bench = try Bench()
    store.set(try StorePath("a.jpg"), bytes)
  }

  private func run(_ order: TransferOrder) async throws -> Transfer? {
    let engine = bench.engine(store)
    let end = await engine.ended(try await engine.add([order])[0])
    await engine.stop()
    return end
  }

  @Test func `are readable by whom the umask says, and only by their owner until then`() async throws {
    let gate = Gate()
    store.run { step in if step == .read(at: 8) { await gate.wait() } }
    let engine = bench.engine(store)
    let id = try await engine.add([bench.download("a.jpg")])[0]
    await gate.arrivals(1)
    let part = try #require(bench.folder.names().first)
    #expect(part.hasPrefix(".a.jpg.byteclub-part-") && bench.folder.names().count == 1)
    #expect(bench.folder.mode(part) == 0o600)
    gate.open()
    #expect(await engine.ended(id)?.state == .done)
    try bench.folder.write("other", [])
    #expect(bench.folder.mode("a.jpg") == bench.folder.mode("other"))
  }

  @Test func `are known to the next engine where the store knows no times`() async throws {
    let first = bench.engine(store)
    let id = try await first.add([bench.download("a.jpg")])[0]
    #expect(await first.ended(id)?.entry?.modified == nil)
    await first.stop()
    let second = bench.engine(store)
    try await second.start()
    let known = await second.ended(id)
    #expect(known?.entry?.size == UInt64(bytes.count) && known?.place == bench.folder.file("a.jpg"))
    await second.stop()
  }

  @Test func `keep the photo's own time, and the next engine knows what they hold`() async throws {
    let store = MemoryStore(now: { Timestamp(seconds: 1_000_000_000) })
    let entry = try await store.put(DataSource(bytes), at: try StorePath("a.jpg"), mode: .create)
    let first = bench.engine(store)
    let id = try await first.add([bench.download("a.jpg")])[0]
    #expect(await first.ended(id)?.state == .done)
    await first.stop()
    let facts = try FileManager.default.attributesOfItem(atPath: bench.folder.file("a.jpg"))
    #expect((facts[.modificationDate] as? Date)?.timeIntervalSince1970 == 1e9)
    let second = bench.engine(store)
    try await second.start()
    let known = await second.ended(id)
    #expect(known?.entry == entry && known?.place == bench.folder.file("a.jpg"))
    await second.stop()
  }

  @Test func `have the photo's own time where a list has another, and are known by that of the list`() async throws {
    let store = DatedStore(base: MemoryStore(now: { Timestamp(seconds: 1_500_000_000) }))
    let entry = try await store.put(DataSource(bytes), at: try StorePath("a.jpg"), mode: .create)
    let engine = bench.engine(store)
    let id = try await engine.add([bench.download("a.jpg")])[0]
    let ended = await engine.ended(id)
    #expect(ended?.state == .done && ended?.entry?.modified == entry.modified)
    let facts = try FileManager.default.attributesOfItem(atPath: bench.folder.file("a.jpg"))
    #expect((facts[.modificationDate] as? Date)?.timeIntervalSince1970 == 1e9)
    await engine.stop()
  }

  @Test func `never replace anything, not even a link to nowhere`() async throws {
    try bench.folder.write("a.jpg", [1])
    #expect(symlink("nowhere", bench.folder.file("a (2).jpg")) == 0)
    for number in 3...4 {
      #expect(try await run(bench.download("a.jpg"))?.place == bench.folder.file("a (\(number)).jpg"))
    }
    #expect(bench.folder.names() == ["a (2).jpg", "a (3).jpg", "a (4).jpg", "a.jpg"])
    #expect(bench.folder.bytes("a.jpg") == [1])
    #expect(bench.folder.bytes("a (3).jpg") == bytes && bench.folder.bytes("a (4).jpg") == bytes)
  }

  @Test func `remove what a killed process left, and nothing that is in use`() async throws {
    for name in ["a.jpg.byteclub-part-0123abcd", "b.jpg.byteclub-part-0123abcd", "a.jpg.byteclub-part-0123abcd.bak"] {
      try bench.folder.write(".\(name)", [1, 2])
    }
    let descriptor = open(bench.folder.file(".a.jpg.byteclub-part-00000000"), O_CREAT | O_RDWR, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    #expect(try await run(bench.download("a.jpg"))?.state == .done)
    #expect(
      bench.folder.names() == [
        ".a.jpg.byteclub-part-00000000", ".a.jpg.byteclub-part-0123abcd.bak", ".b.jpg.byteclub-part-0123abcd", "a.jpg",
      ])
  }

  @Test func `to a folder that is not there fail with its name, and go on when it is`() async throws {
    let gone = bench.folder.file("gone")
    let engine = bench.engine(store)
    let id = try await engine.add([
      TransferOrder(
        club: "Club", store: "memory", work: .download(folder: gone), path: try StorePath("a.jpg"), name: "a.jpg")
    ])[0]
    let end = await engine.ended(id)
    #expect(end?.error?.kind == .notFound && end?.error?.message.contains(gone) == true && bench.folder.names() == [])
    try FileManager.default.createDirectory(atPath: gone, withIntermediateDirectories: false)
    try await engine.perform(.retry(id))
    #expect(await engine.ended(id)?.place == gone + "/a.jpg")
  }

  @Test func `to a folder of the system that takes no files say so`() async throws {
    let order = TransferOrder(
      club: "Club", store: "memory", work: .download(folder: "/proc/self"), path: try StorePath("a.jpg"), name: "a.jpg")
    let error = try await run(order)?.error
    #expect(error?.kind == .notPermitted && error?.message.hasSuffix("\"/proc/self\": it takes no files.") == true)
  }

  @Test func `give up when the file never stays the same, and can be tried again`() async throws {
    let path = try StorePath("a.jpg")
    let count = Mutex(UInt8(0))
    store.run { [unowned store] step in
      guard step == .read(at: 4) else { return }
      let next = count.withLock { count in
        count += 1
        return count
      }
      store.set(path, [UInt8](repeating: next, count: 10))
    }
    let engine = bench.engine(store)
    let id = try await engine.add([bench.download("a.jpg")])[0]
    #expect(await engine.ended(id)?.error?.kind == .conflict)
    #expect(bench.folder.names() == bench.parts)
    store.run { _ in }
    try await engine.perform(.retry(id))
    #expect(await engine.ended(id)?.state == .done)
    #expect(bench.folder.names() == ["a.jpg"] && bench.folder.bytes("a.jpg") == store.file(path))
  }

  @Test func `with the longest names arrive`() async throws {
    let name = String(repeating: "ü", count: 125) + ".jpeg"
    store.set(try StorePath(name), bytes)
    for _ in 0..<2 { #expect(try await run(bench.download(name))?.state == .done) }
    #expect(bench.folder.names() == [String(repeating: "ü", count: 123) + " (2).jpeg", name].sorted())
  }

  /// The first bytes are not written before some more have come: who would wait for the disk each time, would for ever.
  @Test(.timeLimit(.minutes(5))) func `are written while more comes, in order`() async throws {
    let bytes = Bench.bytes(3 << 20)
    let store = ScriptedStore(chunkBytes: 128 << 10)
    let (more, isFirst) = (DispatchSemaphore(value: 0), FirstOnly())
    store.set(try StorePath("b.jpg"), bytes)
    store.run { step in if step == .read(at: 512 << 10) { more.signal() } }
    var settings = TransferSettings()
    settings.diskProbe = { step, isDone in
      if step == .write, !isDone, isFirst.take() { more.wait() }
      return 0
    }
    let engine = bench.engine(store, settings: settings)
    let end = await engine.ended(try await engine.add([bench.download("b.jpg")])[0])
    #expect(end?.state == .done && bench.folder.bytes("b.jpg") == bytes)
  }

  /// A journal that says which offsets were written down.
  private actor OffsetJournal: TransferJournal {
    private let base = MemoryJournal()
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private(set) var offsets: [UInt64] = []

    /// Returns when an offset was written.
    func written() async {
      while offsets.allSatisfy({ $0 == 0 }) { await withCheckedContinuation { waiting.append($0) } }
    }

    func records() async throws(StoreError) -> (records: [TransferRecord], damaged: Int) { try await base.records() }
    func write(_ records: [TransferRecord]) async throws(StoreError) {
      try await base.write(records)
      offsets += records.map(\.offset)
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
    func remove(_ ids: [Transfer.ID]) async throws(StoreError) { try await base.remove(ids) }
    func limit() async throws(StoreError) -> UInt64? { nil }
    func setLimit(_ bytesPerSecond: UInt64?) async throws(StoreError) {}
  }

  /// Pieces are far larger than the file: only time has it flushed, and noted.
  @Test(.timeLimit(.minutes(5))) func `are noted by time, too, once they are on the disk`() async throws {
    let bench = try Bench(stands: true)
    let (journal, clock, counted) = (OffsetJournal(), bench.clock, Gate())
    let isFlushed = Mutex(false)
    store.set(try StorePath("a.jpg"), Bench.bytes(20))
    store.run { step in
      switch step {
      case .read(at: 4): clock.advance(by: .milliseconds(250))
      case .read(at: 12): await counted.wait()
      case .read(at: 16): await journal.written()
      default: break
      }
    }
    var settings = TransferSettings()
    settings.diskProbe = { step, isDone in
      if step == .flush, isDone { isFlushed.withLock { $0 = true } }
      // The next write begins when the flush is counted.
      if step == .write, !isDone, isFlushed.withLock({ $0 }) { counted.open() }
      return 0
    }
    let engine = bench.engine(store, journal: journal, settings: settings)
    let end = await engine.ended(try await engine.add([bench.download("a.jpg")])[0])
    #expect(end?.state == .done)
    #expect(await journal.offsets.contains { $0 > 0 && $0 < 20 })
  }

  // MARK: - After a kill

  /// A download whose process was killed: the part file has six bytes, of which the journal knows none.
  private func killed(_ part: [UInt8], boot: String) async throws {
    let order = try bench.download("a.jpg")
    var record = TransferRecord(id: "t1", order: order, created: Timestamp(seconds: 1), position: 1)
    record.part = Array(".a.jpg.byteclub-part-00000001".utf8)
    record.partBoot = boot
    record.revision = Revision(SHA256.hexadecimal(of: bytes))
    (record.total, record.contentHash) = (10, ContentHash(of: bytes))
    record.attempts = 1
    try bench.folder.write(".a.jpg.byteclub-part-00000001", part)
    try await bench.journal.write([record])
  }

  private func firstReads() -> [UInt64] {
    var first: [UInt64] = []
    var isOver = true
    for step in store.steps {
      guard case .read(let offset) = step else {
        isOver = true
        continue
      }
      if isOver { first.append(offset) }
      isOver = false
    }
    return first
  }

  @Test(arguments: [("now", UInt64(6)), ("before", 0)])
  func `go on at the length of the part file in the same boot, and at what was flushed after another`(
    boot: String, offset: UInt64
  ) async throws {
    try await killed(Array(bytes.prefix(6)), boot: boot)
    var settings = TransferSettings.small
    settings.boot = "now"
    let engine = bench.engine(store, settings: settings)
    let delegate = bench.delegate
    await engine.attach(delegate)
    try await engine.start()
    let end = await engine.ended("t1")
    #expect(end?.state == .done && end?.restarts == 0, "\(String(describing: end))")
    #expect(firstReads() == [offset] && delegate.resumes("t1") == [offset])
    #expect(bench.folder.names() == ["a.jpg"] && bench.folder.bytes("a.jpg") == bytes)
  }

  @Test func `start over once, and say so, when the part file holds other bytes`() async throws {
    try await killed([9, 9, 9, 9, 9, 9], boot: "now")
    var settings = TransferSettings.small
    settings.boot = "now"
    let told = Mutex<[String]>([])
    store.run { [bench] (step) throws(StoreError) in
      guard case .read(at: 0) = step else { return }
      let messages = try await bench.journal.records().records.compactMap { $0.error?.message }
      told.withLock { $0 += messages }
    }
    let engine = bench.engine(store, settings: settings)
    try await engine.start()
    let end = await engine.ended("t1")
    #expect(end?.state == .done && end?.restarts == 1)
    #expect(firstReads() == [6, 0] && bench.folder.bytes("a.jpg") == bytes && bench.folder.names() == ["a.jpg"])
    #expect(
      told.withLock { $0 } == ["The received part of \"a.jpg\" differs from the store's. The download begins again."])
  }
}

/// True once.
private final class FirstOnly: Sendable {
  private let isLeft = Mutex(true)

  func take() -> Bool {
    isLeft.withLock { left in
      defer { left = false }
      return left
    }
  }
}
