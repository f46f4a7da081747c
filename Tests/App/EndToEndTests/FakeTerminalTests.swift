import Dispatch
import POSIX
import TestKit
import Testing
import TextUI

@Suite struct FakeTerminalTests {
  @Test func `events come in order, all that are there at once`() {
    let terminal = FakeTerminal(events: [.key(Key(.enter))])
    terminal.press("Ctrl-S", "q")
    terminal.type("é")
    terminal.send(.resize(Size(40, 12)))
    let names = terminal.wait().map { event in if case .key(let key) = event { key.name } else { "other" } }
    #expect(names == ["Enter", "Ctrl-S", "q", "é", "other"])
    #expect(terminal.size == Size(40, 12))
  }

  @Test func `a wait ends when another thread wakes it, and when there are events`() {
    let terminal = FakeTerminal()
    let wake = terminal.waker
    DispatchQueue.global().async { wake() }
    #expect(terminal.wait().isEmpty)
    wake()
    wake()
    #expect(terminal.wait().isEmpty)
    terminal.suspend()
    #expect(terminal.wait() == [.resumed])
  }

  @Test func `a wait for nothing ends when patience is over`() {
    #expect(FakeTerminal(patience: 0).wait() == [.terminate])
  }

  @Test func `frames, programs, bells and the clipboard are kept`() {
    let terminal = FakeTerminal(Size(3, 1))
    terminal.onHandOver = { $0.arguments == ["vi"] ? .exited(2) : .notStarted("no") }
    var grid = Grid(Size(3, 1))
    grid[0, 0] = Cell(base: 0x61)
    terminal.paint(grid)
    terminal.bell()
    terminal.copy("text")
    terminal.invalidate()
    #expect(terminal.handOver(to: ExternalProgram(["vi"])) == .exited(2))
    #expect(terminal.grid == grid && terminal.paintCount == 1 && terminal.bellCount == 1)
    #expect(terminal.copied == ["text"] && terminal.programs == [ExternalProgram(["vi"])])
    #expect(terminal.invalidateCount == 1)
  }
}

@Suite struct GoldenTests {
  private static var frame: Grid {
    var canvas = Canvas(Size(8, 3))
    canvas.text("日本 e\u{301}", x: 0, y: 0, style: .reverse)
    canvas.text(
      "ab", x: 1, y: 1, style: Style([.bold, .underline], foreground: .palette(3), background: .rgb(0x0102FF)))
    canvas.text("dim", x: 0, y: 2, style: .dim)
    canvas.showCursor(x: 1, y: 2)
    return canvas.grid
  }

  @Test func `a frame is text, a map of its looks, and its cursor`() {
    let expected = """
      日本 e\u{301}  |
       ab     |
      dim     |

      rrrrrr
      .aa
      ddd

      r reverse
      a bold underline in 3 on #0102ff
      d dim
      cursor 1,2

      """
    #expect(Self.frame.golden == expected)
  }

  @Test func `a frame is compared with its snapshot`() {
    expectGolden(Self.frame, named: "harness-frame")
  }

  @Test(.enabled(if: getenv("RECORD_SNAPSHOTS") == nil, "it would record what is wrong on purpose"))
  func `a difference and a missing snapshot are issues`() {
    withKnownIssue { expectGolden("something else", named: "harness-frame") }
    withKnownIssue { expectGolden("text", named: "never-recorded") }
  }
}
