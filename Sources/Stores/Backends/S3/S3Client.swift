internal import Basics
internal import FileStores
internal import Synchronization
internal import XML

/// A request to an S3 server, before it is signed.
struct S3Call: Sendable {
  var method: HTTPMethod
  /// The path in errors.
  var path: StorePath
  /// nil for the bucket.
  var key: String?
  var query: [(String, String)] = []
  var headers: [(String, String)] = []
  var body = Body.empty
  /// A hash to send instead of the body's, for the self-test.
  var otherHash: String?
  /// True for the content of files.
  var isContent = false
  /// True for content that is known to be short.
  var isShort = false
  /// A body of at least this many bytes is announced first (`HTTPRequest.asksFrom`). Only the store knows if the server
  /// waits for it then.
  var asksFrom = UInt64.max
  var sent: (@Sendable (UInt64) -> Void)?

  /// Each body goes with its SHA-256 in the signature, and a server that compares it refuses damaged bytes (AWS,
  /// "Authenticating Requests").
  enum Body: Sendable {
    case empty
    case bytes([UInt8])
    /// - Parameter hash: the SHA-256 of these bytes, in hexadecimal digits.
    case source(any ByteSource, from: UInt64, length: UInt64, hash: String)
  }

  init(
    _ method: HTTPMethod, _ key: String?, about path: StorePath, query: [(String, String)] = [],
    headers: [(String, String)] = []
  ) {
    (self.method, self.key, self.path, self.query, self.headers) = (method, key, path, query, headers)
  }
}

/// Signs and sends requests. Learns the difference to the server's clock from a refusal, once.
final class S3Client: Sendable {
  private static let longestAnswer = 16 << 20

  let place: S3Place
  private let transport: any HTTPTransport
  private let source: S3KeySource
  private let now: @Sendable () -> Int64
  private let skew = Mutex<Int64>(0)

  /// - Parameter now: seconds since 1970.
  init(place: S3Place, transport: any HTTPTransport, keys: S3KeySource, now: @escaping @Sendable () -> Int64) {
    (self.place, self.transport, source, self.now) = (place, transport, keys, now)
  }

  /// The seconds by which the server's clock is ahead, once a refusal has shown that it matters; else 0.
  var clockSkew: Int64 { skew.withLock { $0 } }

  typealias Answer = HTTPAnswer

  /// The answer of any status but those that concern no single object: a refused sign-in, a busy server and the like.
  func answer(_ call: S3Call) async throws(StoreError) -> Answer {
    let answer = S3Client.settled(try await send(call) { (_, _) throws(StoreError) in })
    if answer.isSuccess, call.method != .get, call.method != .head, S3Client.isWebPage(answer) {
      throw S3Fault(place: place, call: call).nonsense("a web page")
    }
    return answer
  }

  /// - Throws: the error of any status but success, and these.
  @discardableResult
  func success(_ call: S3Call, or others: Int...) async throws(StoreError) -> Answer {
    let answer = try await answer(call)
    guard answer.isSuccess || others.contains(answer.status) else { throw error(answer, call) }
    return answer
  }

  /// The root of the answer of a success.
  func root(_ call: S3Call) async throws(StoreError) -> XMLNode { try node(try await success(call), call) }

  /// True for the page of a network's sign-in, which would pass for a change that was made. Servers call even an empty
  /// body HTML.
  private static func isWebPage(_ answer: Answer) -> Bool {
    guard answer.response.headers["Content-Type"]?.hasPrefix("text/html") == true, !answer.body.isEmpty else {
      return false
    }
    let root = try? XMLNodes.read(answer.body)
    return root.map { $0.name.local.lowercased() == "html" } ?? true
  }

  /// A server may begin to answer with success before it is done, and report an error in the body (AWS, CopyObject and
  /// CompleteMultipartUpload): then the status is the error's.
  private static func settled(_ answer: Answer) -> Answer {
    let mark = Array("<Error".utf8)
    guard answer.isSuccess, answer.body.count < 1 << 16, answer.body.firstRange(of: mark) != nil,
      let root = try? XMLNodes.read(answer.body), root.name.local == "Error"
    else { return answer }
    let status =
      switch root["Code"]?.text {
      case "PreconditionFailed": 412
      case "ConditionalRequestConflict", "OperationAborted": 409
      case "NoSuchUpload", "NoSuchKey", "NoSuchBucket": 404
      case "AccessDenied": 403
      case "SlowDown", "ServiceUnavailable": 503
      default: 500
      }
    return Answer(response: HTTPResponse(status, headers: answer.response.headers), body: answer.body)
  }

  /// Hands out the body of a successful response. `begin` gets its head, also without a body.
  func download(
    _ call: S3Call, begin: (HTTPResponse) throws(StoreError) -> Void,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> Answer {
    try await send(call, handingOut: true, begin: begin) { (_, chunk) throws(StoreError) in try await receive(chunk) }
  }

  /// The root of an answer in XML with all its elements.
  /// - Throws: `server` for anything else.
  func node(_ answer: Answer, _ call: S3Call) throws(StoreError) -> XMLNode {
    let fault = S3Fault(place: place, call: call)
    do throws(XMLReader.Fault) {
      let node = try XMLNodes.read(answer.body)
      if node.name.local != "Error" { return node }
    } catch {
      throw fault.nonsense("an answer that is not XML (\(error.reason))")
    }
    throw fault.error(answer.response, answer.body, now: now())
  }

  func error(_ answer: Answer, _ call: S3Call) -> StoreError {
    S3Fault(place: place, call: call).error(answer.response, answer.body, now: now())
  }

  private func send(
    _ call: S3Call, handingOut: Bool = false, begin: (HTTPResponse) throws(StoreError) -> Void = { _ in },
    _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> Answer {
    var stale: S3KeySource.Found?
    var (hasSetClock, isExpired) = (false, false)
    while true {
      if Task.isCancelled { throw .cancelled("The work on \"\(call.path)\"", path: call.path) }
      let found: S3KeySource.Found
      do throws(StoreError) {
        found = try await source.keys(refusing: stale)
      } catch {
        throw (isExpired && error.kind == .notSignedIn ? S3Fault.expired(place.name) : error).about(call.path)
      }
      let answer = try await exchange(call, found.keys, handingOut, begin, receive)
      guard 400...499 ~= answer.status else { return answer }
      let code = S3Fault.code(answer.body)
      if !hasSetClock, S3Fault.isAboutClock(code, answer.response, now: now() + clockSkew),
        let date = answer.response.date
      {
        hasSetClock = true
        skew.withLock { $0 = date - now() }
        continue
      }
      if stale == nil, S3Fault.isAboutKeys(code) {
        (stale, isExpired) = (found, S3Fault.isAboutExpiry(code))
        continue
      }
      return answer
    }
  }

  private func exchange(
    _ call: S3Call, _ keys: S3Keys, _ handingOut: Bool, _ begin: (HTTPResponse) throws(StoreError) -> Void,
    _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> Answer {
    let (response, body) = try await transport.answer(
      about: call.path, handingOut: handingOut, longest: S3Client.longestAnswer, sent: call.sent,
      tooLong: { S3Fault(place: place, call: call).nonsense($0) }, { signed(call, keys) }, begin: begin, receive)
    return Answer(response: response, body: body)
  }

  private func signed(_ call: S3Call, _ keys: S3Keys) -> HTTPRequest {
    let path = place.requestPath(call.key)
    let (body, hash): (HTTPBody, String) =
      switch call.body {
      case .empty: (.empty, S3Signer.emptyHash)
      case .bytes(let bytes): (.bytes(bytes), call.otherHash ?? SHA256.hexadecimal(of: bytes))
      case .source(let source, let offset, let length, let hash): (.source(source, from: offset, length: length), hash)
      }
    let fields = S3Signer(keys: keys, region: place.region).fields(
      for: S3Signer.Request(
        method: call.method.word, host: place.origin.place, path: path, query: call.query, headers: call.headers,
        payloadHash: hash), at: now() + clockSkew)
    // A name alone, such as `?uploads`, is signed with an empty value and sent without one, as AWS's own clients do.
    let query = call.query.map { name, value in
      PercentEncoding.encoded(name) + (value.isEmpty ? "" : "=" + PercentEncoding.encoded(value))
    }
    let url = place.origin.description + path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    var request = HTTPRequest(
      call.method, url, body: body, kind: !call.isContent ? .call : call.isShort ? .shortContent : .content)
    request.asksFrom = call.asksFrom
    for (name, value) in call.headers + fields { request.headers.append(name, value) }
    return request
  }

  /// An ETag without its quotes; nil for one that is not printable ASCII.
  static func revision(_ etag: String) -> String? {
    var text = etag[...]
    if text.hasPrefix("W/") { text = text.dropFirst(2) }
    if text.hasPrefix("\""), text.hasSuffix("\""), text.utf8.count > 1 { text = text.dropFirst().dropLast() }
    let isWord = 1...256 ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") }
    return isWord ? String(text) : nil
  }
}

extension HTTPAnswer {
  /// Without the quotes; `"` cannot be in it.
  var etag: String? { response.headers["ETag"].flatMap(S3Client.revision) }
}
