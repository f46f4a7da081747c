public struct Dialog<Answer: Hashable & Sendable>: Hashable, Sendable {
  public struct Choice: Hashable, Sendable {
    public var key: Key
    public var label: String
    public var answer: Answer

    public init(_ key: Key, _ label: String, _ answer: Answer) {
      self.key = key
      self.label = label
      self.answer = answer
    }
  }

  /// Any bytes, with line feeds between lines.
  public var message: [UInt8]
  public var choices: [Choice]
  /// The index of the choice that Enter picks.
  public private(set) var focus: Int

  /// `focus` is the initial answer to Enter: choose one that can be undone.
  public init(_ message: String, _ choices: [Choice], focus: Int = 0) {
    self.message = Array(message.utf8)
    self.choices = choices
    self.focus = min(max(0, focus), max(0, choices.count - 1))
  }

  /// Left, Right and Tab move the focus. Case matters only if two choices need it.
  public mutating func handle(_ key: Key) -> Answer? {
    if let choice = choices.first(where: { $0.key == key }) { return choice.answer }
    if let typed = key.typed, typed.isASCII, typed.properties.isAlphabetic {
      let other = Key(.character(Unicode.Scalar(UInt8(typed.value) ^ 0x20)))
      if let choice = choices.first(where: { $0.key == other }) { return choice.answer }
    }
    switch key.code {
    case .enter: return choices.indices.contains(focus) ? choices[focus].answer : nil
    case .left, .backTab: focus = (focus + choices.count - 1) % max(1, choices.count)
    case .right, .tab: focus = (focus + 1) % max(1, choices.count)
    default: break
    }
    return nil
  }

  public func height(for width: Int) -> Int {
    Paragraph(message).rows(width: width - 2).count + lines(width - 2).count
  }

  /// Draws from the first row down. A low canvas cuts the message, not the answers.
  public func draw(on canvas: inout Canvas, style: Style = .plain) {
    let size = canvas.size
    let lines = lines(size.width - 2).suffix(max(0, size.height))
    let room = max(0, size.height - lines.count)
    let rows = Paragraph(message).rows(width: size.width - 2).prefix(room)
    for (y, row) in rows.enumerated() { canvas.text(row, x: 1, y: y, style: style) }
    for (y, line) in lines.enumerated() {
      var x = 1
      for index in line {
        let look = index == focus ? style.with(.reverse) : style
        x += canvas.text(label(index), x: x, y: rows.count + y, style: look) + 2
      }
    }
  }

  public func drawBox(on canvas: inout Canvas, style: Style = .plain) {
    let size = canvas.size
    let inner = min(max(0, size.width - 4), 60)
    let height = min(size.height, self.height(for: inner) + 2)
    let box = Rect((size.width - inner - 2) / 2, (size.height - height) / 2, inner + 2, height)
    canvas.inside(box) { canvas in
      let (width, height) = (canvas.size.width, canvas.size.height)
      canvas.fill(Rect(0, 0, width, height), style: style)
      guard height > 2, width > 2 else { return draw(on: &canvas, style: style) }
      let border = "+" + String(repeating: "-", count: width - 2) + "+"
      canvas.text(border, x: 0, y: 0, style: style)
      canvas.text(border, x: 0, y: height - 1, style: style)
      for y in 1..<(height - 1) {
        canvas.text("|", x: 0, y: y, style: style)
        canvas.text("|", x: width - 1, y: y, style: style)
      }
      canvas.inside(Rect(1, 1, width - 2, height - 2)) { draw(on: &$0, style: style) }
    }
  }

  private func label(_ index: Int) -> String { "[\(choices[index].key.name)] \(choices[index].label)" }

  private func lines(_ width: Int) -> [[Int]] {
    var lines: [[Int]] = []
    var taken = Int.max
    for index in choices.indices {
      let columns = GlyphReader.columns(of: label(index))
      if taken > width - columns - 2 {
        lines.append([])
        taken = columns
      } else {
        taken += columns + 2
      }
      lines[lines.count - 1].append(index)
    }
    return lines
  }
}
