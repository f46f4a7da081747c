import TestKit
import Testing

@testable import TextUI

@Suite struct ScreenFilmTests {
  private func grid(_ size: Size = Size(6, 2), _ draw: (inout Canvas) -> Void) -> Grid {
    var canvas = Canvas(size)
    draw(&canvas)
    return canvas.grid
  }

  private func film(_ grids: [Grid], still: Int = 0) -> ScreenFilm {
    ScreenFilm(grids.map { ScreenFilm.Frame($0) }, still: still, title: "t", mark: "m")
  }

  /// The part of a document that belongs to one frame.
  private func frame(_ index: Int, of document: String) throws -> Substring {
    let start = try #require(document.firstRange(of: #"id="f\#(index)">"#))
    let rest = document[start.upperBound...]
    return rest[..<(rest.firstRange(of: #"<g class="f""#)?.lowerBound ?? rest.endIndex)]
  }

  @Test func `frames share equal rows and the most frequent colours, and hold the rest`() throws {
    let grids = [0, 1, 2].map { number in
      grid { canvas in
        canvas.text("same", x: 0, y: 0)
        for x in 0..<6 {
          canvas.text("▀", x: x, y: 1, style: .pixels(x == number ? 0xFF0000 : 0x00FF00, over: 0x0000FF))
        }
      }
    }
    let document = try #require(film(grids).svg())
    #expect(document.ranges(of: ">same</text>").count == 1)
    #expect(document.ranges(of: ##"stroke="#00f""##).count == 1)
    #expect(document.ranges(of: ##"<path stroke="#0f0" d="M0 2h6"/>"##).count == 1)
    for index in 0..<3 {
      #expect(try frame(index, of: document).contains(##"<path stroke="#f00" d="M\##(index) 2h1"/>"##))
    }
  }

  @Test func `a cell that is blank in one frame alone gets the window's own colour there`() throws {
    let full = grid { $0.text("█", x: 2, y: 0, style: Style(foreground: .rgb(0x00FF00))) }
    let document = try #require(film([full, full, grid { _ in }]).svg())
    #expect(try frame(2, of: document).contains(##"<path stroke="#1a1b26" d="M2 0h1M2 1h1"/>"##))
  }

  @Test func `each frame has its part of the time, and one stands alone where nothing moves`() throws {
    let frames = [(0, 1), (1, 2), (2, 1)].map { number, length in
      ScreenFilm.Frame(grid { $0.text("\(number)", x: 0, y: 0) }, length: length)
    }
    let document = try #require(ScreenFilm(frames, still: 1, title: "t", mark: "m").svg())
    #expect(document.contains("animation:0.48s step-end infinite}#f1{visibility:visible}"))
    #expect(document.contains("@keyframes k0{0.0%{visibility:visible}25.0%,to{visibility:hidden}}"))
    #expect(
      document.contains("@keyframes k1{0%{visibility:hidden}25.0%{visibility:visible}75.0%,to{visibility:hidden}}"))
    #expect(document.contains("@keyframes k2{0%{visibility:hidden}75.0%{visibility:visible}to{visibility:visible}}"))
    #expect(document.contains("@media(prefers-reduced-motion:reduce){.f{animation:none!important}}"))
    #expect(ScreenPicture.mark(of: document) == "m")
  }

  @Test func `frames of several sizes, or none, make no film`() {
    #expect(film([]).svg() == nil)
    #expect(film([grid { _ in }, grid(Size(3, 1)) { _ in }]).svg() == nil)
    #expect(film([grid { _ in }], still: 1).svg() == nil)
    #expect(film([grid { _ in }]).svg(mostBytes: 100) == nil)
  }
}
