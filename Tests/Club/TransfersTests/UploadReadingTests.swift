import FileStores
import POSIX
import Synchronization
import TestKit
import Testing
import Transfers

/// Uploads of files whose hash nobody knows, such as photos of a size that no photo of the club has.
@Suite struct `An upload` {
  private let bench: Bench
  private let path: StorePath
  private let read = CountedBytes()

  init() throws {
    bench = try Bench()
    path = try StorePath("a.jpg")
  }

  private final class CountedBytes: Sendable {
    private let bytes = Mutex(0)
    var count: Int { bytes.withLock { $0 } }
    func add(_ more: Int) { bytes.withLock { $0 += more } }
  }

  private func engine(_ store: ScriptedStore, pieceBytes: Int = 1000) -> TransferEngine {
    var settings = TransferSettings(pieceBytes: pieceBytes)
    settings.readProbe = { [read] in read.add($0) }
    return bench.engine(store, settings: settings)
  }

  @Test(arguments: [true, false])
  func `reads its file once, for the hash and for the requests`(inPieces: Bool) async throws {
    let store = ScriptedStore(resumable: inPieces, pieceBytes: 1000)
    let (engine, bytes) = (engine(store), Bench.bytes(5000))
    let end = await engine.ended(try await engine.add([bench.upload("a.jpg", bytes)])[0])
    #expect(end?.state == .done && end?.contentHash == ContentHash(of: bytes))
    #expect(read.count == 5000 && store.file(path) == bytes)
    let requests: [ScriptedStore.Step] =
      inPieces ? [.begin] + (0..<5).map { .append(at: $0 * 1000) } + [.finish] : [.putOpened, .finish]
    let made = store.steps.filter {
      switch $0 {
      case .begin, .append, .finish, .putOpened: true
      default: false
      }
    }
    #expect(made == requests)
  }

  @Test func `reads the sent beginning once more for the hash when it goes on after a break`() async throws {
    let store = ScriptedStore(pieceBytes: 1000)
    let once = Mutex(true)
    store.run { (step) throws(StoreError) in
      guard step == .append(at: 3000),
        once.withLock({ first in
          defer { first = false }; return first
        })
      else { return }
      throw StoreError(.offline, "The connection broke.")
    }
    let (engine, bytes) = (engine(store), Bench.bytes(5000))
    #expect(await engine.ended(try await engine.add([bench.upload("a.jpg", bytes)])[0])?.state == .done)
    // The piece that broke was read, too.
    #expect(read.count == 5000 + 4000 && store.file(path) == bytes)
  }

  @Test func `that a lost answer hides is found by the hash of what was sent`() async throws {
    let store = ScriptedStore(resumable: false)
    let once = Mutex(true)
    store.run { (step) throws(StoreError) in
      guard step == .finished,
        once.withLock({ first in
          defer { first = false }; return first
        })
      else { return }
      throw StoreError(.offline, "The answer is lost.")
    }
    let engine = engine(store)
    let end = await engine.ended(try await engine.add([bench.upload("a.jpg", Bench.bytes(50))])[0])
    #expect(end?.state == .done && store.paths == [path])
  }

  @Test(arguments: [ScriptedStore.Step.finish, .finished])
  func `that is cancelled reads its file again only if the store has one of its size`(
    step: ScriptedStore.Step
  ) async throws {
    let (store, gate) = (ScriptedStore(resumable: false), Gate())
    let once = Mutex(true)
    store.run { (now) throws(StoreError) in
      guard now == step,
        once.withLock({ first in
          defer { first = false }; return first
        })
      else { return }
      await gate.wait(whileNotCancelled: false)
      throw StoreError(.offline, "The answer is lost.")
    }
    let engine = engine(store)
    let id = try await engine.add([bench.upload("a.jpg", Bench.bytes(50))])[0]
    await gate.arrivals(1)
    try await engine.perform(.cancel(id))
    gate.open()
    let isThere = step == .finished
    #expect(await engine.ended(id)?.state == (isThere ? .done : .cancelled))
    #expect(read.count == (isThere ? 100 : 50))
  }

  /// A server hashes whole blocks as they come; it would read the others again.
  @Test func `ends large pieces where blocks of the content hash end`() async throws {
    let block = ContentHasher.blockBytes
    let store = ScriptedStore(pieceBytes: block)
    let bytes = [UInt8](repeating: 7, count: 5 * block + 1)
    let engine = engine(store, pieceBytes: 2 * block)
    #expect(await engine.ended(try await engine.add([bench.upload("a.jpg", bytes)])[0])?.state == .done)
    let starts = store.steps.compactMap { if case .append(let at) = $0 { Int(at) } else { nil } }
    let mebibyte = 1 << 20
    #expect(starts == [0, mebibyte, 3 * mebibyte, block, 2 * block, 4 * block])
    #expect(read.count == bytes.count)
  }
}
