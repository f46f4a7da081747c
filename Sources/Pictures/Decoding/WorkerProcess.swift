import Basics
import POSIX
import Imaging
import Synchronization

/// One worker. One thread at a time uses it. It ends with this object.
final class WorkerProcess: Sendable {
  private let socket: MessageSocket
  private let process: pid_t
  private let wake: WakeSignal
  private let hasEnded = Mutex(false)
  private let lostRequest = Mutex(false)
  let refusals: Confinement.Refusals

  /// A worker loads and links itself in about 20 ms; a machine that swaps or stands still may take far longer. The end of
  /// one that cannot start is seen at once.
  private static let startPatience = Duration.seconds(120)

  /// Starts the worker and waits until it is ready. Blocks.
  /// - Throws: `unavailable`.
  init(_ program: String, _ arguments: [String]) throws(ImageError) {
    do throws(SystemError) {
      wake = try WakeSignal()
    } catch {
      throw .notStarted(SystemError.text(error.code))
    }
    (socket, process) = try Self.start(program, arguments)
    guard let greeting = Self.greeting(socket, wake) else {
      kill(process, SIGKILL)
      let status = ProgramStart.wait(for: process)
      hasEnded.withLock { $0 = true }
      throw .notStarted("it ended with status \(status)")
    }
    refusals = greeting.refusals
  }

  deinit { end() }

  /// On return the worker alone has the other end of the socket, so that its end is seen at once.
  private static func start(
    _ program: String, _ arguments: [String]
  ) throws(ImageError) -> (MessageSocket, pid_t) {
    let (ours, theirs): (MessageSocket, MessageSocket)
    do throws(SystemError) {
      (ours, theirs) = try MessageSocket.pair()
    } catch {
      throw .notStarted(SystemError.text(error.code))
    }
    defer { withExtendedLifetime(theirs) {} }
    // A session of its own: the terminal's keys do not reach it. Neither do variables, but for the loader's.
    let start = ProgramStart(
      program, arguments, environment: ProgramStart.variables().filter { $0.hasPrefix("LD_LIBRARY_PATH=") },
      streams: (.descriptor(theirs.descriptor), .nothing, .nothing),
      group: .session)
    do throws(ProgramStart.Failure) {
      return (ours, try start.start())
    } catch {
      throw .notStarted(SystemError.text(error.code))
    }
  }

  private static func greeting(_ socket: MessageSocket, _ wake: WakeSignal) -> WorkerGreeting? {
    let milliseconds = startPatience.inMilliseconds
    guard wake.wait(or: socket, milliseconds: milliseconds).other,
      let message = try? socket.receive(limit: WorkerGreeting.count)
    else { return nil }
    return WorkerGreeting(message.bytes)
  }

  /// False once the process has ended, or has sent something that nobody asked for.
  var isReady: Bool { !hasEnded.withLock { $0 } && !wake.wait(or: socket, milliseconds: 0).other }

  /// Ends the process and waits for its end. Returns its exit status, or 128 plus the signal that ended it.
  @discardableResult
  func end() -> Int32 {
    hasEnded.withLock { hasEnded in
      if hasEnded { return 0 }
      hasEnded = true
      kill(process, SIGKILL)
      return ProgramStart.wait(for: process)
    }
  }

  /// True if the process ended before it read a request.
  var hasLostRequest: Bool { lostRequest.withLock { $0 } }

  /// Has the worker do a job. Blocks. After any error but those that the worker reports, the process is over.
  func perform(_ job: WorkerJob) throws(ImageError) -> PictureResult {
    let request = job.request
    let room = request.limits.maxMemoryBytes
    let target = try ImageError.supplied { () throws(SystemError) in
      try OpenFile.inMemory(size: WorkerAnswer.offset + room)
    }
    wake.clear()
    guard job.begin(wake) else { throw ImageError.cancelled }
    defer { job.leave() }
    do throws(SystemError) {
      try socket.send(request.bytes, files: [job.content.file, target])
    } catch {
      let status = end()
      throw isLost(error) ? .crashed(status) : .unsupplied(error)
    }
    let message = try message(of: job, target)
    guard let answer = WorkerAnswer(message, to: request, room: room) else {
      end()
      throw .nonsense
    }
    switch answer.content {
    case .failed(let error): throw error
    case .checked: return .checked
    case .file(let size, let count): return .file(try read(target, count), size)
    case .pixels(let size, let isDamaged):
      let bytes = try read(target, 3 * size.width * size.height)
      guard let pixels = Pixels(width: size.width, height: size.height, bytes: bytes) else { throw .nonsense }
      return .pixels(pixels, isDamaged: isDamaged)
    }
  }

  /// Waits for the answer until the job's time is over. Only the time in which the process computes counts, because a
  /// machine may keep it from running for a while; one that does not compute has twelve times as long.
  private func message(of job: WorkerJob, _ target: OpenFile) throws(ImageError) -> [UInt8] {
    let (begin, before) = (ContinuousClock.now, computed)
    var end = begin + job.patience
    var isCancelled = false
    while true {
      let now = ContinuousClock.now
      let left = end - now
      guard left > .zero else {
        let spent = computed - before
        if !isCancelled, spent < job.patience, now - begin < job.patience * 12 {
          end = now + (job.patience - spent)
          continue
        }
        self.end()
        throw isCancelled ? ImageError.cancelled : .slow(job.patience)
      }
      let ready = wake.wait(or: socket, milliseconds: left.inMilliseconds)
      if ready.other { break }
      guard ready.signal else { continue }
      wake.clear()
      guard !isCancelled else { continue }
      isCancelled = true
      // Without the flag the process is killed in a moment.
      try? SharedFlag.raise(target)
      end = min(end, ContinuousClock.now + job.cancelPatience)
    }
    do throws(SystemError) {
      if let message = try socket.receive(limit: WorkerAnswer.mostBytes) { return message.bytes }
    } catch {
      let status = self.end()
      throw isLost(error) ? .crashed(status) : .nonsense
    }
    throw .crashed(self.end())
  }

  /// The processor time that the process has had; zero if the system does not tell.
  private var computed: Duration {
    var (clock, time) = (clockid_t(), timespec())
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return .zero }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// True if the process ended before it read the request: that resets the connection.
  private func isLost(_ error: SystemError) -> Bool {
    guard error.code == ECONNRESET || error.code == EPIPE else { return false }
    lostRequest.withLock { $0 = true }
    return true
  }

  /// Copies the result: later writes by the worker have no effect.
  private func read(_ target: OpenFile, _ count: Int) throws(ImageError) -> [UInt8] {
    try ImageError.supplied { () throws(SystemError) in
      try target.read(from: UInt64(WorkerAnswer.offset), count: count)
    }
  }
}

extension Duration {
  /// Rounded up, so that waiting does not end too early.
  fileprivate var inMilliseconds: Int {
    Int(clamping: components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000) + 1
  }
}

extension ImageError {
  fileprivate static func notStarted(_ reason: String) -> ImageError {
    ImageError(
      .unavailable, "byteclub could not start its picture decoder: \(reason).",
      remedy: "Close other programs, then try again.")
  }

  fileprivate static func crashed(_ status: Int32) -> ImageError {
    let how = status > 128 ? "signal \(status - 128)" : "status \(status)"
    return ImageError(
      .crashed, "The picture made byteclub's decoder fail (\(how)).",
      remedy: "Copy it again from the camera or the original.")
  }

  fileprivate static func slow(_ patience: Duration) -> ImageError {
    ImageError(
      .slow, "Reading the picture took longer than \(patience.components.seconds) seconds.",
      remedy: "Save it as plain JPEG, or save a smaller copy.")
  }
}
