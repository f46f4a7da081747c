import TestKit
import Testing

@testable import TextUI

@Suite struct ScreenPictureTests {
  private func svg(_ size: Size = Size(12, 2), title: String = "t", _ draw: (inout Canvas) -> Void) throws -> String {
    var canvas = Canvas(size)
    draw(&canvas)
    return try #require(ScreenPicture(canvas.grid, title: title, mark: "a -- b").svg())
  }

  @Test func `text is escaped, and the mark is found again`() throws {
    let picture = try svg(title: "<t> & \"\u{1B}\"") { $0.text("a<b>&\"c", x: 0, y: 0) }
    #expect(picture.contains(">a&lt;b&gt;&amp;&quot;c</text>"))
    #expect(picture.contains("<title>&lt;t&gt; &amp; &quot;?&quot;</title>"))
    #expect(ScreenPicture.mark(of: picture) == "a - - b")
    #expect(ScreenPicture.mark(of: "<svg>\n</svg>") == nil)
  }

  @Test func `a run carries its columns; a look of its own and two blanks end it`() throws {
    let picture = try svg {
      $0.text("ab c  d", x: 1, y: 1)
      $0.text("e", x: 8, y: 1, style: Style(.bold, foreground: .rgb(0x112233)))
    }
    #expect(picture.contains(#"<text x="10" y="35" textLength="40" lengthAdjust="spacingAndGlyphs">ab c</text>"#))
    #expect(picture.contains(##"<text x="80" y="35" textLength="10" lengthAdjust="spacingAndGlyphs" fill="#123""##))
    #expect(picture.contains(#" font-weight="bold">e</text>"#))
    #expect(picture.ranges(of: "<text x=").count == 4, "the title, too")
  }

  @Test func `a wide glyph has two columns and a run of its own`() throws {
    let picture = try svg { $0.text("a日b●", x: 0, y: 0) }
    for run in [(0, 10, "a"), (10, 20, "日"), (30, 10, "b"), (40, 10, "●")] {
      #expect(
        picture.contains(
          #"<text x="\#(run.0)" y="15" textLength="\#(run.1)" lengthAdjust="spacingAndGlyphs">\#(run.2)</text>"#))
    }
  }

  @Test func `attributes are kept, and reverse swaps the colours`() throws {
    let picture = try svg {
      $0.text("a", x: 0, y: 0, style: Style([.italic, .dim, .underline, .strikethrough]))
      $0.text("b", x: 3, y: 0, style: Style(.reverse, foreground: .rgb(0xFF0000), background: .palette(21)))
      $0.text("c", x: 6, y: 0, style: .reverse)
    }
    #expect(picture.contains(#"font-style="italic" opacity=".6" text-decoration="underline line-through">a</text>"#))
    #expect(picture.contains(##"fill="#00f">b</text>"##))
    #expect(picture.contains(##"<path stroke="#f00" d="M3 0h1M3 1h1"/>"##))
    #expect(picture.contains(##"fill="#1a1b26">c</text>"##))
    #expect(picture.contains(##"<path stroke="#dde1f0" d="M6 0h1M6 1h1"/>"##))
  }

  @Test func `half blocks and backgrounds are runs of colour`() throws {
    let picture = try svg(Size(6, 1)) { canvas in
      for x in 0..<4 { canvas.text("▀", x: x, y: 0, style: .pixels(0xABCDEF, over: x < 2 ? 0x010203 : 0x040506)) }
      canvas.text("▄", x: 4, y: 0, style: .pixels(0x010203, over: 0xABCDEF))
    }
    #expect(picture.contains(##"<path stroke="#abcdef" d="M0 0h5"/>"##))
    #expect(picture.contains(##"<path stroke="#010203" d="M0 1h2M4 1h1"/>"##))
    #expect(picture.contains(##"<path stroke="#040506" d="M2 1h2"/>"##))
    #expect(!picture.contains("▀"))
  }

  @Test func `thin lines join across cells`() throws {
    let picture = try svg(Size(4, 2)) {
      $0.text("┌──┐", x: 0, y: 0)
      $0.text("│", x: 0, y: 1)
    }
    #expect(picture.contains(##"d="M5 10V20M35 10V20M5 10H35M5 20V40"/>"##))
  }

  @Test func `a colour with fewer bits is near to the colour`() throws {
    var canvas = Canvas(Size(40, 1))
    for x in 0..<40 { canvas.text("▀", x: x, y: 0, style: .pixels(x % 2 == 0 ? 0xABCDEF : 0xABCDEE, over: 0)) }
    let picture = ScreenPicture(canvas.grid, title: "t")
    let whole = try #require(picture.svg())
    #expect(whole.contains(##"stroke="#abcdef""##))
    let reduced = try #require(picture.svg(mostBytes: whole.utf8.count - 1))
    #expect(reduced.contains(##"<path stroke="#aaceef" d="M0 0h40"/>"##))
  }

  @Test func `a picture of noise stays below the limit by losing bits, and brings nothing from elsewhere`() throws {
    var random = SeededNumbers(4)
    let noise = try svg(Size(120, 40)) { canvas in
      for y in 0..<40 {
        for x in 0..<120 {
          let style = Style.pixels(UInt32(random.below(1 << 24)), over: UInt32(random.below(1 << 24)))
          canvas.text("▀", x: x, y: y, style: style)
        }
      }
    }
    #expect(noise.utf8.count <= 200_000)
    for word in ["<script", "href", "@font-face", "url(", "<image"] { #expect(!noise.contains(word)) }
    #expect(ScreenPicture(Grid(Size(9, 9)), title: "").svg(mostBytes: 100) == nil)
  }
}
