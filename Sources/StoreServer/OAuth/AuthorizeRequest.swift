/// What a program asks the sign-in page for.
struct AuthorizeRequest: Sendable {
  let app: String
  let redirect: String?
  let state: String?
  let challenge: String
  let isOffline: Bool
  let scopes: Set<String>

  /// - Throws: for what is missing, or not allowed: no PKCE, or a redirect beyond this machine.
  init(_ query: [String: String]) throws(SignInVisit.Fault) {
    guard query["response_type"] == "code" else { throw SignInVisit.Fault(text: "response_type must be code.") }
    guard let app = query["client_id"], !app.isEmpty else { throw SignInVisit.Fault(text: "client_id is missing.") }
    guard let challenge = query["code_challenge"], query["code_challenge_method"] == "S256",
      challenge.utf8.count == 43, Seal.bytes(challenge)?.count == 32
    else { throw SignInVisit.Fault(text: "This server needs PKCE: code_challenge with code_challenge_method=S256.") }
    guard let scopes = Scopes.read(query["scope"]) else {
      throw SignInVisit.Fault(text: "scope names an unknown permission.")
    }
    let redirect = query["redirect_uri"].flatMap { $0.isEmpty ? nil : $0 }
    if let redirect, !AuthorizeRequest.isLoopback(redirect) {
      throw SignInVisit.Fault(
        text: "redirect_uri must be an address of this machine (http://127.0.0.1:PORT/) or missing.")
    }
    guard (query["state"] ?? "").utf8.count <= 2000 else { throw SignInVisit.Fault(text: "state is too long.") }
    self.app = app
    self.redirect = redirect
    self.state = query["state"]
    self.challenge = challenge
    self.isOffline = query["token_access_type"] == "offline"
    self.scopes = scopes
  }

  /// As words, to be sealed into the page.
  var words: [String] {
    [
      app, redirect ?? "", state ?? "", state == nil ? "" : "state", challenge, isOffline ? "offline" : "",
      Scopes.text(scopes),
    ]
  }

  /// From the words of a page that this server made.
  init?(words: [String]) {
    guard words.count == 7 else { return nil }
    app = words[0]
    redirect = words[1].isEmpty ? nil : words[1]
    state = words[3].isEmpty ? nil : words[2]
    challenge = words[4]
    isOffline = words[5] == "offline"
    scopes = Set(words[6].split(separator: " ").map(String.init))
  }

  /// An address on this machine (RFC 8252, section 7.3), of plain characters only.
  static func isLoopback(_ address: String) -> Bool {
    let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:/?=&%._~-[]".utf8)
    guard address.utf8.count <= 500, address.utf8.allSatisfy({ allowed.contains($0) }) else { return false }
    for host in ["http://127.0.0.1:", "http://localhost:", "http://[::1]:"] where address.hasPrefix(host) {
      let rest = address.dropFirst(host.count)
      let port = rest.prefix { $0.isASCII && $0.isNumber }
      let after = rest.dropFirst(port.count).first
      return (UInt16(port) ?? 0) > 0 && (after == nil || after == "/" || after == "?")
    }
    return false
  }
}
