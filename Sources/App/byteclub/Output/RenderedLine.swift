import Markdown
import TextUI

/// Text through `GlyphReader`, styles as ECMA-48 sequences (SGR).
enum RenderedLine {
  struct Run {
    let text: [UInt8]
    let role: Role
    let attributes: Style.Attributes

    init(_ text: [UInt8], _ role: Role, _ attributes: Style.Attributes = []) {
      (self.text, self.role, self.attributes) = (text, role, attributes)
    }

    init(_ text: String, _ role: Role) { self.init(Array(text.utf8), role) }
  }

  /// With its line feed. A theme without colours gives text alone.
  static func bytes(_ line: StyledLine, _ theme: Theme, width: Int) -> [UInt8] {
    bytes(line.runs.map { Run(Array($0.text), $0.role, $0.attributes) }, theme)
  }

  static func bytes(_ runs: [Run], _ theme: Theme) -> [UInt8] {
    var text = ""
    var isStyled = false
    for run in runs {
      let shown = ShownText.of(String(decoding: run.text, as: UTF8.self))
      let code = theme.colors == .none ? "" : codes(theme[run.role].with(run.attributes))
      if !code.isEmpty || isStyled { text += "\u{1B}[0\(code.isEmpty ? "" : ";" + code)m" }
      isStyled = !code.isEmpty
      text += shown
    }
    if isStyled { text += "\u{1B}[0m" }
    while text.hasSuffix(" ") { text.removeLast() }
    return Array(text.utf8) + [0x0A]
  }

  private static func codes(_ style: Style) -> String {
    var codes: [String] = []
    let attributes: [(Style.Attributes, String)] = [
      (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"), (.strikethrough, "9"),
    ]
    for (attribute, code) in attributes where style.attributes.contains(attribute) { codes.append(code) }
    if let code = code(style.foreground, base: 30) { codes.append(code) }
    if let code = code(style.background, base: 40) { codes.append(code) }
    return codes.joined(separator: ";")
  }

  private static func code(_ color: Color, base: Int) -> String? {
    if let index = color.paletteIndex {
      return index < 8 ? "\(base + Int(index))" : index < 16 ? "\(base + 52 + Int(index))" : "\(base + 8);5;\(index)"
    }
    guard let rgb = color.rgbValue else { return nil }
    return "\(base + 8);2;\(rgb >> 16);\(rgb >> 8 & 0xFF);\(rgb & 0xFF)"
  }
}
