import Basics
import FileStores
import Testing

@Suite struct ContentHashLaneTests {
  @Test("Whatever the chunks, the hash is that of all bytes:", arguments: [0, 1, 65_536, 70_000, 9_000_000])
  func chunks(_ size: Int) async {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
    let whole = ContentHash(of: bytes)
    let lane = ContentHashLane(pool: BlockingPool(threads: 2))
    // Twice: the lane is ready for the next message.
    for step in [1_000_000, 70_001] {
      var rest = bytes[...]
      var number = 0
      while !rest.isEmpty {
        // Small chunks, which are hashed on the spot, between large ones, which are not.
        let chunk = rest.prefix(number % 3 == 0 ? 100 : step)
        rest = rest.dropFirst(chunk.count)
        await lane.add(chunk)
        number += 1
      }
      #expect(await lane.finish() == whole)
    }
  }
}
