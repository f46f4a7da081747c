/// The states of one transfer, their transitions, and the steps to carry out. A value without clock, files or network:
/// `TransferEngine` carries out the steps.
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
/// A member's command never interrupts a job that has asked the store to finish: the answer decides, and after a lost
/// answer the job first looks for the file. An event that means nothing in a state changes nothing.
public struct TransferMachine: Sendable, Hashable {
  public private(set) var state: State

  public init(_ state: State = .queued) { self.state = state }

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

extension TransferMachine {
  /// Finer than the shown states: includes a member's command for a job that has not stopped yet.
  public enum State: String, Sendable, Hashable, CaseIterable {
    case queued, running, verifying, finishing
    /// Finishing; paused or cancelled if that fails.
    case finishingThenPause, finishingThenCancel
    /// The job was asked to stop: for a pause, for a pause that was taken back, or for good.
    case pausing, resuming, stopping
    case paused, waiting
    /// No job runs; its leftovers are being removed.
    case cleaning
    case done, cancelled, failed
    /// Failed and dismissed; its kept bytes are being removed.
    case discarding
    case gone
  }

  public enum Event: String, Sendable, Hashable, CaseIterable {
    case turn
    /// The job compares the received bytes, is about to give the file its name, or has to carry bytes again.
    case verify, finish, goOn
    case succeed
    case rest, fail
    /// The job stopped on request.
    case stopped
    case due
    case cleaned
    case pause, resume, cancel, retry, dismiss
  }

  public enum Step: Sendable, Hashable {
    case start, halt
    /// `setTime` schedules `due`; `forgetTime` cancels it.
    case setTime, forgetTime
    /// Removes the leftovers, then sends `cleaned`, or `succeed` if the file turns out to be complete.
    case clean
    case end
    case remove
  }
}

extension TransferMachine.State {
  public var shown: TransferState {
    switch self {
    case .queued: .queued
    case .running, .pausing, .resuming: .running
    case .verifying: .verifying
    case .finishing, .finishingThenPause: .finishing
    case .finishingThenCancel, .stopping, .cleaning, .discarding: .cancelling
    case .paused: .paused
    case .waiting: .waiting
    case .done: .done
    case .cancelled: .cancelled
    case .failed, .gone: .failed
    }
  }

  var phase: TransferRecord.Phase {
    switch self {
    case .queued, .running, .verifying, .resuming, .waiting: .wanted
    case .finishing: .finishing
    case .paused, .pausing, .finishingThenPause: .paused
    case .finishingThenCancel, .stopping, .cleaning: .cancelling
    case .done: .done
    case .cancelled: .cancelled
    case .discarding: .discarding
    case .failed, .gone: .failed
    }
  }

  public var isHalting: Bool { self == .pausing || self == .resuming || self == .stopping }

  /// The state in which another process resumes the phase.
  init(_ phase: TransferRecord.Phase) {
    switch phase {
    case .wanted, .finishing: self = .queued
    case .paused: self = .paused
    case .cancelling: self = .cleaning
    case .done: self = .done
    case .failed: self = .failed
    case .cancelled: self = .cancelled
    case .discarding: self = .discarding
    }
  }
}
