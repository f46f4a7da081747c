internal import FileStores
internal import Synchronization

/// What a call hands to libcurl's thread.
final class CurlJob: Sendable {
  let number: UInt64
  let request: HTTPRequest
  let origin: HTTPOrigin
  /// The lines of the header that are not libcurl's own.
  let lines: [String]
  let timeouts: HTTPTimeouts
  let sent: (@Sendable (UInt64) -> Void)?
  let outgoing: SendQueue
  let incoming = ReceiveQueue()
  let start = ContinuousClock.now
  /// Set before the thread is told, so that a cancelled call that has not begun never does.
  let isCancelled = Atomic(false)

  init(
    _ number: UInt64, _ request: HTTPRequest, _ origin: HTTPOrigin, _ options: HTTPOptions,
    sent: (@Sendable (UInt64) -> Void)?
  ) {
    self.number = number
    self.request = request
    self.origin = origin
    self.sent = sent
    lines = options.lines(for: request, to: origin)
    timeouts = options.timeouts(for: request)
    switch request.body {
    case .empty: outgoing = SendQueue([])
    case .bytes(let bytes): outgoing = SendQueue(bytes)
    case .source: outgoing = SendQueue()
    }
  }

  /// Ends the call; the first word counts.
  func finish(_ result: Result<HTTPResponse, StoreError>) {
    outgoing.close()
    incoming.finish(result)
  }
}
