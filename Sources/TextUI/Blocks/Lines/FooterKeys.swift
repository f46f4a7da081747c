/// The line that tells which keys work now.
public struct FooterKeys: Hashable, Sendable {
  /// A key and what it does.
  public struct Item: Hashable, Sendable {
    /// The key's name, such as `Enter`.
    public var key: String
    /// What it does, in a word or two.
    public var label: String
    /// Makes an item.
    public init(_ key: String, _ label: String) {
      self.key = key
      self.label = label
    }
  }

  /// The most important one first.
  public var items: [Item]

  /// A line of these items.
  public init(_ items: [Item]) { self.items = items }

  /// Draws as many items as fit whole on the canvas's first row. The last one stays (it is how to get help or out): it
  /// takes the place of others when not all fit.
  public func draw(on canvas: inout Canvas, style: Style = .plain) {
    var hasher = Hasher()
    hasher.combine(self)
    hasher.combine(style)
    canvas.line(of: hasher.finalize()) { drawItems(on: &$0, style) }
  }

  private func drawItems(on canvas: inout Canvas, _ style: Style) {
    let width = canvas.size.width
    let widths = items.map { Self.width($0) }
    var shown = Array(items.indices)
    var taken = widths.reduce(0) { $0 + $1 + 2 } - 1
    while taken > width, shown.count > 1 {
      let gone = shown.remove(at: shown.count - 2)
      taken -= widths[gone] + 2
    }
    guard taken <= width else { return }
    var x = 1
    for index in shown {
      x += canvas.text(items[index].key, x: x, y: 0, style: style.with(.bold)) + 1
      x += canvas.text(items[index].label, x: x, y: 0, style: style) + 2
    }
  }

  private static func width(_ item: Item) -> Int {
    GlyphReader.columns(of: item.key) + 1 + GlyphReader.columns(of: item.label)
  }
}
