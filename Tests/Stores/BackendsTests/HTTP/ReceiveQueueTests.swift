import FileStores
import Testing

@testable import Backends

/// The way of an answer's bytes from libcurl's thread to the task.
@Suite struct ReceiveQueueTests {
  /// 16 KiB, as libcurl hands out, that differ from those before and after.
  private func bytes(_ number: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(truncatingIfNeeded: number * 31 + number >> 8), count: 16 << 10)
  }

  /// Sends so many bytes through, and hands each piece to `receive`.
  private func pass(_ count: Int, flushingEach every: Int, _ receive: ([UInt8]) -> Void) async {
    let queue = ReceiveQueue()
    let response = HTTPResponse(200)
    for number in 0..<count {
      #expect(bytes(number).withUnsafeBytes { queue.offer($0, of: response) } == .taken)
      guard (number + 1) % every == 0 else { continue }
      queue.flush()
      // Several pieces, when that many were gathered.
      for _ in 0..<((every * (16 << 10) + (256 << 10) - 1) / (256 << 10)) {
        if case .chunk(_, let piece, _) = await queue.next() { receive(piece) }
      }
    }
    queue.finish(.success(response))
    while case .chunk(_, let piece, _) = await queue.next() { receive(piece) }
  }

  @Test(
    "Pieces that somebody keeps stay as they are, though the memory of others serves again", arguments: [3, 16, 40])
  func kept(every: Int) async {
    var pieces: [[UInt8]] = []
    await pass(400, flushingEach: every) { pieces.append($0) }
    var (received, sent): ([UInt8], [UInt8]) = ([], [])
    for piece in pieces { received += piece }
    for number in 0..<400 { sent += bytes(number) }
    #expect(received == sent)
  }

  @Test("What arrived before a cut is passed on before its error") func cut() async {
    let queue = ReceiveQueue()
    for number in 0..<5 { #expect(bytes(number).withUnsafeBytes { queue.offer($0, of: HTTPResponse(200)) } == .taken) }
    queue.finish(.failure(StoreError(.offline, "The connection broke.")))
    var received: [UInt8] = []
    while true {
      guard case .chunk(_, let piece, _) = await queue.next() else { break }
      received += piece
    }
    #expect(received == (0..<5).flatMap(bytes))
    guard case .end(.failure(let error)) = await queue.next() else { return #expect(Bool(false), "No error came.") }
    #expect(error.kind == .offline)
  }

  @Test("Pieces that nobody keeps take turns in little memory", arguments: [3, 16])
  func reused(every: Int) async {
    var places: Set<UInt> = []
    await pass(400, flushingEach: every) { piece in
      piece.withUnsafeBytes { _ = places.insert(UInt(bitPattern: $0.baseAddress)) }
    }
    #expect(places.count <= 14, "\(places.count)")
  }
}
