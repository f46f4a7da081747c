internal import FileStores
internal import JSON

extension DropboxV1Client {
  func ownError(_ json: JSONValue?, _ body: [UInt8], _ call: DropboxV1Call, _ fault: StatusFault) -> StoreError? {
    switch fault.status {
    case 400: badCall(text(json, body), call, fault)
    case 403: forbidden(text(json, body), call, fault)
    case 404 where call.route.hasPath || call.route == .delete || call.route == .move:
      fault.error(.notFound, "\"\(call.path)\" does not exist.", "Another member may have moved or deleted it.")
    case 406:
      fault.error(
        .tooLarge, "\"\(call.path)\" holds more files than \(server.name) handles at once.", "Do it folder by folder.")
    case 409 where !call.route.onlyReads:
      fault.error(.exists, "\"\(call.path)\" already exists.", "Choose another name.")
    case 411:
      fault.error(
        .unsupported, "\(server.name) needs the length of the upload (status 411).",
        "Something between you and the server may have removed it, such as a proxy.")
    default: nil
    }
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

struct DropboxV1Refusal: DropboxRefusing {
  /// 304 for unchanged content, 400, 403, 404, 405, 406, 409, 415, 416 or 501.
  let status: Int
  let body: JSONValue?
  let error: StoreError

  var isMissing: Bool { status == 404 }
  /// A cursor that the server cannot read is lost.
  var isReset: Bool { status == 400 }
  /// Small servers may lack a route.
  var isUnknownRoute: Bool { status == 405 || status == 501 }
  var offset: UInt64? { body?["offset"]?.count }
}
