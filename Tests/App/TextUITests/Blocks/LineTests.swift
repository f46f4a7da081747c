import Testing
import TextUI

@Suite struct LineTests {
  private static let upload = ProgressBar(
    label: Array("Uploading garage.jpg".utf8), done: 12_750_000, total: 28_311_552, rate: 4_299_162, secondsLeft: 4,
    hint: "x cancel")

  @Test(
    "a progress line gives up its parts one by one",
    arguments: [
      (
        110,
        " Uploading garage.jpg  [#########-----------]  45 %  12.1 of 27.0 MiB  4.1 MiB/s  4 s                 x cancel"
      ),
      (95, " Uploading garage.jpg  [#########-----------]  45 %  12.1 of 27.0 MiB  4.1 MiB/s  4 s  x cancel"),
      (80, " Uploading garage.jpg  [####------]  45 %  12.1 of 27.0 MiB  4 s        x cancel"),
      (60, " Uploading garage.jpg  [####------]  45 %  4 s      x cancel"),
      (40, " Uploading garage.jpg   45 %    x cancel"), (18, " Uploading~   45 %"), (8, "    45 %"),
    ])
  func progress(width: Int, text: String) {
    let shown = drawn(width) { canvas in
      canvas.isASCII = true
      Self.upload.draw(on: &canvas)
    }.text(ofRow: 0)
    #expect(shown.utf8.count <= width)
    #expect(shown == text)
  }

  @Test func `the bar is a line where the terminal has Unicode`() {
    #expect(
      drawn(93) { Self.upload.draw(on: &$0) }.text(ofRow: 0)
        == " Uploading garage.jpg  ━━━━━━━━━───────────  45 %  12.1 of 27.0 MiB  4.1 MiB/s  4 s  x cancel")
  }

  @Test(
    arguments: [
      (0, "────", "[----]"), (50, "━━──", "[##--]"), (99, "━━━─", "[###-]"), (100, "━━━━", "[####]"),
      (nil, "┄┄┄┄", "[????]"),
      (-1, "────", "[----]"), (1000, "━━━━", "[####]"),
    ] as [(Int?, String, String)])
  func `a bar as text`(percent: Int?, unicode: String, ascii: String) {
    #expect(ProgressBar.text(4, percent: percent, isASCII: false) == unicode)
    #expect(ProgressBar.text(4, percent: percent, isASCII: true) == ascii)
  }

  @Test func `100 % is shown only when it is complete`() {
    var bar = ProgressBar(label: [0x61], done: 10, total: 10)
    #expect(bar.percent == 99)
    bar.isComplete = true
    #expect(bar.percent == 100)
    #expect(drawn(60) { bar.draw(on: &$0) }.text(ofRow: 0) == " a  ━━━━━━━━━━━━━━━━━━━━ 100 %  10 B")
  }

  @Test(arguments: [(0, 0, 0), (0, 10, 0), (999, 1000, 99), (.max, .max, 99), (20, 10, 99), (-5, 10, 0)])
  func `percent stays in its bounds`(done: Int, total: Int, percent: Int) {
    #expect(ProgressBar(label: [], done: done, total: total).percent == percent)
  }

  @Test func `without a total there is no bar`() {
    let bar = ProgressBar(label: Array("Downloading".utf8), done: 2048, total: nil, rate: 1024)
    #expect(drawn(60) { bar.draw(on: &$0) }.text(ofRow: 0) == " Downloading  2.0 KiB  1.0 KiB/s")
  }

  @Test func `a percentage without a bar looks like a fact`() {
    let theme = Theme(.dark, colors: .trueColor)
    let bar = ProgressBar(label: Array("a long name of a file".utf8), done: 42, total: 100)
    func style(_ width: Int) -> Style? {
      let grid = drawn(width) { canvas in
        canvas.theme = theme
        bar.draw(on: &canvas)
      }
      return (0..<width).first { grid[$0, 0].base == UInt32(UInt8(ascii: "%")) }.map { grid[$0, 0].style }
    }
    #expect(style(30)?.foreground == theme[.dim].foreground)
    #expect(style(80)?.foreground == theme[.progress].foreground)
  }

  @Test(
    "the footer shows whole items, and always the last",
    arguments: [
      (40, " Enter open  n new  / find  q quit"), (30, " Enter open  n new  q quit"),
      (26, " Enter open  n new  q quit"), (20, " Enter open  q quit"), (10, " q quit"), (5, ""),
    ])
  func footer(width: Int, text: String) {
    let footer = FooterKeys([.init("Enter", "open"), .init("n", "new"), .init("/", "find"), .init("q", "quit")])
    #expect(drawn(width) { footer.draw(on: &$0) }.text(ofRow: 0) == text)
  }

  @Test(arguments: [
    (60, " Enter open  d difference  R restore  ? help  q back"), (40, " Enter open  R restore  ? help  q back"),
    (20, " ? help  q back"), (14, " q back"),
  ])
  func `a kept item of a footer gives way only to the last`(width: Int, text: String) {
    let footer = FooterKeys([
      .init("Enter", "open"), .init("d", "difference"), .init("R", "restore"), .init("?", "help", isKept: true),
      .init("q", "back"),
    ])
    #expect(drawn(width) { footer.draw(on: &$0) }.text(ofRow: 0) == text)
  }

  @Test func `an empty footer draws nothing`() { #expect(drawn(10) { FooterKeys([]).draw(on: &$0) }.text == "") }

  @Test func `the open tab is marked, clicks find tabs, the club stands at the right`() {
    let bar = TabBar(
      title: "Byte Club", tabs: ["1 Notes", "2 PanoPhotos"], selection: 1, trailing: Array("home: ~/ByteClub  *".utf8))
    let grid = drawn(80) { bar.draw(on: &$0) }
    #expect(grid.text(ofRow: 0) == " Byte Club   1 Notes   2 PanoPhotos                         home: ~/ByteClub  *")
    #expect(grid[13, 0].style.attributes.contains(.reverse) == false)
    #expect(grid[24, 0].style.attributes.contains(.reverse))
    #expect([0, 11, 12, 20, 21, 22, 35, 36].map(bar.tab) == [nil, nil, 0, 0, nil, 1, 1, nil])
    #expect(drawn(47) { bar.draw(on: &$0) }.text(ofRow: 0) == " Byte Club   1 Notes   2 PanoPhotos   home: ~~")
    #expect(drawn(30) { bar.draw(on: &$0) }.text(ofRow: 0) == " Byte Club   1 Notes   2 Pano~")
  }

  @Test func `an error is known without colour and is wrapped`() {
    let notice = NoticeLine("Could not save \"a\": the disk is full.", .error)
    #expect(notice.height(for: 24) == 2)
    #expect(drawn(24, 2) { notice.draw(on: &$0) }.text == " ! Could not save \"a\":\n the disk is full.")
    #expect(drawn(22) { NoticeLine("Saved \"a\"").draw(on: &$0) }.text == " Saved \"a\"")
    #expect(NoticeLine("Saved", .information).height(for: 3) == 1)
  }
}
