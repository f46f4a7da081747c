import Testing
import TextUI

@Suite struct CanvasTests {
  private static func drawn(_ width: Int, _ draw: (inout Canvas) -> Void) -> Grid {
    var canvas = Canvas(Size(width, 1))
    draw(&canvas)
    return canvas.grid
  }

  @Test(
    "text that does not fit ends in a tilde",
    arguments: [("abc", 3, "abc"), ("abcd", 3, "ab~"), ("漢字", 4, "漢字"), ("漢字", 3, "漢~"), ("漢字", 2, " ~"), ("a", 0, "")])
  func cut(text: String, width: Int, shown: String) {
    #expect(Self.drawn(width) { $0.text(text, x: 0, y: 0) }.text(ofRow: 0) == shown)
  }

  @Test(
    "a text that does not fit is cut so that a place of it is seen",
    arguments: [
      ("challenge-for-ray.md", "chall", 12, "challenge-f~"), ("challenge-for-ray.md", "ray", 12, "~-for-ray.md"),
      ("a very long name of a challenge for ray.md", "chall", 12, "~a challeng~"),
      ("a very long name of a challenge for ray.md", "ray", 12, "~ for ray.md"),
      ("漢字漢字漢字 pier 漢字漢字", "pier", 10, "~ pier 漢~"), ("abcdefgh", "h", 2, "a~"),
    ])
  func placed(text: String, sought: String, width: Int, shown: String) {
    let bytes = Array(text.utf8)
    let places = NameQuery(sought.utf8).places(in: bytes[...])
    let grid = Self.drawn(20) {
      $0.text(bytes[...], x: 0, y: 0, width: width, places: places)
    }
    #expect(grid.text(ofRow: 0) == shown)
  }

  @Test func `a wide glyph that is cut through becomes a space`() {
    let left = Self.drawn(4) {
      $0.text("漢字", x: 0, y: 0)
      $0.text("x", x: 1, y: 0)
    }
    #expect(left.text(ofRow: 0) == " x字")
    let right = Self.drawn(4) {
      $0.text("漢字", x: 0, y: 0)
      $0.text("x", x: 2, y: 0)
    }
    #expect(right.text(ofRow: 0) == "漢x")
    #expect(HostileText.fault(in: left) == nil)
    #expect(HostileText.fault(in: right) == nil)
  }

  @Test func `a space with a mark is one cell`() {
    let grid = Self.drawn(4) { $0.text("a \u{0301}b", x: 0, y: 0) }
    #expect(grid[1, 0].mark1 == 0x301)
    #expect(grid[2, 0].text == "b")
  }

  @Test func `a control in a cell becomes a question mark`() {
    let grid = Self.drawn(4) { canvas in
      for (x, base) in ([0x1B, 0x07, 0x7F, 0x9B] as [UInt32]).enumerated() {
        canvas.cell(Cell(base: base), x: x, y: 0)
      }
    }
    #expect(grid.text == "????")
  }

  @Test func `nothing is drawn outside of a part`() {
    var canvas = Canvas(Size(6, 3))
    canvas.inside(Rect(2, 1, 2, 1)) { part in
      #expect(part.size == Size(2, 1))
      part.text("abcdef", x: 0, y: 0)
      part.text("no", x: 0, y: 1)
      part.text("no", x: 0, y: -1)
      part.fill(Rect(-5, -5, 50, 5), with: "x", style: .plain)
      part.showCursor(x: 2, y: 0)
    }
    #expect(canvas.grid.text == "\n  a~\n")
    #expect(canvas.grid.cursor == nil)
  }
}
