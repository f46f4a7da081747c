public import Basics
public import FileStores

/// Follows the news of a club until its task is cancelled: a look at each change, batches, and batches given again.
public struct NewsFollower: Sendable {
  /// The receiver's answer to a batch.
  public enum Receipt: Sendable, Equatable {
    case taken
    /// The batch is given again; the reason was reported.
    case refused
    /// Nobody reads any more.
    case ended
  }

  private enum Event: Sendable {
    case looked(NewsReader.Look)
    case failed(StoreError)
    case due
    case gave(Receipt, [NewsItem])
  }

  /// Changes that come close together are looked at once.
  static let settling = Duration.seconds(1)
  /// Between the looks at a store that reports no changes.
  static let unreported = Duration.seconds(60)

  private let place: String
  private let feed: (any ChangeFeed)?
  private let clock: any Clock<Duration>
  private let look: @Sendable () async throws(StoreError) -> NewsReader.Look
  private let give: @Sendable ([NewsItem]) async -> Receipt
  private let mark: @Sendable ([NewsCursor.Mark]) async throws(StoreError) -> Void
  private let say: @Sendable (String) -> Void

  /// - Parameters:
  ///   - place: the club, for sentences.
  ///   - feed: waits for changes; nil for a store that reports none.
  ///   - give: gets a batch, the oldest item first, one batch at a time.
  ///   - mark: notes what a taken batch has reported.
  ///   - say: gets a sentence when the store stops to answer, and when it answers again.
  public init(
    place: String, feed: (any ChangeFeed)?, clock: any Clock<Duration> = TimerClock(),
    look: @escaping @Sendable () async throws(StoreError) -> NewsReader.Look,
    give: @escaping @Sendable ([NewsItem]) async -> Receipt,
    mark: @escaping @Sendable ([NewsCursor.Mark]) async throws(StoreError) -> Void,
    say: @escaping @Sendable (String) -> Void
  ) {
    (self.place, self.feed, self.clock) = (place, feed, clock)
    (self.look, self.give, self.mark, self.say) = (look, give, mark, say)
  }

  /// Returns when the task is cancelled, or nobody reads any more.
  /// - Throws: errors that waiting does not mend.
  public func run() async throws(StoreError) {
    let (events, send) = AsyncStream.makeStream(of: Event.self)
    let (start, elapsed) = (ContinuousClock.now, clock.stopwatch())
    let failure = await withDiscardingTaskGroup { group -> StoreError? in
      defer { group.cancelAll() }
      group.addTask { await watch(send) }
      var batches = NewsBatches()
      var rest: [NewsCursor.Mark] = []
      var timer: Task<Void, Never>?
      defer { timer?.cancel() }
      for await event in events {
        let now = start.advanced(by: elapsed())
        switch event {
        case .looked(let look):
          batches.take(look.items, at: now)
          rest = look.rest
        case .failed(let error): return error
        case .due: break
        case .gave(.ended, _): return nil
        case .gave(let receipt, let batch):
          batches.gave(isTaken: receipt == .taken, at: now)
          if receipt == .taken { await note(batch.map(\.mark) + (batches.isEmpty ? rest : [])) }
        }
        timer?.cancel()
        switch batches.step(at: now) {
        case .give(let batch): group.addTask { send.yield(.gave(await give(batch), batch)) }
        case .wait(let moment?): timer = Task { if await sleep(now.duration(to: moment)) { send.yield(.due) } }
        case .wait(nil): break
        }
      }
      return nil
    }
    if let failure { throw failure }
  }

  private func note(_ marks: [NewsCursor.Mark]) async {
    do throws(StoreError) {
      try await mark(marks)
    } catch {
      say("The news of \(place) may be reported again by the next start. \(error)")
    }
  }

  /// Looks at the club at first and after each change, from before the look on, so that no change is missed.
  private func watch(_ send: AsyncStream<Event>.Continuation) async {
    var failures = 0
    while !Task.isCancelled {
      do throws(StoreError) {
        var cursor = try await feed?.start()
        repeat {
          send.yield(.looked(try await look()))
          if failures > 0 { say("\(place) answers again.") }
          failures = 0
          if let feed, let since = cursor { cursor = try await feed.wait(since: since).cursor }
        } while await sleep(feed == nil ? NewsFollower.unreported : NewsFollower.settling)
      } catch {
        guard !Task.isCancelled else { return }
        guard let pause = RetryPolicy(longestPause: .seconds(60)).pause(after: error, failures: failures + 1, draw: 1)
        else {
          send.yield(.failed(error))
          return
        }
        if failures == 0 { say("\(place) does not answer. The news goes on when it does. \(error.message)") }
        failures += 1
        _ = await sleep(pause)
      }
    }
  }

  /// False once the task is cancelled.
  private func sleep(_ duration: Duration) async -> Bool {
    do {
      try await clock.sleep(for: duration)
      return true
    } catch {
      return false
    }
  }
}
