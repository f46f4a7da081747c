import COpenSSL
public import Database
public import FileStores
import FoundationEssentials

/// Tokens for programs that sign their requests (OAuth 1.0).
///
/// Secrets are not stored: each is a checksum of the word that it belongs to, made with a secret of the server, so that
/// a signature can be computed again.
public struct OAuth1Tokens: Sendable {
  /// What a program signs with.
  public struct Keys: Sendable, Hashable {
    /// The program's key.
    public let consumerKey: String
    /// The program's secret.
    public let consumerSecret: String
    /// The member's token.
    public let token: String
    /// The token's secret.
    public let tokenSecret: String
  }

  /// Whose a signature is.
  enum Check {
    case good(token: ServerToken, member: ServerMember)
    case unknownToken
    case wrongSignature
  }

  private let database: ServerMembersDatabase

  /// Works on a server's list of members. Calls block.
  public init(_ database: ServerMembersDatabase) { self.database = database }

  /// Gives a member a token, for one program.
  /// - Throws: `notFound` when there is no such member.
  public func issue(to name: String, app: String = "byteclub") throws(StoreError) -> Keys {
    guard let member = try database.members().first(where: { $0.name == name }) else {
      throw StoreError(
        .notFound, "There is no member \"\(name)\".", remedy: "See who there is: byteclub serve member ls.")
    }
    let word = FreshID.hexadecimal(16)
    let secret = try secret(of: "token " + word)
    let hash = SHA256()
    hash.update(Array("oauth1 \(word) \(secret)".utf8)[...])
    try database.add(
      ServerToken(id: word, digest: hash.finish(), member: member.id, purpose: .access, family: word, app: app))
    return Keys(
      consumerKey: app, consumerSecret: try self.secret(of: "app " + app), token: word, tokenSecret: secret)
  }

  /// Checks a request's signature.
  func check(_ request: SignedRequest) throws(StoreError) -> Check {
    let (app, word) = (request.oauth["oauth_consumer_key"] ?? "", request.oauth["oauth_token"] ?? "")
    let (consumer, secret) = (try secret(of: "app " + app), try secret(of: "token " + word))
    let found = try database.token(id: word)
    let given = Array((request.oauth["oauth_signature"] ?? "").utf8)
    let isRight: Bool
    switch request.oauth["oauth_signature_method"] {
    case "PLAINTEXT": isRight = ConstantTime.areEqual(given, Array("\(consumer)&\(secret)".utf8))
    case "HMAC-SHA1":
      let right = OAuth1Tokens.signature(of: request.base, key: "\(consumer)&\(secret)")
      isRight = ConstantTime.areEqual(given, Array(right.utf8))
    default: isRight = false
    }
    let hash = SHA256()
    hash.update(Array("oauth1 \(word) \(secret)".utf8)[...])
    guard let found, ConstantTime.areEqual(found.token.digest, hash.finish()) else { return .unknownToken }
    return isRight && found.token.app == app ? .good(token: found.token, member: found.member) : .wrongSignature
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

  /// HMAC-SHA1 in Base64 (RFC 5849, section 3.4.2).
  static func signature(of base: String, key: String) -> String {
    let (key, bytes) = (Array(key.utf8), Array(base.utf8))
    var digest = [UInt8](repeating: 0, count: 20)
    co_hmac_sha1(key, key.count, bytes, bytes.count, &digest)
    return Data(digest).base64EncodedString()
  }
}
