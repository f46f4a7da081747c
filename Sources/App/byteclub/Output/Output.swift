import Basics
import FileStores
import JSON
import POSIX
import Synchronization

/// The one door to standard output and standard error: whatever goes to a terminal is filtered here, and bytes that
/// others wrote pass as they are only for the commands that `Exact` names (scripts/check.d/door.py).
///
/// Results are buffered and written in large pieces; `finish` writes the rest. If the reader of a pipe has gone,
/// further output is dropped and `readerIsGone` is true. Safe from any thread.
final class Output: Sendable {
  /// Whose bytes reach even a terminal unchanged, because a member asks for exactly these.
  enum Exact: Sendable {
    case noteCat
    /// Both refuse a terminal.
    case photoGet, pictureFile
  }

  private struct State {
    var pending: [UInt8] = []
    var readerIsGone = false
    var failure: Int32?
  }

  private static let pieceBytes = 65_536
  private static let writes = Mutex((newest: 0, underWay: Set<Int>()))
  private let state = Mutex(State())
  private let results: Int32
  private let notices: Int32
  let resultsAreShown: Bool
  let noticesAreShown: Bool
  let isQuiet: Bool

  init(results: Int32 = 1, notices: Int32 = 2, isQuiet: Bool = false) {
    self.results = results
    self.notices = notices
    self.isQuiet = isQuiet
    resultsAreShown = isatty(results) == 1
    noticesAreShown = !isQuiet && isatty(notices) == 1
  }

  var readerIsGone: Bool { state.withLock(\.readerIsGone) }
  /// The error number of a failed write to standard output (a full disk).
  var failure: Int32? { state.withLock(\.failure) }

  /// True if standard output took everything that was written to it so far.
  var tookAll: Bool { state.withLock { !$0.readerIsGone && $0.failure == nil } }

  /// The number of the oldest write under way; 0 without one.
  static var writeUnderWay: Int { writes.withLock { $0.underWay.min() ?? 0 } }

  func finish() {
    state.withLock { drain(&$0) }
  }

  private func put(_ bytes: some Collection<UInt8>) {
    state.withLock { state in
      state.pending.append(contentsOf: bytes)
      if state.pending.count >= Output.pieceBytes { drain(&state) }
    }
  }

  private func drain(_ state: inout State) {
    let code = state.failure != nil || state.readerIsGone ? 0 : Output.write(state.pending[...], to: results)
    state.pending.removeAll(keepingCapacity: true)
    if code == EPIPE { state.readerIsGone = true } else if code != 0 { state.failure = code }
  }

  /// Returns 0 or the error number.
  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
    let number = writes.withLock { writes in
      writes.newest += 1
      writes.underWay.insert(writes.newest)
      return writes.newest
    }
    defer { writes.withLock { _ = $0.underWay.remove(number) } }
    do throws(SystemError) {
      try OpenFile.write(bytes, to: descriptor)
      return 0
    } catch {
      return error.code
    }
  }
}

/// Results, for standard output. All but `exact` are filtered if it is a terminal.
extension Output {
  /// A line; a line feed in it is spelled out.
  func line(_ text: some Collection<UInt8>, end: UInt8 = 0x0A) {
    put(resultsAreShown ? Array(TerminalText.filtered(text).utf8) : Array(text))
    put([end])
  }

  func line(_ text: String) { line(Array(text.utf8)) }

  /// A text of several lines, with or without a line feed at its end.
  func text(_ bytes: some Collection<UInt8>) {
    guard resultsAreShown else { return put(bytes) }
    put(Array(TerminalText.filteredLines(bytes).utf8))
  }

  func text(_ text: String) { self.text(Array(text.utf8)) }

  /// Lines with colours and attributes that byteclub gave them (ECMA-48, SGR).
  func drawing(_ bytes: some Collection<UInt8>) {
    put(resultsAreShown ? TerminalText.filteredDrawing(bytes) : Array(bytes))
  }

  /// JSON on a line of its own: its writer escapes what could drive a terminal.
  func document(_ value: JSONValue) { put(Array((value.encoded + "\n").utf8)) }

  func exact(_ bytes: some Collection<UInt8>, _ purpose: Exact) { put(bytes) }
}

/// What is said beside the results, on standard error; always filtered.
extension Output {
  /// A sentence, or some lines. A quiet command says only what is needed, such as an error or a question.
  func notice(_ sentence: String, isNeeded: Bool = false) {
    if isNeeded || !isQuiet { say(TerminalText.filteredLines(sentence.utf8) + "\n") }
  }

  func alert(_ sentence: String) { notice(Output.named(sentence), isNeeded: true) }

  /// An error on one line, whatever words of a server are in it.
  func alert(_ error: StoreError) { say(TerminalText.filtered(Output.named(error.description).utf8) + "\n") }

  static func named(_ sentence: String) -> String {
    sentence.hasPrefix("byteclub ") ? sentence : "byteclub: " + sentence
  }

  /// A question that is answered on the same line.
  func ask(_ question: String) { say(TerminalText.filtered(question.utf8)) }

  /// A line that the next one replaces, cut to the terminal's width. `painted` is the width of the one before; returns
  /// this one's. An empty line leaves the cursor at the beginning.
  func paint(_ line: String, over painted: Int) -> Int {
    let columns = (TerminalSize.columns(of: notices) ?? 80) - 1
    let (cut, width) = TerminalText.cut(line, columns: max(1, columns))
    // Blanks work on every terminal, unlike an erasing sequence.
    say("\r" + cut + String(repeating: " ", count: max(0, painted - width)) + (cut.isEmpty ? "\r" : ""))
    return width
  }

  private func say(_ text: String) {
    _ = Output.write(Array(text.withoutAddressPasswords.utf8)[...], to: notices)
  }
}
