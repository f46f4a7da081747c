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
    var generator = SeededNumbers(UInt64(seed))
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
      expectNumbersHold(before, kept.grid)
    }
  }

  /// Rows with the same number, in one frame or in two that follow each other, have the same cells.
  private func expectNumbersHold(_ before: Grid, _ after: Grid, sourceLocation: SourceLocation = #_sourceLocation) {
    guard before.size == after.size else { return }
    for (number, y) in zip(after.drawn, 0...) {
      for (other, grid) in [(before.drawn, before), (after.drawn, after)] {
        for place in other.indices where other[place] == number {
          #expect(grid.row(place) == after.row(y), sourceLocation: sourceLocation)
        }
      }
    }
  }

  @Test(arguments: 0..<20) func `a list that is moved about looks as if it were drawn on a new canvas`(seed: Int) {
    var generator = SeededNumbers(UInt64(seed))
    var kept = Canvas(Size(0, 0))
    var list = ListState(count: 60, height: 8)
    let moves: [ListState.Move] = [.up, .down, .pageUp, .pageDown, .halfPageDown, .first, .last]
    for _ in 0..<200 {
      switch generator.below(12) {
      case 0: list.setCount(generator.below(60))
      case 1, 2: list.scroll(by: generator.below(11) - 5)
      default: list.move(moves[generator.below(moves.count)])
      }
      let size = generator.below(20) == 0 ? Size(generator.below(30), generator.below(12)) : Size(24, 10)
      let dialog = generator.below(8) == 0 ? Rect(3, generator.below(8), 9, 3) : Rect(0, 0, 0, 0)
      var new = Canvas(size)
      let before = kept.grid
      kept.begin(size)
      Self.draw(list, under: dialog, on: &kept)
      kept.end()
      Self.draw(list, under: dialog, on: &new)
      #expect(kept.grid == new.grid)
      expectNumbersHold(before, kept.grid)
    }
  }

  /// A line above the list and one below it. Rows that are no multiple of five all look the same.
  private static func draw(_ list: ListState, under dialog: Rect, on canvas: inout Canvas) {
    let size = canvas.size
    canvas.text("title", x: 0, y: 0, style: .bold)
    canvas.inside(Rect(0, 1, size.width, size.height - 2)) { part in
      list.draw(on: &part, content: { $0.isMultiple(of: 5) ? $0 << 2 : 4 }) { line, row, _ in
        // The mark stands where the selection has its `>`.
        line.text(row.isMultiple(of: 5) ? " ● 語 \(row)" : "   row", x: 0, y: 0)
      }
    }
    canvas.fill(dialog, with: "#", style: .bold)
    canvas.text("footer \(list.selection)", x: 0, y: size.height - 1)
  }

  @Test(arguments: [1, 3, -1, -3]) func `a list that is scrolled draws the rows that come into view`(rows: Int) {
    var canvas = Canvas(Size(0, 0))
    var list = ListState(count: 1000, height: 8)
    list.select(500)
    for step in 0..<2 {
      if step == 1 { list.scroll(by: rows) }
      canvas.begin(Size(24, 8))
      var drawn: [Int] = []
      list.draw(on: &canvas, content: { $0 << 2 }) { line, row, _ in
        line.text("   row \(row)", x: 0, y: 0)
        drawn.append(row)
      }
      canvas.end()
      let new = rows > 0 ? (list.top + 8 - rows)..<(list.top + 8) : list.top..<(list.top - rows)
      guard step == 1 else { continue }
      #expect(new.allSatisfy(drawn.contains))
      // The mark at the right border stays at its place: one row loses it and one gets it.
      #expect(drawn.count <= new.count + 2)
    }
  }

  private static func take(_ step: (kind: Int, y: Int, content: Int, x: Int), on canvas: inout Canvas) {
    switch step.kind {
    case 0: canvas.text("日本 text", x: step.x, y: step.y, style: .bold)
    case 1: canvas.fill(Rect(step.x, step.y, 5, 2), with: "#", style: .reverse)
    default:
      canvas.inside(Rect(0, step.y, canvas.size.width, 1)) { part in
        let columns = step.x.isMultiple(of: 3) ? part.size.width : 0
        part.line(of: step.content, selected: columns) {
          if step.content > 0 { $0.text("   語 \(step.content)", x: 0, y: 0, style: .dim) }
        }
      }
    }
  }
}
