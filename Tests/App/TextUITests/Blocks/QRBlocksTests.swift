import Testing
import TextUI

@Suite struct QRBlocksTests {
  @Test("Two modules are a cell, one above the other, with two light ones around the code") func blocks() {
    let rows = ["#.#", "##.", "..#"]
    let blocks = QRBlocks(rows.joined().map { $0 == "#" }, width: 3)
    #expect(blocks.lines == ["       ", "  █▄▀  ", "    ▀  ", "       "])
  }

  @Test("Each dark module is drawn, and nothing else", arguments: [1, 2, 21, 25, 40])
  func whole(width: Int) {
    let modules = (0..<width * width).map { $0 * 7 % 5 < 2 }
    let lines = QRBlocks(modules, width: width).lines.map(Array.init)
    #expect(lines.count == (width + 5) / 2 && lines.allSatisfy { $0.count == width + 4 })
    var read: [Bool] = []
    for row in 2..<width + 2 {
      read += lines[row / 2][2..<width + 2].map { $0 == "█" || $0 == (row.isMultiple(of: 2) ? "▀" : "▄") }
    }
    #expect(read == modules)
    #expect(lines.joined().count { $0 != " " } <= modules.count { $0 })
  }

  @Test(
    "A code is shown whole, below a line of its own, or not at all",
    arguments: [(25, 14, true), (24, 14, false), (25, 13, false), (80, 24, true)])
  func fits(columns: Int, rows: Int, fits: Bool) {
    let blocks = QRBlocks([Bool](repeating: true, count: 21 * 21), width: 21)
    #expect(blocks.lines.count == 13)
    #expect(blocks.fits(columns: columns, rows: rows) == fits)
  }
}
