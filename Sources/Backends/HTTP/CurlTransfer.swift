internal import CCurl
internal import FileStores

/// One request on libcurl's thread.
final class CurlTransfer {
  /// Between two questions to the kernel about what it still holds.
  private static let sampleInterval = Duration.milliseconds(10)

  let job: CurlJob
  private let easy: OpaquePointer
  private var multi: OpaquePointer?
  private var clock: TransferClock
  private var header = HeaderReader()
  /// What went wrong in a callback; it says more than libcurl, which only knows that the callback refused.
  private var fault: StoreError?
  private let time: TurnTime
  private let expects: Bool
  private var wasSent = false
  /// Since when there are bytes that the task may not have been told of.
  private var newsSince: ContinuousClock.Instant?
  private var isReceivingPaused = false
  private var isSendingPaused = false
  /// Bytes of the body that libcurl has taken, given to the connection, and that are known to have arrived.
  private var taken: UInt64 = 0
  private var given: UInt64 = 0
  /// As `given`, with the lines between chunks, which libcurl counts too.
  private var counted: UInt64 = 0
  private var framing: UInt64 = 0
  private var arrived: UInt64 = 0
  private var held: Int64 = 0
  private var sampled: ContinuousClock.Instant?

  /// Nil when memory is short.
  init?(_ job: CurlJob, _ options: HTTPOptions, _ time: TurnTime, expects: Bool) {
    self.job = job
    self.time = time
    let length = job.request.body.length
    self.expects = expects && (length ?? .max) >= CurlSetup.expectFrom
    clock = TransferClock(job.timeouts, start: job.start)
    guard let easy = CurlSetup.easy(job, options, expects: self.expects) else { return nil }
    self.easy = easy
  }

  deinit { cc_easy_free(easy) }

  /// Hands the request to libcurl; false when it does not take it.
  func begin(on multi: OpaquePointer) -> Bool {
    cc_easy_set_context(easy, Unmanaged.passUnretained(self).toOpaque())
    guard cc_easy_add(easy, multi) == 0 else { return false }
    self.multi = multi
    return true
  }

  /// Takes it from libcurl, whatever was going on.
  func remove() {
    if let multi { cc_easy_remove(easy, multi) }
    multi = nil
  }

  // MARK: What libcurl says

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    clock.touch(time.now)
    switch job.outgoing.take(into: buffer) {
    case .bytes(let count):
      taken += UInt64(count)
      // Eight digits and two line ends at most, for each time that we are asked.
      if job.request.body.length == nil { framing += 12 }
      return count
    case .end: return 0
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
    (taken, given, counted, framing) = (offset, 0, 0, 0)
    return true
  }

  func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    clock.touch(time.now)
    guard header.take(line) else {
      fault = StoreError(.server, "\(job.origin) answered with an endless header.")
      return false
    }
    return !wasRefusedToAsk
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    clock.touch(time.now)
    guard let response = header.response else {
      fault = CurlFault.notHTTP(job.origin)
      return 0
    }
    switch job.incoming.offer(bytes, of: response) {
    case .taken: newsSince = newsSince ?? time.now
    case .told: newsSince = nil
    case .refused:
      isReceivingPaused = true
      return Int(CC_PAUSE)
    }
    return bytes.count
  }

  /// Whether the request may be sent. libcurl sends one without a body again without a word (there is nothing to seek)
  /// when a kept connection is closed before an answer; what was sent may have happened.
  func connected() -> Bool {
    clock.touch(time.now)
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

  // MARK: What our side says

  func resumeReceiving() {
    guard isReceivingPaused else { return }
    isReceivingPaused = false
    clock.touch(time.now)
    cc_easy_pause(easy, 0, isSendingPaused ? 1 : 0)
  }

  func resumeSending() {
    guard isSendingPaused else { return }
    isSendingPaused = false
    clock.touch(time.now)
    cc_easy_pause(easy, isReceivingPaused ? 1 : 0, 0)
  }

  /// Tells the task of bytes that have been there for so long.
  func flush(after gathering: Duration) {
    guard let since = newsSince, time.now - since >= gathering else { return }
    newsSince = nil
    job.incoming.flush()
  }

  // MARK: What the worker asks

  var hasNews: Bool { newsSince != nil }

  /// Whether bytes may be arriving that nobody has been told of.
  var isDraining: Bool { job.sent != nil && arrived < given }

  var wasHTTP2: Bool { cc_easy_was_http2(easy) != 0 }

  /// Whether the server let us send the body without ever having said that we may.
  var waitedInVain: Bool { expects && taken > 0 && !header.wasToldToContinue }

  /// Whether the server will not be asked (417): it is sent the same request without the question, and nobody hears of
  /// this answer. libcurl would do so itself, but not always.
  var wasRefusedToAsk: Bool { expects && taken == 0 && header.response?.status == 417 }

  func nextLook(after now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    clock.next(after: now, isOurs: isReceivingPaused || isSendingPaused)
  }

  func overdue(at now: ContinuousClock.Instant) -> StoreError? {
    if given > 0 { sample(now) }
    return clock.expiry(at: now, isOurs: isReceivingPaused || isSendingPaused).map {
      CurlFault.expired($0, job.origin)
    }
  }

  /// What the call returns, given what libcurl ended with.
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
    // The server has answered for all that it was sent.
    if taken > 0, counted >= taken { tell(taken) }
    return .success(response)
  }

  /// Asks the kernel how much of what it was given has not been acknowledged by the other end.
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
    arrived = count
    job.sent?(count)
  }
}
