public import TextUI

/// A screen as an SVG document: a window with the cells in their real colours.
///
/// Each run of text carries its exact width, so no font moves a column. Half blocks become runs of colour. The document
/// has no scripts, links or fonts of its own.
public struct ScreenPicture: Sendable {
  /// Units of the document in a cell.
  static let cell = Size(10, 20)
  private static let margin = 12
  private static let bar = 32

  let grid: Grid
  private let title: String
  private let mark: String

  /// `title` stands in the window's bar. `mark` is a comment on the second line; readers of the document ignore it.
  public init(_ grid: Grid, title: String, mark: String = "") {
    (self.grid, self.title, self.mark) = (grid, title, mark)
  }

  /// The document. The colours of half blocks lose low bits until the document has at most `mostBytes`.
  /// - Returns: nil if it is larger with the fewest colours, too.
  public func svg(mostBytes: Int = 200_000) -> String? {
    for bits in [8, 6, 5, 4, 3] {
      let document = document(bits: UInt32(bits))
      if document.utf8.count <= mostBytes { return document }
    }
    return nil
  }

  /// The document of a terminal with other colours of its own, 0xRRGGBB.
  public func svg(ground: UInt32, ink: UInt32) -> String? {
    svg()?.replacing(PictureColour.ground.hex, with: ground.hex).replacing(PictureColour.ink.hex, with: ink.hex)
  }

  /// The mark of a document; nil if it has none.
  public static func mark(of document: some StringProtocol) -> String? {
    let lines = document.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    guard lines.count > 1, lines[1].hasPrefix("<!-- "), lines[1].hasSuffix(" -->") else { return nil }
    return String(lines[1].dropFirst(5).dropLast(4))
  }

  private func document(bits: UInt32) -> String {
    var lines = blocks(bits: bits)
    lines += rules()
    lines += texts(ofRows: Array(0..<grid.size.height))
    if let cursor = grid.cursor {
      lines.append(
        #"<rect x="\#(cursor.x * Self.cell.width)" y="\#(cursor.y * Self.cell.height)" width="\#(Self.cell.width)" "#
          + #"height="\#(Self.cell.height)" fill="\#(PictureColour.ink.hex)" opacity=".5"/>"#)
    }
    return Self.window(grid.size, title: title, mark: mark, lines)
  }

  /// A document with a window around elements for this many cells.
  static func window(_ size: Size, title: String, mark: String, style: String = "", _ elements: [String]) -> String {
    let cells = Size(size.width * Self.cell.width, size.height * Self.cell.height)
    let size = Size(cells.width + 2 * Self.margin, cells.height + Self.bar + Self.margin)
    let families = "ui-monospace,'SF Mono','Cascadia Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace"
    var lines = [
      #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(size.width)" height="\#(size.height)" "#
        + #"viewBox="0 0 \#(size.width) \#(size.height)" font-family="\#(families)" font-size="16.6">"#,
      "<!-- \(mark.replacing("--", with: "- -")) -->",
      "<title>\(Self.escaped(title))</title>",
      "<style>text{white-space:pre}\(style)</style>",
      #"<rect x=".5" y=".5" width="\#(size.width - 1)" height="\#(size.height - 1)" rx="10" "#
        + ##"fill="\##(PictureColour.ground.hex)" stroke="#3b3f51"/>"##,
    ]
    lines += ["#f7768e", "#e0af68", "#9ece6a"].enumerated().map { index, colour in
      #"<circle cx="\#(20 + 20 * index)" cy="16" r="6" fill="\#(colour)"/>"#
    }
    lines.append(
      ##"<text x="\##(size.width / 2)" y="21" text-anchor="middle" font-size="14" fill="#a5adc8">"##
        + "\(Self.escaped(title))</text>")
    lines.append(#"<g transform="translate(\#(Self.margin) \#(Self.bar))">"#)
    lines += elements
    lines.append("</g>\n</svg>\n")
    return lines.joined(separator: "\n")
  }

  /// A text of the document. Control characters, which XML forbids, become `?`.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: escaped += "?"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

extension ScreenPicture {
  /// The look of a run of text.
  private struct Look: Hashable {
    let colour: UInt32
    let attributes: Style.Attributes

    init(_ style: Style) {
      colour = PictureColour.foreground(style)
      attributes = style.attributes.subtracting(.reverse)
    }

    /// A line through or below a space is visible.
    var showsSpaces: Bool { !attributes.isDisjoint(with: [.underline, .strikethrough]) }

    var text: String {
      var text = colour == PictureColour.ink ? "" : " fill=\"\(colour.hex)\""
      if attributes.contains(.bold) { text += #" font-weight="bold""# }
      if attributes.contains(.italic) { text += #" font-style="italic""# }
      if attributes.contains(.dim) { text += #" opacity=".6""# }
      let lines = [
        attributes.contains(.underline) ? "underline" : "", attributes.contains(.strikethrough) ? "line-through" : "",
      ].filter { !$0.isEmpty }
      if !lines.isEmpty { text += " text-decoration=\"\(lines.joined(separator: " "))\"" }
      return text
    }
  }

  private struct Run {
    let column: Int
    let look: Look
    var text = ""
    var columns = 0
    /// Spaces that count only if more text follows.
    var spaces = 0

    mutating func add(_ glyph: String, columns: Int) {
      text += String(repeating: " ", count: spaces) + glyph
      self.columns += spaces + columns
      spaces = 0
    }
  }

  /// The texts of some rows in one group; nothing without any.
  func texts(ofRows rows: [Int]) -> [String] {
    let texts = rows.flatMap { self.texts(ofRow: $0) }
    return texts.isEmpty ? [] : [#"<g fill="\#(PictureColour.ink.hex)">"#] + texts + ["</g>"]
  }

  /// The runs of a row: cells of one look, without the blanks between them. A glyph beyond Latin is a run of its own,
  /// because it may come from a font of another width.
  private func texts(ofRow y: Int) -> [String] {
    var runs: [Run] = []
    var run: Run?
    func end() {
      if let run, run.columns > 0 { runs.append(run) }
      run = nil
    }
    for x in 0..<grid.size.width {
      let cell = grid[x, y]
      let look = Look(cell.style)
      let isBlank = cell.base <= 0x20 && !look.showsSpaces
      if cell.width == 0 || PictureBlock(cell.base) != nil || PictureRule(cell.base) != nil {
        end()
      } else if isBlank {
        run?.spaces += 1
        if run?.spaces ?? 0 > 1 { end() }
      } else if cell.base >= 0x250 || cell.width > 1 || cell.mark1 != 0 {
        end()
        var own = Run(column: x, look: look)
        own.add(grid.text(of: cell), columns: Int(cell.width))
        runs.append(own)
      } else {
        if run?.look != look {
          end()
          run = Run(column: x, look: look)
        }
        run?.add(cell.text, columns: 1)
      }
    }
    end()
    let baseline = y * Self.cell.height + 15
    return runs.map { run in
      let (x, width) = (run.column * Self.cell.width, run.columns * Self.cell.width)
      return #"<text x="\#(x)" y="\#(baseline)" textLength="\#(width)" lengthAdjust="spacingAndGlyphs""#
        + "\(run.look.text)>\(Self.escaped(run.text))</text>"
    }
  }
}
