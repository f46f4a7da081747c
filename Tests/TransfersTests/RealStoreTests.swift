import Backends
import FileStores
import Foundation
import TestKit
import Testing
import Transfers

/// The engine over the stores that there are, sound and failing.
@Suite struct `Transfers through a real store` {
  enum Kind: String, CaseIterable { case memory, folder }

  let clock = StepClock()
  let delegate: RecordingDelegate
  let engine: OldTransferEngine
  let folder: TemporaryFolder
  let pool = BlockingPool(threads: 3)
  /// More than two pieces of the folder's uploads, not a multiple of anything.
  static let bytes = (0..<9_000_001).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) }
  let bytes = Self.bytes
  let path: StorePath

  init() throws {
    delegate = RecordingDelegate(clock: clock)
    engine = OldTransferEngine(clock: clock)
    folder = try TemporaryFolder()
    path = try StorePath("photos/a.jpg")
    try FileManager.default.createDirectory(atPath: folder.file("club"), withIntermediateDirectories: false)
    try FileManager.default.createDirectory(atPath: folder.file("here"), withIntermediateDirectories: false)
  }

  private func store(_ kind: Kind) throws -> any FileStore {
    switch kind {
    case .memory: MemoryStore()
    case .folder: try FolderStore(root: folder.file("club"), pool: pool)
    }
  }

  /// All files below the club's folder, byteclub's own included.
  private var files: [String] {
    let all = FileManager.default.enumerator(atPath: folder.file("club"))?.allObjects as? [String] ?? []
    return all.filter { name in
      (try? FileManager.default.attributesOfItem(atPath: folder.file("club/\(name)")))?[.type] as? FileAttributeType
        == .typeRegular
    }.sorted()
  }

  private func size(of name: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: folder.file("club/\(name)")))?[.size] as? Int ?? -1
  }

  @Test(arguments: Kind.allCases)
  func `go there and back whole`(kind: Kind) async throws {
    let store = try store(kind)
    try folder.write("a.jpg", bytes)
    let source = try await FileSource(path: folder.file("a.jpg"), pool: pool)
    let up = await engine.upload(
      file: source, name: "a.jpg", to: path, mode: .create, store: store, expecting: ContentHash(of: bytes),
      delegate: delegate)
    #expect(try await engine.result(of: up)?.get().size == UInt64(bytes.count))
    #expect(delegate.breaches(up) == [])
    let sink = FileSink(directory: folder.file("here"), name: Array("a.jpg".utf8), pool: pool)
    let down = await engine.download(path, name: "a.jpg", into: sink, store: store, delegate: delegate)
    #expect(try await engine.result(of: down)?.get().path == path)
    #expect(folder.bytes("here/a.jpg") == bytes)
    #expect(delegate.breaches(down) == [])
    if kind == .folder { #expect(files == ["photos/a.jpg"]) }
  }

  @Test(arguments: Kind.allCases)
  func `take the next name when the name was taken meanwhile`(kind: Kind) async throws {
    let (store, next) = (try store(kind), try StorePath("photos/b.jpg"))
    _ = try await store.put(DataSource([1]), at: path, mode: .create)
    let id = await engine.upload(
      file: DataSource(bytes), name: "a.jpg", to: path, mode: .create, store: store, delegate: delegate
    ) { (_) throws(StoreError) in next }
    #expect(try await engine.result(of: id)?.get().path == next)
    #expect(try await store.readAll(path).bytes == [1])
    #expect(try await store.readAll(next).bytes == bytes)
    #expect(delegate.breaches(id) == [])
  }

  @Test(arguments: Kind.allCases)
  func `leave nothing when they are cancelled on the way`(kind: Kind) async throws {
    let (store, gate) = (try store(kind), Gate())
    // The second piece is never given; what came before is in the store by then.
    let source = HeldSource(bytes, from: 5_000_000, gate: gate)
    let id = await engine.upload(
      file: source, name: "a.jpg", to: path, mode: .create, store: store, delegate: delegate)
    await gate.arrivals(1)
    if kind == .folder { #expect(files.count == 1) }
    await engine.cancel(id)
    #expect(TransfersTests.kind(await engine.result(of: id)) == .cancelled)
    await #expect(throws: StoreError.self) { try await store.entry(at: path) }
    #expect(files == [])
    #expect(delegate.breaches(id) == [])
  }

  @Test(arguments: Kind.allCases, UInt64(0)..<12)
  func `arrive though calls fail and answers are lost`(kind: Kind, seed: UInt64) async throws {
    let faulty = FaultyStore(try store(kind), seed: seed)
    let store = RetryingStore(faulty, clock: ManualClock(advancesOnSleep: true), draw: { 0.5 })
    let bytes = Array(bytes.prefix(300_001))
    let up = await engine.upload(
      file: DataSource(bytes, chunkSize: 50_000), name: "a.jpg", to: path, mode: .create, store: store,
      delegate: delegate)
    #expect(try await engine.result(of: up)?.get().size == UInt64(bytes.count), "seed \(seed)")
    let sink = FileSink(directory: folder.file("here"), name: Array("a.jpg".utf8), pool: pool)
    let down = await engine.download(path, name: "a.jpg", into: sink, store: store, delegate: delegate)
    _ = try await engine.result(of: down)?.get()
    #expect(folder.bytes("here/a.jpg") == bytes, "seed \(seed)")
    #expect(delegate.breaches(up) == [] && delegate.breaches(down) == [], "seed \(seed)")
    // A session whose beginning was never answered is known to nobody; the folder drops it later. It has no bytes.
    #expect(files.filter { size(of: $0) > 0 } == (kind == .folder ? ["photos/a.jpg"] : []), "seed \(seed)")
  }
}
