internal import FileStores

/// The errors of a WebDAV server's statuses (RFC 4918, RFC 9110).
extension WebDAVClient {
  /// The error of a status that concerns no path; nil for any other.
  func general(_ response: HTTPResponse, _ call: WebDAVCall) -> StoreError? {
    switch response.status {
    case 401, 407, 413, 414, 429, 431, 500, 502...508: error(response, [], call)
    default: nil
    }
  }

  /// - Throws: the error of any status but success, and these.
  func check(_ answer: HTTPAnswer, _ call: WebDAVCall, or others: Int...) throws(StoreError) {
    guard answer.isSuccess || others.contains(answer.status) else { throw error(answer, call) }
  }

  func error(_ answer: HTTPAnswer, _ call: WebDAVCall) -> StoreError { error(answer.response, answer.body, call) }

  func error(_ response: HTTPResponse, _ body: [UInt8], _ call: WebDAVCall) -> StoreError {
    let path = call.path
    let fault = StatusFault(
      server: name, request: call.request.name, path: path, status: response.status,
      wait: response.retryAfter(now: tuning.now() / 1_000_000_000), commands: commands, setting: "url")
    switch response.status {
    case 407: return fault.notSignedIn
    case 403:
      return fault.error(
        .notPermitted, "\(name) does not let you \(verb(call)) \"\(path)\".", "Ask the server's owner for permission.")
    case 404, 410: return fault.error(.notFound, "\"\(path)\" does not exist.")
    case 405, 501:
      return fault.error(
        .unsupported, "\(name) does not know \(call.request.method) at this address (status \(response.status)).",
        "Check that \"url\" in the config is a WebDAV folder.")
    case 423:
      return fault.error(
        .rateLimited,
        "\"\(path)\" is locked\(WebDAVLock.owner(in: body).map { " by \($0)" } ?? " by another program").",
        "Close it there, or try again in a minute.")
    case 400...499 where ![401, 413, 414, 429, 431].contains(response.status):
      return fault.error(
        .badInput, "\(name) refused to \(verb(call)) \"\(path)\" (status \(response.status)).",
        "Choose another name, or ask the server's owner.")
    default: return fault.common
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
