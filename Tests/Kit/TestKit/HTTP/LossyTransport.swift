public import Backends
public import FileStores
import Synchronization

/// A transport over a bad line, to a server that has its moods: one request in eight fails, in one of seven ways, as a
/// seed decides. What fails before the server sees it has not happened; what fails after it has.
public final class LossyTransport: HTTPTransport {
  private enum Fate {
    case fine, neverSent, answerLost, cut, busy, tooMany, broken, junk
  }

  private struct State {
    var dice: UInt64
    var inARow = 0
    var faults = 0
  }

  private let base: any HTTPTransport
  private let state: Mutex<State>

  public init(_ base: any HTTPTransport, seed: UInt64) {
    self.base = base
    state = Mutex(State(dice: seed &* 0x9E37_79B9_7F4A_7C15 | 1))
  }

  /// How many requests failed.
  public var faults: Int { state.withLock { $0.faults } }

  public func exchange(
    _ request: HTTPRequest, sent: (@Sendable (UInt64) -> Void)?,
    _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> HTTPResponse {
    let fate = nextFate()
    switch fate {
    case .fine: return try await base.exchange(request, sent: sent, receive)
    case .neverSent: throw StoreError(.offline, "The line broke before \(request.name).")
    case .answerLost:
      _ = try await base.exchange(request, sent: sent) { (_, _) throws(StoreError) in }
      throw StoreError(.offline, "The answer to \(request.name) was lost.")
    case .cut:
      var isFirst = true
      _ = try await base.exchange(request, sent: sent) { (response, chunk) throws(StoreError) in
        if isFirst { try await receive(response, chunk.prefix(chunk.count / 2)) }
        isFirst = false
      }
      throw StoreError(.offline, "The line broke within the answer to \(request.name).")
    case .busy: return HTTPResponse(503, headers: ["Retry-After": "2"])
    case .tooMany:
      let text =
        #"{"error_summary":"too_many_requests/","error":{"reason":{".tag":"too_many_requests"},"retry_after":1}}"#
      let response = HTTPResponse(429, headers: ["Content-Type": "application/json", "Retry-After": "1"])
      try await receive(response, Array(text.utf8)[...])
      return response
    case .broken: return HTTPResponse(500)
    case .junk:
      let response = HTTPResponse(200, headers: ["Content-Type": "text/html"])
      try await receive(response, Array("<html>Welcome to the train".utf8)[...])
      return response
    }
  }

  private func nextFate() -> Fate {
    state.withLock { state in
      state.dice ^= state.dice << 13
      state.dice ^= state.dice >> 7
      state.dice ^= state.dice << 17
      guard state.dice >> 32 & 7 == 0, state.inARow < 3 else {
        state.inARow = 0
        return .fine
      }
      state.inARow += 1
      state.faults += 1
      let fates: [Fate] = [.neverSent, .answerLost, .cut, .busy, .tooMany, .broken, .junk]
      return fates[Int(state.dice >> 40 % UInt64(fates.count))]
    }
  }
}
