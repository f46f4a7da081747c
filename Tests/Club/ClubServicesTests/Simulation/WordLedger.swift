import Basics
import FileStores
import Synchronization

/// The words of a simulation: each is typed once, and counts as acknowledged when byteclub said that it is safe.
final class WordLedger: Sendable {
  private struct State {
    var last = 0
    var acknowledged: [String] = []
    var removed: Set<String> = []
    var trace = FNV1a()
    var events: [String] = []
    var strayed: [String] = []
  }

  let keepsEvents: Bool
  let remarks = RemarkLedger()

  private let state = Mutex(State())

  init(keepsEvents: Bool) { self.keepsEvents = keepsEvents }

  func newWord() -> String {
    state.withLock { state in
      state.last += 1
      return "w\(state.last)."
    }
  }

  func acknowledge(_ words: [String]) { state.withLock { $0.acknowledged += words } }

  /// A member has removed these words on purpose.
  func remove(_ words: some Sequence<String>) { state.withLock { $0.removed.formUnion(words) } }

  /// A rename has reached another file than the one that the member meant.
  func stray(_ what: String) {
    tell("renames a stranger's file: \(what)")
    state.withLock { $0.strayed.append(what) }
  }

  var strayed: [String] { state.withLock(\.strayed) }

  /// The words that have to be somewhere.
  var expected: [String] { state.withLock { state in state.acknowledged.filter { !state.removed.contains($0) } } }

  func note(_ event: String) {
    state.withLock { state in
      state.trace.add(event.utf8)
      if keepsEvents { state.events.append(event) }
    }
  }

  /// An event for readers, which is no part of the trace.
  func tell(_ event: @autoclosure () -> String) {
    guard keepsEvents else { return }
    let line = "  " + event()
    state.withLock { $0.events.append(line) }
  }

  /// FNV-1a over all events.
  var trace: UInt64 { state.withLock { $0.trace.value } }
  var events: [String] { state.withLock(\.events) }

  static func words(of text: [UInt8]) -> [String] {
    text.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: " ") }.map { String(decoding: $0, as: UTF8.self) }
      .filter { $0.hasPrefix("w") && $0.hasSuffix(".") }
  }
}
