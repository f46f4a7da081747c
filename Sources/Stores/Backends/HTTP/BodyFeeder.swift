internal import FileStores

/// Reads a source into a `SendQueue`, no faster than libcurl drains it.
struct BodyFeeder: Sendable {
  let source: any ByteSource
  let offset: UInt64
  let length: UInt64?
  let queue: SendQueue
  let isThere: @Sendable () -> Void

  func run() async {
    var current: (reading: any ByteReading, number: UInt64, left: UInt64?)?
    while true {
      switch await queue.turn() {
      case .over: return
      case .open(let start, let number):
        do throws(StoreError) {
          let left = length.map { $0 - min(start, $0) }
          current = (try await source.open(at: offset + start), number, left)
        } catch {
          current = nil
          if queue.fail(error, number) { isThere() }
        }
      case .fill:
        guard var now = current else { return }
        let woken: Bool
        do throws(StoreError) {
          woken = try await step(&now)
        } catch {
          woken = queue.fail(error, now.number)
        }
        current = now
        if woken { isThere() }
      }
    }
  }

  private func step(
    _ now: inout (reading: any ByteReading, number: UInt64, left: UInt64?)
  ) async throws(StoreError) -> Bool {
    if now.left == 0 { return queue.end(now.number) }
    guard let chunk = try await now.reading.next() else {
      guard let left = now.left, let length else { return queue.end(now.number) }
      throw StoreError(.badInput, "The source ended after \(length - left) of \(length) bytes.")
    }
    let part = now.left.map { chunk.prefix(Int(clamping: $0)) } ?? chunk
    now.left? -= UInt64(part.count)
    return queue.put(part, of: now.number)
  }
}
