import Backends
import Basics
import FileStores
import JSON

/// A secret goes only to the service's own origin, in a body or in the `Authorization` header; no error contains one.
struct AccountCalls: Sendable {
  private static let mostBytes = 1 << 20
  private static let timeouts = HTTPTimeouts(connect: .seconds(20), idle: .seconds(30), whole: .seconds(60))

  let account: Account
  let transport: any HTTPTransport
  /// Seconds since 1970.
  let now: @Sendable () -> Int64

  /// RFC 6749, section 4.1.3; RFC 7636, section 4.5.
  func grant(code: String, proof: ProofKey, redirect: String?) async throws(StoreError) -> Grant {
    let fields: KeyValuePairs<String, String?> = [
      "grant_type": "authorization_code", "code": code, "client_id": account.appKey, "code_verifier": proof.verifier,
      "redirect_uri": redirect,
    ]
    let failed: (String) -> StoreError = { reason in
      account.notSignedIn("\(account.service.name) refused the code: \(reason).")
    }
    return try await token(fields, secrets: [code, proof.verifier], invalidGrant: failed)
  }

  /// RFC 6749, section 6. Fields missing from the response keep their values.
  /// - Throws: `notSignedIn` if the service no longer accepts the refresh token.
  func renewed(_ old: Grant, with refreshToken: String) async throws(StoreError) -> Grant {
    let fields: KeyValuePairs<String, String?> = [
      "grant_type": "refresh_token", "refresh_token": refreshToken, "client_id": account.appKey,
    ]
    let failed: (String) -> StoreError = { reason in
      account.notSignedIn("The sign-in to \(account.service.name) has ended: \(reason).")
    }
    let new = try await token(fields, secrets: [refreshToken, old.accessToken], invalidGrant: failed)
    return Grant(
      accessToken: new.accessToken, refreshToken: new.refreshToken ?? refreshToken, obtained: new.obtained,
      expires: new.expires, accountID: new.accountID ?? old.accountID)
  }

  /// The first step of OAuth 1.0 (RFC 5849, section 2.1): a token for the member to allow.
  func requestToken() async throws(StoreError) -> OAuth1Token {
    let (response, body) = try await signed(account.service.requestTokenAddress, nil)
    guard response.isSuccess else { throw oauth1Failure(response, body, secrets: []) }
    guard let token = OAuth1Token(form: body) else { throw unreadable("oauth/request_token") }
    return token
  }

  /// The last step of OAuth 1.0 (RFC 5849, section 2.3), after the member has allowed the token.
  func grant(allowed token: OAuth1Token) async throws(StoreError) -> Grant {
    let (response, body) = try await signed(account.service.accessTokenAddress, token)
    guard response.isSuccess else {
      if response.status == 401 {
        throw account.notSignedIn("You did not allow byteclub at \(account.service.name).")
      }
      throw oauth1Failure(response, body, secrets: [token.token, token.secret])
    }
    guard let access = OAuth1Token(form: body) else { throw unreadable("oauth/access_token") }
    return Grant(
      accessToken: "\(access.token) \(access.secret)", refreshToken: nil, obtained: now(), expires: nil,
      accountID: access.user)
  }

  private func oauth1Failure(_ response: HTTPResponse, _ body: [UInt8], secrets: [String]) -> StoreError {
    guard response.status == 401 || response.status == 403 else {
      return failure(response, body, "sign you in", secrets: secrets)
    }
    return StoreError(
      .notPermitted,
      "\(account.service.name) does not accept the app key \"\(account.appKey)\" with its secret (status "
        + "\(response.status)).",
      remedy: "Set \"clubs.\(account.club).appKey\" and \"appSecret\" in the config to those of an app of that "
        + "service. Also check the clock of this machine.")
  }

  private func signed(
    _ address: String, _ token: OAuth1Token?
  ) async throws(StoreError) -> (HTTPResponse, [UInt8]) {
    try await transport.call(
      HTTPRequest(
        .post, address, headers: ["Authorization": signature("POST", address, token)],
        timeouts: AccountCalls.timeouts),
      limit: AccountCalls.mostBytes)
  }

  private func signature(_ verb: String, _ address: String, _ token: OAuth1Token?) -> String {
    let keys = OAuth1Keys(
      consumerKey: account.appKey, consumerSecret: account.appSecret ?? "", token: token?.token ?? "",
      tokenSecret: token?.secret ?? "")
    let signer = OAuth1Signer(
      keys, account.signature, now: now, nonce: { Base64.random(bytes: 12) })
    return signer.authorization(verb, address, [])
  }

  private func authorization(_ verb: String, _ address: String, _ accessToken: String) -> String {
    guard account.usesOAuth1 else { return "Bearer \(accessToken)" }
    let words = accessToken.split(separator: " ").map(String.init)
    return signature(verb, address, OAuth1Token(token: words.first ?? "", secret: words.last ?? "", user: nil))
  }

  /// Also revokes the token's siblings and its refresh token. Returns false if the service did not know it.
  func revoke(_ accessToken: String) async throws(StoreError) -> Bool {
    let (response, body) = try await call(account.service.revokeAddress, accessToken)
    if response.status == 401 { return false }
    guard response.isSuccess else { throw failure(response, body, "end the sign-in", secrets: [accessToken]) }
    return true
  }

  /// nil if the service refuses the token.
  func profile(_ accessToken: String) async throws(StoreError) -> AccountProfile? {
    let asks = account.service.version == .v1
    let (response, body) = try await call(account.service.accountAddress, accessToken, verb: asks ? .get : .post)
    if response.status == 401 { return nil }
    guard response.isSuccess else { throw failure(response, body, "name the account", secrets: [accessToken]) }
    guard let profile = AccountProfile(json: body, account.service.version) else {
      throw unreadable(asks ? "account/info" : "get_current_account")
    }
    return profile
  }

  private func call(
    _ address: String, _ accessToken: String, verb: HTTPMethod = .post
  ) async throws(StoreError) -> (HTTPResponse, [UInt8]) {
    var request = HTTPRequest(
      verb, address, headers: ["Authorization": authorization(verb.word, address, accessToken)],
      timeouts: AccountCalls.timeouts)
    if account.service.version == .v2 {
      // A route without an argument requires the JSON value null (Dropbox, "HTTP documentation").
      request.headers["Content-Type"] = "application/json"
      request.body = .bytes(Array("null".utf8))
    }
    return try await transport.call(request, limit: AccountCalls.mostBytes)
  }

  private func token(
    _ fields: KeyValuePairs<String, String?>, secrets: [String], invalidGrant: (String) -> StoreError
  ) async throws(StoreError) -> Grant {
    let (response, body) = try await transport.call(
      HTTPRequest(
        .post, account.service.tokenAddress, headers: ["Content-Type": "application/x-www-form-urlencoded"],
        body: .bytes(Array(FormEncoding.text(fields).utf8)), timeouts: AccountCalls.timeouts),
      limit: AccountCalls.mostBytes)
    guard response.isSuccess else {
      // RFC 6749, section 5.2: 400, or 401 for the client, with the reason in JSON.
      guard 400...403 ~= response.status, let answer = TokenFault(body) else {
        throw failure(response, body, "sign you in", secrets: secrets)
      }
      let reason = TokenText.safe(answer.description ?? answer.error, without: secrets)
      switch answer.error {
      case "invalid_grant": throw invalidGrant(reason.asServersClause)
      case "invalid_client", "unauthorized_client":
        throw StoreError(
          .notPermitted,
          "\(account.service.name) does not know the app key \"\(account.appKey)\": \(reason.asServersClause).",
          remedy: "Set \"clubs.\(account.club).appKey\" in the config to the key of an app of that service.")
      default:
        throw StoreError(
          .server, "\(account.service.name) did not sign you in: \(reason.asServersClause).",
          remedy: account.remedy)
      }
    }
    guard let answer = TokenAnswer(body), TokenText.isToken(answer.accessToken),
      answer.tokenType?.lowercased() ?? "bearer" == "bearer"
    else { throw unreadable("oauth2/token") }
    let refresh = answer.refreshToken.flatMap { $0.isEmpty ? nil : $0 }
    guard refresh.map(TokenText.isToken) ?? true else { throw unreadable("oauth2/token") }
    let time = now()
    // Lifetimes of more than a century could overflow.
    let life = answer.expiresIn.flatMap { $0 >= 0 && $0 < 4e9 ? Int64($0) : nil }
    return Grant(
      accessToken: answer.accessToken, refreshToken: refresh, obtained: time, expires: life.map { time + $0 },
      accountID: answer.accountID)
  }

  private func failure(
    _ response: HTTPResponse, _ body: [UInt8], _ what: String, secrets: [String]
  ) -> StoreError {
    let name = account.service.name
    let reason = TokenText.safe(String(decoding: body.prefix(500), as: UTF8.self), without: secrets)
    let said = reason.isEmpty || reason.contains("<") ? "" : " It said: \(reason.asServersWords)"
    let wait = response.retryAfter(now: now())
    switch response.status {
    case 429,
      503 where wait != nil:
      return StoreError(
        .rateLimited, "\(name) asks for fewer requests and did not \(what).", remedy: "Try again later.",
        retryAfter: wait)
    case 500...:
      // The kinds are those of calls to a store.
      return StoreError(
        502...504 ~= response.status ? .offline : .server,
        "\(name) failed (status \(response.status)) and did not \(what).", remedy: "Try again later.",
        retryAfter: wait)
    case 404, 405:
      return StoreError(
        .unsupported, "\(name) cannot \(what) (status \(response.status)).",
        remedy: "Check \"clubs.\(account.club).server\" in the config.")
    case 403:
      return StoreError(.notPermitted, "\(name) did not \(what) (status 403).\(said)", remedy: account.remedy)
    default:
      return StoreError(
        .server, "\(name) did not \(what) (status \(response.status)).\(said)",
        remedy: "Check \"clubs.\(account.club).server\" in the config.")
    }
  }

  private func unreadable(_ call: String) -> StoreError {
    StoreError(
      .server, "byteclub cannot read the answer of \(account.service.name) to \(call).",
      remedy: "Check \"clubs.\(account.club).server\" in the config.")
  }
}

/// RFC 6749, section 5.1, and Dropbox's additions.
private struct TokenAnswer {
  let accessToken: String
  let tokenType: String?
  let expiresIn: Double?
  let refreshToken: String?
  let accountID: String?

  init?(_ body: [UInt8]) {
    guard let answer = try? JSONReader.read(body), let accessToken = answer["access_token"]?.text else { return nil }
    self.accessToken = accessToken
    (tokenType, refreshToken) = (answer["token_type"]?.text, answer["refresh_token"]?.text)
    (expiresIn, accountID) = (answer["expires_in"]?.number, answer["account_id"]?.text)
    for key in ["token_type", "refresh_token", "account_id"] {
      if let value = answer[key], value.text == nil { return nil }
    }
    if answer["expires_in"] != nil, expiresIn == nil { return nil }
  }
}

/// RFC 6749, section 5.2.
private struct TokenFault {
  let error: String
  let description: String?

  init?(_ body: [UInt8]) {
    guard let answer = try? JSONReader.read(body), let error = answer["error"]?.text else { return nil }
    (self.error, description) = (error, answer["error_description"]?.text)
  }
}
