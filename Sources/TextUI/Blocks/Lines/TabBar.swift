/// The top line: the program's name, the tabs, and something at the right border.
public struct TabBar: Hashable, Sendable {
  /// Stands first.
  public var title: String
  /// The tabs' names.
  public var tabs: [String]
  /// Which tab is open.
  public var selection: Int
  /// Stands at the right border, when there is room for it; any bytes.
  public var trailing: [UInt8]

  /// Makes a line.
  public init(title: String, tabs: [String], selection: Int, trailing: [UInt8] = []) {
    self.title = title
    self.tabs = tabs
    self.selection = selection
    self.trailing = trailing
  }

  /// The tab at a column; nil beside them.
  public func tab(at x: Int) -> Int? { frames.firstIndex { $0.contains(x) } }

  /// How many columns `trailing` can have on a row of this width.
  public func trailingRoom(width: Int) -> Int {
    max(0, width - (frames.last?.upperBound ?? GlyphReader.columns(of: title) + 1) - 3)
  }

  /// Draws on the canvas's first row. The open tab is in reverse; tabs that have no room are cut.
  public func draw(on canvas: inout Canvas, style: Style = .plain) {
    var hasher = Hasher()
    hasher.combine(self)
    hasher.combine(style)
    canvas.line(of: hasher.finalize()) { drawTabs(on: &$0, style) }
  }

  private func drawTabs(on canvas: inout Canvas, _ style: Style) {
    let width = canvas.size.width
    canvas.text(title, x: 1, y: 0, style: style.with(.bold))
    let frames = frames
    for (index, frame) in frames.enumerated() {
      let look = index == selection ? style.with([.reverse, .bold]) : style
      canvas.text(" " + tabs[index] + " ", x: frame.lowerBound, y: 0, style: look)
    }
    let wanted = GlyphReader.columns(of: trailing[...])
    let room = min(wanted, trailingRoom(width: width))
    if room >= 4 || room == wanted { canvas.text(trailing[...], x: width - 1 - room, y: 0, style: style, width: room) }
  }

  /// Columns of each tab, with a space at both sides.
  private var frames: [Range<Int>] {
    var x = GlyphReader.columns(of: title) + 3
    return tabs.map { tab in
      defer { x += GlyphReader.columns(of: tab) + 3 }
      return x..<(x + GlyphReader.columns(of: tab) + 2)
    }
  }
}
