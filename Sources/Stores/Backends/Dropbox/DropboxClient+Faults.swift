internal import FileStores
internal import JSON

extension DropboxClient {
  func ownError(_ json: JSONValue?, _ body: [UInt8], _ call: DropboxCall, _ fault: StatusFault) -> StoreError? {
    switch fault.status {
    case 400: badCall(json, body, call, fault)
    case 401: notSignedIn(json, call, fault)
    case 403: notPermitted(json, call, fault)
    case 422:
      fault.error(
        .notPermitted, "\(server.name) does not know the requested root (\(summary(json, body))).", fault.signInAgain)
    // Of byteclub's own server it is the disk, and never a quota.
    case 507 where server != .official:
      fault.error(
        .quota, "\(server.name) has no space left on its own disk.",
        "Ask the server's owner to free some space there, then try again.")
    default: nil
    }
  }

  /// Missing permissions stay missing with any token.
  static func isAboutToken(_ body: [UInt8]) -> Bool {
    switch JSONValue.answer(body)?["error"]?[".tag"]?.text {
    case "missing_scope", "user_suspended", "route_access_denied", "invalid_select_user", "invalid_select_admin": false
    default: true
    }
  }

  private func notSignedIn(_ json: JSONValue?, _ call: DropboxCall, _ fault: StatusFault) -> StoreError {
    let error = json?["error"]
    switch error?[".tag"]?.text {
    case "missing_scope":
      let scope = error?["required_scope"]?.text.map { " \"\($0)\"" } ?? ""
      return fault.error(
        .notSignedIn, "Your sign-in at \(server.name) lacks the permission\(scope) for \(call.route.rawValue).",
        fault.signInAgain)
    case "user_suspended":
      return fault.error(
        .notPermitted, "Your account at \(server.name) is suspended.", "Ask \(server.name) for the reason.")
    case "route_access_denied":
      return fault.error(.notPermitted, "\(server.name) does not let this app use \(call.route.rawValue).")
    default: return fault.common
    }
  }

  private func notPermitted(_ json: JSONValue?, _ call: DropboxCall, _ fault: StatusFault) -> StoreError {
    // The answer of a club behind `byteclub serve` to a member who was invited to read.
    if json?["error"]?[".tag"]?.text == "no_write_permission" {
      return fault.error(
        .notPermitted, "You can read this club, but not change it.", "Ask its owner if you want to write.")
    }
    let reason = json.map { " (\(summary($0, [])))" } ?? ""
    return fault.error(
      .notPermitted, "\(server.name) does not permit \(call.route.rawValue)\(reason).",
      "Check what your account may do there.")
  }

  /// Status 400 has only a text, whose beginning depends on the cause.
  private func badCall(
    _ json: JSONValue?, _ body: [UInt8], _ call: DropboxCall, _ fault: StatusFault
  ) -> StoreError {
    let text = summary(json, body)
    let low = text.lowercased()
    if low.contains("access token") || low.contains("authorization") {
      return fault.error(.notSignedIn, "\(server.name) cannot read your sign-in: \(text).", fault.signInAgain)
    }
    if low.contains("unknown api function") || low.contains("no such route") || low.contains("unknown route") {
      return fault.error(.unsupported, "\(server.name) does not know \(call.route.rawValue).")
    }
    if low.contains("plain http request was sent to https port") { return server.wantsEncryption }
    let isName = !call.path.isRoot && low.contains("path") && !low.contains("cursor")
    if isName, low.contains("match") || low.contains("malformed") || low.contains("invalid") {
      return fault.error(
        .badName, "\(server.name) cannot hold the name \"\(call.path)\".", "Choose another name.")
    }
    return fault.error(.badInput, "\(server.name) does not understand \(call.route.rawValue): \(text).")
  }

  private func summary(_ json: JSONValue?, _ body: [UInt8]) -> String {
    var text = json?["error_summary"]?.text ?? json?["error"]?.text ?? ""
    if text.isEmpty { text = String(decoding: body.prefix(300), as: UTF8.self) }
    return text.asServersClause
  }
}
