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
      self.key = Key(.character(key))
      self.word = word
      self.action = action
    }
  }

  let text: String
  let answers: [Answer]

  /// The answer that a key gives; Esc is the last answer. Nil when the key is none.
  func answer(for key: Key) -> Answer? {
    if key == Key(.escape) || key == Key(.character("c"), .control) { return answers.last }
    return answers.first { $0.key == key }
  }

  /// Draws the question and its answers on the lines of the notice and the footer.
  func draw(on canvas: inout Canvas) {
    let width = canvas.size.width
    canvas.fill(Rect(0, canvas.size.height - 2, width, 2), style: .plain)
    canvas.text(" \(text)", x: 0, y: canvas.size.height - 2, style: .bold)
    var x = 1
    for answer in answers {
      x += canvas.text("\(answer.key.name) ", x: x, y: canvas.size.height - 1, style: .bold)
      x += canvas.text(answer.word, x: x, y: canvas.size.height - 1) + 3
    }
  }
}
