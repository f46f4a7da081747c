import Database
import Synchronization

/// Content made of a version of a file for the visitors of its links: a picture, or the text of a page. All answers
/// send it from here.
final class Made: Sendable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// Made things in memory, so that many visitors of one link cost one making. A picture that cannot be shown is empty. The
/// least recently used go first; one that is still being sent to a slow visitor is found for the next one, so that there
/// are never two of it.
final class MadeCache: Sendable {
  struct Name: Hashable {
    let file: String
    let rev: Int64
  }

  private struct Live {
    weak var made: Made?
  }

  private struct State {
    var kept: [Name: (made: Made, use: UInt64)] = [:]
    var live: [Name: Live] = [:]
    var bytes = 0
    var uses: UInt64 = 0
  }

  /// The bytes that an entry takes beside its content.
  static let entryBytes = 256
  private let most: Int
  private let state = Mutex(State())

  /// - Parameter most: bytes of all that is kept.
  init(most: Int = 32 << 20) { self.most = most }

  subscript(name: Name) -> Made? {
    state.withLock { state in
      state.uses += 1
      state.kept[name]?.use = state.uses
      return state.kept[name]?.made ?? state.live[name]?.made
    }
  }

  func keep(_ bytes: [UInt8], as name: Name) -> Made {
    let made = Made(bytes)
    state.withLock { state in
      state.live = state.live.filter { $0.value.made != nil }
      state.live[name] = Live(made: made)
      guard bytes.count + MadeCache.entryBytes <= most else { return }
      drop(name, from: &state)
      state.uses += 1
      state.kept[name] = (made, state.uses)
      state.bytes += bytes.count + MadeCache.entryBytes
      while state.bytes > most, let oldest = state.kept.min(by: { $0.value.use < $1.value.use }) {
        drop(oldest.key, from: &state)
      }
    }
    return made
  }

  private func drop(_ name: Name, from state: inout State) {
    guard let old = state.kept.removeValue(forKey: name) else { return }
    state.bytes -= old.made.bytes.count + MadeCache.entryBytes
  }
}

extension MadeCache.Name {
  init(_ file: ServerNode) { self.init(file: file.id, rev: file.rev) }
}
