/// An operation in progress: label, bar, bytes, rate, time left, hint. A narrow canvas drops the rate first, then the
/// bytes, the time left, the bar and the hint; label and percentage stay.
public struct ProgressBar: Hashable, Sendable {
  public var label: [UInt8]
  public var done: Int
  /// Bytes; nil if unknown.
  public var total: Int?
  /// Bytes a second; nil if unknown.
  public var rate: Int?
  /// Seconds until the end; nil if unknown.
  public var secondsLeft: Int?
  /// True once the receiver has confirmed completion; until then the bar stays below 100 %.
  public var isComplete: Bool
  public var hint: String

  public init(
    label: [UInt8], done: Int, total: Int?, rate: Int? = nil, secondsLeft: Int? = nil, isComplete: Bool = false,
    hint: String = ""
  ) {
    self.label = label
    self.done = max(0, done)
    self.total = total.map { max(0, $0) }
    self.rate = rate
    self.secondsLeft = secondsLeft
    self.isComplete = isComplete
    self.hint = hint
  }

  /// 0 to 99, or 100 once complete; nil if the total is unknown.
  public var percent: Int? {
    if isComplete { return 100 }
    return total.map { $0 == 0 ? 0 : max(0, min(99, Int(Double(done) / Double($0) * 100))) }
  }

  public func draw(on canvas: inout Canvas) {
    let width = canvas.size.width
    let labelWidth = GlyphReader.columns(of: label[...])
    let fields = self.fields(for: width - 1, labelWidth: labelWidth, isASCII: canvas.isASCII)
    let room = max(0, width - 1 - fields.width)
    var x = 1 + canvas.text(label[...], x: 1, y: 0, style: canvas[.strong], width: min(room, labelWidth))
    if fields.hasHint { canvas.text(hint, x: width - hint.utf8.count, y: 0, style: canvas[.dim]) }
    if let bar = fields.bar {
      let (style, rest) = (canvas[.progress], canvas[.progressRest])
      x += 2 + ProgressBar.draw(bar, x: x + 2, y: 0, style: style, rest: rest, on: &canvas)
    }
    for fact in fields.facts { x += 2 + canvas.text(fact, x: x + 2, y: 0, style: canvas[.dim]) }
  }

  private struct Fields {
    /// The bar with its percentage.
    var bar: String?
    var facts: [String]
    var hasHint: Bool
    var width: Int

    init(bar: String? = nil, _ facts: [String?], hint: String = "") {
      (self.bar, self.facts, hasHint) = (bar, facts.compactMap { $0 }, !hint.isEmpty)
      let all = self.facts + [bar, hasHint ? hint : nil].compactMap { $0 }
      width = all.reduce(0) { $0 + 2 + GlyphReader.columns(of: $1) }
    }
  }

  /// The fields after the label. They leave the label its full width, up to 24 columns.
  private func fields(for width: Int, labelWidth: Int, isASCII: Bool) -> Fields {
    let amount = isComplete ? ByteCount.text(done) : total.map { ByteCount.text(done, of: $0) } ?? ByteCount.text(done)
    let rate = rate.map(ByteCount.rate)
    let left = isComplete ? nil : secondsLeft.map { TimeSpan.text(seconds: $0) }
    let shown = percent.map { Self.padded("\($0)", 3) + " %" }
    let (long, short) = (bar(20, shown, isASCII), bar(10, shown, isASCII))
    let choices = [
      Fields(bar: long, [amount, rate, left], hint: hint),
      Fields(bar: long, [amount, left], hint: hint),
      Fields(bar: short, [amount, left], hint: hint),
      Fields(bar: short, [left], hint: hint),
      Fields(bar: short, [], hint: hint),
      Fields([shown ?? amount], hint: hint),
    ]
    let least = min(labelWidth, 24)
    return choices.first { least + $0.width <= width } ?? Fields([shown ?? amount])
  }

  private func bar(_ width: Int, _ shown: String?, _ isASCII: Bool) -> String? {
    guard let percent, let shown else { return nil }
    return ProgressBar.text(width, percent: percent, isASCII: isASCII) + " " + shown
  }

  /// A bar of `width` cells as text: `━━━━────`, or `[####----]` in ASCII. Other cells say that the percentage is
  /// unknown.
  public static func text(_ width: Int, percent: Int?, isASCII: Bool) -> String {
    let full = width * max(0, min(100, percent ?? 0)) / 100
    func cells(_ symbol: Symbol, _ count: Int) -> String {
      String(repeating: Character(symbol.scalar(isASCII: isASCII)), count: count)
    }
    let bar = cells(.barDone, full) + cells(percent == nil ? .barUnknown : .barRest, width - full)
    return isASCII ? "[\(bar)]" : bar
  }

  /// Draws the text of a bar, its missing part in a style of its own. Returns the columns.
  public static func draw(
    _ text: String, x: Int, y: Int, style: Style, rest: Style, on canvas: inout Canvas
  ) -> Int {
    let used = canvas.text(text, x: x, y: y, style: style)
    let missing = Symbol.barRest.scalar(isASCII: canvas.isASCII)
    let cells = Array(text.unicodeScalars)
    guard let start = cells.firstIndex(of: missing) else { return used }
    let count = cells[start...].prefix { $0 == missing }.count
    canvas.text(String(repeating: Character(missing), count: count), x: x + start, y: y, style: rest)
    return used
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }
}
