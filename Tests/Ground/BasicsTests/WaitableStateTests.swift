import Basics
import Testing

@Suite struct WaitableStateTests {
  @Test func `a change lets those go on whose condition it meets, and the others wait`() async {
    let state = WaitableState(0)
    let first = Task { await state.wait { $0 >= 1 } }
    let second = Task { await state.wait { $0 >= 2 } }
    while state.waiting < 2 { await Task.yield() }
    state.change { $0 = 1 }
    await first.value
    #expect(state.waiting == 1)
    #expect(
      state.change {
        $0 += 1; return $0
      } == 2)
    await second.value
    #expect(state.waiting == 0)
    // A condition that is met needs no wait.
    await state.wait { $0 == 2 }
  }

  @Test func `a cancelled task goes on, before it waits and while it does`() async {
    let state = WaitableState(0)
    let waiting = Task { await state.wait { $0 == 1 } }
    while state.waiting == 0 { await Task.yield() }
    waiting.cancel()
    await waiting.value
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await state.wait { $0 == 1 }
    }
    await early.value
    #expect(state.waiting == 0)
  }

  @Test func `work that must not be left half done is waited for though its task is cancelled`() async {
    let state = WaitableState(false)
    let waiting = Task {
      await state.waitThoughCancelled { $0 }
      return state.read { $0 }
    }
    while state.waiting == 0 { await Task.yield() }
    waiting.cancel()
    #expect(state.waiting == 1)
    state.change { $0 = true }
    #expect(await waiting.value)
  }

  @Test func `of work that must not be left half done, only that goes on whose condition is met`() async {
    let state = WaitableState(0)
    let first = Task { await state.waitThoughCancelled { $0 >= 1 } }
    let second = Task { await state.waitThoughCancelled { $0 >= 2 } }
    while state.waiting < 2 { await Task.yield() }
    state.change { $0 = 1 }
    await first.value
    guard state.waiting == 1 else {
      Issue.record("The second task waits forever.")
      return
    }
    state.change { $0 = 2 }
    await second.value
  }

  @Test func `a thousand changes by many tasks lose no waiter`() async {
    let count = ChangeCount()
    await withTaskGroup { group in
      for number in 1...1_000 {
        group.addTask { await count.wait { $0 >= UInt64(number) } }
        group.addTask { count.fire() }
      }
    }
    #expect(count.number == 1_000 && count.waiting == 0)
  }

  @Test func `however many threads change it, the values come in order, and the newest is the last`() async {
    let (state, pool) = (WaitableState(0), BlockingPool(threads: 4))
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        var last = -1
        for await value in state.values() {
          #expect(value > last)
          last = value
          if value == 2_000 { break }
        }
      }
      for _ in 0..<4 {
        group.addTask { await pool.run { for _ in 0..<500 { state.change { $0 += 1 } } } }
      }
    }
    #expect(state.waiting == 0)
  }

  @Test func `an equal value is not sent again, and the values end with their task`() async {
    let state = WaitableState("a")
    let reader = Task {
      var all: [String] = []
      for await value in state.values() { all.append(value) }
      return all
    }
    while state.waiting == 0 { await Task.yield() }
    state.change { $0 = "a" }
    #expect(state.waiting == 1)
    state.change { $0 = "b" }
    while state.waiting == 0 { await Task.yield() }
    reader.cancel()
    #expect(await reader.value == ["a", "b"])
    #expect(state.waiting == 0)
  }
}
