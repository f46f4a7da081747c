import FileStores
import Synchronization
import TestKit
import Testing

/// A watch over a line that breaks.
@Suite struct RetryingPresenceTests {
  /// Each watch shows one member, and breaks with the next error; the last one goes on until it is cancelled.
  private final class Breaking: StoreAround, StorePresence {
    let base: any FileStore = CapableStore()
    private let errors: Mutex<[StoreError]>
    private let count = Mutex(0)

    init(_ errors: [StoreError]) { self.errors = Mutex(errors) }

    var watches: Int { count.withLock { $0 } }
    var capabilities: Capabilities { Capabilities(presence: self) }

    func show(_ sight: Sight?) async throws(StoreError) { throw StoreError(.offline, "The line broke.") }

    func watch(_ receive: ([PresentMember]) async -> Void) async throws(StoreError) {
      let number = count.withLock { count in
        count += 1
        return count
      }
      await receive([PresentMember("ann \(number)", Sight())])
      if let error = errors.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
      throw .cancelled("The watch")
    }
  }

  private func watched(_ errors: [StoreError]) async throws -> (seen: [[String]], error: StoreError?, slept: Int) {
    let clock = ManualClock(advancesOnSleep: true)
    let presence = try #require(
      RetryingStore(Breaking(errors), clock: clock, draw: { 0.5 }).capabilities.presence)
    let seen = Mutex<[[String]]>([])
    let error = await #expect(throws: StoreError.self) {
      try await presence.watch { members in seen.withLock { $0.append(members.map(\.name)) } }
    }
    return (seen.withLock { $0 }, error, clock.slept.count)
  }

  @Test func `a broken watch begins again after a pause, and nobody is there meanwhile`() async throws {
    let broken = StoreError(.offline, "The line broke.")
    let (seen, error, slept) = try await watched(Array(repeating: broken, count: 8))
    #expect(seen == (1...8).flatMap { [["ann \($0)"], []] } + [["ann 9"]])
    // Each watch that has begun is a success, so the pauses do not grow, and no limit of tries counts.
    #expect(error?.kind == .cancelled && slept == 8)
  }

  @Test func `a store that has none is asked once`() async throws {
    let (seen, error, slept) = try await watched([StoreError(.unsupported, "It has none.")])
    #expect(seen == [["ann 1"]] && error?.kind == .unsupported && slept == 0)
  }

  @Test func `a sight that could not be shown is not sent again`() async throws {
    let clock = ManualClock(advancesOnSleep: true)
    let presence = try #require(RetryingStore(Breaking([]), clock: clock).capabilities.presence)
    await #expect(throws: StoreError.self) { try await presence.show(Sight()) }
    #expect(clock.slept.isEmpty)
  }
}
