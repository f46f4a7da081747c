internal import CCurl
internal import FileStores
internal import Synchronization

/// The work on libcurl's thread. All requests begin, move and end here.
final class CurlWorker {
  private struct Lane: Hashable {
    let origin: HTTPOrigin
    let kind: HTTPRequest.Kind
  }

  private struct Queue {
    var running = 0
    var waiting: [CurlJob] = []
    var head = 0

    mutating func dropDone() {
      waiting.removeFirst(head)
      head = 0
    }
  }

  /// The interval between queries for acknowledged bytes on an otherwise idle connection.
  private static let drainInterval = Duration.milliseconds(50)
  /// The longest time that bytes gather before the task wakes. Waking a task costs as much as a good deal of copying.
  private static let gathering = Duration.milliseconds(2)

  private let multi: OpaquePointer
  private let options: HTTPOptions
  private unowned let loop: CurlLoop
  private let time: TurnTime
  private var transfers: [UInt64: CurlTransfer] = [:]
  private var lanes: [Lane: Queue] = [:]
  private var nextLook: ContinuousClock.Instant?
  /// Origins with HTTP/2, where calls share a connection.
  private var manifold: Set<HTTPOrigin> = []
  /// Origins that ignore `Expect`: the wait for status 100 took its full second.
  private var silent: Set<HTTPOrigin> = []
  private var isStopping = false

  init(_ multi: OpaquePointer, _ options: HTTPOptions, _ loop: CurlLoop, _ time: TurnTime) {
    self.multi = multi
    self.options = options
    self.loop = loop
    self.time = time
  }

  func run() {
    while true {
      time.pass()
      for command in loop.take() { obey(command) }
      let isBroken = cc_multi_perform(multi) != 0
      var code: Int32 = 0
      while let context = cc_multi_next_done(multi, &code) {
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        end(transfer, transfer.outcome(of: code))
      }
      if isBroken { endAll(StoreError(.offline, "The network library has failed.", remedy: "Try again.")) }
      look()
      if isStopping, transfers.isEmpty { return }
      wait()
    }
  }

  /// Sleeps until there is work. Received bytes are passed on when no more arrive at once, or after `gathering`.
  private func wait() {
    guard transfers.values.contains(where: \.hasNews) else {
      _ = cc_multi_poll(multi, patience())
      return
    }
    let isMore = cc_multi_poll(multi, min(patience(), 1)) > 0
    for transfer in transfers.values { transfer.flush(after: isMore ? CurlWorker.gathering : .zero) }
  }

  private func obey(_ command: CurlLoop.Command) {
    switch command {
    case .begin(let job):
      let lane = Lane(origin: job.origin, kind: job.request.kind)
      if lanes[lane, default: Queue()].running < limit(of: lane) {
        begin(job, lane)
      } else {
        lanes[lane]?.waiting.append(job)
        notice(job.timeouts.whole.map { job.start + $0 })
      }
    case .cancel(let number): cancel(number)
    case .receive(let number): transfers[number]?.resumeReceiving()
    case .send(let number): transfers[number]?.resumeSending()
    case .look: break
    case .stop: isStopping = true
    }
  }

  private func limit(of lane: Lane) -> Int {
    switch lane.kind {
    case .content: options.connectionsPerHost
    case .shortContent: options.connectionsPerHost * HTTPOptions.shortContents
    case .call: manifold.contains(lane.origin) ? 100 : options.connectionsPerHost
    case .longPoll: .max
    }
  }

  private func begin(_ job: CurlJob, _ lane: Lane) {
    guard !job.isCancelled.load(ordering: .sequentiallyConsistent) else {
      job.finish(.failure(.cancelled(job.request.name)))
      return
    }
    do throws(StoreError) {
      let transfer = try CurlTransfer(job, options, time, expects: !silent.contains(job.origin))
      try transfer.begin(on: multi)
      lanes[lane, default: Queue()].running += 1
      transfers[job.number] = transfer
      notice(transfer.nextLook(after: time.now))
    } catch {
      job.finish(.failure(error))
    }
  }

  private func cancel(_ number: UInt64) {
    if let transfer = transfers[number] {
      end(transfer, .failure(.cancelled(transfer.job.request.name)))
      return
    }
    for (lane, queue) in lanes {
      guard let place = queue.waiting[queue.head...].firstIndex(where: { $0.number == number }) else { continue }
      let job = lanes[lane]?.waiting.remove(at: place)
      job?.finish(.failure(.cancelled(queue.waiting[place].request.name)))
      return
    }
  }

  private func end(_ transfer: CurlTransfer, _ result: Result<HTTPResponse, StoreError>) {
    let job = transfer.job
    let lane = Lane(origin: job.origin, kind: job.request.kind)
    transfers[job.number] = nil
    if case .success = result {
      if transfer.wasHTTP2 { manifold.insert(job.origin) }
      if transfer.waitedInVain { silent.insert(job.origin) }
    }
    if transfer.isTooEarly { silent.insert(job.origin) }
    transfer.remove()
    lanes[lane]?.running -= 1
    if transfer.wasRefusedToAsk, !job.isCancelled.load(ordering: .sequentiallyConsistent) {
      silent.insert(job.origin)
      begin(job, lane)
    } else {
      job.finish(result)
    }
    while let queue = lanes[lane], queue.running < limit(of: lane), queue.head < queue.waiting.count {
      let next = queue.waiting[queue.head]
      lanes[lane]?.head += 1
      if queue.head > 500 { lanes[lane]?.dropDone() }
      begin(next, lane)
    }
    guard let queue = lanes[lane], queue.head == queue.waiting.count else { return }
    lanes[lane] = queue.running == 0 ? nil : Queue(running: queue.running)
  }

  private func endAll(_ error: StoreError) {
    for transfer in Array(transfers.values) { end(transfer, .failure(error)) }
  }

  private func look() {
    guard let due = nextLook else { return }
    let now = time.now
    guard now >= due else { return }
    nextLook = nil
    for transfer in Array(transfers.values) {
      if let error = transfer.overdue(at: now) { end(transfer, .failure(error)) }
    }
    for transfer in transfers.values { notice(transfer.nextLook(after: now)) }
    for (lane, queue) in lanes {
      for job in queue.waiting[queue.head...] {
        guard let whole = job.timeouts.whole else { continue }
        if now - job.start >= whole {
          lanes[lane]?.waiting.removeAll { $0.number == job.number }
          job.finish(.failure(CurlFault.expired(.whole(whole), job.origin)))
        } else {
          notice(job.start + whole)
        }
      }
    }
  }

  private func notice(_ instant: ContinuousClock.Instant?) {
    guard let instant else { return }
    nextLook = nextLook.map { min($0, instant) } ?? instant
  }

  /// The time until the next check in milliseconds, rounded up; practically forever without a request.
  private func patience() -> Int32 {
    // Queued requests wait for a running one, so an idle worker has no timeout to check.
    if transfers.isEmpty { nextLook = nil }
    var wait = nextLook.map { $0 - time.now }
    if transfers.values.contains(where: \.isDraining) { wait = min(wait ?? .seconds(1), CurlWorker.drainInterval) }
    guard let wait else { return .max }
    guard wait > .zero else { return 0 }
    let parts = wait.components
    return Int32(clamping: parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000 + 1)
  }
}
