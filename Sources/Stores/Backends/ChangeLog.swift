internal import Basics
package import FileStores

/// The changed paths in order, for any number of readers with their own cursors. Keeps the newest change of each path.
///
/// Beyond its capacity it forgets everything, and older readers must list again. So must cursors of another log, for
/// example of an earlier process.
package final class ChangeLog: Sendable {
  package struct News: Sendable {
    package var paths: [StorePath]
    package var cursor: ChangeCursor
    package var mustRelist: Bool
  }

  private struct State {
    var latest: [StorePath: UInt64] = [:]
    var sequence: UInt64 = 0
    /// Cursors before this number have missed changes.
    var floor: UInt64 = 0
  }

  private let state = WaitableState(State())
  private let identity = UInt64.random(in: .min ... .max)
  private let capacity: Int

  package init(capacity: Int = 16_384) {
    self.capacity = capacity
  }

  package var cursor: ChangeCursor { state.read { cursor(at: $0.sequence) } }

  package func note(_ paths: some Collection<StorePath>) {
    guard !paths.isEmpty else { return }
    state.change { state in
      if state.latest.count + paths.count > capacity { forget(&state) }
      for path in paths {
        state.sequence += 1
        state.latest[path] = state.sequence
      }
    }
  }

  /// Makes every reader list again.
  package func loseTrack() { state.change { forget(&$0) } }

  /// - Throws: `cancelled`.
  package func news(since cursor: ChangeCursor) async throws(StoreError) -> News {
    while !Task.isCancelled {
      if let news = newsNow(since: cursor) { return news }
      await state.wait { [self] in sequence(of: cursor) != $0.sequence }
    }
    throw .cancelled("Waiting for changes")
  }

  /// The news so far; without any, the cursor alone.
  package func newsSoFar(since cursor: ChangeCursor) -> News {
    newsNow(since: cursor) ?? News(paths: [], cursor: cursor, mustRelist: false)
  }

  private func newsNow(since cursor: ChangeCursor) -> News? {
    state.read { state in
      guard let since = sequence(of: cursor), since >= state.floor, since <= state.sequence else {
        return News(paths: [], cursor: self.cursor(at: state.sequence), mustRelist: true)
      }
      guard since < state.sequence else { return nil }
      let changed = state.latest.filter { $0.value > since }.sorted { $0.value < $1.value }
      return News(paths: changed.map(\.key), cursor: self.cursor(at: state.sequence), mustRelist: false)
    }
  }

  private func forget(_ state: inout State) {
    state.latest.removeAll()
    state.sequence += 1
    state.floor = state.sequence
  }

  private func cursor(at sequence: UInt64) -> ChangeCursor {
    ChangeCursor(String(identity, radix: 16) + "-" + String(sequence))
  }

  private func sequence(of cursor: ChangeCursor) -> UInt64? {
    let parts = cursor.value.split(separator: "-")
    guard parts.count == 2, parts[0] == String(identity, radix: 16) else { return nil }
    return UInt64(parts[1])
  }
}
