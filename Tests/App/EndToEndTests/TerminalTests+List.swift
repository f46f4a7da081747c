import TestKit
import TextUI
import Testing

/// A long list on one canvas: rows that only moved are not put anew.
extension TerminalTests {
  @Test("A list that was moved about is shown as if it were painted anew", arguments: ["truecolor", ""])
  func movedList(_ colors: String) throws {
    let session = try start(["COLORTERM": colors])
    session.press("L")
    var list = ListState(count: 1000, height: 14)
    var paints = 1
    func isShown(_ screen: ScreenSnapshot) -> Bool {
      screen.row(15) == "row \(list.selection) paint \(paints)"
        && (0..<14).allSatisfy { line in
          let row = list.top + line
          let hasPicture = screen.grid[30, line + 1].style.foreground == .rgb(0x12_3456)
          return screen.row(line + 1).dropFirst(3).hasPrefix("\(row) \(row % 7 == 0 ? "大きな名" : "name")")
            && hasPicture == (colors != "" && row % 40 == 0)
        }
    }
    try session.wait("the list", until: isShown)
    let (downs, ups) = (Array(repeating: "Down", count: 16), Array(repeating: "Up", count: 20))
    for name in downs + ["PgDn", "Down", "PgDn", "Up", "Down"] + ups + ["End", "Home"] {
      session.press(name)
      _ = try list.handle(#require(Key(name)))
      paints += 1
      let moved = try session.wait("row \(list.selection)", until: isShown)
      session.press("r")
      paints += 1
      try session.wait("row \(list.selection) painted anew") { isShown($0) && Self.looks($0) == Self.looks(moved) }
    }
    #expect(EscapeAudit.findings(in: session.rawBytes) == [])
  }

  /// The cells above the last line. In which colour a space is written nobody sees, and libvterm leaves the look of a
  /// glyph's right half as it was.
  private static func looks(_ screen: ScreenSnapshot) -> [Cell] {
    (0..<15).flatMap { y in
      screen.grid.row(y).map { cell in
        guard cell.width > 0 else { return Cell(base: 0, width: 0) }
        guard cell.base == 0x20, !cell.style.attributes.contains(.reverse) else { return cell }
        return Cell(base: 0x20, style: Style(cell.style.attributes, background: cell.style.background))
      }
    }
  }
}
