import FileStores
import Glibc
import Synchronization
import Testing
import Transfers

@Suite struct `Downloads` {
  let clock = StepClock()
  let delegate: RecordingDelegate
  let engine: OldTransferEngine
  let folder: TemporaryFolder
  let store = ScriptedStore(chunkBytes: 4)
  let pool = BlockingPool(threads: 2)
  let bytes = Array(UInt8(0)..<10)
  let path: StorePath

  init() throws {
    delegate = RecordingDelegate(clock: clock)
    engine = OldTransferEngine(concurrent: 2, clock: clock)
    folder = try TemporaryFolder()
    path = try StorePath("photos/a.jpg")
    store.set(path, bytes)
  }

  private func download(_ name: String = "a.jpg", to directory: String? = nil) async -> Transfer.ID {
    await engine.download(
      path, name: name, into: FileSink(directory: directory ?? folder.path, name: Array(name.utf8), pool: pool),
      store: store, delegate: delegate)
  }

  @Test func `arrive whole and are told in order`() async throws {
    store.run { _ in clock.advance(.seconds(1)) }
    let id = await download()
    #expect(try await engine.result(of: id)?.get().path == path)
    #expect(folder.bytes("a.jpg") == bytes)
    #expect(folder.names == ["a.jpg"])
    #expect(delegate.states(id) == [.queued, .running, .verifying, .finishing, .done])
    #expect(delegate.counts(id) == [0, 4, 8, 10])
    #expect(delegate.breaches(id) == [])
    #expect(await engine.transfer(id)?.place == folder.file("a.jpg"))
  }

  @Test func `are readable by whom the umask says, and only by their owner until then`() async throws {
    let gate = Gate()
    store.run { step in if step == .read(at: 8) { await gate.pass() } }
    let id = await download()
    await gate.arrivals(1)
    let part = try #require(folder.names.first)
    #expect(part.hasPrefix(".a.jpg.byteclub-part-") && folder.names.count == 1)
    #expect(folder.mode(part) == 0o600)
    gate.open()
    _ = try await engine.result(of: id)?.get()
    try folder.write("other", [])
    #expect(folder.mode("a.jpg") == folder.mode("other"))
  }

  @Test func `never replace anything`() async throws {
    try folder.write("a.jpg", [1])
    #expect(symlink("nowhere", folder.file("a (2).jpg")) == 0)
    let first = await download()
    let second = await download()
    _ = try await engine.result(of: first)?.get()
    _ = try await engine.result(of: second)?.get()
    #expect(folder.names == ["a (2).jpg", "a (3).jpg", "a (4).jpg", "a.jpg"])
    #expect(folder.bytes("a.jpg") == [1])
    #expect(folder.bytes("a (3).jpg") == bytes && folder.bytes("a (4).jpg") == bytes)
    let places = await engine.transfers.compactMap(\.place).sorted()
    #expect(places == [folder.file("a (3).jpg"), folder.file("a (4).jpg")])
  }

  @Test func `start over when the file changes meanwhile`() async throws {
    let isFirst = Mutex(true)
    let (store, path) = (store, path)
    store.run { step in
      guard step == .read(at: 8),
        isFirst.withLock({ was in
          defer { was = false }; return was
        })
      else { return }
      store.set(path, [9, 9, 9])
    }
    let id = await download()
    #expect(try await engine.result(of: id)?.get().size == 3)
    #expect(folder.bytes("a.jpg") == [9, 9, 9])
    #expect(folder.names == ["a.jpg"])
    #expect(delegate.resumes(id) == [0])
    #expect(delegate.breaches(id) == [])
  }

  @Test func `give up when the file never stays the same`() async throws {
    let (store, path) = (store, path)
    let count = Mutex(UInt8(0))
    store.run { step in
      guard step == .read(at: 4) else { return }
      store.set(
        path,
        Array(
          repeating: count.withLock {
            $0 += 1; return $0
          }, count: 10))
    }
    let id = await download()
    #expect(kind(await engine.result(of: id)) == .conflict)
    #expect(folder.names == [])
    #expect(delegate.breaches(id) == [])
  }

  @Test func `that are not what the store says leave nothing`() async throws {
    store.state.withLock { $0.wrongHash = true }
    let id = await download()
    #expect(kind(await engine.result(of: id)) == .corrupt)
    #expect(folder.names == [])
    #expect(delegate.states(id) == [.queued, .running, .verifying, .failed])
  }

  @Test(arguments: 0..<6)
  func `cancelled at any step leave nothing`(stop: Int) async throws {
    let count = Mutex(0)
    let engine = engine
    store.run { _ in
      let now = count.withLock { count in
        defer { count += 1 }
        return count
      }
      if now == stop { await engine.cancel("t1") }
    }
    let id = await download()
    let outcome = kind(await engine.result(of: id))
    // entry, read at 0, 4, 8, 10: there are five steps.
    #expect(outcome == (stop < 5 ? .cancelled : nil))
    #expect(folder.names == (stop < 5 ? [] : ["a.jpg"]))
    #expect(delegate.breaches(id) == [])
  }

  @Test func `remove what a killed process left, and nothing that is in use`() async throws {
    try folder.write(".a.jpg.byteclub-part-0123abcd", [1, 2])
    try folder.write(".b.jpg.byteclub-part-0123abcd", [1, 2])
    try folder.write(".a.jpg.byteclub-part-0123abcd.bak", [1, 2])
    let descriptor = open(folder.file(".a.jpg.byteclub-part-00000000"), O_CREAT | O_RDWR, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    let id = await download()
    _ = try await engine.result(of: id)?.get()
    #expect(
      folder.names == [
        ".a.jpg.byteclub-part-00000000", ".a.jpg.byteclub-part-0123abcd.bak", ".b.jpg.byteclub-part-0123abcd", "a.jpg",
      ])
  }

  @Test func `to a folder that is not there fail with its name`() async throws {
    let id = await download(to: folder.file("gone"))
    guard case .failure(let error) = await engine.result(of: id) else {
      Issue.record("no failure")
      return
    }
    #expect(error.kind == .notFound && error.message.contains(folder.file("gone")))
    #expect(folder.names == [])
  }

  @Test func `of what is not there fail and leave nothing`() async throws {
    store.state.withLock { $0.files = [:] }
    let id = await download()
    #expect(kind(await engine.result(of: id)) == .notFound)
    #expect(folder.names == [])
  }

  @Test func `with the longest names arrive`() async throws {
    let name = String(repeating: "ü", count: 125) + ".jpeg"
    for _ in 0..<2 {
      let id = await download(name)
      _ = try await engine.result(of: id)?.get()
    }
    #expect(folder.names == [String(repeating: "ü", count: 123) + " (2).jpeg", name].sorted())
  }
}
