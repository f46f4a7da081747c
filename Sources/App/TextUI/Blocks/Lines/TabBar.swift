public struct TabBar: Hashable, Sendable {
  public var title: String
  public var tabs: [String]
  public var selection: Int
  /// Any bytes; shown if it fits.
  public var trailing: [UInt8]
  /// The bytes at the end of `trailing` with a role of their own.
  public var emphasis: (bytes: Int, role: Role) {
    get { (emphasised, role) }
    set { (emphasised, role) = (newValue.bytes, newValue.role) }
  }
  private var emphasised = 0
  private var role = Role.text

  public init(title: String, tabs: [String], selection: Int, trailing: [UInt8] = []) {
    self.title = title
    self.tabs = tabs
    self.selection = selection
    self.trailing = trailing
  }

  public func tab(at x: Int) -> Int? { frames.firstIndex { $0.contains(x) } }

  public func trailingRoom(width: Int) -> Int {
    max(0, width - (frames.last?.upperBound ?? GlyphReader.columns(of: title) + 1) - 3)
  }

  /// True in the columns of a whole trailing text, but for its end with a role of its own.
  public func isTrailing(at x: Int, width: Int) -> Bool {
    let columns = GlyphReader.columns(of: trailing[...])
    let start = width - 1 - columns
    let end = start + GlyphReader.columns(of: trailing.dropLast(emphasised))
    return columns <= trailingRoom(width: width) && start <= x && x < end
  }

  /// The open tab is in reverse; tabs beyond the border are cut.
  public func draw(on canvas: inout Canvas) {
    canvas.line(of: hashValue, drawTabs)
  }

  private func drawTabs(on canvas: inout Canvas) {
    let width = canvas.size.width
    canvas.text(title, x: 1, y: 0, style: canvas[.brand])
    let frames = frames
    for (index, frame) in frames.enumerated() {
      let look = canvas[index == selection ? .tabActive : .tabIdle]
      canvas.text(" " + tabs[index] + " ", x: frame.lowerBound, y: 0, style: look)
    }
    let wanted = GlyphReader.columns(of: trailing[...])
    let room = min(wanted, trailingRoom(width: width))
    guard room >= 4 || room == wanted else { return }
    canvas.text(trailing[...], x: width - 1 - room, y: 0, style: canvas[.dim], width: room)
    guard room == wanted, emphasised > 0, emphasised <= trailing.count else { return }
    let end = trailing.suffix(emphasised)
    canvas.text(end, x: width - 1 - GlyphReader.columns(of: end), y: 0, style: canvas[role])
  }

  private var frames: [Range<Int>] {
    var x = title.isEmpty ? 0 : GlyphReader.columns(of: title) + 3
    return tabs.map { tab in
      defer { x += GlyphReader.columns(of: tab) + 3 }
      return x..<(x + GlyphReader.columns(of: tab) + 2)
    }
  }
}
