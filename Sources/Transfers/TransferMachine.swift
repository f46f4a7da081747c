/// One transfer's life: which state follows which, and what has to be done for it. A value without a clock, without
/// files and without a network; `TransferEngine` does what it says.
///
///                       turn               verify               finish
///      .---> queued ----------> running ----------> verifying ----------> finishing ----.
///      |      |  ^               |  ^ '----------------- finish ---------->|  |         | succeed
///      |      |  | due, resume   |  '------------------- goOn -------------'  |         v
///      |      |  '--- waiting <--+------- rest (a fault that passes) ---------'        done ---.
///      |      |          |       |                                                             |
///      |resume|pause     |pause  |pause          rest, stopped                                 |
///      |      v          |       v  .---------------------------- finishingThenPause           |
///      '--- paused <-----'   pausing'  <----- goOn -------------- (pause while finishing)      | dismiss
///             ^                | |  ^                                                          |
///             '--- stopped ----' |  | pause                                                    |
///                         resume v  |                                                          v
///                             resuming -- stopped --> queued                                  gone
///                                                                                              ^
///      cancel from a state without a job .--------> cleaning -- cleaned --> cancelled ---------|
///      cancel while a job runs ---> stopping -- stopped --^  '-- succeed --> done              |
///      cancel while finishing ---> finishingThenCancel -- rest, fail --^                       |
///                                           '-- succeed --> done                               |
///      fail from wherever a job runs ---> failed -- dismiss --> discarding -- cleaned ---------'
///                                           '-- retry --> queued <-- retry -- cancelled
///
/// A job that has asked the store to finish is never interrupted by a member's wish: its answer decides. So a cancel that
/// meets the finish loses, and an answer that did not come is looked for before anything else is done.
/// An event that means nothing in a state changes nothing.
public struct TransferMachine: Sendable, Hashable {
  /// Where it is.
  public private(set) var state: State

  /// Starts somewhere.
  public init(_ state: State = .queued) { self.state = state }

  /// Takes an event.
  /// - Returns: what is to be done now, in this order.
  public mutating func take(_ event: Event) -> [Step] {
    guard let next = Self.next(state, event) else { return [] }
    let before = state
    state = next
    var steps: [Step] = []
    if before == .waiting { steps.append(.forgetTime) }
    switch next {
    case .running where event == .turn: steps.append(.start)
    case .pausing where !before.isHalting, .stopping where !before.isHalting: steps.append(.halt)
    case .waiting: steps.append(.setTime)
    case .cleaning, .discarding: steps.append(.clean)
    case .done, .failed, .cancelled: steps.append(.end)
    case .gone: steps.append(.remove)
    default: break
    }
    return steps
  }

  private static func next(_ state: State, _ event: Event) -> State? {
    switch state {
    case .queued: fromQueued(event)
    case .running, .verifying, .finishing: fromWorking(state, event)
    case .finishingThenPause, .finishingThenCancel: fromFinishing(state, event)
    case .pausing, .resuming, .stopping: fromHalting(state, event)
    case .paused, .waiting: fromResting(state, event)
    case .cleaning, .discarding, .done, .cancelled, .failed, .gone: fromEnding(state, event)
    }
  }

  private static func fromQueued(_ event: Event) -> State? {
    switch event {
    case .turn: .running
    case .pause: .paused
    case .cancel: .cleaning
    default: nil
    }
  }

  private static func fromWorking(_ state: State, _ event: Event) -> State? {
    switch (event, state) {
    case (.verify, .running): .verifying
    case (.finish, .running), (.finish, .verifying): .finishing
    case (.goOn, .verifying), (.goOn, .finishing): .running
    case (.succeed, _): .done
    case (.rest, _): .waiting
    case (.fail, _): .failed
    case (.stopped, _): .queued
    case (.pause, .finishing): .finishingThenPause
    case (.cancel, .finishing): .finishingThenCancel
    case (.pause, _): .pausing
    case (.cancel, _): .stopping
    default: nil
    }
  }

  private static func fromFinishing(_ state: State, _ event: Event) -> State? {
    let pauses = state == .finishingThenPause
    return switch event {
    case .succeed: .done
    case .goOn: pauses ? .pausing : .stopping
    case .rest, .stopped: pauses ? .paused : .cleaning
    case .fail: pauses ? .failed : .cleaning
    case .resume: pauses ? .finishing : nil
    case .cancel: pauses ? .finishingThenCancel : nil
    default: nil
    }
  }

  private static func fromHalting(_ state: State, _ event: Event) -> State? {
    switch (event, state) {
    case (.succeed, _): .done
    case (.fail, .stopping): .cleaning
    case (.fail, _): .failed
    case (.stopped, .pausing), (.rest, .pausing): .paused
    case (.stopped, .resuming): .queued
    case (.rest, .resuming): .waiting
    case (.stopped, _), (.rest, _): .cleaning
    case (.resume, .pausing): .resuming
    case (.pause, .resuming): .pausing
    case (.cancel, .pausing), (.cancel, .resuming): .stopping
    default: nil
    }
  }

  private static func fromResting(_ state: State, _ event: Event) -> State? {
    switch (event, state) {
    case (.resume, _), (.due, .waiting): .queued
    case (.pause, .waiting): .paused
    case (.cancel, _): .cleaning
    default: nil
    }
  }

  private static func fromEnding(_ state: State, _ event: Event) -> State? {
    switch (event, state) {
    case (.cleaned, .cleaning): .cancelled
    case (.succeed, .cleaning): .done
    case (.cleaned, .discarding), (.succeed, .discarding): .gone
    case (.retry, .failed), (.retry, .cancelled): .queued
    case (.dismiss, .failed): .discarding
    case (.dismiss, .done), (.dismiss, .cancelled): .gone
    default: nil
    }
  }
}
