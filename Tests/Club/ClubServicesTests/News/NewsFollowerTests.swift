import FileStores
import Synchronization
import TestKit
import Testing

@testable import ClubServices

@Suite struct NewsFollowerTests {
  /// A club that tells of its changes when the test says so.
  private final class Scene: Sendable, ChangeFeed {
    let clock = ManualClock()
    let items = Mutex<[NewsItem]>([])
    let receipts = Mutex<[NewsFollower.Receipt]>([])
    let starts = Mutex<[StoreError]>([])
    let marked = Mutex<[NewsCursor.Mark]>([])
    let said = Mutex<[String]>([])
    let looks: AsyncStream<Void>
    let gave: AsyncStream<[NewsItem]>
    let changes: AsyncStream<Void>
    private let look: AsyncStream<Void>.Continuation
    private let give: AsyncStream<[NewsItem]>.Continuation
    let change: AsyncStream<Void>.Continuation

    init() {
      (looks, look) = AsyncStream.makeStream()
      (gave, give) = AsyncStream.makeStream()
      (changes, change) = AsyncStream.makeStream()
    }

    func start() async throws(StoreError) -> ChangeCursor {
      if let error = starts.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
      return ChangeCursor("0")
    }

    func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
      for await _ in changes { return ChangeSet(changes: [], cursor: cursor) }
      throw .cancelled("The watch")
    }

    func follower() -> NewsFollower {
      NewsFollower(
        place: "garage", feed: self, clock: clock,
        look: { () throws(StoreError) in
          defer { self.look.yield() }
          return NewsReader.Look(items: self.items.withLock { $0 }, rest: [])
        },
        give: { items in
          defer { self.give.yield(items) }
          return self.receipts.withLock { $0.isEmpty ? .taken : $0.removeFirst() }
        },
        mark: { marks throws(StoreError) in self.marked.withLock { $0 += marks } },
        say: { sentence in self.said.withLock { $0.append(sentence) } })
    }
  }

  @Test func `a batch comes after ten seconds of quiet, and is marked when it was taken`() async throws {
    let scene = Scene()
    let item = try NewsBatchesTests.item("a")
    scene.items.withLock { $0 = [item] }
    let run = Task { try await scene.follower().run() }
    var gave = scene.gave.makeAsyncIterator()
    await scene.clock.waitForSleepers()
    #expect(scene.clock.slept == [.seconds(10)])
    scene.clock.advance(by: .seconds(10))
    #expect(await gave.next() == [item])
    run.cancel()
    _ = await run.result
    #expect(scene.said.withLock { $0 }.isEmpty)
  }

  @Test func `a refused batch is given again, and nothing of it is marked before it was taken`() async throws {
    let scene = Scene()
    let item = try NewsBatchesTests.item("a")
    scene.items.withLock { $0 = [item] }
    scene.receipts.withLock { $0 = [.refused] }
    let run = Task { try await scene.follower().run() }
    var gave = scene.gave.makeAsyncIterator()
    await scene.clock.waitForSleepers()
    scene.clock.advance(by: .seconds(10))
    #expect(await gave.next() == [item])
    await scene.clock.waitForSleepers()
    #expect(scene.marked.withLock { $0 }.isEmpty)
    scene.receipts.withLock { $0 = [.taken, .ended] }
    scene.clock.advance(by: .seconds(1))
    #expect(await gave.next() == [item])
    // The next batch is given after the first one is marked.
    let other = try NewsBatchesTests.item("b")
    scene.items.withLock { $0 = [other] }
    scene.change.yield()
    await scene.clock.waitForSleepers()
    scene.clock.advance(by: NewsFollower.settling)
    await scene.clock.waitForSleepers()
    scene.clock.advance(by: .seconds(10))
    #expect(await gave.next() == [other])
    // Nobody reads any more.
    try await run.value
    #expect(scene.marked.withLock { $0 } == [item.mark])
    #expect(scene.clock.slept == [.seconds(10), .seconds(1), NewsFollower.settling, .seconds(10)])
  }

  @Test func `a store that is away at the start is said once, and so is its answer`() async throws {
    let scene = Scene()
    let away = StoreError(.offline, "No route to the server.")
    scene.starts.withLock { $0 = [away, away, away] }
    let run = Task { try await scene.follower().run() }
    for _ in 0..<3 {
      await scene.clock.waitForSleepers()
      scene.clock.advance(by: .seconds(60))
    }
    var looks = scene.looks.makeAsyncIterator()
    await looks.next()
    scene.items.withLock { $0 = [] }
    scene.change.yield()
    await scene.clock.waitForSleepers()
    run.cancel()
    _ = await run.result
    #expect(
      scene.said.withLock { $0 } == [
        "garage does not answer. The news goes on when it does. No route to the server.", "garage answers again.",
      ])
  }

  @Test func `an error that waiting does not mend ends it`() async throws {
    let scene = Scene()
    scene.starts.withLock { $0 = [StoreError(.notSignedIn, "The sign-in has ended.")] }
    await #expect(throws: StoreError.self) { try await scene.follower().run() }
    #expect(scene.said.withLock { $0 }.isEmpty)
  }
}
