internal import Basics
internal import CCurl
internal import FileStores
internal import POSIX
internal import Synchronization

/// The inbox of libcurl's thread, which starts with the first request.
final class CurlLoop: Sendable {
  enum Command: Sendable {
    case begin(CurlJob)
    case cancel(UInt64)
    case receive(UInt64)
    case send(UInt64)
    case look
    case stop
  }

  private enum Phase {
    case resting
    case running
    case stopped
  }

  private struct Inbox {
    var commands: [Command] = []
    var phase = Phase.resting
    /// The `cc_multi` to wake, as a number because pointers are not `Sendable`.
    var multi: UInt = 0
  }

  private let inbox = Mutex(Inbox())
  private let options: HTTPOptions
  private let library: String
  private let now: @Sendable () -> ContinuousClock.Instant

  init(_ options: HTTPOptions, library: String, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.options = options
    self.library = library
    self.now = now
  }

  /// Any thread may post.
  func post(_ command: Command) {
    let starts = inbox.withLock { inbox in
      switch (inbox.phase, command) {
      case (.stopped, _), (.resting, .cancel), (.resting, .receive), (.resting, .send), (.resting, .look):
        return false
      case (.resting, .stop):
        inbox.phase = .stopped
        return false
      default: break
      }
      inbox.commands.append(command)
      // One wakeup covers all commands in the inbox.
      if inbox.multi != 0, inbox.commands.count == 1 { cc_multi_wakeup(OpaquePointer(bitPattern: inbox.multi)) }
      defer { inbox.phase = .running }
      return inbox.phase == .resting
    }
    if starts { startThread() }
  }

  func take() -> [Command] {
    inbox.withLock { inbox in
      defer { inbox.commands.removeAll(keepingCapacity: true) }
      return inbox.commands
    }
  }

  private func startThread() {
    if DetachedThread.start(blocksSignals: true, { self.run() }) { return }
    let jobs = inbox.withLock { inbox in
      inbox.phase = .resting
      defer { inbox.commands = [] }
      return inbox.commands
    }
    refuse(jobs, StoreError(.offline, "byteclub cannot use the network: the system has no free thread."))
  }

  private func run() {
    do throws(StoreError) {
      try CurlLibrary.load(library)
      guard let multi = cc_multi_new((4 + HTTPOptions.shortContents) * options.connectionsPerHost) else {
        throw StoreError(.offline, "byteclub cannot use the network: memory is short.")
      }
      inbox.withLock { $0.multi = UInt(bitPattern: multi) }
      CurlWorker(multi, options, self, TurnTime(now)).run()
      inbox.withLock { inbox in
        inbox.multi = 0
        inbox.phase = .stopped
      }
      cc_multi_free(multi)
    } catch {
      let commands = inbox.withLock { inbox in
        // The next request tries again, because libcurl may be installed by then.
        inbox.phase = .resting
        defer { inbox.commands = [] }
        return inbox.commands
      }
      refuse(commands, error)
    }
  }

  private func refuse(_ commands: [Command], _ error: StoreError) {
    for case .begin(let job) in commands { job.finish(.failure(error)) }
  }
}
