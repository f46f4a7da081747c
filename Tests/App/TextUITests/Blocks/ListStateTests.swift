import TestKit
import Testing
import TextUI

@Suite struct ListStateTests {
  @Test(
    "moves",
    arguments: [
      ([.down], 1, 0), ([.up], 0, 0), ([.last], 99, 90), ([.last, .down], 99, 90), ([.last, .first], 0, 0),
      ([.pageDown], 9, 9),
      ([.halfPageDown], 5, 5), ([.pageDown, .pageUp], 0, 0), ([.last, .up], 98, 90), ([.last, .pageUp], 90, 81),
      ([.last, .halfPageUp], 94, 85),
    ] as [([ListState.Move], Int, Int)])
  func moves(moves: [ListState.Move], selection: Int, top: Int) {
    var list = ListState(count: 100, height: 10)
    for move in moves { list.move(move) }
    #expect(list.selection == selection)
    #expect(list.top == top)
  }

  @Test func `a page goes down by what was in view, less one row`() {
    var list = ListState(count: 100, height: 10)
    list.move(.pageDown)
    #expect(list.row(atLine: 0) == 9)
  }

  @Test func `whatever happens, the selection is a row, in view, and no line is wasted`() {
    var generator = SeededNumbers(14)
    let moves: [ListState.Move] = [.up, .down, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .first, .last]
    var list = ListState()
    for _ in 0..<20_000 {
      switch generator.below(12) {
      case 0: list.setCount(generator.below(60))
      case 1: list.resize(height: generator.below(20))
      case 2: list.scroll(by: generator.below(11) - 5)
      case 3: list.select(generator.below(80) - 10)
      default: list.move(moves[generator.below(moves.count)])
      }
      if list.count == 0 {
        #expect(list.selected == nil && list.top == 0 && list.row(atLine: 0) == nil)
      } else {
        #expect((list.top..<min(list.count, list.top + list.height)).contains(list.selection))
        #expect(list.top <= max(0, list.count - list.height))
      }
    }
  }

  @Test func `only rows in view are drawn`() {
    var list = ListState(count: 1_000_000_000, height: 4)
    list.select(500_000_000)
    var rows: [Int] = []
    let grid = drawn(10, 4) { canvas in
      list.draw(on: &canvas) { line, row, isSelected in
        rows.append(row)
        line.text(isSelected ? ">row" : " row", x: 0, y: 0)
      }
    }
    #expect(rows == [499_999_997, 499_999_998, 499_999_999, 500_000_000])
    #expect(grid.text == " row\n row     ▌\n row\n>row")
  }

  @Test func `the mark is at the ends only when the view is`() {
    func marks(_ row: Int) -> [Int] {
      var list = ListState(count: 100, height: 5)
      list.select(row)
      let grid = drawn(4, 5) { list.draw(on: &$0) { _, _, _ in } }
      return (0..<5).filter { grid[3, $0].text == "▌" }
    }
    #expect(marks(0) == [0])
    #expect(marks(99) == [4])
    #expect(marks(6) == [1])
    #expect(marks(97) == [3])
  }

  @Test func `clicks find rows`() {
    var list = ListState(count: 7, height: 5)
    list.move(.last)
    #expect(list.row(atLine: 0) == 2)
    #expect(list.row(atLine: 4) == 6)
    #expect(list.row(atLine: 5) == nil)
    #expect(list.row(atLine: -1) == nil)
    #expect(ListState(count: 2, height: 5).row(atLine: 3) == nil)
  }

  @Test func `keys without a character move, others are the screen's`() {
    var list = ListState(count: 9, height: 3)
    for key in keys("<Down><PgDn><End><Up>") { #expect(list.handle(key) == true) }
    #expect(list.selection == 7)
    for key in keys("j<Enter><C-Up>") { #expect(list.handle(key) == false) }
  }
}
