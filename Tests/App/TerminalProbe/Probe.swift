import Dispatch
import POSIX
import TextUI

/// Logs the terminal's events on the left, has rows of a list in the middle and a picture of 24-bit colour on the right,
/// and ends in every way there is. Instead it can have one long list, on a canvas that is kept from frame to frame.
final class Probe {
  private let terminal: any Terminal
  private var log: [String] = []
  private var top = 0
  private var shift = 0
  private var hasPicture = false
  private var hasCursor = false
  /// A picture of pixels, and text over it.
  private var hasPixels = false
  private var isCovered = false
  private let source = PictureSource()
  private var hasLinks = false
  /// A row of grapheme clusters.
  private var hasClusters = false
  /// All rows of list and picture are alike, but for one of the list.
  private var isUniform = false
  private var isOver = false
  /// Rows of glyphs of all widths, others in each paint.
  private var isMixed = false
  private var list: ListState?
  private var canvas = Canvas(Size(0, 0))
  /// The keys since the list or the mixed rows came, each of which has them painted. So has an answer of the terminal,
  /// which may come at any time and changes nothing.
  private var paints = 0

  init(_ terminal: any Terminal) {
    self.terminal = terminal
  }

  func run() {
    paint()
    while !isOver {
      let events = terminal.wait()
      if events.isEmpty { log.append("woken") }
      for event in events { handle(event) }
      if !isOver { paint() }
    }
  }

  private func handle(_ event: InputEvent) {
    switch event {
    case .terminate: isOver = true
    case .resumed: log.append("resumed")
    case .resize(let size): log.append("size \(size.width)x\(size.height)")
    case .paste(let bytes): log.append("paste \(String(decoding: bytes.prefix(100), as: UTF8.self)) of \(bytes.count)")
    case .report(let report): log.append("report \(report)")
    case .abilities(let abilities): log.append("graphics \(abilities.graphics.rawValue)")
    case .background(let colour): log.append("background \(colour)")
    case .focus(let isFocused): log.append(isFocused ? "looked at" : "not looked at")
    case .mouse(let mouse): log.append("\(mouse.kind) \(mouse.point.x),\(mouse.point.y)")
    case .key(let key):
      log.append("key \(key.name)")
      press(key)
      if list != nil || isMixed { paints += 1 }
    }
  }

  private func press(_ key: Key) {
    if list?.handle(key) == true { return }
    switch key.name {
    case "q": isOver = true
    case "j": top += 1
    case "l": shift += 1
    case "p": hasPicture.toggle()
    case "u": isUniform.toggle()
    case "i": hasCursor.toggle()
    case "g": hasPixels.toggle()
    case "v": isCovered.toggle()
    case "o": hasLinks.toggle()
    case "e": hasClusters.toggle()
    case "m": isMixed = true
    case "L": list = list == nil ? ListState(count: 1000, height: terminal.size.height - 2) : nil
    case "b": terminal.bell()
    case "c": terminal.copy("copied \u{1B}[31mtext\n日本")
    case "C": terminal.copy(String(repeating: "long", count: 40_000))
    case "r": terminal.invalidate()
    case "w":
      terminal.tell(.title("probe \u{1B}]0;owned\u{7} 日本\n\u{202E}"))
      terminal.tell(.progress(TerminalProgress(percent: 44)))
    case "W":
      terminal.tell(.title(nil))
      terminal.tell(.progress(nil))
    case "n": terminal.tell(.notification("4;1;44 done \u{1B}]52;c;aGk=\u{7} 日本\n"))
    case "Ctrl-Z": terminal.suspend()
    case "T":
      let wake = terminal.waker
      DispatchQueue.global().async { wake() }
    case "h": handOver(["sh", "-c", "echo child has it; read line; echo \"got $line\"; read line; exit 3"])
    case "H": handOver(["/no/such/program"])
    case "k": handOver(["sh", "-c", "kill -9 $$"])
    case "1": exit(7)
    case "2": top = [Int]()[log.count]
    case "3": top = Self.overflow(top)
    case "4": abort()
    case "5": raise(SIGSEGV)
    case "6": UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
    default: break
    }
  }

  private func handOver(_ arguments: [String]) {
    log.append("end \(terminal.handOver(to: ExternalProgram(arguments)))")
  }

  private static func overflow(_ depth: Int) -> Int {
    var room = (depth, depth, depth, depth)
    return withUnsafeMutablePointer(to: &room) { room in
      room.pointee.0 = overflow(room.pointee.0 + 1) + 1
      return room.pointee.0
    }
  }

  private func paint() {
    if let list { return paint(list) }
    if isMixed { return paintMixed() }
    var canvas = Canvas(terminal.size)
    let (width, height) = (canvas.size.width, canvas.size.height)
    let title = "probe \(width)x\(height) \(terminal.abilities.colors) 日本 é🎈 e\u{301}\u{1B}]0;x\u{7}\u{202E}"
    canvas.text(title, x: 0, y: 0, style: .reverse)
    let third = width / 3
    let shown = Array(log.suffix(max(0, height - 1)))
    for y in 1..<max(1, height) {
      if y <= shown.count { canvas.text(shown[y - 1], x: 0, y: y, width: third) }
      let item = y + top
      let name = isUniform ? item == 12 ? "the only one" : "" : "item \(item) \(item % 5 == 0 ? "大きな名" : "name")"
      canvas.text(
        name, x: third, y: y,
        style: Style(foreground: .palette(isUniform ? 2 : UInt8(truncatingIfNeeded: item))), width: third)
    }
    if hasPicture {
      for y in 1..<max(1, height - 1) {
        for x in (2 * third)..<max(2 * third, width - 1) {
          let color = isUniform ? 0x12_3456 : Self.pictureColor(x + shift, y)
          let style = Style(foreground: .rgb(color), background: .rgb(color ^ 0x0F0F0F))
          canvas.cell(Cell(base: 0x2580, style: style), x: x, y: y)
        }
      }
    }
    if hasLinks || log.contains("key o") { drawLinks(on: &canvas) }
    if hasClusters { canvas.text("👨‍👩‍👧‍👦|🇩🇪|क्षि|1️⃣|end", x: 2 * third, y: height - 2) }
    if hasPixels { paintPixels(on: &canvas, x: 2 * third + 2) }
    if hasCursor { canvas.showCursor(x: 3, y: 2) }
    terminal.paint(canvas.grid)
  }

  /// Two lines of one link, a link with a hostile address, and one whose address is too long. Without links the same
  /// cells.
  private func drawLinks(on canvas: inout Canvas) {
    func draw(_ text: String, y: Int, to address: String) {
      canvas.linked(to: hasLinks ? address : nil) { canvas in
        canvas.text(text, x: 0, y: canvas.size.height - y, style: Style(.underline, foreground: .palette(4)))
      }
    }
    draw("the club's", y: 4, to: "https://club.example/a")
    draw("大きな site", y: 3, to: "https://club.example/a")
    draw("hostile", y: 2, to: "https://h.example/\u{1B}\\\u{7}é")
    draw("too long", y: 1, to: "https://l.example/" + String(repeating: "x", count: 3000))
  }

  private func paintPixels(on canvas: inout Canvas, x: Int) {
    let cells = Size(8, 4)
    let cell = terminal.abilities.pixelsOfCell
    let size = Size(cells.width * cell.width, cells.height * cell.height)
    let picture = CanvasPicture(
      .init(source, variant: shift), size: size, cells: cells, isStretched: false
    ) { [shift] in
      var bytes: [UInt8] = []
      for y in 0..<size.height {
        for x in 0..<size.width { bytes += [x + shift, y, x * y].map { UInt8(truncatingIfNeeded: $0) } }
      }
      return PicturePixels(width: size.width, height: size.height, bytes: bytes)
    }
    for row in 0..<cells.height {
      canvas.picture(picture, row: row, x: x, y: 2 + row) { _ in
        Cell(base: 0x2580, style: .pixels(0x12_3456, over: 0x65_4321))
      }
    }
    if isCovered { canvas.text("cover", x: x + 2, y: 3) }
  }

  /// Each row begins with a number, whose digits to the base of 3 choose the glyphs after it.
  private func paintMixed() {
    var canvas = Canvas(terminal.size)
    canvas.text("mixed \(paints)", x: 0, y: canvas.size.height - 1)
    for y in 0..<max(0, canvas.size.height - 1) {
      var digits = (UInt64(paints) << 8 | UInt64(y)) &* 0x9E37_79B9_7F4A_7C15 >> 24
      let number = "\(digits) "
      var x = canvas.text(number, x: 0, y: y, style: .plain)
      while digits > 0 {
        let style = Style(foreground: .palette(UInt8(digits % 5 + 1)))
        x += canvas.text(["a", "│", "日"][Int(digits % 3)], x: x, y: y, style: style)
        digits /= 3
      }
    }
    terminal.paint(canvas.grid)
  }

  /// Each row has its number, which is the content of its line, its square in one of many colours, and some a bit of a
  /// picture. The last line tells which paint this is.
  private func paint(_ list: ListState) {
    canvas.begin(terminal.size)
    let size = canvas.size
    canvas.text("list of \(list.count)", x: 0, y: 0, style: .bold)
    canvas.inside(Rect(0, 1, size.width, size.height - 2)) { part in
      list.draw(on: &part, content: { $0 << 2 }) { line, row, _ in
        line.text(row % 7 == 0 ? "   \(row) 大きな名" : "   \(row) name", x: 0, y: 0)
        line.text("\(row * row)", x: 20, y: 0, style: Style(.dim, foreground: .palette(UInt8(row % 250))))
        if row % 40 == 0 { line.text("picture", x: 30, y: 0, style: Style(foreground: .rgb(0x12_3456))) }
      }
    }
    canvas.text("row \(list.selection) paint \(paints)", x: 0, y: size.height - 1)
    canvas.end()
    terminal.paint(canvas.grid)
  }

  private static func pictureColor(_ x: Int, _ y: Int) -> UInt32 {
    UInt32(x * 7 & 255) << 16 | UInt32(y * 11 & 255) << 8 | UInt32((x + y) * 3 & 255)
  }
}
