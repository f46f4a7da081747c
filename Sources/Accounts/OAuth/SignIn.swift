public import Backends
public import FileStores

/// One try to sign in: the code flow of OAuth 2 with PKCE (RFC 6749, 7636, 8252). Its secrets are made for it and used
/// once.
///
/// Show `address` to the member. The page there gives a code: to copy when there is no `redirect`, else in the request
/// that the browser makes to it.
public struct SignIn: Sendable {
  /// The account.
  public let account: Account
  /// Where the browser is sent afterwards; nil when the code is to be copied.
  public let redirect: String?
  /// Comes back with the code, and proves that it belongs to this try.
  let state: String
  private let proof: ProofKey

  /// Begins, with fresh secrets from the system's random source.
  public init(_ account: Account, redirect: String? = nil) {
    var source = SystemRandomNumberGenerator()
    self.init(account, redirect: redirect, state: Base64URL.random(bytes: 32, from: &source), proof: ProofKey())
  }

  init(_ account: Account, redirect: String?, state: String, proof: ProofKey) {
    self.account = account
    self.redirect = redirect
    self.state = state
    self.proof = proof
  }

  /// The page for the browser. Its address holds no secret.
  public var address: String {
    // "offline" is the word for a refresh token (Dropbox, "OAuth Guide").
    let fields: KeyValuePairs<String, String?> = [
      "response_type": "code", "client_id": account.appKey, "redirect_uri": redirect,
      "state": redirect.map { _ in state }, "token_access_type": "offline", "code_challenge": proof.challenge,
      "code_challenge_method": "S256",
    ]
    return account.service.authorizeAddress + "?" + FormEncoding.text(fields)
  }

  /// The code in what a member has pasted: the code alone, or the whole address that has it.
  /// - Throws: `badInput` when there is none.
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

  /// Exchanges the code for a sign-in, which is the member's from then on.
  /// - Parameter now: seconds since 1970.
  /// - Throws: `notSignedIn` when the code is wrong, old or used; `notPermitted` when the service does not know the app
  ///   key; what the transport throws.
  public func finish(
    code: String, transport: any HTTPTransport, now: @escaping @Sendable () -> Int64
  ) async throws(StoreError) -> Grant {
    let calls = AccountCalls(account: account, transport: transport, now: now)
    return try await calls.grant(code: code, proof: proof, redirect: redirect)
  }
}
