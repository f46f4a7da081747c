internal import FileStores
internal import TextUI

/// Why something cannot be shown, and when it is tried again by itself.
struct Problem: Sendable {
  let error: StoreError
  /// Seconds since 1970; nil when there is no further try.
  private(set) var nextTry: Int64?

  /// A failure at the moment `now`, which is tried again after the error's `retryAfter`.
  init(_ error: StoreError, now: Int64) {
    self.error = error
    nextTry = error.isTemporary ? error.retryAfter.map { now + max(1, $0.components.seconds) } : nil
  }

  /// It is tried again at once.
  mutating func tryNow() { nextTry = 0 }

  /// Whether seconds until the next try are counted down.
  func countsDown(_ frame: Frame) -> Bool { !frame.isAway && nextTry.map { $0 > frame.now } == true }

  /// Draws it from row `y` on. `title` says what failed, in a sentence.
  func draw(_ title: String, _ frame: Frame, on canvas: inout Canvas, y: Int) {
    if error.isTemporary, let away = frame.awayText { return away.draw(on: &canvas, y: y) }
    let below = canvas.paragraph(title, x: 1, y: y, style: .bold)
    let sentences = [title == error.message ? "" : error.message, next(frame)]
    canvas.paragraph(sentences.filter { !$0.isEmpty }.joined(separator: " "), x: 1, y: below)
  }

  /// What happens next, in a sentence or two.
  private func next(_ frame: Frame) -> String {
    let key = frame.keys.name(of: .refresh)
    guard error.isTemporary else {
      return (error.remedy.isEmpty ? "" : error.remedy + " ") + "Press \(key) to try again."
    }
    let hint = "Press \(key) to try now."
    guard let nextTry else { return "Press \(key) to try again." }
    return nextTry > frame.now ? "Trying again in \(nextTry - frame.now) s. \(hint)" : "Trying again now."
  }
}
