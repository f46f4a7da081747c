internal import FileStores
internal import TextUI

/// The reason why something cannot be shown, and the time of the next try.
struct Problem: Sendable {
  let error: StoreError
  /// Seconds since 1970; nil without a further try.
  private(set) var nextTry: Int64?

  /// The next try comes after the error's `retryAfter`.
  init(_ error: StoreError, now: Int64) {
    self.error = error
    nextTry = error.isTemporary ? error.retryAfter.map { now + max(1, $0.components.seconds) } : nil
  }

  mutating func tryNow() { nextTry = 0 }

  /// The text counts down the seconds until the next try.
  func countsDown(_ frame: Frame) -> Bool { !frame.isAway && nextTry.map { $0 > frame.now } == true }

  /// `title` is a sentence about the failed action.
  func draw(_ title: String, _ frame: Frame, on canvas: inout Canvas, y: Int) {
    if error.isTemporary, let away = frame.awayText { return away.draw(on: &canvas, y: y) }
    let below = canvas.paragraph(title, x: 1, y: y, style: canvas[.error])
    let sentences = [title == error.message ? "" : error.message, next(frame)]
    canvas.paragraph(sentences.filter { !$0.isEmpty }.joined(separator: " "), x: 1, y: below)
  }

  private func next(_ frame: Frame) -> String {
    let key = frame.keys.name(of: .refresh)
    if error.kind == .notSignedIn, frame.canSignIn { return "\(frame.signInHint) Press \(key) to try again." }
    guard error.isTemporary else {
      guard let end = error.remedy.last else { return "Press \(key) to try again." }
      // A command has no mark at its end, and goes on as if the sentence behind it belonged to it.
      return end.isPunctuation ? "\(error.remedy) Press \(key) to try again." : "\(error.remedy) (then press \(key))"
    }
    let hint = "Press \(key) to try now."
    guard let nextTry else { return "Press \(key) to try again." }
    return nextTry > frame.now ? "Trying again in \(nextTry - frame.now) s. \(hint)" : "Trying again now."
  }
}

extension ExternalProgram.End {
  /// The reason why the member's own editor failed, and what to do; nil if it ended well.
  /// - Parameters:
  ///   - fate: a sentence about the text that it saved last.
  ///   - otherwise: how the member goes on without it.
  func complaint(fate: String, otherwise: String) -> String? {
    switch self {
    case .exited(0): nil
    case .exited(127): "The editor was not found. Set $VISUAL or $EDITOR, or \(otherwise)."
    case .exited(let code): "The editor ended with code \(code). \(fate)"
    case .signalled(let signal): "Signal \(signal) ended the editor. \(fate)"
    case .notStarted(let reason): "The editor did not start: \(reason) Set $VISUAL or $EDITOR to your editor."
    }
  }
}

/// The progress of a read, in steps that a member can see.
struct LoadingSteps {
  /// More than any screen shows.
  static let headBytes = 64 << 10

  private var last = 0
  /// True until the first step, which comes as soon as a text has more than its head.
  var isFirst: Bool { last == 0 }

  mutating func isNext(_ bytes: Int) -> Bool {
    guard isFirst ? bytes > LoadingSteps.headBytes : bytes - last >= 256 << 10 else { return false }
    last = bytes
    return true
  }

  /// A line that something is loading, with the reason for a wait.
  static func draw(_ frame: Frame, read: Int = 0, of size: UInt64? = nil, on canvas: inout Canvas) {
    canvas.text(" \(words("Loading", read, of: size)).", x: 0, y: 2, style: canvas[.dim])
    if let away = frame.awayText { canvas.paragraph("\(away.what) \(away.reason)", x: 1, y: 4) }
  }

  /// `Loading 1.2 of 5.0 MiB`, as far as it is known.
  static func words(_ word: String, _ read: Int, of size: UInt64?) -> String {
    guard read > 0 else { return word }
    guard let size, size >= UInt64(read) else { return "\(word) \(ByteCount.text(read))" }
    return "\(word) \(ByteCount.text(read, of: Int(clamping: size)))"
  }
}
