import Synchronization
import TextUI

/// Tells how far a search is, on standard error, when it takes longer than a second: a line that is painted over on a
/// terminal, else a line every ten seconds.
final class SearchProgress: Sendable {
  private struct State {
    var last: Duration?
    var isPainted = false
  }

  private static let patience = Duration.seconds(1)

  private let output: Output
  private let isSilent: Bool
  private let elapsed: @Sendable () -> Duration
  private let state = Mutex(State())

  /// Tells to the session's output; nothing under `--json`.
  convenience init(_ session: Session) { self.init(session.output, isSilent: session.isJSON) }

  init(_ output: Output, isSilent: Bool, clock: some Clock<Duration> = ContinuousClock()) {
    (self.output, self.isSilent) = (output, isSilent)
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
  }

  /// So many notes are searched.
  func searched(_ done: Int, of total: Int) {
    let now = elapsed()
    guard !isSilent, now >= SearchProgress.patience, done < total else { return }
    state.withLock { state in
      let interval = output.noticesAreShown ? Duration.milliseconds(200) : .seconds(10)
      if let last = state.last, now - last < interval { return }
      state.last = now
      let line = "Searching \(done.grouped) of \(total.grouped) notes"
      guard output.noticesAreShown else { return output.notice(line) }
      state.isPainted = true
      output.raw("\r\u{1B}[K\(line)")
    }
  }

  /// Takes the line away.
  func finish() {
    state.withLock { state in
      if state.isPainted { output.raw("\r\u{1B}[K") }
      state.isPainted = false
    }
  }
}
