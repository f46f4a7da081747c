import FileStores
import HTTPTypes
import Hummingbird
import JSON

struct V1Failure: Error {
  let status: Int
  let text: String
  var members: [JSONMember] = []
  var retryAfter: Int?

  init(_ status: Int, _ text: String) { (self.status, self.text) = (status, text) }

  static func missing(_ display: String) -> V1Failure { V1Failure(404, "Path '\(display)' not found") }
  static func malformed(_ what: String) -> V1Failure { V1Failure(400, what) }

  init(_ error: any Error) {
    switch error {
    case let failure as V1Failure: self = failure
    case let error as Tagged: self.init(tagged: error)
    case let fault as RelocationFault:
      switch fault {
      case .gone: self.init(404, "The file or folder no longer exists.")
      case .intoItself: self.init(403, "A folder cannot go into itself.")
      case .tooMany: self.init(406, "The operation has too many files.")
      }
    case let failure as APIFailure: self.init(shared: failure)
    case let error as StoreError where error.kind == .quota: self.init(507, "A disk of the server is full.")
    case let error as StoreError where [.offline, .rateLimited, .cancelled].contains(error.kind):
      self.init(503, "The club's store does not answer. Try again.")
    default: self.init(500, "The server failed. See its log.")
    }
  }

  private init(shared failure: APIFailure) {
    switch failure {
    case .badArgument(let text), .badCall(let text): self.init(400, text)
    case .route(let error): self.init(tagged: error)
    case .access(let error):
      switch error.tag {
      case "missing_scope": self.init(403, "The access token lacks the permission for this call.")
      default: self.init(401, "The given OAuth 2 access token doesn't exist or has expired.")
      }
    case .forbidden: self.init(403, "This member reads the club, and cannot change it.")
    case .pathRoot: self.init(403, "The root does not exist.")
    case .tooMany(let seconds):
      self.init(429, "This address had too many failures.")
      retryAfter = seconds
    case .unavailable: self.init(503, "The club's store does not answer. Try again.")
    case .plain(let status, let text): self.init(status, text)
    }
  }

  private init(tagged error: Tagged) {
    let words = error.summary.split(separator: "/")
    switch words.last ?? "" {
    case "not_found": self.init(404, "The file or folder does not exist.")
    case "not_file", "not_folder": self.init(404, "The path is not of the requested kind.")
    case "malformed_path", "disallowed_name":
      self.init(400, error.sentence ?? "The name is not allowed in a path here.")
    case "insufficient_space": self.init(507, "The server has no room left.")
    case "server_disk": self.init(507, "A disk of the server is full.")
    case "no_write_permission": self.init(403, "The path is not writable.")
    case "too_many_write_operations":
      self.init(503, "Others are writing at the same path.")
      retryAfter = 1
    case _ where words.contains("conflict"): self.init(409, "Something already exists.")
    default: self.init(400, "The server refused the call: \(error.summary)")
    }
  }

  var response: Response {
    var response = Response.json(
      .object(members + [JSONMember("error", .string(text))]), status: HTTPResponse.Status(code: status))
    if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
    return response
  }
}
