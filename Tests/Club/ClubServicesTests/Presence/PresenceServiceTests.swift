import Backends
import FileStores
import Synchronization
import TestKit
import Testing

@testable import ClubServices

/// What a member's program sends of its sight, and when.
@Suite struct PresenceServiceTests {
  private final class Turns {
    private var turns = SightTurns()

    var rests: Bool { turns.rests }
    func look(at sight: Sight) { turns.look(at: sight) }
    func see(_ names: Set<String>) { turns.see(names) }
    func end() { turns.end() }
    func next(at now: Duration) -> SightTurns.Step { turns.next(at: now) }
    func noteSent() { turns.noteSent() }
  }

  private func sight(_ name: String) -> Sight { Sight(try? StorePath(name)) }

  @Test func `who is alone sends nothing after the first sight`() {
    let turns = Turns()
    turns.look(at: sight("a.md"))
    #expect(turns.next(at: .zero) == .rest)
    turns.see([])
    #expect(turns.next(at: .zero) == .send(sight("a.md")))
    turns.noteSent()
    for number in 0..<1000 {
      turns.look(at: sight("n\(number)"))
      #expect(turns.rests && turns.next(at: .seconds(number)) == .rest)
    }
  }

  @Test func `the sight is sent once when somebody comes, and then only while it changes`() {
    let turns = Turns()
    turns.see([])
    _ = turns.next(at: .zero)
    turns.noteSent()
    turns.look(at: sight("a.md"))
    turns.see(["ann"])
    #expect(turns.next(at: .seconds(1)) == .send(sight("a.md")))
    turns.noteSent()
    #expect(turns.rests)
    // Another movement of the same member is no reason.
    turns.see(["ann"])
    #expect(turns.rests)
    turns.see(["ann", "ben"])
    #expect(turns.next(at: .seconds(2)) == .send(sight("a.md")))
    turns.noteSent()
    turns.see(["ben"])
    turns.look(at: sight("b.md"))
    #expect(turns.next(at: .seconds(3)) == .send(sight("b.md")))
  }

  @Test func `there are at most ten sights a second, the last of them the newest, and one at a time`() {
    let turns = Turns()
    turns.see(["ann"])
    var (sent, isOver) = ([Sight](), false)
    for millisecond in 0..<3000 {
      if millisecond < 2000 { turns.look(at: sight("n\(millisecond)")) }
      if case .send(let sight) = turns.next(at: .milliseconds(millisecond)) {
        sent.append(sight)
        #expect(turns.next(at: .milliseconds(millisecond)) == .rest)
        turns.noteSent()
      }
      isOver = turns.rests
    }
    #expect(sent.count == 21 && sent.last == sight("n1999") && isOver)
  }

  @Test func `a break of the line is the beginning of another watch`() {
    let turns = Turns()
    turns.see(["ann"])
    _ = turns.next(at: .zero)
    turns.noteSent()
    turns.see([])
    #expect(turns.rests)
    turns.see(["ann"])
    #expect(turns.next(at: .seconds(20)) == .send(Sight()))
    turns.noteSent()
    turns.end()
    turns.look(at: sight("a.md"))
    #expect(turns.rests)
  }

  @Test func `two members see each other, and the one who stays sees that the other goes`() async throws {
    let presence = MemoryPresence()
    let (ann, ben) = (Seer(presence.place(of: "ann")), Seer(presence.place(of: "ben")))
    ann.service.look(at: sight("a.md"))
    let first = Task { try await ann.follow() }
    await ann.waits { $0 == [] }
    let second = Task { try await ben.follow() }
    await ben.waits { $0.map(\.name) == ["ann"] }
    await ann.waits { $0 == [PresentMember("ben", Sight())] }
    ben.service.look(
      at: Sight(try? StorePath("photos/b.jpg"), gaze: Gaze(yawDegrees: 1, pitchDegrees: 2, widthDegrees: 3)))
    await ann.waits { $0.first?.sight.gaze?.yaw == 100 }
    second.cancel()
    await ann.waits { $0.isEmpty }
    first.cancel()
    _ = await (first.result, second.result)
  }

  @Test func `a store without presence says so`() async throws {
    let service = PresenceService(store: MemoryStore())
    #expect(!service.isThere)
    let error = await #expect(throws: StoreError.self) { try await service.follow { _ in } }
    #expect(error?.kind == .unsupported && error?.remedy == "")
  }

  /// A member of a club in memory.
  private final class Seer: Sendable {
    let service: PresenceService
    private let seen = AsyncStream<[PresentMember]>.makeStream()
    private let last = Mutex<[PresentMember]?>(nil)

    init(_ presence: any StorePresence) {
      service = PresenceService(store: Placed(presence: presence), clock: ManualClock(advancesOnSleep: true))
    }

    func follow() async throws {
      try await service.follow { [continuation = seen.continuation] in continuation.yield($0) }
    }

    func waits(until isMet: ([PresentMember]) -> Bool) async {
      if let last = last.withLock({ $0 }), isMet(last) { return }
      for await members in seen.stream {
        last.withLock { $0 = members }
        if isMet(members) { return }
      }
    }
  }

  private struct Placed: StoreAround {
    let base: any FileStore = MemoryStore()
    let presence: any StorePresence
    var capabilities: Capabilities { Capabilities(presence: presence) }
  }
}
