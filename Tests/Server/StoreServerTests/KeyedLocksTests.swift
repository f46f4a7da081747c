import Testing

@testable import StoreServer

@Suite struct KeyedLocksTests {
  @Test func `a reading that is cancelled leaves the line, and the others get their turn in order`() async throws {
    let locks = KeyedLocks()
    let (stream, gate) = AsyncStream.makeStream(of: Void.self)
    let first = Task { await locks.with("a") { for await _ in stream { return } } }
    while !locks.isHeld("a") { await Task.yield() }
    let second = Task { try await locks.reading("a") { 2 } }
    while locks.waiting(for: "a") < 1 { await Task.yield() }
    let third = Task { try await locks.reading("a") { 3 } }
    while locks.waiting(for: "a") < 2 { await Task.yield() }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(locks.waiting(for: "a") == 1)
    gate.yield()
    await first.value
    #expect(try await third.value == 3)
    #expect(await locks.with("a") { 4 } == 4)
  }
}
