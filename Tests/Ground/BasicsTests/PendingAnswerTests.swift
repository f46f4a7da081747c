import Basics
import Testing

@Suite struct PendingAnswerTests {
  @Test func `only the first value counts, before the wait as well as in it`() async {
    let early = PendingAnswer<Int>()
    #expect(early.give(1))
    #expect(!early.give(2))
    #expect(await early.value() == 1)
    let answer = PendingAnswer<Int>()
    let waiting = Task { await answer.value() }
    await Task.yield()
    #expect(answer.give(3))
    #expect(!answer.give(4))
    #expect(await waiting.value == 3)
  }

  @Test func `a cancelled task gets no value, and who gives one late learns that`() async {
    let answer = PendingAnswer<Int>()
    let waiting = Task { await answer.value() }
    waiting.cancel()
    #expect(await waiting.value == nil)
    #expect(!answer.give(1))
  }

  @Test func `work that must not be left half done gets its value though its task is cancelled`() async {
    let answer = PendingAnswer<Int>()
    let waiting = Task { await answer.valueThoughCancelled() }
    waiting.cancel()
    await Task.yield()
    #expect(answer.give(2))
    #expect(await waiting.value == 2)
  }
}
