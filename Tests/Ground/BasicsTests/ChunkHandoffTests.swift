import Basics
import Synchronization
import Testing

@Suite struct ChunkHandoffTests {
  private let piece = ArraySlice<UInt8>([1, 2, 3])

  @Test func `pieces pass in order, and the end and its reason arrive`() async throws {
    let handoff = ChunkHandoff()
    let sender = Task {
      for number in 0..<50 { guard await handoff.send(ArraySlice<UInt8>([UInt8(number)])) else { return } }
      handoff.finish(SystemError(code: 32))
    }
    for number in 0..<50 { #expect(try await handoff.next().map { Array($0) } == [UInt8(number)]) }
    await #expect(throws: SystemError.self) { try await handoff.next() }
    await sender.value
  }

  @Test func `who is cancelled waits no longer, for a piece or for room`() async throws {
    let handoff = ChunkHandoff()
    let receiver = Task { try await handoff.next() }
    receiver.cancel()
    await #expect(throws: CancellationError.self) { try await receiver.value }
    #expect(await handoff.send(piece))
    let sender = Task { await handoff.send(piece) }
    sender.cancel()
    #expect(await sender.value == false)
    // The earlier chunks are still there.
    #expect(try await handoff.next()?.count == 3)
  }

  @Test func `without reading ahead a sender goes on when its piece is done, not when it is taken`() async throws {
    let handoff = ChunkHandoff(readsAhead: false)
    let sent = Mutex(0)
    let sender = Task {
      for number in 0..<20 {
        guard await handoff.send(ArraySlice<UInt8>([UInt8(number)])) else { return }
        sent.withLock { $0 += 1 }
      }
      handoff.finish()
    }
    for number in 0..<20 {
      #expect(try await handoff.next().map { Array($0) } == [UInt8(number)])
      // The piece is being worked on: its sender has not gone on.
      #expect(sent.withLock { $0 } == number)
    }
    #expect(try await handoff.next() == nil)
    await sender.value
    let stopped = ChunkHandoff(readsAhead: false)
    let other = Task { await stopped.send(piece) }
    #expect(try await stopped.next()?.count == 3)
    stopped.stop()
    #expect(await other.value == false)
  }

  @Test func `without reading ahead a piece that waits to be taken keeps its sender, too`() async throws {
    for _ in 0..<50 {
      let handoff = ChunkHandoff(readsAhead: false)
      let isSent = Mutex(false)
      let sender = Task {
        guard await handoff.send(piece) else { return false }
        isSent.withLock { $0 = true }
        return true
      }
      // The piece is mostly there before it is asked for.
      for _ in 0..<20 { await Task.yield() }
      #expect(try await handoff.next()?.count == 3)
      for _ in 0..<20 { await Task.yield() }
      #expect(isSent.withLock { $0 } == false)
      handoff.stop()
      #expect(await sender.value == false)
    }
  }

  @Test func `a sender learns that no more is wanted`() async {
    let handoff = ChunkHandoff()
    #expect(await handoff.send(piece))
    let sender = Task { await handoff.send(piece) }
    handoff.stop()
    #expect(await sender.value == false)
  }
}
