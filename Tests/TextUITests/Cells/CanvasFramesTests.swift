import TestKit
import Testing
import TextUI

/// One canvas, frame after frame.
@Suite struct CanvasFramesTests {
  /// Draws a list of lines; returns which of them were really drawn.
  @discardableResult
  private static func draw(_ lines: [String], on canvas: inout Canvas, over: String? = nil) -> [Int] {
    var drawn: [Int] = []
    canvas.begin(Size(20, 4))
    for (y, line) in lines.enumerated() {
      canvas.inside(Rect(0, y, 20, 1)) { part in
        part.line(of: line.hashValue) {
          $0.text(line, x: 0, y: 0)
          drawn.append(y)
        }
      }
    }
    if let over { canvas.text(over, x: 2, y: 1) }
    canvas.end()
    return drawn
  }

  @Test func `a line of the same content is not drawn again and stays`() {
    var canvas = Canvas(Size(0, 0))
    #expect(Self.draw(["one", "two", "three"], on: &canvas) == [0, 1, 2])
    let before = canvas.grid
    #expect(Self.draw(["one", "2", "three"], on: &canvas) == [1])
    #expect(canvas.grid.text == "one\n2\nthree\n")
    #expect(canvas.grid.drawn[0] == before.drawn[0])
    #expect(canvas.grid.drawn[1] != before.drawn[1])
  }

  @Test func `a line that something was drawn over is drawn again`() {
    var canvas = Canvas(Size(0, 0))
    Self.draw(["one", "two"], on: &canvas)
    #expect(Self.draw(["one", "two"], on: &canvas, over: "box") == [])
    #expect(canvas.grid.text(ofRow: 1) == "twbox")
    #expect(Self.draw(["one", "two"], on: &canvas) == [1])
    #expect(canvas.grid.text(ofRow: 1) == "two")
  }

  @Test func `what is not drawn any more is gone`() {
    var canvas = Canvas(Size(0, 0))
    Self.draw(["one", "two", "three"], on: &canvas)
    Self.draw(["one"], on: &canvas)
    #expect(canvas.grid.text == "one\n\n\n")
    #expect(Self.draw(["one", "two"], on: &canvas) == [1])
  }

  @Test func `a cursor is shown in the frame that asks for it, on a line that could be kept as well`() {
    var canvas = Canvas(Size(0, 0))
    for _ in 0..<2 {
      canvas.begin(Size(9, 1))
      canvas.line(of: 1) {
        $0.text("name", x: 0, y: 0)
        $0.showCursor(x: 4, y: 0)
      }
      canvas.end()
      #expect(canvas.grid.cursor == Point(4, 0))
    }
    canvas.begin(Size(9, 1))
    canvas.end()
    #expect(canvas.grid.cursor == nil)
  }

  @Test func `a part of a line is always drawn`() {
    var canvas = Canvas(Size(0, 0))
    var count = 0
    for _ in 0..<2 {
      canvas.begin(Size(9, 1))
      canvas.inside(Rect(1, 0, 8, 1)) { part in
        part.line(of: 1) {
          $0.text("part", x: 0, y: 0)
          count += 1
        }
      }
      canvas.end()
      #expect(canvas.grid.text == " part")
    }
    #expect(count == 2)
  }

  /// The same steps on a canvas that was used before and on a new one; rows whose number stayed have stayed.
  @Test(arguments: 0..<20) func `frames look as if each were drawn on a new canvas`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var kept = Canvas(Size(0, 0))
    for _ in 0..<100 {
      let size = generator.below(10) == 0 ? Size(generator.below(30), generator.below(8)) : Size(24, 6)
      let steps = (0..<generator.below(12)).map { _ in
        (kind: generator.below(4), y: generator.below(8), content: generator.below(4), x: generator.below(26))
      }
      var new = Canvas(size)
      let before = kept.grid
      kept.begin(size)
      for step in steps {
        Self.take(step, on: &kept)
        Self.take(step, on: &new)
      }
      kept.end()
      #expect(kept.grid == new.grid)
      guard before.size == size else { continue }
      for y in 0..<size.height where before.drawn[y] == kept.grid.drawn[y] {
        #expect(before.row(y) == kept.grid.row(y))
      }
    }
  }

  private static func take(_ step: (kind: Int, y: Int, content: Int, x: Int), on canvas: inout Canvas) {
    switch step.kind {
    case 0: canvas.text("日本 text", x: step.x, y: step.y, style: .bold)
    case 1: canvas.fill(Rect(step.x, step.y, 5, 2), with: "#", style: .reverse)
    default:
      canvas.inside(Rect(0, step.y, canvas.size.width, 1)) { part in
        part.line(of: step.content) { if step.content > 0 { $0.text("line 語 \(step.content)", x: 0, y: 0) } }
      }
    }
  }
}
