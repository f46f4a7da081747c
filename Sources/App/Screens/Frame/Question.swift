internal import TextUI

struct Question<Action: Sendable>: Sendable {
  struct Answer: Sendable {
    let key: Key
    let word: String
    let action: Action?

    /// A nil `action` does nothing.
    init(_ key: Unicode.Scalar, _ word: String, _ action: Action?) {
      self.init(Key(.character(key)), word, action)
    }

    init(_ key: Key, _ word: String, _ action: Action?) {
      self.key = key
      self.word = word
      self.action = action
    }
  }

  private let before: String
  private let name: String
  private let after: String
  /// True for a name that takes as many lines as it needs; only its end may be cut.
  private let showsWholeName: Bool
  let answers: [Answer]
  /// A newer question with the same word takes the place of this one.
  var subject: String?

  /// A long line shortens the name in the middle, unless the question shows the whole name. Without a name it wraps.
  init(
    _ before: String, naming name: String = "", _ after: String = "", showsWholeName: Bool = false, answers: [Answer]
  ) {
    (self.before, self.name, self.after) = (before, name, after)
    self.showsWholeName = showsWholeName
    self.answers = answers
  }

  /// The question before an address of the club is opened outside of byteclub. The whole address is shown.
  static func opening(_ address: String, _ action: Action) -> Question {
    Question(
      "Open \"", naming: address, "\"?", showsWholeName: true,
      answers: [.init("y", "open with the desktop's program", action), .init("n", "no", nil)])
  }

  var text: String { before + name + after }

  /// Esc gives the last answer.
  func answer(for key: Key) -> Answer? {
    if key == Key(.escape) || key == Key(.character("c"), .control) { return answers.last }
    return answers.first { $0.key == key }
  }

  /// With the actions of an outer screen.
  func map<Outer>(_ outer: (Action) -> Outer) -> Question<Outer> {
    var question = Question<Outer>(
      before, naming: name, after, showsWholeName: showsWholeName,
      answers: answers.map { .init($0.key, $0.word, $0.action.map(outer)) })
    question.subject = subject
    return question
  }

  /// Comes after those that wait to be asked, unless there is nothing to ask; older ones of its subject go, also the one
  /// that is asked now.
  func queue(behind waiting: inout [Question], now: inout Question?, isAsked: Bool = true) {
    if let subject {
      waiting.removeAll { $0.subject == subject }
      if now?.subject == subject { now = nil }
    }
    if isAsked { waiting.append(self) }
  }

  /// The text in lines of a width.
  private func lines(columns: Int, most: Int) -> [String] {
    let rest = GlyphReader.columns(of: before) + GlyphReader.columns(of: after)
    if name.isEmpty {
      return Paragraph(Array(text.utf8)).rows(width: columns).prefix(most).map { String(decoding: $0, as: UTF8.self) }
    }
    guard showsWholeName else { return [before + ShortName.of(name, columns: columns - rest) + after] }
    // A wide letter may leave the last column of a line empty.
    let shown = ShortName.beginning(of: name, columns: columns * most - rest - most)
    var lines = [""]
    var room = columns
    let bytes = Array((before + shown + after).utf8)
    for glyph in GlyphReader(bytes[...]) {
      if glyph.width > room {
        lines.append("")
        room = columns
      }
      lines[lines.count - 1] += String(decoding: bytes[glyph.range], as: UTF8.self)
      room -= glyph.width
    }
    return lines
  }

  /// Draws over the notice and the footer, from as many lines higher as the text and the answers need.
  func draw(on canvas: inout Canvas) {
    let width = canvas.size.width
    let widths = answers.map { GlyphReader.columns(of: $0.key.name + $0.word) + 1 }
    let lines = widths.reduce(1) { $0 + $1 + 2 } - 2 <= width ? 1 : 2
    let text = self.lines(columns: max(1, width - 1), most: max(1, canvas.size.height - 1 - lines))
    let top = canvas.size.height - text.count - lines
    canvas.fill(Rect(0, top, width, lines + text.count), style: canvas[.text])
    for (row, line) in text.enumerated() { canvas.text(" \(line)", x: 0, y: top + row, style: canvas[.question]) }
    let gap = widths.reduce(0, +) + 3 * (answers.count - 1) < width ? 3 : 2
    var (x, y) = (1, top + text.count)
    for (answer, columns) in zip(answers, widths) {
      if x + columns > width, y < canvas.size.height - 1 { (x, y) = (1, y + 1) }
      x += canvas.text("\(answer.key.name) ", x: x, y: y, style: canvas[.key])
      x += canvas.text(answer.word, x: x, y: y) + gap
    }
  }
}
