import Basics
import FileStores
import Synchronization

/// Reports on standard error when a command waits for a server or a folder. Safe from any thread.
final class WaitTeller: Sendable {
  /// Seconds without an answer before a report.
  private static let patience = 3

  private struct State {
    var isAsking = false
    var answers = 0
    var error: StoreError?
    var hasSaidUnreadable = false
  }

  private let state = Mutex(State())
  private let place: String
  private let clock: any Clock<Duration>
  private let say: @Sendable (String) -> Void

  init(
    place: String, clock: any Clock<Duration> = TimerClock(), say: @escaping @Sendable (String) -> Void
  ) {
    (self.place, self.clock, self.say) = (place, clock, say)
  }

  static func during<Value>(
    _ place: String, _ output: Output, _ body: (WaitTeller) async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let teller = WaitTeller(place: place) { output.alert($0) }
    let watch = Task { await teller.watch() }
    defer { watch.cancel() }
    return try await body(teller)
  }

  /// Announces a pause requested by the server at once.
  func take(_ report: CallReport) {
    switch report {
    case .asks: state.withLock { $0.isAsking = true }
    case .answered:
      state.withLock { state in
        state.answers += 1
        (state.isAsking, state.error) = (false, nil)
      }
    case .failed: state.withLock { $0.isAsking = false }
    case .waits(let error, let pause):
      let isLimit = error.kind == .rateLimited
      state.withLock { state in
        state.error = error
        if isLimit { state.answers += 1 }
      }
      if isLimit { say("Waiting \(max(1, pause.components.seconds)) s: \(error.message)") }
    case .unreadable(let count):
      let isNews = state.withLock { state in
        defer { state.hasSaidUnreadable = true }
        return !state.hasSaidUnreadable
      }
      guard isNews else { return }
      let entries = count == 1 ? "an entry" : "\(count) entries"
      say("\(place) lists \(entries) that byteclub cannot read. The list below is without.")
    }
  }

  /// Checks once a second until cancelled, and reports each silence once for each reason.
  func watch() async {
    var (silent, seen) = (0, 0)
    var reported: String?
    while true {
      do {
        try await clock.sleep(for: .seconds(1))
      } catch {
        return
      }
      let now = state.withLock { $0 }
      silent = now.isAsking && now.answers == seen ? silent + 1 : 0
      seen = now.answers
      guard silent >= WaitTeller.patience else {
        reported = nil
        continue
      }
      let reason = now.error.map { " \($0.message) Trying again." } ?? ""
      guard reported == nil || (!reason.isEmpty && reported != reason) else { continue }
      reported = reason
      say("Waiting for \(place) (\(silent) s).\(reason)")
    }
  }
}
