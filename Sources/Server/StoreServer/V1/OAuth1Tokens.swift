import Basics
import Database
import FileStores
import FoundationEssentials
import Synchronization

/// Tokens for programs that sign their requests (OAuth 1.0). A secret is not stored: it is a checksum of its token's id
/// and a server secret.
struct OAuth1Tokens: Sendable {
  struct Keys: Sendable, Hashable {
    let consumerKey: String
    let consumerSecret: String
    let token: String
    let tokenSecret: String
  }

  enum Check {
    case good(token: ServerToken, member: ServerMember)
    case unknownToken
    case wrongSignature
  }

  private let database: ServerMembersDatabase

  /// Calls block.
  init(_ database: ServerMembersDatabase) { self.database = database }

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
    return HMAC.sha256(word, key: key).prefix(16).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}

extension SignedRequest {
  func isRight(consumerSecret: String, tokenSecret: String) -> Bool {
    let given = Array((oauth["oauth_signature"] ?? "").utf8)
    let key = PercentEncoding.encoded(consumerSecret) + "&" + PercentEncoding.encoded(tokenSecret)
    switch oauth["oauth_signature_method"] {
    case "PLAINTEXT": return ConstantTime.areEqual(given, Array(key.utf8))
    case "HMAC-SHA1": return ConstantTime.areEqual(given, Array(SignedRequest.signature(of: base, key: key).utf8))
    default: return false
    }
  }

  /// HMAC-SHA1 in Base64 (RFC 5849, section 3.4.2).
  static func signature(of base: String, key: String) -> String {
    Base64.text(of: HMAC.sha1(base, key: Array(key.utf8)))
  }
}

/// The nonces of the last minutes, for rejecting repeated requests (RFC 5849, section 3.3).
/// Each signer has an own share. If it is full, the older half is dropped and requests of that age are refused. A
/// signer whose clock advances is never locked out, and others are unaffected.
final class OAuth1Nonces: Sendable {
  private struct Share {
    /// The second of a request by a hash of its token, nonce and second.
    var seen: [UInt64: Int64] = [:]
    /// Requests up to this second are refused: their nonces are dropped.
    var forgotten = Int64.min
    var newest: Int64 = 0
  }

  /// The largest accepted difference between the client's clock and the server's.
  static let windowSeconds: Int64 = 600
  private let most: Int
  private let shares = Mutex<(signers: [String: Share], tidied: Int64)>(([:], 0))

  /// - Parameter most: the most nonces kept for one signer, some 30 bytes each.
  init(most: Int = 20_000) { self.most = most }

  /// Accepts any number.
  static func isRecent(_ second: Int64, now: Int64) -> Bool {
    (now - windowSeconds...now + windowSeconds).contains(second)
  }

  /// Records a recent request; false if it is repeated, or older than the signer's kept nonces.
  func note(_ words: String, from signer: String, _ second: Int64, now: Int64) -> Bool {
    var hasher = Hasher()
    hasher.combine(words)
    hasher.combine(second)
    let hash = UInt64(bitPattern: Int64(hasher.finalize()))
    return shares.withLock { shares in
      if now - shares.tidied > OAuth1Nonces.windowSeconds {
        shares.signers = shares.signers.filter { now - $0.value.newest <= OAuth1Nonces.windowSeconds }
        shares.tidied = now
      }
      var share = shares.signers.removeValue(forKey: signer) ?? Share()
      defer { shares.signers[signer] = share }
      guard second > share.forgotten else { return false }
      if share.seen.count >= most { forgetOlderHalf(of: &share, now) }
      guard second > share.forgotten else { return false }
      share.newest = max(share.newest, second)
      return share.seen.updateValue(second, forKey: hash) == nil
    }
  }

  private func forgetOlderHalf(of share: inout Share, _ now: Int64) {
    share.seen = share.seen.filter { now - $0.value <= OAuth1Nonces.windowSeconds }
    guard share.seen.count >= most else { return }
    let seconds = share.seen.values.sorted()
    let end = seconds[seconds.count / 2]
    share.forgotten = end
    share.seen = share.seen.filter { $0.value > end }
  }
}
