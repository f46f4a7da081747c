internal import FileStores

/// The errors of a WebDAV server's statuses (RFC 4918, RFC 9110).
struct WebDAVFault: Sendable {
  let client: WebDAVClient

  /// The error of a status that concerns no path; nil for any other.
  func general(_ response: HTTPResponse, _ call: WebDAVCall) -> StoreError? {
    switch response.status {
    case 401, 407, 413, 414, 429, 431, 500, 502...508: error(response, [], call)
    default: nil
    }
  }

  func error(_ response: HTTPResponse, _ body: [UInt8], _ call: WebDAVCall) -> StoreError {
    let wait = response.retryAfter(now: client.tuning.now() / 1_000_000_000)
    let (name, path) = (client.name, call.path)
    func error(_ kind: StoreError.Kind, _ message: String, _ remedy: String = "") -> StoreError {
      StoreError(kind, message, remedy: remedy, path: path, retryAfter: wait)
    }
    switch response.status {
    case 300...399:
      return error(
        .unsupported, "\(name) sends \(call.request.name) to another address, which byteclub does not follow.",
        "Check \"url\" in the config.")
    case 401, 407:
      return error(
        .notSignedIn, "\(name) does not accept your sign-in.", "Sign in with: \(client.commands.login)")
    case 403:
      return error(
        .notPermitted, "\(name) does not let you \(verb(call)) \"\(path)\".", "Ask the server's owner for permission.")
    case 404, 410: return error(.notFound, "\"\(path)\" does not exist.")
    case 405, 501:
      return error(
        .unsupported, "\(name) does not know \(call.request.method) at this address (status \(response.status)).",
        "Check that \"url\" in the config is a WebDAV folder.")
    case 413: return error(.tooLarge, "\"\(path)\" is larger than \(name) takes.")
    case 414, 431: return error(.badName, "The path \"\(path)\" is too long for \(name).", "Shorten it.")
    case 423:
      return StoreError(
        .rateLimited,
        "\"\(path)\" is locked\(WebDAVLock.owner(in: body).map { " by \($0)" } ?? " by another program").",
        remedy: "Close it there, or try again in a minute.", path: path, retryAfter: wait)
    case 429: return error(.rateLimited, "\(name) asks for fewer requests.", "Try again later.")
    case 503 where wait != nil:
      return error(.rateLimited, "\(name) is busy or asks for fewer requests.", "Try again later.")
    case 502, 503, 504:
      return error(.offline, "\(name) cannot answer now (status \(response.status)).", "Try again later.")
    case 507:
      return error(.quota, "\(name) has no space left.", "Delete some files and empty the trash, then try again.")
    case 400...499:
      return error(
        .badInput, "\(name) refused to \(verb(call)) \"\(path)\" (status \(response.status)).",
        "Choose another name, or ask the server's owner.")
    default:
      return error(.server, "\(name) failed at \(call.request.name) (status \(response.status)).", "Try again later.")
    }
  }

  private func verb(_ call: WebDAVCall) -> String {
    switch call.request.method {
    case .get, .propfind: "read"
    case .delete: "delete"
    case .move: "move"
    case .lock, .unlock: "lock"
    default: "write"
    }
  }
}
