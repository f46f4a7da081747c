import Backends
import FileStores
import Synchronization
import TestKit
import Testing

/// What a retrying store tells of its calls, and how long it waits for a store that asks it to.
@Suite struct CallReportTests {
  private let clock = ManualClock(advancesOnSleep: true)
  private let told = Told()
  private let offline = StoreError(.offline, "The line broke.")

  private final class Told: Sendable {
    private let lines = Mutex<[String]>([])
    var words: [String] { lines.withLock { $0 } }
    func take(_ report: CallReport) {
      let word =
        switch report {
        case .asks: "asks"
        case .answered: "answered"
        case .waits(let error, let pause): "waits \(pause.components.seconds) s: \(error.kind)"
        case .failed(let error): "failed: \(error.kind)"
        case .unreadable(let count): "\(count) unreadable"
        }
      lines.withLock { $0.append(word) }
    }
  }

  private func store(_ base: any FileStore, attempts: Int = 3) -> RetryingStore {
    RetryingStore(
      base, policy: RetryPolicy(attempts: attempts, firstPause: .seconds(1)), clock: clock, draw: { 1 },
      // Noon, 1 January 2031, in UTC.
      now: { 1_925_035_200 }, observer: told.take)
  }

  private func failing(_ error: StoreError, _ count: Int) -> ScriptedWrapper {
    ScriptedWrapper(MemoryStore(), entry: Array(repeating: .failBefore(error), count: count))
  }

  @Test func `each call is reported with its tries and its end`() async throws {
    _ = try await store(failing(offline, 1)).entry(at: .root)
    #expect(told.words == ["asks", "waits 1 s: offline", "asks", "answered"])
  }

  @Test func `a call that is given up is reported as failed`() async throws {
    await #expect(throws: StoreError.self) { try await store(failing(offline, 9), attempts: 2).entry(at: .root) }
    #expect(told.words == ["asks", "waits 1 s: offline", "asks", "failed: offline"])
  }

  @Test func `a store that says no has answered`() async throws {
    await #expect(throws: StoreError.self) { try await store(MemoryStore()).entry(at: StorePath("none")) }
    #expect(told.words == ["asks", "answered"])
  }

  @Test func `puts, reads and waits for changes are reported`() async throws {
    let memory = MemoryStore()
    let store = store(memory)
    _ = try await store.put(DataSource("text".utf8), at: StorePath("a"), mode: .create)
    let entry = try await store.entry(at: StorePath("a"))
    let before = told.words.count
    _ = try await store.read(StorePath("a"), from: 0, ifRevision: entry.revision) { _ in }
    #expect(told.words.dropFirst(before).first == "asks" && told.words.last == "answered")
    #expect(told.words.prefix(2) == ["asks", "answered"])
  }

  @Test func `a pause that is ended fails the call with what it waited for`() async throws {
    let (clock, pauses) = (ManualClock(), CallPauses())
    let busy = StoreError(.rateLimited, "Too often.", retryAfter: .seconds(30))
    let store = RetryingStore(failing(busy, 9), clock: clock, observer: told.take, pauses: pauses)
    let call = Task { () async throws(StoreError) in try await store.entry(at: .root) }
    await clock.waitForSleepers()
    pauses.end()
    let error = await #expect(throws: StoreError.self) { try await call.value }
    #expect(error == busy && told.words == ["asks", "waits 30 s: rateLimited", "failed: rateLimited"])
    // The next call has a pause of its own, which a cancelled task ends, too.
    let next = Task { () async throws(StoreError) in try await store.entry(at: .root) }
    await clock.waitForSleepers()
    next.cancel()
    await #expect(throws: StoreError.cancelled("The next try", path: nil)) { try await next.value }
  }

  @Test func `a wait of five minutes is kept, a longer one is an error at once that says when to come back`()
    async throws
  {
    let short = StoreError(.rateLimited, "Too often.", retryAfter: .seconds(300))
    _ = try await store(failing(short, 1)).entry(at: .root)
    #expect(clock.slept.count == 1)
    for (seconds, remedy) in [
      (301, "Come back at 12:05."), (9300, "Come back at 14:35."), (86_400, "Come back on 2031-01-02 at 12:00."),
      (1_000_000_000, "Come back on 2062-09-09 at 13:46."), (Int64.max, "The server does not say when."),
    ] {
      let long = StoreError(.rateLimited, "Too often.", remedy: "Wait.", retryAfter: .seconds(seconds))
      let error = await #expect(throws: StoreError.self) { try await store(failing(long, 1)).entry(at: .root) }
      #expect(error?.kind == .rateLimited && error?.message == "Too often." && error?.remedy == remedy)
    }
    #expect(clock.slept.count == 1)
  }
}
