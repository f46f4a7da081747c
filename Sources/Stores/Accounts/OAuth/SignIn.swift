public import Backends
public import Basics
public import FileStores

/// Sign-in by the code flow of OAuth 2 with PKCE (RFC 6749, 7636, 8252). Its secrets are fresh and used once.
/// Show `address` to the member. The browser sends the code to `redirect`; without one, the page shows a code to copy.
public struct SignIn: Sendable {
  public let account: Account
  public let redirect: String?
  /// Returns with the code and proves that it belongs to this sign-in.
  let state: String
  private let proof: ProofKey

  public init(_ account: Account, redirect: String? = nil) {
    self.init(account, redirect: redirect, state: Base64.random(bytes: 32), proof: ProofKey())
  }

  init(_ account: Account, redirect: String?, state: String, proof: ProofKey) {
    self.account = account
    self.redirect = redirect
    self.state = state
    self.proof = proof
  }

  /// The page for the browser. Contains no secret.
  public var address: String {
    // "offline" asks for a refresh token (Dropbox, "OAuth Guide").
    let fields: KeyValuePairs<String, String?> = [
      "response_type": "code", "client_id": account.appKey, "redirect_uri": redirect,
      "state": redirect.map { _ in state }, "token_access_type": "offline", "code_challenge": proof.challenge,
      "code_challenge_method": "S256",
    ]
    return account.service.authorizeAddress + "?" + FormEncoding.text(fields)
  }

  /// Takes the code alone, or the whole address that contains it.
  /// - Throws: `badInput` if there is no code.
  public func code(pasted: String) throws(StoreError) -> String {
    var text = Substring(pasted)
    while let first = text.first, first.isWhitespace { text = text.dropFirst() }
    while let last = text.last, last.isWhitespace { text = text.dropLast() }
    if text.contains("://"), let mark = text.firstIndex(of: "?") {
      let fields = FormEncoding.fields(of: text[text.index(after: mark)...].prefix { $0 != "#" }) ?? [:]
      if redirect != nil, !TokenText.matches(fields["state"] ?? "", state) {
        throw StoreError(
          .badInput, "This code belongs to another sign-in.", remedy: "Open the address above, and paste its code.")
      }
      text = Substring(fields["code"] ?? "")
    }
    // RFC 6749, appendix A.11: visible ASCII.
    guard (1...4096).contains(text.utf8.count), text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw StoreError(
        .badInput, "The pasted text is not a code.",
        remedy: "Start byteclub login again, and paste the code that the page shows.")
    }
    return String(text)
  }

  /// Exchanges the code. `now` returns seconds since 1970.
  /// - Throws: `notSignedIn` if the code is wrong, expired or used; `notPermitted` if the service does not know the app
  ///   key; the transport's errors.
  public func finish(
    code: String, transport: any HTTPTransport, now: @escaping @Sendable () -> Int64
  ) async throws(StoreError) -> Grant {
    let calls = AccountCalls(account: account, transport: transport, now: now)
    return try await calls.grant(code: code, proof: proof, redirect: redirect)
  }
}

/// An access token, and the refresh token for the next one.
public struct Grant: Sendable, Equatable {
  /// A token is renewed these seconds before its expiry, so a call that begins now does not outlive it.
  static let margin: Int64 = 300

  let accessToken: String
  let refreshToken: String?
  /// Seconds since 1970.
  let obtained: Int64
  /// Seconds since 1970; nil if the access token does not expire.
  let expires: Int64?
  public let accountID: String?

  /// True until five minutes before the expiry, or until half the lifetime of a token that lives less than ten minutes.
  func isFresh(at now: Int64) -> Bool {
    guard let expires else { return true }
    return now < expires - min(Grant.margin, max(0, expires - obtained) / 2)
  }

  func isAlive(at now: Int64) -> Bool { expires.map { now < $0 } ?? true }
}

extension Grant: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Contains no secret.
  public var description: String { "a sign-in" + (refreshToken == nil ? "" : " that can be renewed") }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A secret and its hash, which is published first: an intercepted code is useless without the secret (PKCE, RFC 7636,
/// method S256).
struct ProofKey: Sendable, Equatable {
  /// Sent with the code: 64 characters from an alphabet of 64 (384 bits).
  let verifier: String
  /// The secret's SHA-256 in base64url.
  var challenge: String {
    let hash = SHA256()
    hash.update(Array(verifier.utf8)[...])
    return Base64.text(of: hash.finish(), .url)
  }

  init() { verifier = Base64.random(bytes: 48) }

  init(verifier: String) { self.verifier = verifier }
}

extension Base64 {
  /// Bytes from the system's random source, as base64url.
  public static func random(bytes count: Int) -> String {
    text(of: (0..<count).map { _ in UInt8.random(in: .min ... .max) }, .url)
  }
}
