internal import TextUI

/// A question over a view: each answer is a key and what then happens.
struct Question<Action: Sendable>: Sendable {
  /// One answer.
  struct Answer: Sendable {
    let key: Key
    let word: String
    let action: Action?

    /// `action` nil: nothing happens.
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
  let answers: [Answer]

  /// What is asked, in up to three parts: a name in the middle is shortened where the whole does not fit.
  init(_ before: String, naming name: String = "", _ after: String = "", answers: [Answer]) {
    (self.before, self.name, self.after) = (before, name, after)
    self.answers = answers
  }

  /// What is asked.
  var text: String { before + name + after }

  /// The answer that a key gives; Esc is the last answer. Nil when the key is none.
  func answer(for key: Key) -> Answer? {
    if key == Key(.escape) || key == Key(.character("c"), .control) { return answers.last }
    return answers.first { $0.key == key }
  }

  /// The same question of a screen around this one's.
  func map<Outer>(_ outer: (Action) -> Outer) -> Question<Outer> {
    Question<Outer>(before, naming: name, after, answers: answers.map { .init($0.key, $0.word, $0.action.map(outer)) })
  }

  /// Draws the question and its answers on the lines of the notice and the footer; on a narrow terminal, with a further
  /// line of answers, from one line above.
  func draw(on canvas: inout Canvas) {
    let width = canvas.size.width
    let widths = answers.map { GlyphReader.columns(of: $0.key.name + $0.word) + 1 }
    let lines = widths.reduce(1) { $0 + $1 + 2 } - 2 <= width ? 1 : 2
    let top = canvas.size.height - 1 - lines
    canvas.fill(Rect(0, top, width, lines + 1), style: .plain)
    let room = width - 1 - GlyphReader.columns(of: before) - GlyphReader.columns(of: after)
    let shown = before + ShortName.of(name, columns: room) + after
    canvas.text(" \(shown)", x: 0, y: top, style: .bold)
    let gap = widths.reduce(0, +) + 3 * (answers.count - 1) < width ? 3 : 2
    var (x, y) = (1, top + 1)
    for (answer, columns) in zip(answers, widths) {
      if x + columns > width, y < top + lines { (x, y) = (1, y + 1) }
      x += canvas.text("\(answer.key.name) ", x: x, y: y, style: .bold)
      x += canvas.text(answer.word, x: x, y: y) + gap
    }
  }
}
