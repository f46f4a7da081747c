public struct FooterKeys: Hashable, Sendable {
  public struct Item: Hashable, Sendable {
    public var key: String
    public var label: String

    public init(_ key: String, _ label: String) {
      self.key = key
      self.label = label
    }
  }

  /// Most important first.
  public var items: [Item]

  public init(_ items: [Item]) { self.items = items }

  /// Draws as many whole items as fit on the first row. The last one (help or quit) always stays.
  public func draw(on canvas: inout Canvas) {
    canvas.line(of: hashValue, drawItems)
  }

  /// The item at a column.
  public func item(at x: Int, width: Int) -> Item? {
    var start = 1
    for index in shown(width: width) {
      let end = start + Self.width(items[index])
      if (start..<end).contains(x) { return items[index] }
      start = end + 2
    }
    return nil
  }

  private func shown(width: Int) -> [Int] {
    let widths = items.map { Self.width($0) }
    var shown = Array(items.indices)
    var taken = widths.reduce(0) { $0 + $1 + 2 } - 1
    while taken > width, shown.count > 1 {
      let gone = shown.remove(at: shown.count - 2)
      taken -= widths[gone] + 2
    }
    return taken <= width ? shown : []
  }

  private func drawItems(on canvas: inout Canvas) {
    var x = 1
    for index in shown(width: canvas.size.width) {
      x += canvas.text(items[index].key, x: x, y: 0, style: canvas[.key]) + 1
      x += canvas.text(items[index].label, x: x, y: 0, style: canvas[.dim]) + 2
    }
  }

  private static func width(_ item: Item) -> Int {
    GlyphReader.columns(of: item.key) + 1 + GlyphReader.columns(of: item.label)
  }
}
