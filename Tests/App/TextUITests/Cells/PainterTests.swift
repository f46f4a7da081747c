import TestKit
import Testing
import TextUI

/// Every painter, given every hostile text at every small size, draws cells that are safe to send.
@Suite struct PainterTests {
  private static func paint(_ bytes: [UInt8], on canvas: inout Canvas, painter: Int) {
    let text = String(decoding: bytes, as: UTF8.self)
    let size = canvas.size
    switch painter {
    case 0: canvas.text(bytes[...], x: 0, y: 0)
    case 1: canvas.text(bytes[...], x: 1, y: 0, tabWidth: 4)
    case 2:
      var editor = TextEditor(bytes)
      editor.resize(size)
      editor.move(to: bytes.count / 2)
      editor.draw(on: &canvas)
    case 3:
      var reader = TextReader(bytes)
      reader.resize(size)
      reader.find("a", from: 0)
      reader.draw(on: &canvas)
    case 4: TextField(bytes: bytes, placeholder: text).draw(on: &canvas)
    case 5: TextField(placeholder: text).draw(on: &canvas)
    case 6: ProgressBar(label: bytes, done: 5, total: 10, rate: 3, secondsLeft: 4, hint: "x cancel").draw(on: &canvas)
    case 7: FooterKeys([.init(text, text), .init("q", "quit")]).draw(on: &canvas)
    case 8: TabBar(title: text, tabs: [text, "Notes"], selection: 1, trailing: bytes).draw(on: &canvas)
    case 9: NoticeLine(text, .error).draw(on: &canvas)
    case 10: NoticeLine(text).draw(on: &canvas)
    case 11: HelpTable([.init(text, [.init(text, text), .init("q", "quit")])]).draw(on: &canvas)
    default:
      ListState(count: 50).draw(on: &canvas) { line, _, _ in line.text(bytes[...], x: 0, y: 0) }
    }
  }

  private static let painters = Array(0...12)

  @Test(arguments: painters)
  func `hostile text is shown, never sent`(painter: Int) {
    for payload in HostileText.payloads {
      for size in [Size(0, 0), Size(1, 1), Size(2, 2), Size(3, 1), Size(1, 5), Size(7, 3), Size(40, 12)] {
        var canvas = Canvas(size)
        Self.paint(payload.bytes, on: &canvas, painter: painter)
        #expect(HostileText.fault(in: canvas.grid) == nil, "\(payload.name) at \(size)")
        if let cursor = canvas.grid.cursor { #expect(cursor.x < size.width && cursor.y < size.height) }
      }
    }
  }

  @Test(arguments: painters, [false, true])
  func `random bytes are shown, never sent`(painter: Int, whole: Bool) {
    var generator = SeededNumbers(UInt64(painter))
    for round in 0..<150 {
      let bytes =
        whole && round % 2 == 0
        ? HostileText.clusters(&generator, count: generator.below(20))
        : HostileText.random(&generator, count: generator.below(80))
      var canvas = Canvas(Size(generator.below(30), generator.below(5)))
      Graphemes.$assumed.withValue(whole) { Self.paint(bytes, on: &canvas, painter: painter) }
      #expect(HostileText.fault(in: canvas.grid) == nil, "\(bytes)")
    }
  }
}
