import Backends
import Synchronization
import TestKit
import Testing

@testable import FileStores

/// A list that never ends, or that takes for ever, ends in words.
struct ListingBoundsTests {
  /// A page of one more entry at each call, and one more step of the clock.
  private final class EndlessStore: StoreWrapper {
    let base: any FileStore = MemoryStore()
    let clock = ManualClock(advancesOnSleep: true)
    private let pages = Mutex(0)
    private let step: Duration
    private let error: StoreError?

    init(step: Duration, error: StoreError? = nil) { (self.step, self.error) = (step, error) }

    var asked: Int { pages.withLock { $0 } }

    func call<Answer: Sendable>(
      _ call: StoreCall<Answer>, _ body: () async throws(StoreError) -> Answer
    ) async throws(StoreError) -> Answer { try await body() }

    func callEach<Item: Sendable, Answer: Sendable>(
      _ call: StoreCall<[Result<Answer, StoreError>]>, _ items: [Item], part: (Item) -> StoreCall<Answer>,
      _ body: ([Item]) async throws(StoreError) -> [Result<Answer, StoreError>]
    ) async throws(StoreError) -> [Result<Answer, StoreError>] { try await body(items) }

    func list(
      _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
    ) async throws(StoreError) -> ListPage {
      clock.advance(by: step)
      let number = pages.withLock {
        $0 += 1
        return $0
      }
      if let error { throw error }
      return ListPage(
        entries: [FileEntry(path: try StorePath("f\(number)"), kind: .file)], isWhole: true,
        next: ListCursor("\(number)"))
    }
  }

  private func list(_ store: EndlessStore) async -> StoreError? {
    let retrying = RetryingStore(store, clock: store.clock, draw: { 0.5 })
    var cursor: ListCursor?
    do throws(StoreError) {
      repeat { cursor = try await retrying.list(.root, ListOptions(.names), after: cursor).next } while cursor != nil
      return nil
    } catch {
      return error
    }
  }

  @Test func `pages without end end after half an hour`() async throws {
    let store = EndlessStore(step: .seconds(60))
    let error = try #require(await list(store))
    #expect(store.asked == 31)
    #expect(error.kind == .tooLarge && !error.isTemporary && error.isWrongAnswer)
    #expect(
      error.message
        == "The list of the club's folder does not come to its end within 30 minutes; 31 files and folders came.")
    #expect(error.remedy.hasPrefix("Try again later."))
  }

  @Test func `fast pages without end end at their number`() async throws {
    let store = EndlessStore(step: .zero)
    #expect(await list(store)?.message.contains("in 100,000 pages") == true)
    #expect(store.asked == 100_001)
  }

  @Test func `one page that trickles is asked for no more than half an hour`() async throws {
    let store = EndlessStore(step: .seconds(700), error: StoreError(.offline, "Too slow."))
    let error = try #require(await list(store))
    #expect(error.kind == .tooLarge && store.asked == 3)
  }

  @Test func `a second list has its own time`() async throws {
    let store = EndlessStore(step: .seconds(100))
    let retrying = RetryingStore(store, clock: store.clock, draw: { 0.5 })
    for _ in 0..<100 {
      let first = try await retrying.list(.root, ListOptions(.names), after: nil)
      _ = try await retrying.list(.root, ListOptions(.names), after: first.next)
    }
  }
}
