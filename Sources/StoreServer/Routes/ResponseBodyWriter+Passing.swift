import FileStores
import Hummingbird

extension ResponseBodyWriter {
  /// Sends what `read` hands on, up to its end. The next piece is read while one is being sent.
  /// - Throws: what sending throws, which ends the reading soon; else what `read` throws.
  mutating func pass(_ read: @escaping @Sendable (_ receive: Served.Receiver) async throws -> Void) async throws {
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
      var size = PieceSize()
      do {
        while var rest = try await handoff.next() {
          while !rest.isEmpty {
            try await write(size.next(of: &rest))
            size.noteTaken()
          }
        }
      } catch {
        await handoff.stop()
        throw error
      }
    }
  }
}
