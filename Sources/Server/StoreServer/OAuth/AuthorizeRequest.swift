import Basics
import Synchronization

struct AuthorizeRequest: Sendable {
  let app: String
  let redirect: String?
  let state: String?
  /// The hash of the verifier (PKCE); nil if the program authenticates with its secret.
  let challenge: String?
  let isOffline: Bool
  let scopes: Set<String>

  /// - Parameter redirects: allowed redirect addresses, besides this machine.
  /// - Throws: for a missing or forbidden value, or no PKCE for a program without a secret.
  init(_ query: [String: String], app: String, redirects: [String]) throws(SignInVisit.Fault) {
    guard query["response_type"] == "code" else { throw SignInVisit.Fault(text: "response_type must be code.") }
    let challenge = query["code_challenge"]
    if let challenge {
      guard query["code_challenge_method"] == "S256", challenge.utf8.count == 43,
        Base64.bytes(of: challenge, .url)?.count == 32
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

  var words: [String] {
    [
      app, redirect ?? "", state ?? "", state == nil ? "" : "state", challenge ?? "", isOffline ? "offline" : "",
      Scopes.text(scopes),
    ]
  }

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

/// Codes of the sign-in page. Each is exchanged for tokens once, within a minute.
final class AuthorizationCodes: Sendable {
  struct Grant: Sendable {
    let member: String
    let app: String
    let redirect: String?
    let challenge: String?
    let isOffline: Bool
    let scopes: Set<String>?
    let expires: Int64
  }

  private static let lifeSeconds: Int64 = 60
  private static let most = 1000
  /// A used code, remembered for ten minutes.
  private struct Use {
    let family: String
    let forgotten: Int64
    var isRepeated = false
  }

  private let grants = Mutex<[String: Grant]>([:])
  private let uses = Mutex<[String: Use]>([:])

  static func end(_ now: Int64) -> Int64 { now + lifeSeconds }

  func issue(_ grant: Grant, at now: Int64) -> String {
    let code = FreshID.word(43)
    grants.withLock { grants in
      if grants.count >= AuthorizationCodes.most { grants = grants.filter { $0.value.expires > now } }
      grants[code] = grant
    }
    return code
  }

  /// True for a code that waits or was used lately.
  func holds(_ code: String) -> Bool {
    grants.withLock { $0[code] != nil } || uses.withLock { $0[code] != nil }
  }

  /// Uses up a code and returns its grant; nil if unknown or expired. `family` is the family of the new tokens.
  func redeem(_ code: String, for family: String, at now: Int64) -> Grant? {
    let grant = grants.withLock { $0.removeValue(forKey: code) }
    guard let grant, grant.expires > now else { return nil }
    uses.withLock { uses in
      if uses.count >= AuthorizationCodes.most { uses = uses.filter { $0.value.forgotten > now } }
      if uses.count < AuthorizationCodes.most {
        uses[code] = Use(family: family, forgotten: now + 10 * AuthorizationCodes.lifeSeconds)
      }
    }
    return grant
  }

  /// The tokens of a code that comes a second time: one of the two senders has stolen it (RFC 6749, section 4.1.2).
  func repeated(_ code: String) -> String? {
    uses.withLock { uses in
      uses[code]?.isRepeated = true
      return uses[code]?.family
    }
  }

  func isRepeated(_ code: String) -> Bool { uses.withLock { $0[code]?.isRepeated ?? false } }
}

/// Addresses to which a sign-in page may redirect: this machine, and those registered for the app key.
enum RedirectAddress {
  private static let mostBytes = 500
  private static let allowed = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:/?=&%._~-[]".utf8)

  static func isAllowed(_ address: String, among registered: [String]) -> Bool {
    isLoopback(address) || registered.contains { $0.utf8.elementsEqual(address.utf8) }
  }

  /// True for an address on this machine (RFC 8252, section 7.3) with plain characters only.
  static func isLoopback(_ address: String) -> Bool {
    guard isPlain(address) else { return false }
    for host in ["http://127.0.0.1:", "http://localhost:", "http://[::1]:"] where address.hasPrefix(host) {
      let rest = address.dropFirst(host.count)
      let port = rest.prefix { $0.isASCII && $0.isNumber }
      let after = rest.dropFirst(port.count).first
      return (UInt16(port) ?? 0) > 0 && (after == nil || after == "/" || after == "?")
    }
    return false
  }

  /// True for HTTPS with a host, or a private-use scheme (RFC 8252, section 7.1) with a dot or, as at Dropbox, a dash.
  static func mayBeRegistered(_ address: String) -> Bool {
    guard isPlain(address), let colon = address.firstIndex(of: ":") else { return false }
    let scheme = address[..<colon]
    let rest = address[address.index(after: colon)...]
    if scheme == "https" {
      let host = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != ":" }
      return rest.hasPrefix("//") && host.contains { $0.isLetter || $0.isNumber }
    }
    let isOwn = scheme.contains(".") || scheme.contains("-")
    return isOwn && scheme.first?.isLetter == true
      && scheme.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
  }

  private static func isPlain(_ address: String) -> Bool {
    address.utf8.count <= mostBytes && address.utf8.allSatisfy { allowed.contains($0) }
  }
}
