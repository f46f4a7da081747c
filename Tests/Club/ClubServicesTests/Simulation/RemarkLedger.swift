import Synchronization

@testable import ClubServices

/// The remarks of a simulation that byteclub has acknowledged.
final class RemarkLedger: Sendable {
  private struct State {
    var last = 0
    var acknowledged: [String] = []
    var removed: Set<String> = []
    var replaced: [String] = []
  }

  private let state = Mutex(State())

  func newID() -> String {
    let number = state.withLock { state in
      state.last += 1
      return String(state.last)
    }
    return "r" + String(repeating: "0", count: TalkItem.idLength - 1 - number.count) + number
  }

  func acknowledge(_ id: String) { state.withLock { $0.acknowledged.append(id) } }

  /// The server has lost those with these ids.
  func remove(_ ids: some Sequence<String>) { state.withLock { $0.removed.formUnion(ids) } }

  /// The ids of the remarks that have to be somewhere.
  var expected: [String] { state.withLock { state in state.acknowledged.filter { !state.removed.contains($0) } } }

  /// A request has replaced earlier remarks.
  func noteReplaced(_ what: String) { state.withLock { $0.replaced.append(what) } }

  var replaced: [String] { state.withLock(\.replaced) }

  static func ids(of text: [UInt8]) -> [String] {
    String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { TalkItem(lines: [$0])?.id }
  }
}
