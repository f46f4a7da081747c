import FileStores
import Synchronization
import TestKit
import Testing

@testable import byteclub

/// What a command says of its waiting.
struct WaitTellerTests {
  private let said = Said()
  private let clock = ManualClock()

  private final class Said: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private var teller: WaitTeller { WaitTeller(place: "the lab", clock: clock) { [said] in said.add($0) } }

  private func seconds(_ count: Int) async {
    for _ in 0..<count {
      await clock.waitForSleepers()
      clock.advance(by: .seconds(1))
    }
    await clock.waitForSleepers()
  }

  @Test func `three seconds without an answer are reported once`() async {
    let teller = teller
    teller.take(.asks)
    let watch = Task { await teller.watch() }
    await seconds(2)
    #expect(said.all.isEmpty)
    await seconds(9)
    #expect(said.all == ["Waiting for the lab (3 s)."])
    teller.take(.answered)
    await seconds(9)
    teller.take(.asks)
    teller.take(.waits(StoreError(.offline, "It refuses."), .seconds(1)))
    teller.take(.asks)
    await seconds(4)
    #expect(said.all == ["Waiting for the lab (3 s).", "Waiting for the lab (3 s). It refuses. Trying again."])
    watch.cancel()
    await watch.value
  }

  @Test func `a wait prints each reason once, as soon as it is known`() async {
    let teller = teller
    teller.take(.asks)
    let watch = Task { await teller.watch() }
    await seconds(4)
    for _ in 0..<3 {
      teller.take(.waits(StoreError(.offline, "It was silent for 30 seconds."), .seconds(1)))
      teller.take(.asks)
      await seconds(2)
    }
    #expect(
      said.all == [
        "Waiting for the lab (3 s).", "Waiting for the lab (5 s). It was silent for 30 seconds. Trying again.",
      ])
    watch.cancel()
    await watch.value
  }

  @Test func `a listing prints its unreadable entries once`() {
    teller.take(.unreadable(1))
    #expect(said.all == ["the lab lists an entry that byteclub cannot read. The list below is without."])
    let other = teller
    other.take(.unreadable(2))
    other.take(.unreadable(2))
    #expect(said.all.count == 2 && said.all[1].contains("2 entries"))
  }

  @Test func `answers that come are no silence`() async {
    let teller = teller
    let watch = Task { await teller.watch() }
    for _ in 0..<5 {
      teller.take(.asks)
      await seconds(2)
      teller.take(.answered)
    }
    await seconds(9)
    #expect(said.all.isEmpty)
    watch.cancel()
    await watch.value
  }

  @Test func `a pause that the server asks for is reported at once, with its reason`() {
    teller.take(.waits(StoreError(.rateLimited, "Too often."), .milliseconds(30_400)))
    #expect(said.all == ["Waiting 30 s: Too often."])
  }
}
