public struct FooterKeys: Hashable, Sendable {
  public struct Item: Hashable, Sendable {
    public var key: String
    public var label: String
    /// Goes before all others but the last, wherever it stands.
    public var isKept: Bool

    public init(_ key: String, _ label: String, isKept: Bool = false) {
      (self.key, self.label, self.isKept) = (key, label, isKept)
    }
  }

  /// Most important first.
  public var items: [Item]

  public init(_ items: [Item]) { self.items = items }

  /// Draws as many whole items as fit on the first row. The last one (quit or back) always stays.
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
    let others = items.indices.dropLast()
    let ranked = items.indices.suffix(1) + others.filter { items[$0].isKept } + others.filter { !items[$0].isKept }
    var (shown, taken): ([Int], Int) = ([], -1)
    for index in ranked where taken + Self.width(items[index]) + 2 <= width {
      taken += Self.width(items[index]) + 2
      shown.append(index)
    }
    return shown.sorted()
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
