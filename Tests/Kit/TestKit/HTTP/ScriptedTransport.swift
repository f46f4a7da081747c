public import Backends
public import FileStores
import Synchronization

/// A transport without a network: it records requests and returns the responses of a test.
///
/// It reads the body's source to its end before it looks for a response, and calls `sent` after each chunk.
public final class ScriptedTransport: HTTPTransport {
  /// A recorded request.
  public struct Recorded: Sendable {
    /// The request, with the body as given.
    public let request: HTTPRequest
    public let body: [UInt8]

    public var text: String { String(decoding: body, as: UTF8.self) }
    /// The part of the URL after the host.
    public var target: String {
      let rest = request.url.drop { $0 != "/" }.drop { $0 == "/" }
      return String(rest.drop { $0 != "/" })
    }
  }

  public enum Answer: Sendable {
    /// A whole response.
    case response(HTTPResponse, [UInt8])
    /// The header and some bytes, then an error.
    case cut(HTTPResponse, [UInt8], StoreError)
    /// No response.
    case failure(StoreError)
    /// No response until the task is cancelled; the gate opens at the beginning.
    case hang(Gate)

    /// A response with text, by default JSON.
    public static func text(_ status: Int, _ text: String, headers: HTTPHeaders = [:]) -> Answer {
      var headers = headers
      if headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
      return .response(HTTPResponse(status, headers: headers), Array(text.utf8))
    }
  }

  private struct State {
    var script: [Answer]
    var recorded: [Recorded] = []
  }

  private let state: Mutex<State>
  private let answer: (@Sendable (Recorded) async -> Answer?)?
  private let chunkSize: Int

  /// Responds in the order of the script; a request after its end fails with `server`.
  public init(_ script: [Answer], chunkSize: Int = 1000) {
    state = Mutex(State(script: script))
    answer = nil
    self.chunkSize = chunkSize
  }

  /// Responds with `answer`; nil fails with `server`. It may be called in parallel.
  public init(chunkSize: Int = 1000, answer: @escaping @Sendable (Recorded) async -> Answer?) {
    state = Mutex(State(script: []))
    self.answer = answer
    self.chunkSize = chunkSize
  }

  /// All requests so far, in the order in which their bodies were complete.
  public var recorded: [Recorded] { state.withLock { $0.recorded } }
  /// The number of unused responses in the script.
  public var unused: Int { state.withLock { $0.script.count } }

  /// Responds according to the script.
  public func exchange(
    _ request: HTTPRequest, sent: (@Sendable (UInt64) -> Void)?,
    _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> HTTPResponse {
    if Task.isCancelled { throw .cancelled(request.name) }
    let recorded = Recorded(request: request, body: try await bytes(of: request.body, sent))
    let scripted = state.withLock { state in
      state.recorded.append(recorded)
      return state.script.isEmpty ? nil : state.script.removeFirst()
    }
    var answer = scripted
    if let ask = self.answer { answer = await ask(recorded) }
    if Task.isCancelled { throw .cancelled(request.name) }
    switch answer {
    case nil: throw StoreError(.server, "The script has no answer to \(request.name).")
    case .failure(let error): throw error
    case .hang(let gate):
      gate.open()
      await Gate().wait()
      throw .cancelled(request.name)
    case .response(let response, let bytes):
      try await hand(bytes, of: response, to: receive)
      return response
    case .cut(let response, let bytes, let error):
      try await hand(bytes, of: response, to: receive)
      throw error
    }
  }

  private func bytes(
    of body: HTTPBody, _ sent: (@Sendable (UInt64) -> Void)?
  ) async throws(StoreError) -> [UInt8] {
    switch body {
    case .empty: return []
    case .bytes(let bytes):
      sent?(UInt64(bytes.count))
      return bytes
    case .source(let source, let offset, let length):
      var reading = try await source.open(at: offset)
      var bytes: [UInt8] = []
      let limit = length.map { Int(clamping: $0) } ?? .max
      while bytes.count < limit, let chunk = try await reading.next() {
        bytes.append(contentsOf: chunk.prefix(limit - bytes.count))
        sent?(UInt64(bytes.count))
      }
      guard length == nil || bytes.count == limit else {
        throw StoreError(.badInput, "The source ended after \(bytes.count) of \(limit) bytes.")
      }
      return bytes
    }
  }

  private func hand(
    _ bytes: [UInt8], of response: HTTPResponse,
    to receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      if Task.isCancelled { throw .cancelled("The answer") }
      try await receive(response, rest.prefix(chunkSize))
      rest = rest.dropFirst(chunkSize)
    }
  }
}

extension CurlTransport {
  /// A transport to a server of this machine, which may be stopped for a while: no test that uses it is about timeouts.
  public static func patient(_ options: HTTPOptions) -> CurlTransport {
    var patient = options
    patient.timeouts = .patient
    return CurlTransport(options: patient)
  }
}

extension HTTPTimeouts {
  /// Longer than any test takes.
  public static let patient = HTTPTimeouts(connect: .seconds(600), idle: .seconds(600))
}
