/// What a program asks the sign-in page for.
struct AuthorizeRequest: Sendable {
  let app: String
  let redirect: String?
  let state: String?
  /// What the verifier's hash is (PKCE); nil where the program proves itself by its secret.
  let challenge: String?
  let isOffline: Bool
  let scopes: Set<String>

  /// - Parameter redirects: where browsers may be sent back to, besides this machine.
  /// - Throws: for what is missing, or not allowed: a redirect to where nobody has allowed it, or no PKCE for a program
  ///   that keeps no secret.
  init(_ query: [String: String], app: String, redirects: [String]) throws(SignInVisit.Fault) {
    guard query["response_type"] == "code" else { throw SignInVisit.Fault(text: "response_type must be code.") }
    let challenge = query["code_challenge"]
    if let challenge {
      guard query["code_challenge_method"] == "S256", challenge.utf8.count == 43, Seal.bytes(challenge)?.count == 32
      else { throw SignInVisit.Fault(text: "This server takes PKCE with code_challenge_method=S256 alone.") }
    } else if app == AppKeys.byteclub {
      throw SignInVisit.Fault(text: "This app key needs PKCE: code_challenge with code_challenge_method=S256.")
    }
    guard let scopes = Scopes.read(query["scope"]) else {
      throw SignInVisit.Fault(text: "scope names an unknown permission.")
    }
    let redirect = query["redirect_uri"].flatMap { $0.isEmpty ? nil : $0 }
    if let redirect, !RedirectAddress.isAllowed(redirect, among: redirects) {
      throw SignInVisit.Fault(
        text: "redirect_uri must be an address of this machine (http://127.0.0.1:PORT/), registered for the app key "
          + "(byteclub serve app redirect), or missing.")
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
      app, redirect ?? "", state ?? "", state == nil ? "" : "state", challenge ?? "", isOffline ? "offline" : "",
      Scopes.text(scopes),
    ]
  }

  /// From the words of a page that this server made.
  init?(words: [String]) {
    guard words.count == 7 else { return nil }
    app = words[0]
    redirect = words[1].isEmpty ? nil : words[1]
    state = words[3].isEmpty ? nil : words[2]
    challenge = words[4].isEmpty ? nil : words[4]
    isOffline = words[5] == "offline"
    scopes = Set(words[6].split(separator: " ").map(String.init))
  }
}
