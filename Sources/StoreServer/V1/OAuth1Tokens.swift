import COpenSSL
import Database
import FileStores
import FoundationEssentials

/// Tokens for programs that sign their requests (OAuth 1.0), with the keys and secrets of `AppKeys`.
///
/// Secrets are not stored: each is a checksum of the word that it belongs to, made with a secret of the server, so that
/// a signature can be computed again.
struct OAuth1Tokens: Sendable {
  /// What a program signs with.
  struct Keys: Sendable, Hashable {
    /// The program's key.
    let consumerKey: String
    /// The program's secret.
    let consumerSecret: String
    /// The member's token.
    let token: String
    /// The token's secret.
    let tokenSecret: String
  }

  /// Whose a signature is.
  enum Check {
    case good(token: ServerToken, member: ServerMember)
    case unknownToken
    case wrongSignature
  }

  private let database: ServerMembersDatabase

  /// Works on a server's list of members. Calls block.
  init(_ database: ServerMembersDatabase) { self.database = database }

  /// Gives a member a token, for one program.
  func issue(to member: ServerMember, app: String) throws(StoreError) -> Keys {
    let word = FreshID.hexadecimal(16)
    let secret = try secret(of: "token " + word)
    try database.add(
      ServerToken(
        id: word, digest: OAuth1Tokens.digest(word, secret), member: member.id, purpose: .access, family: word,
        app: app))
    return Keys(
      consumerKey: app, consumerSecret: try AppKeys(database).secret(of: app), token: word, tokenSecret: secret)
  }

  /// Checks a request's signature.
  func check(_ request: SignedRequest) throws(StoreError) -> Check {
    let (app, word) = (request.oauth["oauth_consumer_key"] ?? "", request.oauth["oauth_token"] ?? "")
    let (consumer, secret) = (try AppKeys(database).secret(of: app), try secret(of: "token " + word))
    let isRight = request.isRight(consumerSecret: consumer, tokenSecret: secret)
    guard let found = try database.token(id: word), found.token.purpose == .access,
      ConstantTime.areEqual(found.token.digest, OAuth1Tokens.digest(word, secret))
    else { return .unknownToken }
    return isRight && found.token.app == app ? .good(token: found.token, member: found.member) : .wrongSignature
  }

  private static func digest(_ word: String, _ secret: String) -> [UInt8] {
    let hash = SHA256()
    hash.update(Array("oauth1 \(word) \(secret)".utf8)[...])
    return hash.finish()
  }

  private func secret(of word: String) throws(StoreError) -> String {
    let key = try database.secret("oauth1")
    // HMAC (RFC 2104) with SHA-256.
    let padded = key + [UInt8](repeating: 0, count: 64 - key.count)
    let inner = SHA256()
    inner.update(padded.map { $0 ^ 0x36 }[...])
    inner.update(Array(word.utf8)[...])
    let outer = SHA256()
    outer.update(padded.map { $0 ^ 0x5C }[...])
    outer.update(inner.finish()[...])
    return outer.finish().prefix(16).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}

extension SignedRequest {
  /// Whether the signature is the one that these secrets make.
  func isRight(consumerSecret: String, tokenSecret: String) -> Bool {
    let given = Array((oauth["oauth_signature"] ?? "").utf8)
    let key = SignedRequest.encoded(consumerSecret) + "&" + SignedRequest.encoded(tokenSecret)
    switch oauth["oauth_signature_method"] {
    case "PLAINTEXT": return ConstantTime.areEqual(given, Array(key.utf8))
    case "HMAC-SHA1": return ConstantTime.areEqual(given, Array(SignedRequest.signature(of: base, key: key).utf8))
    default: return false
    }
  }

  /// HMAC-SHA1 in Base64 (RFC 5849, section 3.4.2).
  static func signature(of base: String, key: String) -> String {
    let (key, bytes) = (Array(key.utf8), Array(base.utf8))
    var digest = [UInt8](repeating: 0, count: 20)
    co_hmac_sha1(key, key.count, bytes, bytes.count, &digest)
    return Data(digest).base64EncodedString()
  }
}
