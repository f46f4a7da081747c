import HTTPTypes
import Hummingbird
import JSON

extension Response {
  /// A JSON body. Clients compare the content type as a whole, so it carries no charset.
  static func json(_ value: JSON, status: HTTPResponse.Status = .ok) -> Response {
    bytes(value.spaced, type: "application/json", status: status)
  }

  /// A line of text.
  static func text(_ text: String, status: HTTPResponse.Status) -> Response {
    bytes(text, type: "text/plain; charset=utf-8", status: status)
  }

  private static func bytes(_ text: String, type: String, status: HTTPResponse.Status) -> Response {
    Response(
      status: status, headers: [.contentType: type, .contentLength: String(text.utf8.count)], body: .pieces(text))
  }

  /// What a failed call is answered with.
  static func failure(_ failure: APIFailure, route: String) -> Response {
    switch failure {
    case .badArgument(let reason), .badCall(let reason):
      return text("Error in call to API function \"\(route)\": \(reason)", status: .badRequest)
    case .route(let error): return json(error.body, status: .conflict)
    case .access(let error): return json(error.body, status: .unauthorized)
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
