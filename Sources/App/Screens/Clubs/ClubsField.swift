internal import TextUI

/// A labelled field.
struct ClubsField: Sendable {
  let label: String
  var text: TextField
  /// Drawn as dots.
  var isHidden = false

  init(_ label: String, _ text: String = "", placeholder: String = "", isHidden: Bool = false) {
    (self.label, self.isHidden) = (label, isHidden)
    self.text = TextField(text, placeholder: placeholder)
  }

  func draw(isFocused: Bool, on canvas: inout Canvas) {
    guard isHidden, !text.isEmpty else { return text.draw(on: &canvas, isFocused: isFocused) }
    let before = GlyphReader(text.bytes[..<text.cursor]).reduce(0) { count, _ in count + 1 }
    let behind = GlyphReader(text.bytes[text.cursor...]).reduce(0) { count, _ in count + 1 }
    let first = max(0, before - canvas.size.width + 1)
    let dots = String(repeating: canvas.isASCII ? "*" : "•", count: min(before + behind - first, canvas.size.width))
    canvas.text(dots, x: 0, y: 0)
    if isFocused { canvas.showCursor(x: before - first, y: 0) }
  }
}

/// Fields below each other. One has the focus; the page around them scrolls to it unless the member scrolls.
struct FieldSet: Sendable {
  var fields: [ClubsField]
  private(set) var focus = 0
  private(set) var scroll: Int?

  init(_ fields: [ClubsField]) { self.fields = fields }

  var isLast: Bool { focus == fields.count - 1 }

  /// Stays at the first and the last field.
  mutating func select(_ field: Int) {
    (focus, scroll) = (max(0, min(field, fields.count - 1)), nil)
  }

  /// True if the text of the field has changed.
  mutating func take(_ input: MemberInput, _ page: ClubsPage, height: Int) -> Bool {
    let step = max(1, height - 1)
    switch input {
    case .typed(let key):
      switch key.code {
      case .pageUp: turn(by: -step, page, height)
      case .pageDown: turn(by: step, page, height)
      default: return change { $0.handle(key) }
      }
    case .pasted(let bytes): return change { $0.paste(bytes) }
    case .mouse(let mouse):
      switch mouse.kind {
      case .wheelUp: turn(by: -3, page, height)
      case .wheelDown: turn(by: 3, page, height)
      case .press:
        guard let field = page.field(atLine: mouse.point.y + page.top(self, height: height)) else { break }
        let (x, width) = page.span(fields)
        select(field)
        // The dots of a hidden text do not have the widths of its letters.
        if !fields[field].isHidden { fields[field].text.click(x: mouse.point.x - x, width: width) }
      case .release, .drag: break
      }
    case .command(let command):
      switch command {
      case .listUp: turn(by: -1, page, height)
      case .listDown: turn(by: 1, page, height)
      case .listPageUp, .listHalfUp: turn(by: -step, page, height)
      case .listPageDown, .listHalfDown: turn(by: step, page, height)
      case .listFirst: turn(by: -page.lines.count, page, height)
      case .listLast: turn(by: page.lines.count, page, height)
      default: break
      }
    }
    return false
  }

  private mutating func change(_ change: (inout TextField) -> EditOutcome) -> Bool {
    guard fields.indices.contains(focus) else { return false }
    scroll = nil
    let before = fields[focus].text.bytes
    _ = change(&fields[focus].text)
    return fields[focus].text.bytes != before
  }

  private mutating func turn(by lines: Int, _ page: ClubsPage, _ height: Int) {
    scroll = max(0, min(page.top(self, height: height) + lines, page.lines.count - height))
  }
}

/// Pasted text for a field: at most 4 KiB, without controls. Line breaks become spaces.
enum PastedLine {
  private static let most = 4096

  static func bytes(_ bytes: [UInt8]) -> [UInt8] {
    var end = min(bytes.count, most)
    while end > 0, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).unicodeScalars.split { $0 == "\n" || $0 == "\r" }
    let shown = lines.map { line in String(line.filter { $0.properties.generalCategory != .control }) }
    return Array(shown.joined(separator: " ").utf8)
  }
}
