import Basics
import Synchronization
import TestKit
import Testing

@testable import ClubServices

/// Saves and other work in lines, as the simulation of a club runs it: on one thread, so that one seed gives one trace.
@Suite struct SerialLinesTests {
  /// Work that is under way until the test ends it.
  private final class Work: Sendable {
    private struct State {
      var begun: [Int] = []
      var underway: [Int: UnsafeContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    var begun: [Int] { state.withLock(\.begun) }
    var underway: [Int] { state.withLock { $0.underway.keys.sorted() } }

    func run(_ number: Int) async {
      await withUnsafeContinuation { continuation in
        state.withLock { state in
          state.begun.append(number)
          state.underway[number] = continuation
        }
      }
    }

    func end(_ number: Int) {
      state.withLock { $0.underway.removeValue(forKey: number) }?.resume()
    }
  }

  /// Runs a trace. Nil if each line kept its order; else the moment at which it did not.
  private static func fault(seed: UInt64, _ pool: BlockingPool) async -> String? {
    let (lines, work) = (SerialLines<Int>(on: pool.tasks), Work())
    var random = SeededNumbers(seed)
    var keys: [Int] = []
    func endOne() async {
      let underway = work.underway
      if !underway.isEmpty { work.end(underway[random.below(underway.count)]) }
      await pool.advance(.max)
    }
    for number in 0..<60 {
      keys.append(random.below(3))
      _ = lines.add(keys[number]) { await work.run(number) }
      switch random.below(4) {
      case 0: await pool.advance(random.below(8))
      case 1: await endOne()
      default: await pool.advance(.max)
      }
      let busy = work.underway.map { keys[$0] }
      if Set(busy).count < busy.count { return "\(work.underway) at once, of the keys \(busy)" }
    }
    for _ in 0..<60 { await endOne() }
    let begun = work.begun
    for key in 0..<3 {
      let own = begun.filter { keys[$0] == key }
      if own != keys.indices.filter({ keys[$0] == key }) { return "key \(key) began as \(own)" }
    }
    return nil
  }

  @Test(arguments: UInt64(1)...20)
  func `each piece of work begins when the one before it in its line has ended, whatever ends first`(seed: UInt64)
    async
  {
    let pool = BlockingPool.oneThread()
    let fault = await Task.detached(executorPreference: pool.tasks) { await Self.fault(seed: seed, pool) }.value
    #expect(fault == nil, "seed \(seed)")
  }
}
