import Testing

@testable import TextUI

@Suite struct HyperlinkTests {
  private func addresses(_ grid: Grid, row: Int = 0) -> [String?] {
    (0..<grid.size.width).map { grid.links[grid[$0, row].link] }
  }

  @Test func `every cell that is drawn inside a link has its address, and no other cell`() {
    var canvas = Canvas(Size(8, 1))
    canvas.linked(to: "https://a.example/") { canvas in
      canvas.text("ab", x: 1, y: 0)
      canvas.text("漢", x: 3, y: 0)
    }
    canvas.text("x", x: 5, y: 0)
    let linked = "https://a.example/"
    #expect(addresses(canvas.grid) == [nil, linked, linked, linked, linked, nil, nil, nil])
    canvas.text("over", x: 2, y: 0)
    #expect(addresses(canvas.grid) == [nil, linked, nil, nil, nil, nil, nil, nil])
  }

  @Test func `grids are equal by their addresses, whatever was linked before`() {
    func drawn(_ before: String?, _ address: String) -> Grid {
      var canvas = Canvas(Size(2, 1))
      canvas.linked(to: before) { $0.text("x", x: 0, y: 0) }
      canvas.linked(to: address) { $0.text("xx", x: 0, y: 0) }
      return canvas.grid
    }
    #expect(drawn(nil, "https://a") == drawn("https://b", "https://a"))
    #expect(drawn(nil, "https://a") != drawn(nil, "https://b"))
    #expect(drawn(nil, "https://a") != drawn("https://a", "https://b"))
  }

  @Test func `links end where they end, also inside each other`() {
    var canvas = Canvas(Size(4, 1))
    canvas.linked(to: "https://a.example") { canvas in
      canvas.text("a", x: 0, y: 0)
      canvas.linked(to: nil) { $0.text("b", x: 1, y: 0) }
      canvas.text("c", x: 2, y: 0)
    }
    #expect(addresses(canvas.grid) == ["https://a.example", nil, "https://a.example", nil])
  }

  @Test(
    "terminals get printable ASCII",
    arguments: [
      ("https://a.example/é b", "https://a.example/%C3%A9%20b"),
      ("https://a.example/\u{1B}]0;x\u{7}\u{9C}", "https://a.example/%1B]0;x%07%C2%9C"),
      ("mailto:ann@club.example?subject=a%20b", "mailto:ann@club.example?subject=a%20b"),
    ])
  func printable(address: String, shown: String) {
    var canvas = Canvas(Size(1, 1))
    canvas.linked(to: address) { $0.text("x", x: 0, y: 0) }
    #expect(addresses(canvas.grid) == [shown])
  }

  @Test("an address that terminals would ignore links nothing", arguments: [("", true), ("x", false)])
  func tooLong(end: String, isLinked: Bool) {
    let longest = "https://" + String(repeating: "x", count: Hyperlinks.longestAddress - 8)
    var canvas = Canvas(Size(1, 1))
    canvas.linked(to: longest + end) { $0.text("x", x: 0, y: 0) }
    #expect((addresses(canvas.grid) != [nil]) == isLinked)
  }

  @Test func `addresses that were seen long ago are forgotten, and a number never changes its address in a frame`() {
    var canvas = Canvas(Size(20, 2))
    var most = 0
    for frame in 0..<20_000 {
      let old = canvas.grid
      canvas.begin(Size(20, 2))
      canvas.inside(Rect(0, 0, 20, 1)) { part in
        part.line(of: 1) { line in
          line.linked(to: "https://kept.example") { $0.text("kept", x: 0, y: 0) }
        }
      }
      canvas.linked(to: "https://\(frame).example") { $0.text("new", x: 0, y: 1) }
      canvas.end()
      #expect(canvas.grid.links[canvas.grid[0, 0].link] == "https://kept.example")
      #expect(canvas.grid.links[canvas.grid[0, 1].link] == "https://\(frame).example")
      #expect(frame == 0 || canvas.grid[0, 1] != old[0, 1])
      most = max(most, canvas.grid.links.count)
    }
    #expect(most < 10_000)
  }
}
