internal import FileStores
internal import JSON

struct DropboxV1Fault: Sendable {
  let server: DropboxServer
  /// Seconds since 1970, for dates in `Retry-After`.
  let now: @Sendable () -> Int64

  func error(_ response: HTTPResponse, _ body: [UInt8], _ call: DropboxV1Call) -> StoreError {
    let json = JSONValue.answer(body)
    let (name, route) = (server.name, call.route.rawValue)
    let fault = StatusFault(
      server: name, request: route, path: call.path, status: response.status, wait: response.retryAfter(now: now()),
      commands: server.commands, setting: "server")
    switch response.status {
    case 300...399 where call.route == .longPoll, 403...405 where call.route == .longPoll,
      501 where call.route == .longPoll:
      return fault.error(.unsupported, "\(name) does not answer the change request (\(response.status)).")
    case 400: return badCall(text(json, body), call, fault)
    case 403: return forbidden(text(json, body), call, fault)
    case 404 where call.route.hasPath || call.route == .delete || call.route == .move:
      return fault.error(
        .notFound, "\"\(call.path)\" does not exist.", "Another member may have moved or deleted it.")
    case 404, 405, 501:
      return fault.error(
        .unsupported, "\(name) does not know \(route) (status \(response.status)).",
        "Check that \"server\" in the config is the address of a server for the Dropbox API, version 1.")
    case 406:
      return fault.error(
        .tooLarge, "\"\(call.path)\" holds more files than \(name) handles at once.", "Do it folder by folder.")
    case 409 where !call.route.onlyReads:
      return fault.error(.exists, "\"\(call.path)\" already exists.", "Choose another name.")
    case 411:
      return fault.error(
        .unsupported, "\(name) needs the length of the upload (status 411).",
        "Something between you and the server may have removed it, such as a proxy.")
    default: return fault.common
    }
  }

  func nonsense(_ what: String, _ call: DropboxV1Call) -> StoreError {
    .nonsense("\(server.name) answered \(call.route.rawValue) with \(what)", call.path)
  }

  private func forbidden(_ text: String, _ call: DropboxV1Call, _ fault: StatusFault) -> StoreError {
    let low = text.lowercased()
    if low.contains("timestamp") || low.contains("nonce") {
      return fault.error(
        .notSignedIn, "\(server.name) does not accept the signature of the request: \(text).",
        "Check the clock of this machine.")
    }
    if ["oauth", "signature", "consumer", "app key"].contains(where: { low.contains($0) }) {
      return fault.error(
        .notSignedIn, "\(server.name) does not accept the signature of the request: \(text).",
        "Check the app's key and secret in the config, or sign in again with: \(server.commands.login)")
    }
    if low.contains("access token") {
      return fault.error(
        .notSignedIn, "\(server.name) does not accept your sign-in for \(call.route.rawValue): \(text).",
        fault.signInAgain)
    }
    return fault.error(
      .notPermitted, "\(server.name) does not permit \(call.route.rawValue) with \"\(call.path)\": \(text).",
      "Ask the owner of the folder for permission.")
  }

  private func badCall(_ text: String, _ call: DropboxV1Call, _ fault: StatusFault) -> StoreError {
    let low = text.lowercased()
    if low.contains("access token") || low.contains("oauth") {
      return fault.error(.notSignedIn, "\(server.name) cannot read your sign-in: \(text).", fault.signInAgain)
    }
    if low.contains("plain http request was sent to https port") { return server.wantsEncryption }
    let isName = !call.path.isRoot && !low.contains("rev") && !low.contains("cursor")
    if isName, ["path", "name", "ignored", "not allowed"].contains(where: { low.contains($0) }) {
      return fault.error(
        .badName, "\(server.name) cannot hold the name \"\(call.path)\": \(text).", "Choose another name.")
    }
    return fault.error(
      .badInput, "\(server.name) does not understand \(call.route.rawValue): \(text).",
      "Try again. If it fails again, check that the server speaks version 1 of the API.")
  }

  /// The server's error texts on one line, at most 300 characters, without a full stop.
  private func text(_ json: JSONValue?, _ body: [UInt8]) -> String {
    var text = ""
    switch json?["error"] {
    case .string(let said): text = said
    case .object(let members): text = members.compactMap { $0.value.text }.joined(separator: "; ")
    default: text = json == nil ? String(decoding: body.prefix(300), as: UTF8.self) : ""
    }
    return text.asServersClause
  }
}

struct DropboxV1Refusal: Sendable {
  /// 304 for unchanged content, 400, 403, 404, 405, 406, 409, 415, 416 or 501.
  let status: Int
  let body: JSONValue?
  let error: StoreError

  var isMissing: Bool { status == 404 }
  /// Small servers may lack a route.
  var isUnknownRoute: Bool { status == 405 || status == 501 }
  var offset: UInt64? { body?["offset"]?.count }
}
