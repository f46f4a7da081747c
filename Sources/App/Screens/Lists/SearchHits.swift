internal import Synchronization

/// The hits of a running search on their way to the screen. The first goes at once; further ones go in parts, because
/// the list is narrowed anew with each.
final class SearchHits: Sendable {
  struct Part: Sendable, Equatable {
    let files: [FoundFile]
    let unread: Int
    let total: Int
  }

  private struct State {
    var waiting: [FoundFile] = []
    var given = 0
    var (unread, total) = (0, 0)

    mutating func take() -> Part {
      defer { waiting = [] }
      given += waiting.count
      return Part(files: waiting, unread: unread, total: total)
    }
  }

  /// The number of parts into which the reading of all texts is divided.
  private let steps: Int
  private let state = Mutex(State())

  init(steps: Int) { self.steps = max(1, steps) }

  /// - Returns: all hits that wait, once they are as many as the screen has.
  func add(_ file: FoundFile) -> Part? {
    state.withLock { state in
      state.waiting.append(file)
      return state.waiting.count >= state.given ? state.take() : nil
    }
  }

  /// Any task may call this, so that a lower count can come after a higher one.
  /// - Returns: all hits that wait, after each step of the reading.
  func read(_ done: Int, of total: Int) -> Part? {
    state.withLock { state in
      let unread = max(0, total - done)
      state.unread = state.total == total ? min(state.unread, unread) : unread
      state.total = total
      return done % max(1, total / steps) == 0 && done < total ? state.take() : nil
    }
  }
}
