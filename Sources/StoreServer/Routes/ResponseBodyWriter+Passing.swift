import FileStores
import Hummingbird

extension ResponseBodyWriter {
  /// Sends what `read` hands on, up to its end or so many bytes. The next piece is read while one is being sent.
  /// - Returns: how many bytes were sent.
  /// - Throws: what sending throws, which ends the reading soon; else what `read` throws.
  mutating func pass(
    atMost most: UInt64 = .max, _ read: @escaping @Sendable (_ receive: Served.Receiver) async throws -> Void
  ) async throws -> UInt64 {
    try await withThrowingTaskGroup(of: Void.self) { group in
      let handoff = ChunkHandoff()
      group.addTask {
        do {
          try await read { chunk throws(StoreError) in await handoff.send(chunk) }
          await handoff.finish()
        } catch {
          await handoff.finish(error)
        }
      }
      var left = most
      var size = PieceSize()
      do {
        while left > 0, let chunk = try await handoff.next() {
          var rest = chunk.prefix(Int(clamping: left))
          left -= UInt64(rest.count)
          while !rest.isEmpty {
            try await write(size.next(of: &rest))
            size.noteTaken()
          }
        }
        await handoff.stop()
      } catch {
        await handoff.stop()
        throw error
      }
      return most - left
    }
  }
}
