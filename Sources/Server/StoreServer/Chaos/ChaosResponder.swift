import Hummingbird
import NIOCore
import Synchronization

struct ChaosResponder: HTTPResponder {
  typealias Context = CallContext
  private let base: ClubResponder
  private let chaos: Chaos?
  private let counts = ChaosCounts()

  init(_ chaos: Chaos?, before base: ClubResponder) {
    (self.base, self.chaos) = (base, chaos)
  }

  func respond(to request: Request, context: CallContext) async throws -> Response {
    guard let chaos else { return try await base.respond(to: request, context: context) }
    let path = String(request.head.barePath)
    let route = base.table[path]?.path ?? "(unknown)"
    let fate = chaos.fate(of: path, route: route, count: counts.next(route))
    var context = context
    context.chaos = fate.words
    if fate.latency > .zero { try await Task.sleep(for: fate.latency) }
    let channel = context.channel
    if let instead = try await answer(insteadOf: path, fate, channel) {
      var record = AccessRecord(
        request: context.requestID, client: base.address(of: request.head, peer: context.peer).peer,
        method: request.method.rawValue, call: route, status: instead.status.code)
      record.chaos = fate.words
      base.monitor.note(record, context.logger)
      return instead
    }
    var request = request
    let pace = fate.bandwidth.map(Pace.init)
    let hasCut = fate.failure?.fault == .cutBody
    if let pace {
      // By default the kernel buffers megabytes, which would hide the slow reading from the sender.
      let room = Int(clamping: max(pace.bytesPerSecond / 8, 8192))
      try? await channel.setOption(.socketOption(.so_rcvbuf), value: room).get()
    }
    if pace != nil || hasCut {
      let declared = request.headers[.contentLength].flatMap(UInt64.init) ?? 1
      request.body = RequestBody(
        asyncSequence: PacedBytes(
          base: request.body, pace: pace, limit: hasCut ? fate.place(in: declared) : nil,
          broken: { try await ChaosResponder.close(channel) }))
    }
    let response = try await base.respond(to: request, context: context)
    if fate.failure?.fault == .drop { try await ChaosResponder.close(channel) }
    return sending(response, fate, pace, channel)
  }

  private func answer(insteadOf path: String, _ fate: ChaosFate, _ channel: any Channel) async throws -> Response? {
    guard let failure = fate.failure else { return nil }
    let seconds = Int(clamping: ((failure.amount ?? 1000) + 999) / 1000)
    switch failure.fault {
    case .tooMany:
      if path.hasPrefix("/1/") { return V1Failure(APIFailure.tooMany(retryAfter: seconds)).response }
      return .failure(.tooMany(retryAfter: seconds), route: path)
    case .busy:
      var response = Response.failure(.unavailable, route: path)
      response.headers[.retryAfter] = String(seconds)
      return response
    case .broken: return .failure(.plain(status: 500, "The server failed on purpose."), route: path)
    case .junk:
      var response = Response.text("<html><title>Welcome to the train</title>", status: .ok)
      response.headers[.contentType] = "text/html"
      return response
    case .refuse:
      try? await channel.close()
      return Response(status: .serviceUnavailable)
    case .latency, .bandwidth, .cutBody, .cut, .stall, .drop: return nil
    }
  }

  private func sending(_ response: Response, _ fate: ChaosFate, _ pace: Pace?, _ channel: any Channel) -> Response {
    let fault = fate.failure?.fault
    guard pace != nil || fault == .cut || fault == .stall else { return response }
    let length = response.body.contentLength.map { UInt64($0) }
    let stop: FaultyWriter.Stop? =
      fault == .stall ? FaultyWriter.Stop(at: (length ?? 0) / 2, time: fate.failure?.time ?? .zero) : nil
    let end = fault == .cut ? fate.place(in: length ?? 0) : nil
    // The pace counts from the first byte of the answer.
    let bandwidth = fate.bandwidth
    var response = response
    let body = response.body
    response.body = ResponseBody(contentLength: body.contentLength) { writer in
      try await body.write(
        FaultyWriter(
          writer, pace: bandwidth.map(Pace.init), stop: stop, end: end,
          close: { try await ChaosResponder.close(channel) }))
    }
    return response
  }

  private static func close(_ channel: any Channel) async throws {
    try? await channel.close()
    throw ChaosEnd()
  }
}

struct ChaosEnd: Error {}

final class ChaosCounts: Sendable {
  private let counts = Mutex<[String: UInt64]>([:])

  func next(_ route: String) -> UInt64 {
    counts.withLock { counts in
      defer { counts[route, default: 0] += 1 }
      return counts[route, default: 0]
    }
  }
}
