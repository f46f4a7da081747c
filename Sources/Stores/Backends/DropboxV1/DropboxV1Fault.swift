internal import FileStores
internal import JSON

struct DropboxV1Fault: Sendable {
  let server: DropboxServer
  /// Seconds since 1970, for dates in `Retry-After`.
  let now: @Sendable () -> Int64

  func error(_ response: HTTPResponse, _ body: [UInt8], _ call: DropboxV1Call) -> StoreError {
    let json = JSONValue.answer(body)
    let wait = response.retryAfter(now: now())
    let (name, route) = (server.name, call.route.rawValue)
    func error(_ kind: StoreError.Kind, _ message: String, _ remedy: String = "") -> StoreError {
      StoreError(kind, message, remedy: remedy, path: call.path, retryAfter: wait)
    }
    switch response.status {
    case 300...399 where call.route == .longPoll, 403...405 where call.route == .longPoll,
      501 where call.route == .longPoll:
      return error(.unsupported, "\(name) does not answer the change request (\(response.status)).")
    case 300...399:
      return error(
        .unsupported, "\(name) sends \(route) to another address, which byteclub does not follow.",
        "Check \"server\" in the config.")
    case 400: return badCall(text(json, body), call)
    case 401:
      return error(
        .notSignedIn, "\(name) does not accept your sign-in.", "Sign in with: \(server.commands.login)")
    case 403: return forbidden(text(json, body), call)
    case 404 where call.route.hasPath || call.route == .delete || call.route == .move:
      return error(.notFound, "\"\(call.path)\" does not exist.", "Another member may have moved or deleted it.")
    case 404, 405, 501:
      return error(
        .unsupported, "\(name) does not know \(route) (status \(response.status)).",
        "Check that \"server\" in the config is the address of a server for the Dropbox API, version 1.")
    case 406:
      return error(
        .tooLarge, "\"\(call.path)\" holds more files than \(name) handles at once.", "Do it folder by folder.")
    case 409 where !call.route.onlyReads:
      return error(.exists, "\"\(call.path)\" already exists.", "Choose another name.")
    case 411:
      return error(
        .unsupported, "\(name) needs the length of the upload (status 411).",
        "Something between you and the server may have removed it, such as a proxy.")
    case 413: return error(.tooLarge, "\"\(call.path)\" is larger than \(name) takes.", "Store it elsewhere.")
    case 414, 431: return error(.badName, "The path \"\(call.path)\" is too long for \(name).", "Shorten it.")
    case 429: return error(.rateLimited, "\(name) asks for fewer requests.", "Try again later.")
    // With a retry time, servers of this version mean 429. Without one, a gateway cannot reach the server.
    case 503 where wait != nil:
      return error(.rateLimited, "\(name) is busy or asks for fewer requests.", "Try again later.")
    case 502, 503, 504:
      return error(.offline, "\(name) cannot answer now (status \(response.status)).", "Try again later.")
    case 507:
      return error(.quota, "\(name) has no space left.", "Delete some files and empty the trash, then try again.")
    case 500...599:
      return error(.server, "\(name) failed at \(route) (status \(response.status)).", "Try again later.")
    default:
      return error(
        .server, "\(name) answered \(route) with the unexpected status \(response.status).",
        "Check \"server\" in the config.")
    }
  }

  func nonsense(_ what: String, _ call: DropboxV1Call) -> StoreError {
    .nonsense("\(server.name) answered \(call.route.rawValue) with \(what)", call.path)
  }

  private func forbidden(_ text: String, _ call: DropboxV1Call) -> StoreError {
    let low = text.lowercased()
    if low.contains("timestamp") || low.contains("nonce") {
      return StoreError(
        .notSignedIn, "\(server.name) does not accept the signature of the request: \(text).",
        remedy: "Check the clock of this machine.", path: call.path)
    }
    if ["oauth", "signature", "consumer", "app key"].contains(where: { low.contains($0) }) {
      return StoreError(
        .notSignedIn, "\(server.name) does not accept the signature of the request: \(text).",
        remedy:
          "Check the app's key and secret in the config, or sign in again with: \(server.commands.login)",
        path: call.path)
    }
    if low.contains("access token") {
      return StoreError(
        .notSignedIn, "\(server.name) does not accept your sign-in for \(call.route.rawValue): \(text).",
        remedy: "Sign in again with: \(server.commands.login)", path: call.path)
    }
    return StoreError(
      .notPermitted, "\(server.name) does not permit \(call.route.rawValue) with \"\(call.path)\": \(text).",
      remedy: "Ask the owner of the folder for permission.", path: call.path)
  }

  private func badCall(_ text: String, _ call: DropboxV1Call) -> StoreError {
    let low = text.lowercased()
    if low.contains("access token") || low.contains("oauth") {
      return StoreError(
        .notSignedIn, "\(server.name) cannot read your sign-in: \(text).",
        remedy: "Sign in again with: \(server.commands.login)",
        path: call.path)
    }
    if low.contains("plain http request was sent to https port") { return server.wantsEncryption }
    let isName = !call.path.isRoot && !low.contains("rev") && !low.contains("cursor")
    if isName, ["path", "name", "ignored", "not allowed"].contains(where: { low.contains($0) }) {
      return StoreError(
        .badName, "\(server.name) cannot hold the name \"\(call.path)\": \(text).", remedy: "Choose another name.",
        path: call.path)
    }
    return StoreError(
      .badInput, "\(server.name) does not understand \(call.route.rawValue): \(text).",
      remedy: "Try again. If it fails again, check that the server speaks version 1 of the API.", path: call.path)
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
  /// 400, 403, 404, 405, 406, 409, 415, 416 or 501.
  let status: Int
  let body: JSONValue?
  let error: StoreError

  var isMissing: Bool { status == 404 }
  /// Small servers may lack a route.
  var isUnknownRoute: Bool { status == 405 || status == 501 }
  var offset: UInt64? { body?["offset"]?.count }
}
