import Backends
import FileStores
import Synchronization
import TestKit
import Testing

@Suite struct RetryingStoreTests {
  private let clock = ManualClock(advancesOnSleep: true)

  private func retrying(_ base: any FileStore, attempts: Int = 5) -> RetryingStore {
    RetryingStore(
      base, policy: RetryPolicy(attempts: attempts, firstPause: .milliseconds(100), longestPause: .milliseconds(350)),
      clock: clock, draw: { 1 })
  }

  @Test("Pauses double up to the longest, and the last error is thrown on")
  func pauses() async throws {
    let base = ScriptedWrapper(MemoryStore(), entry: Array(repeating: .failBefore(offline), count: 9))
    let error = await #expect(throws: StoreError.self) { _ = try await retrying(base).entry(at: .root) }
    #expect(error?.kind == .offline && base.calls == 5)
    #expect(clock.slept == [.milliseconds(100), .milliseconds(200), .milliseconds(350), .milliseconds(350)])
  }

  @Test(
    "A server that says nothing until a time limit is asked twice, or once if that takes minutes",
    arguments: [
      (30, 2), (60, 2), (120, 1),
    ])
  func silence(_ seconds: Int, _ calls: Int) async throws {
    let path = try StorePath("a.md")
    let silence = offline.ofSilence(.seconds(seconds)).about(path)
    let base = ScriptedWrapper(MemoryStore(), entry: Array(repeating: .failBefore(silence), count: 9))
    let error = await #expect(throws: StoreError.self) { _ = try await retrying(base).entry(at: path) }
    #expect(error?.kind == .offline && error?.silence == .seconds(seconds) && base.calls == calls)
  }

  @Test("The jitter halves a pause at most")
  func jitter() async throws {
    let base = ScriptedWrapper(MemoryStore(), entry: [.failBefore(offline), .pass])
    let store = RetryingStore(base, policy: RetryPolicy(firstPause: .milliseconds(100)), clock: clock, draw: { 0 })
    _ = try await store.entry(at: .root)
    #expect(clock.slept == [.milliseconds(50)])
  }

  @Test("No try comes earlier than the store asked for")
  func retryAfter() async throws {
    let limited = StoreError(.rateLimited, "Too often.", retryAfter: .seconds(40))
    let base = ScriptedWrapper(MemoryStore(), entry: [.failBefore(limited), .pass])
    _ = try await retrying(base).entry(at: .root)
    #expect(clock.slept.count == 1 && clock.slept[0] >= .seconds(40) && clock.slept[0] <= .seconds(41))
  }

  @Test("What is not temporary is thrown at once", arguments: StoreError.Kind.allCases)
  func permanent(kind: StoreError.Kind) async throws {
    let failure = StoreError(kind, "It failed.")
    let base = ScriptedWrapper(MemoryStore(), entry: [.failBefore(failure), .pass])
    let result: StoreError?
    do {
      _ = try await retrying(base).entry(at: .root)
      result = nil
    } catch {
      result = error
    }
    #expect((result == nil) == failure.isTemporary)
    #expect(base.calls == (failure.isTemporary ? 2 : 1))
  }

  /// A store that keeps nothing of what it is given, and says that all is well.
  private struct Emptying: StoreAround {
    let base: any FileStore

    func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry {
      try await base.put(DataSource([]), at: path, mode: mode)
    }
  }

  @Test("A write of which the store has another number of bytes is not believed")
  func notWhole() async throws {
    let store = retrying(Emptying(base: MemoryStore()))
    let error = await #expect(throws: StoreError.self) {
      try await store.put(DataSource("text".utf8), at: StorePath("a"), mode: .create)
    }
    #expect(error?.kind == .corrupt && error?.current?.size == 0 && clock.slept.isEmpty)
  }

  @Test("A pause ends at once when the task is cancelled")
  func cancelled() async throws {
    let still = ManualClock()
    let base = ScriptedWrapper(MemoryStore(), entry: Array(repeating: .failBefore(offline), count: 9))
    let store = RetryingStore(base, clock: still)
    let task = Task { _ = try await store.entry(at: .root) }
    await still.waitForSleepers()
    task.cancel()
    let error = await #expect(throws: StoreError.self) { try await task.value }
    #expect(error?.kind == .cancelled)
  }

  @Test("A put whose answer was lost is recognised by its content, and is not sent twice", arguments: [false, true])
  func lostAnswer(hashKnown: Bool) async throws {
    let memory = MemoryStore()
    let base = ScriptedWrapper(memory, put: [.failAfter(offline), .pass], tellsHash: hashKnown)
    let entry = try await retrying(base).put(DataSource("text".utf8), at: StorePath("a"), mode: .create)
    #expect(entry.revision == (try await memory.entry(at: StorePath("a")).revision))
    #expect(base.puts == 1)
  }

  @Test("A put that never arrived is sent again, and another's content is a conflict, not ours")
  func notArrived() async throws {
    let memory = MemoryStore()
    let path = try StorePath("a")
    let base = ScriptedWrapper(memory, put: [.failBefore(offline), .pass])
    _ = try await retrying(base).put(DataSource("text".utf8), at: path, mode: .create)
    #expect(base.puts == 2)
    let another = ScriptedWrapper(memory, put: [.failBefore(offline), .pass])
    let error = await #expect(throws: StoreError.self) {
      _ = try await retrying(another).put(DataSource("mine".utf8), at: path, mode: .create)
    }
    #expect(error?.kind == .exists)
    #expect(try await memory.readAll(path).bytes == Array("text".utf8))
  }

  @Test("A put whose answer was lost and that was written over since has happened", arguments: [false, true])
  func writtenOver(hashKnown: Bool) async throws {
    let (memory, path) = (MemoryStore(), try StorePath("a"))
    let first = try await memory.put(DataSource("first".utf8), at: path, mode: .create)
    let base = try #require(first.revision)
    let another: @Sendable () async -> Void = {
      do {
        let mine = try await memory.entry(at: path).revision
        _ = try await memory.put(DataSource("other".utf8), at: path, mode: .replace(try #require(mine)))
      } catch {
        Issue.record(error)
      }
    }
    let store = ScriptedWrapper(memory, put: [.failAfter(offline), .pass], tellsHash: hashKnown, whileBroken: another)
    let entry = try await retrying(store).put(DataSource("mine!".utf8), at: path, mode: .replace(base))
    let versions = try await #require(memory.capabilities.revisions).versions(of: path, limit: 9)
    #expect(versions.map(\.size) == [5, 5, 5] && entry.revision == versions[1].revision)
    #expect(try await memory.readAll(path).bytes == Array("other".utf8))
    // What never arrived is a conflict, though another wrote as much, and whatever the history says.
    for kind in [nil, StoreError.Kind.unsupported, .notFound, .badInput, .corrupt] {
      let lost = ScriptedWrapper(
        memory, put: [.failBefore(offline), .pass], tellsHash: hashKnown,
        historyFailure: kind.map { StoreError($0, "No history.") })
      let fault = await #expect(throws: StoreError.self) {
        _ = try await retrying(lost).put(DataSource("late!".utf8), at: path, mode: .replace(base))
      }
      #expect(fault?.kind == .conflict)
    }
  }

  @Test("What a source throws is no reason to try again")
  func sourceFails() async throws {
    let base = ScriptedWrapper(MemoryStore())
    let error = await #expect(throws: StoreError.self) {
      _ = try await retrying(base).put(
        OddSource([1], size: 2, end: .error(offline)), at: StorePath("a"), mode: .create)
    }
    #expect(error == offline && base.puts == 1 && clock.slept.isEmpty)
  }

  @Test("A broken reading goes on where it broke, at the same revision; another revision is conflict")
  func readResumes() async throws {
    let memory = MemoryStore()
    let path = try StorePath("a")
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    _ = try await memory.put(DataSource(bytes), at: path, mode: .create)
    let faulty = FaultyStore(memory, seed: 3, share: 0.9)
    #expect(try await retrying(faulty, attempts: 20).readAll(path).bytes == bytes)
    #expect(faulty.count > 0)

    // The file changes while the line is broken.
    var got = 0
    let breaking = ScriptedWrapper(memory, readBreaksAfter: 100_000) {
      _ = try? await memory.put(DataSource("new".utf8), at: path, mode: .overwrite)
    }
    let error = await #expect(throws: StoreError.self) {
      _ = try await retrying(breaking).read(path, from: 0, ifRevision: nil) { got += $0.count }
    }
    #expect(error?.kind == .conflict && got < bytes.count)
  }

  @Test("A move and a delete whose answers were lost have happened once")
  func moves() async throws {
    let memory = MemoryStore()
    let store = retrying(FaultyStore(memory, seed: 1, share: 1), attempts: 12)
    for round in 0..<20 {
      let (from, to) = (try StorePath("a\(round)"), try StorePath("b\(round)"))
      _ = try await memory.put(DataSource("\(round)".utf8), at: from, mode: .create)
      let moved = try await store.move(from, to: to, ifRevision: nil)
      #expect(moved.path == to)
      try await store.delete(to, ifRevision: nil)
    }
    #expect(try await memory.list(.root, ListOptions(.names), after: nil).entries.isEmpty)
  }

  @Test("A move or a discarding of what was never there is notFound, whatever lies at the target or in the trash")
  func missing() async throws {
    let memory = MemoryStore()
    let (from, to) = (try StorePath("a"), try StorePath("b"))
    _ = try await memory.put(DataSource("old".utf8), at: from, mode: .create)
    _ = try await #require(memory.capabilities.trash).discard(from, ifRevision: nil)
    _ = try await memory.put(DataSource("other".utf8), at: to, mode: .create)
    for seed in 1...20 as ClosedRange<UInt64> {
      let store = retrying(FaultyStore(memory, seed: seed, share: 1), attempts: 12)
      let moved = await #expect(throws: StoreError.self) { try await store.move(from, to: to, ifRevision: nil) }
      #expect(moved?.kind == .notFound)
      let discarded = await #expect(throws: StoreError.self) {
        try await #require(store.capabilities.trash).discard(from, ifRevision: nil)
      }
      #expect(discarded?.kind == .notFound)
    }
  }

  @Test("Of what was discarded from one path again and again, a lost answer finds the last")
  func lastDiscarded() async throws {
    let memory = MemoryStore()
    let path = try StorePath("a")
    for round in 0..<12 {
      let store = retrying(FaultyStore(memory, seed: UInt64(round), share: 1), attempts: 12)
      _ = try await memory.put(DataSource("\(round % 2)".utf8), at: path, mode: .create)
      let told = try await #require(store.capabilities.trash).discard(path, ifRevision: nil)
      let newest = try await #require(memory.capabilities.trash).contents().max { $0.discarded < $1.discarded }
      #expect(told.discarded == newest?.discarded)
    }
  }

  private let offline = StoreError(.offline, "The line broke.")
}
