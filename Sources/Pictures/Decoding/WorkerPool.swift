import Basics
import POSIX
public import Imaging
import Synchronization

/// Decodes in other processes, so that a fault in a library costs one picture and nothing else. Workers start when they
/// are first needed, stay for the next picture, and are replaced after a fault. They end with this object, and with the
/// process however it ends. Each kind of worker has at most `atOnce` processes.
public final class WorkerPool: PictureDecoding {
  public let atOnce: Int
  private let line: WorkerLine
  /// Each worker ends with the thread that started it, so these live as long as the pool.
  private let threads: BlockingPool
  private let patience: Duration
  private let cancelPatience: Duration
  private let numbers = Atomic<Int>(1)

  /// Each piece of this length adds a second to the patience.
  private static let bytesOfSecond = 4 << 20
  /// HEVC and AV1 need more time for fewer bytes.
  private static let heifBytesOfSecond = 256 << 10
  /// Encoding a large picture takes longer than decoding it.
  private static let copyPatience = 12

  /// - Parameter warn: gets a sentence when the system refuses to lock a worker down.
  public convenience init(warn: @escaping @Sendable (String) -> Void) {
    let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    self.init(ProgramStart.itself, WorkerProgram.arguments, atOnce: min(4, max(1, cores)), warn: warn)
  }

  /// - Parameter patience: for a small picture.
  /// - Parameter cancelPatience: the time that a worker has to stop after a request for it. Work polls the flag every few milliseconds.
  package init(
    _ program: String, _ arguments: [String], atOnce: Int, patience: Duration = .seconds(5),
    cancelPatience: Duration = .milliseconds(300), warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.atOnce, self.patience, self.cancelPatience) = (atOnce, patience, cancelPatience)
    threads = BlockingPool(threads: atOnce)
    line = WorkerLine(program, arguments, warn)
  }

  public func perform(
    _ work: PictureWork, on content: PictureContent, orientation: Orientation, limits: PictureLimits, isUrgent: Bool
  ) async throws(ImageError) -> PictureResult {
    let number = numbers.add(1, ordering: .relaxed).newValue
    let kind = WorkerKind(content)
    var patience =
      patience + .seconds(content.count / (kind == .heif ? Self.heifBytesOfSecond : Self.bytesOfSecond))
    if case .copy = work { patience *= Self.copyPatience }
    if let seconds = limits.maxSeconds { patience = .seconds(seconds) }
    let job = WorkerJob(
      WorkerRequest(number: number, count: content.count, orientation: orientation, limits: limits, work: work),
      content, kind, patience: patience, cancelPatience: cancelPatience)
    line.add(job, isUrgent: isUrgent)
    threads.submit { [line] in line.runNext() }
    let result = await withTaskCancellationHandler {
      await job.answer.value()
    } onCancel: {
      line.remove(job)
      job.cancel()
    }
    guard let result else { throw .cancelled }
    return try result.get()
  }

  /// The workers that run now.
  package var processes: Int { line.processes }

  /// The jobs in line that no worker has yet.
  package var waiting: Int { line.waiting }
}

/// Jobs that wait, and workers that are free.
private final class WorkerLine: Sendable {
  private struct State {
    var urgent: [WorkerJob] = []
    var others: [WorkerJob] = []
    var free: [WorkerKind: [WorkerProcess]] = [:]
    var busy = 0
    var hasWarned = false
  }

  private let state = Mutex(State())
  private let program: String
  private let arguments: [String]
  private let warn: @Sendable (String) -> Void

  init(_ program: String, _ arguments: [String], _ warn: @escaping @Sendable (String) -> Void) {
    (self.program, self.arguments, self.warn) = (program, arguments, warn)
  }

  var processes: Int { state.withLock { state in state.free.values.reduce(state.busy) { $0 + $1.count } } }

  var waiting: Int { state.withLock { $0.urgent.count + $0.others.count } }

  func add(_ job: WorkerJob, isUrgent: Bool) {
    state.withLock { state in
      if isUrgent { state.urgent.append(job) } else { state.others.append(job) }
    }
  }

  func remove(_ job: WorkerJob) {
    state.withLock { state in
      state.urgent.removeAll { $0 === job }
      state.others.removeAll { $0 === job }
    }
  }

  /// Does the next job, if there is one that was not cancelled, on the calling thread.
  func runNext() {
    let (job, free) = state.withLock { state -> (WorkerJob?, WorkerProcess?) in
      guard !state.urgent.isEmpty || !state.others.isEmpty else { return (nil, nil) }
      state.busy += 1
      let job = state.urgent.isEmpty ? state.others.removeFirst() : state.urgent.removeFirst()
      return (job, state.free[job.kind]?.popLast())
    }
    guard let job else { return }
    var worker = free
    let result = Result { () throws(ImageError) in try perform(job, &worker) }
    let isReady = worker?.isReady == true
    state.withLock { state in
      state.busy -= 1
      if isReady, let worker { state.free[job.kind, default: []].append(worker) }
    }
    job.answer.give(result)
  }

  /// A free worker that ended before it read its request costs nothing: a new one gets the job.
  private func perform(_ job: WorkerJob, _ worker: inout WorkerProcess?) throws(ImageError) -> PictureResult {
    if let free = worker, free.isReady {
      do throws(ImageError) {
        return try free.perform(job)
      } catch {
        guard free.hasLostRequest else { throw error }
      }
    }
    let fresh = try start(job.kind)
    worker = fresh
    return try fresh.perform(job)
  }

  private func start(_ kind: WorkerKind) throws(ImageError) -> WorkerProcess {
    let worker = try WorkerProcess(program, kind.arguments(arguments))
    guard !worker.refusals.isEmpty else { return worker }
    let warns = state.withLock { state in
      defer { state.hasWarned = true }
      return !state.hasWarned
    }
    if warns {
      warn(
        "The system does not let byteclub lock its picture decoder down completely; \(worker.refusals) stay open.")
    }
    return worker
  }
}

/// One piece of work on its way. Any thread may cancel it.
final class WorkerJob: Sendable {
  private struct State {
    var isCancelled = false
    /// Wakes the thread that waits for the worker.
    var wake: WakeSignal?
  }

  let request: WorkerRequest
  let content: PictureContent
  let kind: WorkerKind
  let patience: Duration
  let cancelPatience: Duration
  let answer = PendingAnswer<Result<PictureResult, ImageError>>()
  private let state = Mutex(State())

  init(
    _ request: WorkerRequest, _ content: PictureContent, _ kind: WorkerKind, patience: Duration,
    cancelPatience: Duration
  ) {
    (self.request, self.content, self.kind) = (request, content, kind)
    (self.patience, self.cancelPatience) = (patience, cancelPatience)
  }

  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      state.wake?.send()
    }
  }

  /// False if the job is cancelled. Otherwise `cancel` sends the signal from now on, until `leave`.
  func begin(_ wake: WakeSignal) -> Bool {
    state.withLock { state in
      state.wake = state.isCancelled ? nil : wake
      return !state.isCancelled
    }
  }

  func leave() { state.withLock { $0.wake = nil } }
}
