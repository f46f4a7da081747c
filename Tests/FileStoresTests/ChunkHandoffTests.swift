import FileStores
import Testing

@Suite struct ChunkHandoffTests {
  private let piece = ByteChunk([1, 2, 3])

  @Test func `pieces pass in order, and the end and its reason arrive`() async throws {
    let handoff = ChunkHandoff()
    let sender = Task {
      for number in 0..<50 { guard await handoff.send(ByteChunk([UInt8(number)])) else { return } }
      handoff.finish(StoreError(.offline, "Gone."))
    }
    for number in 0..<50 { #expect(try await handoff.next().map { Array($0) } == [UInt8(number)]) }
    await #expect(throws: StoreError.self) { try await handoff.next() }
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

  @Test func `a sender learns that no more is wanted`() async {
    let handoff = ChunkHandoff()
    #expect(await handoff.send(piece))
    let sender = Task { await handoff.send(piece) }
    handoff.stop()
    #expect(await sender.value == false)
  }
}
