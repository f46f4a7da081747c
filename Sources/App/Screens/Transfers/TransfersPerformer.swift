internal import Basics
public import FileStores
internal import Synchronization
public import TextUI
public import Transfers

/// With the local engine or the owner process.
public final class TransfersPerformer: AnsweringPerformer {
  public typealias Effect = TransfersEffect
  public typealias Action = TransfersAction

  private struct Line {
    var commands: [TransferCommand] = []
    var isBusy = false
  }

  private let control: any TransferControl
  private let leaving: any TransferLeaving
  private let desktop: any DesktopOpener
  private let others: @Sendable () async throws(StoreError) -> Int
  private let isOwn: @Sendable (Transfer) -> Bool
  private let line = Mutex(Line())
  private let teller = Mutex<TransferTeller?>(nil)

  /// - Parameters:
  ///   - others: the number of transfers of other accounts that wait here; called before the first `isOwn`.
  ///   - isOwn: false for transfers of other accounts, which another process may run.
  public init(
    control: any TransferControl, leaving: any TransferLeaving, desktop: any DesktopOpener,
    others: @escaping @Sendable () async throws(StoreError) -> Int = { () async throws(StoreError) in 0 },
    isOwn: @escaping @Sendable (Transfer) -> Bool = { _ in true }
  ) {
    (self.others, self.isOwn) = (others, isOwn)
    self.control = control
    self.leaving = leaving
    self.desktop = desktop
  }

  /// Keeps the order; `carryOut` runs the commands.
  public func post(_ posting: TransfersPosting) {
    switch posting {
    case .say(let commands): line.withLock { $0.commands += commands }
    }
  }

  public func answer(
    to effect: TransfersEffect, _ sender: Sender<TransfersAction>
  ) async throws(StoreError) -> TransfersAction? {
    switch effect {
    case .attach:
      let count = await Result.catching(others)
      let new = TransferTeller(sender, isOwn: isOwn)
      teller.withLock { $0 = new }
      await control.attach(new)
      sender.send(.attached)
      let number = try count.get()
      return number > 0 ? .othersCounted(number) : nil
    case .carryOut:
      await carryOut(sender)
      return nil
    case .readLimit: return .limited(try await control.limit(), isNew: false)
    case .openOutside(let file): return .reported(try await desktop.open(file: file))
    case .askToLeave:
      return .leaveAsked(isElsewhere: await leaving.isElsewhere(), canGoOn: await leaving.canGoOn())
    case .pauseAndLeave:
      try await leaving.pauseAll()
      return .left(farewell: nil)
    case .goOnInBackground: return .left(farewell: try await leaving.goOnInBackground())
    }
  }

  /// Sends no more events: the loop has ended.
  public func detach() async {
    let old = teller.withLock { $0.take() }
    if let old { await control.detach(old) }
  }

  /// Also runs later commands. Only one call at a time does so.
  private func carryOut(_ sender: Sender<TransfersAction>) async {
    let isFirst = line.withLock { line in
      defer { line.isBusy = true }
      return !line.isBusy
    }
    guard isFirst else { return }
    while let command = nextCommand() {
      do throws(StoreError) {
        try await control.perform(command)
        if case .limit(let limit) = command { sender.send(.limited(limit, isNew: true)) }
      } catch {
        sender.send(.failed(.carryOut, error))
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

public protocol TransferLeaving: Sendable {
  /// Transfers of another process continue without this one.
  func isElsewhere() async -> Bool
  /// False if their store ends with the app, or if no other process could sign in.
  func canGoOn() async -> Bool
  /// The journal has the pauses on return.
  func pauseAll() async throws(StoreError)
  /// A background process runs the transfers from the return on. Returns a message for after the app; nil if nothing
  /// was left to do.
  func goOnInBackground() async throws(StoreError) -> String?
}
