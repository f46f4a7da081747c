import Basics
import FileStores
import Synchronization
import TestKit
import Testing

/// How many short files are read at once.
@Suite struct ReadingWidthTests {
  @Test func `a refusal halves the width once for all that met it, and each calm round widens it by one`() {
    var width = ReadingWidth(most: 16, mostBytes: 100)
    width.end(isHeldUp: true)
    #expect(width.now == 8)
    // The others of the round met the same refusal.
    for _ in 0..<7 { width.end(isHeldUp: true) }
    #expect(width.now == 8)
    width.end(isHeldUp: true)
    #expect(width.now == 4)
    for _ in 0..<4 { width.end(isHeldUp: false) }
    #expect(width.now == 5)
    for _ in 0..<1000 { width.end(isHeldUp: false) }
    #expect(width.now == 16)
    for _ in 0..<1000 { width.end(isHeldUp: true) }
    #expect(width.now == 1)
  }

  /// The results, and the most elements under way at once.
  private func results(
    _ sizes: [UInt64], within width: ReadingWidth, pauses: @Sendable () -> Int = { 0 }
  ) async -> (read: [UInt64], most: Int) {
    let state = Mutex((now: 0, most: 0))
    let results = await sizes.results(within: width, size: { $0 }, pauses: pauses) { size in
      state.withLock { state in
        state.now += 1
        state.most = max(state.most, state.now)
      }
      for _ in 0..<20 { await Task.yield() }
      state.withLock { $0.now -= 1 }
      return size
    }
    let read = results.compactMap { if case .success(let size) = $0 { size } else { nil as UInt64? } }
    return (read, state.withLock { $0.most })
  }

  @Test func `no more run at once than the width and the bytes admit, and a larger one runs alone`() async {
    let short = [UInt64](repeating: 1, count: 50)
    let width = ReadingWidth(most: 4, mostBytes: 100)
    let (read, most) = await results(short, within: width)
    #expect(read == short && most <= 4)
    let long: [UInt64] = [60, 60, 1000, .max, 60]
    let (all, atOnce) = await results(long, within: width)
    #expect(all == long && atOnce == 1)
  }

  @Test func `elements begin in order, and none begins after a cancellation`() async {
    let gate = Gate()
    let begun = Mutex<[Int]>([])
    let task = Task {
      await Array(0..<10).results(within: ReadingWidth(most: 2, mostBytes: 9), size: { _ in 1 }) { number in
        begun.withLock { $0.append(number) }
        await gate.wait()
        return number
      }
    }
    await gate.arrivals(2)
    task.cancel()
    let results = await task.value
    #expect(begun.withLock { $0.sorted() } == [0, 1])
    #expect(results.count == 10)
    #expect(
      results.dropFirst(2).allSatisfy { if case .failure(let error) = $0 { error.kind == .cancelled } else { false } })
  }

  @Test func `a file is short only if the caller expects so`() {
    let most = ReadOptions.mostShortBytes
    #expect(!ReadOptions().isShort && !ReadOptions(to: 10).isShort)
    #expect(ReadOptions(expected: 0).isShort && ReadOptions(expected: most).isShort)
    #expect(!ReadOptions(expected: most + 1).isShort)
  }
}
