internal import FileStores
internal import JSON

struct DropboxFault: Sendable {
  let server: DropboxServer
  /// Seconds since 1970, for dates in `Retry-After`.
  let now: @Sendable () -> Int64

  func error(_ response: HTTPResponse, _ body: [UInt8], _ call: DropboxCall) -> StoreError {
    let json = JSONValue.answer(body)
    let wait = response.retryAfter(now: now()) ?? json?["error"]?["retry_after"]?.seconds
    let name = call.route.rawValue
    func error(_ kind: StoreError.Kind, _ message: String, _ remedy: String = "") -> StoreError {
      StoreError(kind, message, remedy: remedy, path: call.path, retryAfter: wait)
    }
    switch response.status {
    // A longpoll needs no sign-in, so these statuses come from a proxy.
    case 300...399 where call.route == .longPoll, 403...405 where call.route == .longPoll,
      501 where call.route == .longPoll:
      return error(.unsupported, "\(server.name) does not answer the change request (\(response.status)).")
    case 300...399:
      return error(
        .unsupported, "\(server.name) sends \(name) to another address, which byteclub does not follow.",
        "Check \"server\" in the config.")
    case 400: return badCall(json, body, call)
    case 401: return notSignedIn(json, call)
    case 403: return notPermitted(json, call)
    case 404, 405, 501:
      return error(
        .unsupported, "\(server.name) does not know \(name) (status \(response.status)).",
        "Check that \"server\" in the config is the address of a Dropbox-style server.")
    case 413: return error(.tooLarge, "\"\(call.path)\" is larger than \(server.name) takes.")
    case 414, 431: return error(.badName, "The path \"\(call.path)\" is too long for \(server.name).", "Shorten it.")
    case 422:
      return error(
        .notPermitted, "\(server.name) does not know the requested root (\(summary(json, body))).",
        "Sign in again with: \(server.commands.login)")
    case 429:
      return error(.rateLimited, "\(server.name) asks for fewer requests.", "Try again later.")
    // With a retry time it means the same as 429. Without one, a gateway cannot reach the server.
    case 503 where wait != nil:
      return error(.rateLimited, "\(server.name) is busy or asks for fewer requests.", "Try again later.")
    case 502, 503, 504:
      return error(.offline, "\(server.name) cannot answer now (status \(response.status)).", "Try again later.")
    // Of byteclub's own server it is the disk, and never a quota.
    case 507 where server != .official:
      return error(
        .quota, "\(server.name) has no space left on its own disk.",
        "Ask the server's owner to free some space there, then try again.")
    case 507:
      return error(
        .quota, "\(server.name) has no space left.", "Delete some files and empty the trash, then try again.")
    case 500...599:
      return error(.server, "\(server.name) failed at \(name) (status \(response.status)).", "Try again later.")
    default:
      return error(.server, "\(server.name) answered \(name) with the unexpected status \(response.status).")
    }
  }

  func nonsense(_ what: String, _ call: DropboxCall) -> StoreError {
    .nonsense("\(server.name) answered \(call.route.rawValue) with \(what)", call.path)
  }

  /// True if a new token may help. Missing permissions stay missing with any token.
  static func isAboutToken(_ body: [UInt8]) -> Bool {
    switch JSONValue.answer(body)?["error"]?[".tag"]?.text {
    case "missing_scope", "user_suspended", "route_access_denied", "invalid_select_user", "invalid_select_admin": false
    default: true
    }
  }

  private func notSignedIn(_ json: JSONValue?, _ call: DropboxCall) -> StoreError {
    let error = json?["error"]
    switch error?[".tag"]?.text {
    case "missing_scope":
      let scope = error?["required_scope"]?.text.map { " \"\($0)\"" } ?? ""
      return StoreError(
        .notSignedIn, "Your sign-in at \(server.name) lacks the permission\(scope) for \(call.route.rawValue).",
        remedy: "Sign in again with: \(server.commands.login)", path: call.path)
    case "user_suspended":
      return StoreError(
        .notPermitted, "Your account at \(server.name) is suspended.", remedy: "Ask \(server.name) for the reason.",
        path: call.path)
    case "route_access_denied":
      return StoreError(
        .notPermitted, "\(server.name) does not let this app use \(call.route.rawValue).", path: call.path)
    default:
      // Same wording as `AccountTokens`: after a rejected listing and longpoll, the member may see either error.
      return StoreError(
        .notSignedIn, "\(server.name) does not accept your sign-in.",
        remedy: "Sign in with: \(server.commands.login)",
        path: call.path)
    }
  }

  private func notPermitted(_ json: JSONValue?, _ call: DropboxCall) -> StoreError {
    // The answer of a club behind `byteclub serve` to a member who was invited to read.
    if json?["error"]?[".tag"]?.text == "no_write_permission" {
      return StoreError(
        .notPermitted, "You can read this club, but not change it.", remedy: "Ask its owner if you want to write.",
        path: call.path)
    }
    let reason = json.map { " (\(summary($0, [])))" } ?? ""
    return StoreError(
      .notPermitted, "\(server.name) does not permit \(call.route.rawValue)\(reason).",
      remedy: "Check what your account may do there.", path: call.path)
  }

  /// Status 400 has only a text, whose beginning depends on the cause.
  private func badCall(_ json: JSONValue?, _ body: [UInt8], _ call: DropboxCall) -> StoreError {
    let text = summary(json, body)
    let low = text.lowercased()
    if low.contains("access token") || low.contains("authorization") {
      return StoreError(
        .notSignedIn, "\(server.name) cannot read your sign-in: \(text).",
        remedy: "Sign in again with: \(server.commands.login)",
        path: call.path)
    }
    if low.contains("unknown api function") || low.contains("no such route") || low.contains("unknown route") {
      return StoreError(.unsupported, "\(server.name) does not know \(call.route.rawValue).", path: call.path)
    }
    if low.contains("plain http request was sent to https port") { return server.wantsEncryption }
    let isName = !call.path.isRoot && low.contains("path") && !low.contains("cursor")
    if isName, low.contains("match") || low.contains("malformed") || low.contains("invalid") {
      return StoreError(
        .badName, "\(server.name) cannot hold the name \"\(call.path)\".", remedy: "Choose another name.",
        path: call.path)
    }
    return StoreError(
      .badInput, "\(server.name) does not understand \(call.route.rawValue): \(text).", path: call.path)
  }

  private func summary(_ json: JSONValue?, _ body: [UInt8]) -> String {
    var text = json?["error_summary"]?.text ?? json?["error"]?.text ?? ""
    if text.isEmpty { text = String(decoding: body.prefix(300), as: UTF8.self) }
    return text.asServersClause
  }
}
