import TestKit
import TextUI
import Testing

/// A list with several rows on a line.
@Suite struct GridStateTests {
  @Test func `one column is a list`() {
    var numbers = SeededNumbers(3)
    for _ in 0..<200 {
      var (list, grid) = (ListState(count: numbers.below(40), height: 1 + numbers.below(9)), ListState())
      grid = list
      grid.resize(height: list.height, columns: 1)
      for _ in 0..<20 {
        let moves: [ListState.Move] = [.up, .down, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .first, .last]
        let move = moves[numbers.below(moves.count)]
        list.move(move)
        grid.move(move)
        #expect(list == grid)
      }
    }
  }

  @Test func `the selection is always in view, on whole lines, however one moves`() {
    var numbers = SeededNumbers(9)
    let moves: [ListState.Move] = [
      .up, .down, .left, .right, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .first, .last,
    ]
    for _ in 0..<300 {
      var grid = ListState(count: numbers.below(90), height: 3)
      for _ in 0..<40 {
        switch numbers.below(8) {
        case 0: grid.resize(height: 1 + numbers.below(5), columns: 1 + numbers.below(7))
        case 1: grid.setCount(numbers.below(90))
        case 2: grid.scroll(by: numbers.below(9) - 4)
        case 3: grid.select(numbers.below(100))
        default: grid.move(moves[numbers.below(moves.count)])
        }
        #expect(grid.top % grid.columns == 0)
        #expect(grid.count == 0 || grid.visible.contains(grid.selection))
        for line in -1...grid.height {
          for column in -1...grid.columns {
            let row = grid.row(atLine: line, column: column)
            let isInside = (0..<grid.height).contains(line) && (0..<grid.columns).contains(column)
            let wanted = grid.top + line * grid.columns + column
            #expect(row == (isInside && wanted < grid.count ? wanted : nil))
          }
        }
        let mark = grid.scrollMark(lines: grid.height, height: 12)
        #expect(mark.lowerBound >= 0 && mark.upperBound <= 12)
        #expect(mark.isEmpty == (grid.visible.count == grid.count))
      }
    }
  }

  @Test func `pages keep the column`() {
    var grid = ListState(count: 50)
    grid.resize(height: 4, columns: 6)
    grid.select(2)
    grid.move(.pageDown)
    #expect(grid.selection == 20)
    grid.move(.pageDown)
    grid.move(.pageDown)
    #expect(grid.selection == 49)
    grid.move(.up)
    #expect(grid.selection == 43)
    grid.select(8)
    grid.move(.pageUp)
    #expect(grid.selection == 2)
  }
}
