import Basics
import FileStores
import Foundation
import Synchronization
import TestKit
import Testing

@testable import TextUI

/// The loop, with a screen that counts actions.
@Suite struct LoopTests {
  /// Its own threads: tests that wait for programs on ptys block Swift's.
  private let pool = BlockingPool()

  private enum Tally: Screen {
    struct State {
      var typed = ""
      var told: [String] = []
      var now: Int64 = 0
      var ticks = false
    }
    enum Action: Sendable { case typed(Unicode.Scalar), told(String) }
    enum Effect: Sendable { case hold(String), say(String) }
    enum Posting: Sendable { case keep(String) }

    static func action(for event: InputEvent, in state: State) -> Action? {
      if case .key(let key) = event { key.typed.map(Action.typed) } else { nil }
    }
    static func clockRead(_ state: inout State, secondsSince1970: Int64) { state.now = secondsSince1970 }
    static func tick(_ state: State) -> Int? { state.ticks ? 1 : nil }
    static func update(_ state: inout State, _ action: Action) -> [Command<Effect, Posting, Action>] {
      switch action {
      case .told(let word): state.told.append(word)
      case .typed("Q"): return [.quit]
      case .typed("t"): state.ticks.toggle()
      case .typed("n"): return [.tell(.title("x")), .tell(.notification("y"))]
      case .typed("h"): return [.run(.hold("\(state.typed.count)"), key: "hold")]
      case .typed("c"): return [.cancel(key: "hold")]
      case .typed("k"): return (0..<100).map { .run(.say("\($0)"), key: "say \($0)") }
      case .typed("s"): return [.run(.say("a"))]
      case .typed("p"): return [.post(.keep("1")), .post(.keep("2")), .post(.keep("3"))]
      case .typed(let scalar): state.typed.unicodeScalars.append(scalar)
      }
      return []
    }
    static func draw(_ state: State, on canvas: inout Canvas) { canvas.text(state.typed, x: 0, y: 0) }
  }

  private final class Hands: EffectPerformer {
    let kept = Mutex<[String]>([])

    func post(_ posting: Tally.Posting) {
      switch posting {
      case .keep(let word): kept.withLock { $0.append(word) }
      }
    }

    @concurrent
    func perform(_ effect: Tally.Effect, _ sender: Sender<Tally.Action>) async {
      switch effect {
      case .hold(let name):
        // Ends only by cancellation.
        let stream = AsyncStream<Void> { _ in }
        for await _ in stream {}
        sender.send(.told("cancelled \(name)"))
      case .say(let word):
        sender.send(.told("\(word) old"), replacing: "word")
        sender.send(.told("\(word) new"), replacing: "word")
      }
    }
  }

  /// The loop blocks its thread, so it gets its own.
  private func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { ended in
      Thread.detachNewThread {
        body()
        ended.resume()
      }
    }
  }

  private func loop(_ terminal: FakeTerminal, _ hands: Hands = Hands()) -> Loop<Tally> {
    Loop<Tally>(Tally.State(), terminal: terminal, performer: hands, now: { 42_000 }, executor: pool.tasks)
  }

  @Test func `five hundred keys that wait make one paint, and none is lost`() async {
    await onThread {
      let terminal = FakeTerminal(Size(600, 2))
      let loop = loop(terminal)
      let text = String(repeating: "0123456789", count: 50)
      terminal.type(text)
      let before = terminal.paintCount
      loop.turn()
      #expect(terminal.paintCount == before + 1)
      #expect(loop.state.typed == text)
      #expect(terminal.grid.text(ofRow: 0) == text)
      #expect(loop.state.now == 42)
    }
  }

  @Test func `turns with input are counted, those with answers alone are not`() async {
    await onThread {
      let (terminal, input) = (FakeTerminal(), InputTurns())
      let loop = Loop<Tally>(
        Tally.State(), terminal: terminal, performer: Hands(), now: { 42_000 }, executor: pool.tasks, input: input)
      terminal.type("ab")
      loop.turn()
      #expect(input.count == 1)
      terminal.type("s")
      while loop.state.told.isEmpty || !loop.mailbox.isIdle { loop.turn() }
      #expect(input.count == 2 && loop.state.typed == "ab")
    }
  }

  @Test func `keys that came with the one that ended a loop are there for the next one`() async {
    await onThread {
      let terminal = FakeTerminal()
      let first = loop(terminal)
      terminal.type("aQbd")
      first.run()
      #expect(first.state.typed == "a" && first.pending.count == 2)
      let second = loop(terminal)
      second.pending = first.pending
      second.turn()
      #expect(second.state.typed == "bd" && second.pending.isEmpty)
    }
  }

  @Test func `an effect cancels the older one of its key, and only that`() async {
    await onThread {
      let terminal = FakeTerminal()
      let loop = loop(terminal)
      terminal.type("h")
      loop.turn()
      terminal.type("xh")
      for _ in 0..<100 where loop.state.told.isEmpty { loop.turn() }
      #expect(loop.state.told == ["cancelled 0"])
      #expect(!loop.mailbox.isIdle)
      terminal.type("c")
      for _ in 0..<100 where loop.state.told.count < 2 { loop.turn() }
      #expect(loop.state.told == ["cancelled 0", "cancelled 1"])
    }
  }

  @Test func `of the effects of one key that one turn asks for, the last alone begins`() async {
    await onThread {
      let terminal = FakeTerminal()
      let loop = loop(terminal)
      terminal.type("hxhxh")
      loop.turn()
      #expect(loop.state.told.isEmpty)
      terminal.type("c")
      for _ in 0..<100 where !loop.mailbox.isIdle || loop.state.told.isEmpty { loop.turn() }
      #expect(loop.state.told == ["cancelled 2"])
    }
  }

  @Test func `an effect that the same turn cancels never begins`() async {
    await onThread {
      let terminal = FakeTerminal()
      let loop = loop(terminal)
      terminal.type("hc")
      loop.turn()
      #expect(loop.mailbox.isIdle && loop.keyCount == 0)
    }
  }

  @Test func `a screen that ticks is painted when the second is another one, and one that does not is not`() async {
    await onThread {
      let terminal = FakeTerminal()
      let clock = Mutex<Int64>(42)
      let loop = Loop<Tally>(
        Tally.State(), terminal: terminal, performer: Hands(), now: { clock.withLock { $0 } * 1000 },
        executor: pool.tasks)
      func paints(at time: Int64) -> Int {
        clock.withLock { $0 = time }
        let before = terminal.paintCount
        terminal.waker()
        loop.turn()
        return terminal.paintCount - before
      }
      #expect(paints(at: 43) == 0 && terminal.lastWait == nil)
      terminal.type("t")
      loop.turn()
      #expect(paints(at: 43) == 0 && terminal.lastWait == 1)
      #expect(paints(at: 44) == 1 && loop.state.now == 44)
      terminal.type("t")
      loop.turn()
      #expect(paints(at: 45) == 0 && terminal.lastWait == nil)
    }
  }

  @Test func `what is written beyond the screen reaches the terminal, in order`() async {
    await onThread {
      let terminal = FakeTerminal()
      let loop = loop(terminal)
      terminal.type("n")
      loop.turn()
      #expect(terminal.told == [.title("x"), .notification("y")])
    }
  }

  @Test func `what is posted is posted at once and in order`() async {
    await onThread {
      let terminal = FakeTerminal()
      let hands = Hands()
      let loop = loop(terminal, hands)
      terminal.type("pp")
      loop.turn()
      #expect(hands.kept.withLock { $0 } == ["1", "2", "3", "1", "2", "3"])
    }
  }

  @Test func `of what replaces each other, the newest is reported last`() async {
    await onThread {
      let terminal = FakeTerminal()
      let loop = loop(terminal)
      terminal.type("s")
      for _ in 0..<100 where loop.state.told.last != "a new" { loop.turn() }
      #expect(loop.state.told.count <= 2)
    }
  }

  @Test func `idle means that no effect runs and nothing waits`() async {
    await onThread {
      let terminal = FakeTerminal()
      let loop = loop(terminal)
      #expect(loop.mailbox.isIdle)
      terminal.type("h")
      loop.turn()
      #expect(!loop.mailbox.isIdle)
      terminal.type("c")
      for _ in 0..<100 where !loop.mailbox.isIdle { loop.turn() }
      #expect(loop.state.told == ["cancelled 0"])
    }
  }

  @Test func `keys whose effect has ended are forgotten`() async {
    await onThread {
      let terminal = FakeTerminal()
      let loop = loop(terminal)
      terminal.type("k")
      loop.turn()
      for _ in 0..<1000 where !loop.mailbox.isIdle { loop.turn() }
      terminal.type("h")
      loop.turn()
      #expect(loop.keyCount <= Loop<Tally>.keptKeys)
      terminal.type("c")
      for _ in 0..<1000 where !loop.mailbox.isIdle { loop.turn() }
    }
  }

  @Test func `after quit no key counts, nothing is painted, and what is keyed is cancelled`() async {
    await onThread {
      let terminal = FakeTerminal()
      let loop = loop(terminal)
      terminal.type("hxQy")
      let before = terminal.paintCount
      loop.run()
      #expect(loop.state.typed == "x")
      #expect(terminal.paintCount == before)
      #expect(loop.settle(seconds: 10))
    }
  }
}
