/// One line about something under way: what, a bar, how much, how fast, how long still.
///
/// On a narrow canvas the rate goes first, then the numbers of bytes, the time left, the bar, and the hint; what it
/// is and how far stay to the last.
public struct ProgressBar: Hashable, Sendable {
  /// What is under way; any bytes.
  public var label: [UInt8]
  /// Bytes done.
  public var done: Int
  /// Bytes in all; nil when that is not known.
  public var total: Int?
  /// Bytes a second; nil when that is not known.
  public var rate: Int?
  /// Seconds until the end; nil when that is not known.
  public var secondsLeft: Int?
  /// Whether the far side has said that all is there. Before, 100 % is not shown.
  public var isComplete: Bool
  /// What stands at the end, such as `x cancel`.
  public var hint: String

  /// Makes a line.
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

  /// 0 to 99, and 100 when it is complete; nil when the total is not known.
  public var percent: Int? {
    if isComplete { return 100 }
    return total.map { $0 == 0 ? 0 : max(0, min(99, Int(Double(done) / Double($0) * 100))) }
  }

  /// Draws on the canvas's first row.
  public func draw(on canvas: inout Canvas, style: Style = .plain) {
    let width = canvas.size.width
    let labelWidth = GlyphReader.columns(of: label[...])
    var fields = self.fields(for: width - 1, labelWidth: labelWidth)
    let taken = fields.reduce(0) { $0 + 2 + $1.utf8.count }
    let room = max(0, width - 1 - taken)
    var x = 1 + canvas.text(label[...], x: 1, y: 0, style: style, width: min(room, labelWidth))
    if !hint.isEmpty, fields.last == hint {
      fields.removeLast()
      canvas.text(hint, x: width - hint.utf8.count, y: 0, style: style)
    }
    for field in fields { x += 2 + canvas.text(field, x: x + 2, y: 0, style: style) }
  }

  /// What stands behind the label: as much as leaves it its width, or at least 12 columns of it.
  private func fields(for width: Int, labelWidth: Int) -> [String] {
    let amount = isComplete ? ByteCount.text(done) : total.map { ByteCount.text(done, of: $0) } ?? ByteCount.text(done)
    let rate = rate.map(ByteCount.rate)
    let left = isComplete ? nil : secondsLeft.map { TimeSpan.text(seconds: $0) }
    let shown = percent.map { Self.padded("\($0)", 3) + " %" }
    let hint = hint.isEmpty ? nil : hint
    let choices: [[String?]] = [
      [bar(20, shown), amount, rate, left, hint],
      [bar(20, shown), amount, left, hint],
      [bar(10, shown), amount, left, hint],
      [bar(10, shown), left, hint],
      [bar(10, shown), hint],
      [shown ?? amount, hint],
      [shown ?? amount],
    ]
    let least = min(labelWidth, 24)
    let fitting = choices.first { $0.reduce(least) { $0 + ($1.map { $0.utf8.count + 2 } ?? 0) } <= width }
    return (fitting ?? [shown ?? amount]).compactMap { $0 }
  }

  private func bar(_ width: Int, _ shown: String?) -> String? {
    guard let percent, let shown else { return nil }
    let full = width * percent / 100
    return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: width - full) + "] " + shown
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }
}
