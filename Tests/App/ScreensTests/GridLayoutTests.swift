import Testing
import TextUI

@testable import Screens

@Suite struct `The layout of the grid` {
  private func limits(_ width: Int, lines: Int = 9, most: Int = 30) -> GridLayout.Limits {
    GridLayout.Limits(width: width, lines: lines, mostLines: most)
  }

  /// Shapes in which each is as likely as its reverse.
  private static func shapes(_ count: Int, seed: UInt64) -> [Float] {
    var state = seed &* 2 &+ 1
    let usual: [Float] = [1.5, 1.5, 1.5, 1.33, 0.75, 0.66, 1, 2, 4, 8, 0.1, 16, 100_000, 0.00001]
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return usual[Int(state >> 33) % usual.count]
    }
  }

  /// Each cell has a place of its own, in the order of the cells, and inside the width.
  private func check(_ layout: GridLayout, _ shapes: [Float], _ limits: GridLayout.Limits) {
    let width = max(1, limits.width)
    #expect(layout.count == shapes.count)
    #expect(layout.rows.flatMap { Array($0.cells) } == Array(shapes.indices), "each cell is in one row, in order")
    for (number, row) in layout.rows.enumerated() {
      #expect(!row.cells.isEmpty && row.lines >= 2)
      if number > 0 { #expect(row.top >= layout.rows[number - 1].end) }
      var end = -GridLayout.gap
      for cell in row.cells {
        let frame = layout.frame(of: cell)
        #expect(frame.width >= 1 && frame.x >= end + GridLayout.gap, "cell \(cell)")
        #expect(frame.y == row.top + 1 && frame.height == row.lines && layout.row(of: cell) == number)
        end = frame.x + frame.width
      }
      #expect(end <= width)
      let isLast = number + 1 == layout.rows.count || layout.rows[number + 1].section != row.section
      if !isLast { #expect(end >= width - 1, "row \(number) ends at \(end) of \(width)") }
    }
  }

  @Test(arguments: [1, 2, 3, 7, 8, 9, 17, 40, 57, 77, 117, 197, 400], [0, 1, 2, 3])
  func `every photo has a cell, no two overlap, and full rows fill the width`(width: Int, seed: UInt64) {
    for lines in [2, 5, 9, 20] {
      let (shapes, limits) = (Self.shapes(97, seed: seed), limits(width, lines: lines))
      check(GridLayout(shapes, limits), shapes, limits)
      let headed = GridLayout(shapes, sections: [0, 1, 40, 41, 90], hasHeads: true, limits)
      check(headed, shapes, limits)
      #expect(Set(headed.rows.map(\.section)) == [0, 1, 2, 3, 4])
    }
  }

  @Test(arguments: [Float](arrayLiteral: 0, -1, .nan, .infinity, -.infinity, 100_000, 0.00001, .leastNonzeroMagnitude))
  func `a hostile shape has a usual cell`(shape: Float) {
    let (shapes, limits) = ([1.5, shape, 1.5, shape, shape], limits(117, lines: 9, most: 30))
    let layout = GridLayout(shapes, limits)
    check(layout, shapes, limits)
    #expect(layout.rows.allSatisfy { $0.lines <= 30 })
  }

  @Test func `no photos have no rows, and no room has rows all the same`() {
    let empty = GridLayout([], limits(80))
    #expect(
      empty.rows.isEmpty && empty.height == 0 && empty.row(atLine: 3) == nil && empty.cell(at: Point(1, 1)) == nil)
    #expect(empty.frame(of: 0) == Rect(0, 0, 0, 0) && empty.row(of: 0) == nil)
    let shapes: [Float] = [1.5, 8, 0.1]
    for limits in [limits(0), limits(-5), limits(1, lines: 0, most: 0), limits(80, lines: -3, most: -3)] {
      check(GridLayout(shapes, limits), shapes, limits)
    }
  }

  @Test func `a sweep has a wide cell, up to the whole row, and a portrait a narrow one`() {
    let layout = GridLayout([0.75, 1.5, 4, 12, 1.5], limits(117))
    let widths = (0..<5).map { layout.frame(of: $0).width }
    #expect(widths[0] < widths[1] && widths[1] < widths[2])
    #expect(widths[3] == 117 && layout.rows[layout.row(of: 3) ?? 0].cells == 3..<4)
    // Its picture is as high as its shape makes it.
    #expect(layout.frame(of: 3).height == 5)
  }

  @Test func `pictures of a row are equally high, and cover their cells`() {
    let shapes: [Float] = [1.5, 0.75, 1, 2, 1.33, 1.5, 1.5, 0.66, 1.5]
    let layout = GridLayout(shapes, limits(117))
    for row in layout.rows.dropLast() {
      for cell in row.cells {
        let frame = layout.frame(of: cell)
        let height = Double(frame.width) / (2 * Double(shapes[cell]))
        #expect(abs(height - Double(frame.height)) < 1.3, "cell \(cell): \(frame)")
      }
    }
  }

  @Test func `a row of a few photos at the end stays as wide as they are`() {
    let layout = GridLayout([1.5, 1.5, 1.5, 1.5, 1.5], limits(117))
    #expect(layout.rows.count == 2 && layout.frame(of: 4).width < 35)
  }

  @Test func `heads have a line of their own above the first row of a section`() {
    let layout = GridLayout(Array(repeating: 1.5, count: 9), sections: [0, 5], hasHeads: true, limits(117))
    #expect(layout.rows[0].top == 1)
    let second = layout.rows.first { $0.section == 1 }
    let before = layout.rows.last { $0.section == 0 }
    #expect(second?.top == before.map { $0.end + 2 })
  }

  @Test func `a row is found by its lines, and a cell by a place in it`() {
    let layout = GridLayout(Self.shapes(400, seed: 5), limits(117))
    for (number, row) in layout.rows.enumerated() {
      #expect(layout.row(atLine: row.top) == number && layout.row(atLine: row.end - 1) == number)
    }
    #expect(layout.row(atLine: -4) == 0 && layout.row(atLine: 1_000_000) == layout.rows.count - 1)
    for cell in 0..<400 {
      let frame = layout.frame(of: cell)
      #expect(layout.cell(at: Point(frame.x, frame.y)) == cell)
      #expect(layout.cell(at: Point(frame.x + frame.width - 1, frame.y + frame.height)) == cell, "its name")
    }
  }

  @Test func `ten thousand photos are laid out, each found in a few steps`() {
    let shapes = Self.shapes(10_000, seed: 9)
    let layout = GridLayout(shapes, sections: Array(stride(from: 0, to: 10_000, by: 37)), hasHeads: true, limits(117))
    check(layout, shapes, limits(117))
    #expect(layout.row(of: 9999) == layout.rows.count - 1)
  }

  @Test(
    arguments: [
      ("", 0, true, nil), ("size 3 heads off preview on", 3, false, true), ("size -2", -2, true, nil),
      ("size 4000 heads", 9, true, nil), ("size x preview maybe", 0, true, nil), ("preview off", 0, true, false),
    ] as [(String, Int, Bool, Bool?)])
  func `the choices for the grid are a text, and a damaged one is the usual grid`(
    text: String, size: Int, heads: Bool, preview: Bool?
  ) {
    let choice = GridChoice(text: text)
    #expect(choice.size == size && choice.hasHeads == heads && choice.hasPreview == preview)
    #expect(GridChoice(text: choice.text) == choice)
  }
}
