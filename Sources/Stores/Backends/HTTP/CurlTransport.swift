public import FileStores
internal import Synchronization

/// Requests over libcurl. One thread serves them all; it starts with the first and sleeps when idle. Connections are
/// kept for later requests and close with the last reference to the transport. Any thread may use the transport.
public final class CurlTransport: HTTPTransport {
  private let options: HTTPOptions
  private let now: @Sendable () -> ContinuousClock.Instant
  private let loop: CurlLoop
  private let numbers = Atomic<UInt64>(0)

  public convenience init(options: HTTPOptions) { self.init(options: options, library: "libcurl.so.4") }

  /// - Parameter now: the time for all timeouts but that of the connection, which libcurl measures.
  init(
    options: HTTPOptions, library: String = "libcurl.so.4",
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.options = options
    self.now = now
    loop = CurlLoop(options, library: library, now: now)
  }

  deinit { loop.post(.stop) }

  public var connectionsPerHost: Int { options.connectionsPerHost }

  public func exchange(
    _ request: HTTPRequest, sent: (@Sendable (UInt64) -> Void)?,
    _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> HTTPResponse {
    let origin = try options.admit(request)
    let number = numbers.wrappingAdd(1, ordering: .relaxed).newValue
    let job = CurlJob(number, request, origin, options, start: now(), sent: sent)
    let loop = loop
    let result = await withTaskCancellationHandler {
      await carry(job, receive)
    } onCancel: {
      job.isCancelled.store(true, ordering: .sequentiallyConsistent)
      loop.post(.cancel(number))
    }
    return try result.get()
  }

  /// Makes libcurl's thread look at the time once more.
  func wake() { loop.post(.look) }

  private func carry(
    _ job: CurlJob, _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async -> Result<HTTPResponse, StoreError> {
    loop.post(.begin(job))
    guard case .source(let source, let offset, let length) = job.request.body else {
      return await drain(job, receive)
    }
    let loop = loop
    let number = job.number
    let feeder = BodyFeeder(source: source, offset: offset, length: length, queue: job.outgoing) {
      loop.post(.send(number))
    }
    async let feeding: Void = feeder.run()
    let result = await drain(job, receive)
    await feeding
    return result
  }

  private func drain(
    _ job: CurlJob, _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async -> Result<HTTPResponse, StoreError> {
    while true {
      switch await job.incoming.next() {
      case .end(let result): return result
      case .chunk(let response, let bytes, let resume):
        do throws(StoreError) {
          try await receive(response, bytes[...])
        } catch {
          loop.post(.cancel(job.number))
          // Wait for the thread's final event: nothing may happen after the return.
          _ = await job.incoming.end()
          return .failure(error)
        }
        if resume { loop.post(.receive(job.number)) }
      }
    }
  }
}
