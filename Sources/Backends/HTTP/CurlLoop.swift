internal import CCurl
internal import FileStores
internal import Glibc
internal import Synchronization

/// The way into libcurl's thread: an inbox, and the thread behind it, which starts with the first request.
final class CurlLoop: Sendable {
  /// What the thread is told. Numbers that it does not know (any more) are ignored.
  enum Command: Sendable {
    case begin(CurlJob)
    case cancel(UInt64)
    /// The receiver has room again.
    case receive(UInt64)
    /// The source has bytes again.
    case send(UInt64)
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
    /// Where to knock: a `cc_multi`, as a number since pointers do not go from thread to thread.
    var multi: UInt = 0
  }

  private let inbox = Mutex(Inbox())
  private let options: HTTPOptions
  private let library: String

  init(_ options: HTTPOptions, library: String) {
    self.options = options
    self.library = library
  }

  /// Tells the thread something, from any thread.
  func post(_ command: Command) {
    let starts = inbox.withLock { inbox in
      switch (inbox.phase, command) {
      case (.stopped, _), (.resting, .cancel), (.resting, .receive), (.resting, .send): return false
      case (.resting, .stop):
        inbox.phase = .stopped
        return false
      default: break
      }
      inbox.commands.append(command)
      // One knock is enough for all that lies in the inbox.
      if inbox.multi != 0, inbox.commands.count == 1 { cc_multi_wakeup(OpaquePointer(bitPattern: inbox.multi)) }
      defer { inbox.phase = .running }
      return inbox.phase == .resting
    }
    if starts { startThread() }
  }

  /// What has been posted since the last time, for the thread.
  func take() -> [Command] {
    inbox.withLock { inbox in
      defer { inbox.commands.removeAll(keepingCapacity: true) }
      return inbox.commands
    }
  }

  private func startThread() {
    let box = Unmanaged.passRetained(self)
    var all = sigset_t()
    var before = sigset_t()
    // The thread inherits a mask with every signal blocked: the program's signals go to its own threads, and a
    // connection that is closed while TLS writes to it raises no SIGPIPE.
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    var thread = pthread_t()
    let failed = pthread_create(
      &thread, nil,
      { pointer in
        if let pointer { Unmanaged<CurlLoop>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    pthread_sigmask(SIG_SETMASK, &before, nil)
    guard failed != 0 else {
      pthread_detach(thread)
      return
    }
    box.release()
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
      guard let multi = cc_multi_new(4 * options.connectionsPerHost) else {
        throw StoreError(.offline, "byteclub cannot use the network: memory is short.")
      }
      inbox.withLock { $0.multi = UInt(bitPattern: multi) }
      CurlWorker(multi, options, self).run()
      inbox.withLock { inbox in
        inbox.multi = 0
        inbox.phase = .stopped
      }
      cc_multi_free(multi)
    } catch {
      let commands = inbox.withLock { inbox in
        // The next request tries again: the library may have been installed meanwhile.
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
