internal import FileStores
internal import XML

/// Errors of an S3 server as sentences (AWS, "Error responses"; the codes are the protocol).
struct S3Fault: Sendable {
  let place: S3Place
  let call: S3Call

  /// The code of an error's body; nil for HEAD and for a body that is not such XML.
  static func code(_ body: [UInt8]) -> String? {
    body.isEmpty || body.count > 1 << 20 ? nil : (try? XMLNodes.read(body))?["Code"]?.text
  }

  /// True if the server refuses the time of the request. An answer to HEAD has no code, so a date that is more than
  /// five minutes away counts.
  static func isAboutClock(_ code: String?, _ response: HTTPResponse, now: Int64) -> Bool {
    if let code { return code == "RequestTimeTooSkewed" }
    guard response.status == 403, let date = response.date else {
      return false
    }
    return abs(date - now) > 300
  }

  static func isAboutKeys(_ code: String?) -> Bool {
    ["ExpiredToken", "InvalidToken", "TokenRefreshRequired", "InvalidAccessKeyId", "SignatureDoesNotMatch"]
      .contains(code)
  }

  func error(_ response: HTTPResponse, _ body: [UInt8], now: Int64) -> StoreError {
    let root = body.count > 1 << 20 ? nil : try? XMLNodes.read(body)
    let code = root?["Code"]?.text ?? ""
    func fault(_ status: Int) -> StatusFault {
      StatusFault(
        server: place.name, request: "the request", path: call.path, status: status,
        wait: response.retryAfter(now: now), commands: place.commands, setting: "endpoint")
    }
    let error = fault(response.status).error
    switch code {
    case "NoSuchBucket":
      return error(
        .notFound, "\(place.name) has no bucket \"\(place.bucket)\".",
        "Make it there, or correct \"bucket\" in the config.")
    case let code where S3Fault.isAboutExpiry(code): return S3Fault.expired(place.name).about(call.path)
    case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken":
      return error(
        .notSignedIn, "\(place.name) does not accept your keys (\(code)).",
        "Check the keys, and \"region\" in the config.")
    case "AuthorizationHeaderMalformed", "PermanentRedirect", "TemporaryRedirect", "IllegalLocationConstraintException":
      let region = root?["Region"]?.text ?? response.headers["x-amz-bucket-region"]
      let hint = region.map { " to \"\($0.asServersWords)\"" } ?? ""
      return error(
        .badInput, "The bucket \"\(place.bucket)\" is in another region than \"\(place.region)\".",
        "Set \"region\" in the config\(hint), and check \"endpoint\".")
    case "RequestTimeTooSkewed":
      return error(.notSignedIn, "\(place.name) has another time than this machine.", "Set this machine's clock.")
    case "AccessDenied", "AllAccessDisabled", "AccountProblem", "InvalidObjectState":
      return error(
        .notPermitted, "\(place.name) does not permit this for your keys (\(code)).",
        "Ask the owner of the bucket \"\(place.bucket)\".")
    case "SlowDown", "TooManyRequests", "RequestLimitExceeded", "Throttling", "ThrottlingException":
      return fault(429).common
    case "EntityTooLarge": return fault(413).common
    case "KeyTooLongError", "InvalidURI", "XMinioInvalidObjectName":
      return error(.badName, "\(place.name) cannot hold the name \"\(call.path)\".", "Choose another name.")
    case "QuotaExceeded", "XMinioStorageFull", "ServiceQuotaExceeded":
      return fault(507).common
    case "XAmzContentSHA256Mismatch", "BadDigest":
      return error(
        .server, "\(place.name) refuses \"\(call.path)\": its bytes were damaged on the way, or changed meanwhile.",
        "Try again.")
    case "RequestTimeout", "IncompleteBody":
      return error(.offline, "\(place.name) did not get all of \"\(call.path)\" (\(code)).", "Try again.")
    case "NoSuchUpload": return .uploadGone(call.path)
    default:
      // The page of another server has no error of S3.
      guard root?.name.local == "Error" || body.isEmpty || ![400, 403, 404, 405].contains(response.status) else {
        return error(
          .badInput, "\(place.name) does not answer as an S3 server does (status \(response.status)).",
          "Check \"endpoint\" in the config.")
      }
      return plain(fault(response.status), code)
    }
  }

  static func isAboutExpiry(_ code: String?) -> Bool { code == "ExpiredToken" || code == "TokenRefreshRequired" }

  static func expired(_ server: String) -> StoreError {
    StoreError(
      .notSignedIn, "The session token of your keys for \(server) has expired.",
      remedy: "Get new keys where these are from, then try again.")
  }

  private func plain(_ fault: StatusFault, _ code: String) -> StoreError {
    let (status, error) = (fault.status, fault.error)
    let words = code.isEmpty ? "status \(status)" : "status \(status), \(code.asServersWords)"
    switch status {
    case 301, 302, 307, 308:
      return error(
        .badInput, "\(place.name) sends the request to another address, which byteclub does not follow.",
        "Check \"endpoint\" and \"region\" in the config.")
    case 401: return error(.notSignedIn, "\(place.name) does not accept your keys.", "Check them.")
    case 403:
      return error(
        .notPermitted, "\(place.name) does not permit this for your keys (\(words)).",
        "Check the keys, and ask the owner of the bucket \"\(place.bucket)\".")
    case 404 where call.path.isRoot:
      return error(
        .notFound, "\(place.name) has nothing at the address of the bucket \"\(place.bucket)\".",
        "Check \"endpoint\" and \"bucket\" in the config.")
    case 404: return error(.notFound, "\"\(call.path)\" does not exist.", "")
    // Another write or deletion of the name ran at the same moment (AWS, "conditional requests").
    case 409: return error(.server, "\(place.name) was busy with \"\(call.path)\" (\(words)).", "Try again.")
    case 405, 501: return error(.unsupported, "\(place.name) does not know \(call.method) here (\(words)).", "")
    case 502, 503, 504: return error(.offline, "\(place.name) cannot answer now (\(words)).", "Try again later.")
    case 413, 414, 429, 507: return fault.common
    case 500...599: return error(.server, "\(place.name) failed (\(words)).", "Try again later.")
    case 400...499:
      return error(.badInput, "\(place.name) does not understand the request (\(words)).", "Check its address.")
    default: return error(.server, "\(place.name) answered with the unexpected \(words).", "")
    }
  }

  func nonsense(_ what: String) -> StoreError {
    StoreError(
      .server, "\(place.name) sent \(what).",
      remedy: "Something between you and the server may have answered, such as the sign-in page of a network.",
      path: call.path, isWrongAnswer: true)
  }
}
