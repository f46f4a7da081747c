import Basics
import Testing

struct EventBatchesTests {
  private let start = ContinuousClock.now

  private func at(_ seconds: Int) -> ContinuousClock.Instant { start.advanced(by: .seconds(seconds)) }

  @Test func `nothing waits and no moment is near before the first event`() {
    var batches = EventBatches<Int>()
    batches.add([], at: at(0))
    #expect(batches.isEmpty)
    #expect(batches.deadline == nil)
    #expect(batches.take(at: at(1000)) == nil)
    #expect(batches.takeAll(at: at(1000)) == nil)
  }

  @Test func `a batch ends after ten seconds of quiet`() {
    var batches = EventBatches<Int>()
    batches.add([1], at: at(0))
    #expect(batches.deadline == at(10))
    batches.add([2, 3], at: at(9))
    #expect(batches.deadline == at(19))
    #expect(batches.take(at: at(18)) == nil)
    #expect(batches.take(at: at(19)) == [1, 2, 3])
    #expect(batches.isEmpty)
    #expect(batches.deadline == nil)
  }

  @Test func `a batch that is never quiet ends after sixty seconds`() {
    var batches = EventBatches<Int>()
    var ended: [(second: Int, items: [Int])] = []
    for second in 0..<100 {
      if let batch = batches.take(at: at(second)) { ended.append((second, batch)) }
      batches.add([second], at: at(second))
    }
    #expect(ended.map(\.second) == [60])
    #expect(ended.first?.items == Array(0..<60))
    #expect(batches.deadline == at(109))
  }

  @Test func `fifty events within their quiet are one batch`() {
    var batches = EventBatches<Int>()
    for event in 0..<50 { batches.add([event], at: at(event)) }
    #expect(batches.take(at: at(58)) == nil)
    #expect(batches.take(at: at(59)) == Array(0..<50))
  }

  @Test func `a full batch is due at once and what is above its limit stays, in order`() {
    var batches = EventBatches<Int>(limit: 3)
    batches.add([1, 2], at: at(0))
    #expect(batches.deadline == at(10))
    batches.add([3, 4, 5, 6, 7], at: at(1))
    #expect(batches.take(at: at(1)) == [1, 2, 3])
    #expect(batches.take(at: at(1)) == [4, 5, 6])
    #expect(batches.take(at: at(1)) == nil)
    #expect(batches.deadline == at(11))
    #expect(batches.take(at: at(11)) == [7])
  }

  @Test func `what waits is given at once to a program that ends`() {
    var batches = EventBatches<Int>()
    batches.add([1], at: at(0))
    #expect(batches.takeAll(at: at(2)) == [1])
    #expect(batches.deadline == nil)
    batches.add([2], at: at(3))
    #expect(batches.deadline == at(13))
  }
}
