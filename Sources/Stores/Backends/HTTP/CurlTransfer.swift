internal import CCurl
internal import FileStores
internal import Synchronization

final class CurlTransfer {
  private static let sampleInterval = Duration.milliseconds(10)

  let job: CurlJob
  private let easy: OpaquePointer
  private var multi: OpaquePointer?
  private var clock: TransferClock
  private var header = HeaderReader()
  private var heard: ContinuousClock.Instant?
  /// The error of a callback. It is more precise than libcurl's, which only knows that the callback failed.
  private var fault: StoreError?
  private let time: TurnTime
  private let expects: Bool
  private var wasSent = false
  /// The time since which bytes wait without the task knowing.
  private var newsSince: ContinuousClock.Instant?
  private var isReceivingPaused = false
  private var isSendingPaused = false
  /// Bytes of the body that libcurl has taken, that it has written to the connection, and that have arrived.
  private var taken: UInt64 = 0
  /// True once libcurl has the end of a body of unknown length.
  private var isAtEnd = false
  private var given: UInt64 = 0
  /// `given` plus the chunk framing, which libcurl counts too.
  private var counted: UInt64 = 0
  private var framing: UInt64 = 0
  private var arrived: UInt64 = 0
  private var held: Int64 = 0
  private var sampled: ContinuousClock.Instant?

  init(_ job: CurlJob, _ options: HTTPOptions, _ time: TurnTime, expects: Bool) throws(StoreError) {
    self.job = job
    self.time = time
    let length = job.request.body.length
    self.expects = expects && (length ?? .max) >= job.request.asksFrom && length != 0
    clock = TransferClock(job.timeouts, start: job.start)
    easy = try CurlSetup.easy(job, options, expects: self.expects)
  }

  deinit { cc_easy_free(easy) }

  func begin(on multi: OpaquePointer) throws(StoreError) {
    cc_easy_set_context(easy, Unmanaged.passUnretained(self).toOpaque())
    guard cc_easy_add(easy, multi) == 0 else { throw CurlFault.unstarted(job.request) }
    self.multi = multi
  }

  func remove() {
    if let multi { cc_easy_remove(easy, multi) }
    multi = nil
  }

  // MARK: Callbacks of libcurl

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    clock.touch(time.now)
    switch job.outgoing.take(into: buffer) {
    case .bytes(let count):
      taken += UInt64(count)
      // Chunk framing: at most eight digits and two line ends for each call.
      if job.request.body.length == nil { framing += 12 }
      return count
    case .end:
      isAtEnd = true
      return 0
    case .wait:
      isSendingPaused = true
      return Int(CC_PAUSE)
    case .failed(let error):
      fault = error
      return Int(CC_ABORT)
    }
  }

  func seek(to offset: UInt64) -> Bool {
    guard job.request.isRepeatable || taken == 0 else {
      fault = CurlFault.cut(job.origin, "before it answered")
      return false
    }
    job.outgoing.seek(to: offset)
    isAtEnd = false
    (taken, given, counted, framing) = (offset, 0, 0, 0)
    return true
  }

  func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    let (hadAnswer, couldGoOn) = (header.response != nil, header.maySendBody)
    guard header.take(line) else {
      fault = StoreError(.server, "\(job.origin) answered with an endless header.", isWrongAnswer: true)
      return false
    }
    heard = time.now
    // Interim answers and trailers do not restart the idle timeout: they can go on forever.
    if header.maySendBody != couldGoOn { clock.touch(time.now) }
    if !hadAnswer, let response = header.response {
      clock.touch(time.now)
      if let encoding = response.foreignEncoding(of: job.request.kind) {
        fault = CurlFault.encoded(job.origin, encoding)
        return false
      }
      if response.hasUnclearLength {
        fault = CurlFault.unclearLength(job.origin)
        return false
      }
    }
    // libcurl would wait no longer, and count the request as done.
    if expects, taken == 0, isTooEarly { fault = CurlFault.early(job.origin) }
    return !wasRefusedToAsk && fault == nil
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    clock.count(bytes.count, time.now)
    guard let response = header.response else {
      fault = CurlFault.notHTTP(job.origin)
      return 0
    }
    switch job.incoming.offer(bytes, of: response) {
    case .taken: newsSince = newsSince ?? time.now
    case .woken: newsSince = nil
    case .refused:
      isReceivingPaused = true
      return Int(CC_PAUSE)
    }
    return bytes.count
  }

  /// True if the request may be sent. libcurl silently resends a request without a body when a kept connection closes
  /// before a response, but the server may have processed the first one.
  func connected(to address: String) -> Bool {
    clock.touch(time.now)
    if job.onlyPublicAddresses, !IPAddress.isPublic(address) {
      fault = StoreError(.notPermitted, "\(job.origin) is not a public address.")
      return false
    }
    defer { wasSent = true }
    guard wasSent, !job.request.isRepeatable else { return true }
    fault = CurlFault.cut(job.origin, "before it answered")
    return false
  }

  func progress(_ sent: UInt64) {
    guard sent > 0 || counted > 0 else { return }
    let now = time.now
    if sent != counted { clock.touch(now) }
    counted = sent
    given = min(sent - min(sent, framing), taken)
    if let sampled, now - sampled < CurlTransfer.sampleInterval { return }
    sample(now)
  }

  // MARK: Commands of the task

  func resumeReceiving() {
    guard isReceivingPaused else { return }
    isReceivingPaused = false
    clock.goOn(time.now)
    cc_easy_pause(easy, 0, isSendingPaused ? 1 : 0)
  }

  func resumeSending() {
    guard isSendingPaused else { return }
    isSendingPaused = false
    clock.goOn(time.now)
    cc_easy_pause(easy, isReceivingPaused ? 1 : 0, 0)
  }

  func flush(after gathering: Duration) {
    guard let since = newsSince, time.now - since >= gathering else { return }
    newsSince = nil
    job.incoming.flush()
  }

  // MARK: Queries of the worker

  var hasNews: Bool { newsSince != nil }

  /// True if sent bytes are still unacknowledged and the caller wants progress.
  var isDraining: Bool { job.sent != nil && arrived < given }

  var wasHTTP2: Bool { cc_easy_was_http2(easy) != 0 }

  /// True if the body went out without status 100: the server ignores `Expect`.
  var waitedInVain: Bool { expects && taken > 0 && !header.maySendBody }

  /// True for status 417: the server rejects `Expect`. The worker then repeats the request, which libcurl itself does
  /// only in some cases.
  var wasRefusedToAsk: Bool { expects && taken == 0 && header.response?.status == 417 }

  /// True if the server confirms a body that it does not have.
  var isTooEarly: Bool { header.response?.isSuccess == true && !isBodySent }

  private var isBodySent: Bool { isAtEnd || job.request.body.length.map { taken >= $0 } ?? false }

  func nextLook(after now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    clock.next(after: now, isOurs: isReceivingPaused || isSendingPaused)
  }

  func overdue(at now: ContinuousClock.Instant) -> StoreError? {
    if given > 0 { sample(now) }
    guard let expiry = clock.expiry(at: now, isOurs: isReceivingPaused || isSendingPaused) else { return nil }
    // Headers that came late in the idle time are still coming. After early ones the server is silent.
    if case .idle(let limit) = expiry, let heard, now - heard < limit / 2 {
      return CurlFault.endlessHead(job.origin, limit)
    }
    return CurlFault.expired(expiry, job.origin)
  }

  func outcome(of code: Int32) -> Result<HTTPResponse, StoreError> {
    if let fault { return .failure(fault) }
    guard code == Int32(CC_OK) else {
      return .failure(
        CurlFault(
          code: code, words: CurlLibrary.text(UnsafeBufferPointer(start: cc_easy_reason(easy), count: 255)),
          proxyStatus: cc_easy_proxy_status(easy), systemError: cc_easy_system_error(easy),
          hasAnswer: header.response != nil
        ).error(job.origin, job.timeouts))
    }
    guard let response = header.response else {
      return .failure(
        header.hasBegun ? CurlFault.cut(job.origin, "before it answered") : CurlFault.notHTTP(job.origin))
    }
    if isTooEarly { return .failure(CurlFault.early(job.origin)) }
    if taken > 0, counted >= taken { tell(taken) }
    return .success(response)
  }

  /// Asks the kernel how many written bytes the other end has not acknowledged.
  func sample(_ now: ContinuousClock.Instant) {
    sampled = now
    guard let multi else { return }
    let still = cc_easy_unacknowledged(easy, multi)
    if still < held { clock.touch(now) }
    held = still
    let waiting = UInt64(max(0, still))
    if given > waiting { tell(given - waiting) }
  }

  private func tell(_ count: UInt64) {
    guard count > arrived else { return }
    clock.count(Int(clamping: count - arrived), time.now)
    arrived = count
    job.sent?(count)
  }
}

final class CurlJob: Sendable {
  let number: UInt64
  let request: HTTPRequest
  let origin: HTTPOrigin
  let lines: [String]
  let timeouts: HTTPTimeouts
  let onlyPublicAddresses: Bool
  let sent: (@Sendable (UInt64) -> Void)?
  let outgoing: SendQueue
  let incoming = ReceiveQueue()
  let start: ContinuousClock.Instant
  /// Set before the cancel command is posted: a cancelled request that has not begun never begins.
  let isCancelled = Atomic(false)

  init(
    _ number: UInt64, _ request: HTTPRequest, _ origin: HTTPOrigin, _ options: HTTPOptions,
    start: ContinuousClock.Instant, sent: (@Sendable (UInt64) -> Void)?
  ) {
    self.number = number
    self.request = request
    self.origin = origin
    self.start = start
    self.sent = sent
    lines = options.lines(for: request, to: origin)
    timeouts = options.timeouts(for: request)
    onlyPublicAddresses = options.onlyPublicAddresses
    switch request.body {
    case .empty: outgoing = SendQueue([])
    case .bytes(let bytes): outgoing = SendQueue(bytes)
    case .source: outgoing = SendQueue()
    }
  }

  func finish(_ result: Result<HTTPResponse, StoreError>) {
    outgoing.close()
    incoming.finish(result)
  }
}
