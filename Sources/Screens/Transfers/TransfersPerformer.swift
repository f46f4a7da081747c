public import FileStores
internal import Synchronization
public import TextUI
public import Transfers

/// Performs what the transfers' part of the app asks for, by whoever carries transfers out.
public final class TransfersPerformer: EffectPerformer {
  /// What was posted and not said yet.
  private struct Line {
    var commands: [TransferCommand] = []
    var isBusy = false
  }

  private let control: any TransferControl
  private let leaving: any TransferLeaving
  private let desktop: any DesktopOpener
  private let line = Mutex(Line())
  private let teller = Mutex<TransferTeller?>(nil)

  /// Everything that the effects need.
  public init(control: any TransferControl, leaving: any TransferLeaving, desktop: any DesktopOpener) {
    self.control = control
    self.leaving = leaving
    self.desktop = desktop
  }

  /// Takes commands for transfers, in order; `carryOut` says them.
  public func post(_ effect: TransfersEffect) {
    guard case .say(let commands) = effect else { preconditionFailure("\(effect) is performed, not posted") }
    line.withLock { $0.commands += commands }
  }

  /// Does it, and tells what happened; errors are told as sentences.
  @concurrent
  public func perform(_ effect: TransfersEffect, _ sender: Sender<TransfersAction>) async {
    switch effect {
    case .attach:
      let new = TransferTeller(sender)
      teller.withLock { $0 = new }
      await control.attach(new)
      sender.send(.attached)
    case .say, .carryOut: await carryOut(sender)
    case .readLimit:
      await sender.attempt { () async throws(StoreError) in .limited(try await self.control.limit(), isNew: false) }
    case .openOutside(let file):
      await sender.attempt { () async throws(StoreError) in .told(try await desktop.open(file: file)) }
    case .askToLeave:
      sender.send(.leaveAsked(isElsewhere: await leaving.isElsewhere(), canGoOn: await leaving.canGoOn()))
    case .pauseAndLeave:
      await sender.attempt({ .stayed("The transfers were not paused. \($0)") }) { () async throws(StoreError) in
        try await leaving.pauseAll()
        return .left(farewell: nil)
      }
    case .goOnInBackground:
      await sender.attempt({ .stayed("The transfers cannot run in the background. \($0)") }) {
        () async throws(StoreError) in .left(farewell: try await leaving.goOnInBackground())
      }
    }
  }

  /// Tells nothing more: the loop has ended.
  public func detach() async {
    let old = teller.withLock { teller in
      defer { teller = nil }
      return teller
    }
    if let old { await control.detach(old) }
  }

  /// One at a time says what waits, also what is posted meanwhile.
  private func carryOut(_ sender: Sender<TransfersAction>) async {
    let isFirst = line.withLock { line in
      defer { line.isBusy = true }
      return !line.isBusy
    }
    guard isFirst else { return }
    while let command = nextCommand() {
      await sender.attempt { () async throws(StoreError) in
        try await control.perform(command)
        if case .limit(let limit) = command { return .limited(limit, isNew: true) }
        return nil
      }
    }
  }

  private func nextCommand() -> TransferCommand? {
    line.withLock { line in
      guard !line.commands.isEmpty else {
        line.isBusy = false
        return nil
      }
      return line.commands.removeFirst()
    }
  }
}

/// What becomes of transfers when the app quits.
public protocol TransferLeaving: Sendable {
  /// Whether another process carries the transfers out, so that they go on whatever becomes of this one.
  func isElsewhere() async -> Bool
  /// Whether the transfers can go on without the app: not when what they belong to goes with it, and not when no other
  /// process could sign in.
  func canGoOn() async -> Bool
  /// Pauses all transfers; that is in the journal when it returns.
  func pauseAll() async throws(StoreError)
  /// Hands the transfers to a process in the background. When it returns, that process carries them out.
  /// - Returns: a sentence for the member, to be read after the app has quit; nil when there was nothing left to do.
  func goOnInBackground() async throws(StoreError) -> String?
}
