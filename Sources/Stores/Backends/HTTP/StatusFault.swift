internal import FileStores

/// The errors of the statuses that mean the same at every server (RFC 9110, RFC 4918). A service names its own first.
struct StatusFault: Sendable {
  let server: String
  /// The request in a sentence.
  let request: String
  let path: StorePath
  let status: Int
  let wait: Duration?
  let commands: ClubCommands
  /// The setting with the server's address.
  let setting: String

  func error(_ kind: StoreError.Kind, _ message: String, _ remedy: String = "") -> StoreError {
    StoreError(kind, message, remedy: remedy, path: path, retryAfter: wait)
  }

  var common: StoreError {
    switch status {
    case 300...399:
      error(
        .unsupported, "\(server) sends \(request) to another address, which byteclub does not follow.", checkSetting)
    case 401: notSignedIn
    case 413: error(.tooLarge, "\"\(path)\" is larger than \(server) takes.", "Store it elsewhere.")
    case 414, 431: error(.badName, "The path \"\(path)\" is too long for \(server).", "Shorten it.")
    case 429: error(.rateLimited, "\(server) asks for fewer requests.", "Try again later.")
    // With a retry time it means the same as 429. Without one, a gateway cannot reach the server.
    case 503 where wait != nil:
      error(.rateLimited, "\(server) is busy or asks for fewer requests.", "Try again later.")
    case 502, 503, 504: error(.offline, "\(server) cannot answer now (status \(status)).", "Try again later.")
    case 507: error(.quota, "\(server) has no space left.", "Delete some files and empty the trash, then try again.")
    case 500...599: error(.server, "\(server) failed at \(request) (status \(status)).", "Try again later.")
    default: error(.server, "\(server) answered \(request) with the unexpected status \(status).", checkSetting)
    }
  }

  /// Same wording as `AccountTokens`: after a rejected listing and longpoll, the member may see either error.
  var notSignedIn: StoreError {
    error(.notSignedIn, "\(server) does not accept your sign-in.", "Sign in with: \(commands.login)")
  }

  var signInAgain: String { "Sign in again with: \(commands.login)" }

  var checkSetting: String { "Check \"\(setting)\" in the config." }
}
