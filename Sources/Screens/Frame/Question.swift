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

  /// Draws the question and its answers on the lines of the notice and the footer.
  func draw(on canvas: inout Canvas) {
    let width = canvas.size.width
    canvas.fill(Rect(0, canvas.size.height - 2, width, 2), style: .plain)
    let room = width - 1 - GlyphReader.columns(of: before) - GlyphReader.columns(of: after)
    let shown = before + ShortName.of(name, columns: room) + after
    canvas.text(" \(shown)", x: 0, y: canvas.size.height - 2, style: .bold)
    let words = answers.reduce(0) { $0 + GlyphReader.columns(of: $1.key.name + $1.word) + 1 }
    let gap = words + 3 * (answers.count - 1) < width ? 3 : 2
    var x = 1
    for answer in answers {
      x += canvas.text("\(answer.key.name) ", x: x, y: canvas.size.height - 1, style: .bold)
      x += canvas.text(answer.word, x: x, y: canvas.size.height - 1) + gap
    }
  }
}
