import Database
import HTTPTypes
import Hummingbird
import JSON
import Logging
import NIOCore

struct Call: Sendable {
  let club: ServedClub
  /// All clubs of the server, for routes of the server itself.
  var clubs: [ServedClub] = []
  let caller: Caller
  let argument: Argument
  let body: RequestBytes
  let head: HTTPRequest
  let peer: String
  /// Scheme and host as the client knows them, for links.
  let origin: String
  var connection: ClientConnection?
  var signed: SignedRequest?
  var multipart: MultipartBody?

  /// - Throws: 401 if the caller is an application.
  var member: ServerMember {
    get throws(APIFailure) {
      guard let member = caller.member else { throw .invalidToken }
      return member
    }
  }

  /// The family of the caller's token, which names their device.
  /// - Throws: 401 if the caller is an application.
  var family: String {
    get throws(APIFailure) {
      guard let family = caller.family else { throw .invalidToken }
      return family
    }
  }

  /// - Throws: 401 if the caller is an application.
  var author: ServerAuthor {
    get throws(APIFailure) { ServerAuthor(try member) }
  }

  func path(
    _ forms: ClubPath.Forms, of key: String = "path", in argument: Argument? = nil, fails: String = "path"
  ) throws(APIFailure) -> ClubPath {
    let argument = argument ?? self.argument
    return try ClubPath(
      argument.string(key), forms, key: argument.place + key, fails: fails, space: club.space)
  }

  /// - Throws: the route's `fails/not_found`.
  func node(_ path: ClubPath, fails: String = "path") async throws -> ServerNode {
    guard let node = try await club.files.index.find(path) else { throw APIFailure.lookup(fails, "not_found") }
    return node
  }

  /// - Throws: the route's `fails/not_found` or `fails/not_file`.
  func file(_ path: ClubPath, fails: String = "path") async throws -> ServerNode {
    let node = try await node(path, fails: fails)
    guard !node.isFolder else { throw APIFailure.lookup(fails, "not_file") }
    return node
  }

  func target(_ path: ClubPath, fails: String) async throws -> String {
    switch path {
    case .path(let display): return display
    case .id(let id, let below):
      guard let node = try await club.files.index.read({ try $0.node(id: id) }) else {
        throw APIFailure.lookup(fails, "malformed_path")
      }
      return node.display + below
    case .rev: throw APIFailure.lookup(fails, "malformed_path")
    }
  }
}

struct Caller: Sendable {
  let member: ServerMember?
  /// nil for an application, and for everyone.
  let token: ServerToken?

  var family: String? { token?.family }
}

extension Call {
  /// - Throws: 429 after too many wrong secrets from this address.
  func noteFailure() throws(APIFailure) {
    if let seconds = club.failures.note(peer, at: club.index.now()) { throw .tooMany(retryAfter: seconds) }
  }

  /// For guessable secrets, before the check: even a right secret is then refused.
  /// - Throws: 429 after too many wrong secrets from this address.
  func checkFailures() throws(APIFailure) {
    if let seconds = club.failures.wait(peer, at: club.index.now()) { throw .tooMany(retryAfter: seconds) }
  }
}

extension Response {
  /// Without a charset, because clients compare the whole content type.
  static func json(_ value: JSON, status: HTTPResponse.Status = .ok) -> Response {
    json(text: value.spaced, status: status)
  }

  static func json(text: String, status: HTTPResponse.Status = .ok) -> Response {
    bytes(text, type: "application/json", status: status)
  }

  static func text(_ text: String, status: HTTPResponse.Status) -> Response {
    bytes(text, type: "text/plain; charset=utf-8", status: status)
  }

  private static func bytes(_ text: String, type: String, status: HTTPResponse.Status) -> Response {
    Response(
      status: status, headers: [.contentType: type, .contentLength: String(text.utf8.count)], body: .pieces(text))
  }

  static func failure(_ failure: APIFailure, route: String) -> Response {
    switch failure {
    case .badArgument(let reason), .badCall(let reason):
      return text("Error in call to API function \"\(route)\": \(reason)", status: .badRequest)
    case .route(let error): return json(error.body, status: .conflict)
    case .access(let error): return json(error.body, status: .unauthorized)
    case .forbidden(let error): return json(error.body, status: .forbidden)
    case .pathRoot(let error): return json(error.body, status: HTTPResponse.Status(code: 422))
    case .tooMany(let seconds):
      let error = JSON.members([
        "error_summary": "too_many_requests/.",
        "error": .members(["reason": .tag("too_many_requests"), "retry_after": .number(seconds)]),
      ])
      var response = json(error, status: HTTPResponse.Status(code: 429))
      response.headers[.retryAfter] = String(seconds)
      return response
    case .unavailable: return text("The club's store does not answer. Try again.", status: .serviceUnavailable)
    case .plain(let status, let line): return text(line, status: HTTPResponse.Status(code: status))
    }
  }
}

struct CallContext: InitializableFromSource, Sendable {
  let channel: any Channel
  let logger: Logger
  var chaos: String?

  init(source: ApplicationRequestContextSource) {
    channel = source.channel
    logger = source.logger
  }

  var requestID: String { logger[metadataKey: "hb.request.id"].map { "\($0)" } ?? FreshID.hexadecimal(32) }

  var peer: String { channel.remoteAddress?.ipAddress ?? TrustedProxies.local }
}
