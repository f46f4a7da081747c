extension TransferMachine {
  /// Where a transfer is. Finer than what is shown: what a member wants of a job that has not stopped yet is part of it.
  public enum State: String, Sendable, Hashable, CaseIterable {
    case queued, running, verifying, finishing
    /// Finishing; paused if that fails.
    case finishingThenPause
    /// Finishing; cancelled if that fails.
    case finishingThenCancel
    /// Its job was asked to stop, for a pause.
    case pausing
    /// Its job was asked to stop, and then it was to go on.
    case resuming
    /// Its job was asked to stop, for good.
    case stopping
    case paused, waiting
    /// No job runs; what it left is being removed.
    case cleaning
    case done, cancelled, failed
    /// Failed and dismissed; what it had kept is being removed.
    case discarding
    case gone
  }

  /// What happens to a transfer.
  public enum Event: String, Sendable, Hashable, CaseIterable {
    /// It may begin.
    case turn
    /// Its job compares what was received.
    case verify
    /// Its job is about to give the bytes their name.
    case finish
    /// Its job has to carry bytes again.
    case goOn
    /// The file is there under its name.
    case succeed
    /// Its job met a fault that passes by itself.
    case rest
    /// Its job met a fault that does not pass.
    case fail
    /// Its job stopped because it was asked to.
    case stopped
    /// The time that it waited for has come.
    case due
    /// What it had left is removed.
    case cleaned
    /// A member's wishes.
    case pause, resume, cancel, retry, dismiss
  }

  /// What has to be done.
  public enum Step: Sendable, Hashable {
    /// Start its job.
    case start
    /// Ask its job to stop.
    case halt
    /// Choose when it is tried again, and send `due` then.
    case setTime
    /// Send no `due`.
    case forgetTime
    /// Remove what it has left, then send `cleaned`; or `succeed`, when the file turns out to be there.
    case clean
    /// Write down that it is over, and tell.
    case end
    /// Take it off the list.
    case remove
  }
}

extension TransferMachine.State {
  /// What is shown.
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

  /// What the journal says.
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

  /// True while a job runs that was asked to stop.
  public var isHalting: Bool { self == .pausing || self == .resuming || self == .stopping }

  /// Where another process takes it up.
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
