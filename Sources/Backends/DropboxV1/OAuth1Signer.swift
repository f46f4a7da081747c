internal import COpenSSL

/// Signs requests as RFC 5849 says, in the field `Authorization`.
public struct OAuth1Signer: Sendable {
  private let keys: OAuth1Keys
  private let method: OAuth1Method
  private let now: @Sendable () -> Int64
  private let nonce: @Sendable () -> String

  /// Makes a signer. `now` is in seconds since 1970, `nonce` gives a word that comes but once.
  public init(
    _ keys: OAuth1Keys, _ method: OAuth1Method, now: @escaping @Sendable () -> Int64,
    nonce: @escaping @Sendable () -> String
  ) {
    (self.keys, self.method, self.now, self.nonce) = (keys, method, now, nonce)
  }

  /// The value of the field `Authorization`.
  /// - Parameters:
  ///   - verb: the method of the request, in capitals.
  ///   - url: the address without query: scheme and host in lower case, no port that is the scheme's usual one.
  ///   - parameters: all of the query and of a form in the body, not yet encoded.
  public func authorization(_ verb: String, _ url: String, _ parameters: [(String, String)]) -> String {
    var own = [
      ("oauth_version", "1.0"), ("oauth_signature_method", method.rawValue), ("oauth_consumer_key", keys.consumerKey),
    ]
    if !keys.token.isEmpty { own.append(("oauth_token", keys.token)) }
    if method == .hmacSHA1 { own += [("oauth_timestamp", String(now())), ("oauth_nonce", nonce())] }
    let key = PercentEncoding.strict(keys.consumerSecret) + "&" + PercentEncoding.strict(keys.tokenSecret)
    switch method {
    case .plaintext: own.append(("oauth_signature", key))
    case .hmacSHA1:
      own.append(("oauth_signature", OAuth1Signer.signature(of: base(verb, url, parameters + own), key: key)))
    }
    return "OAuth "
      + own.map { "\($0.0)=\"\(PercentEncoding.strict($0.1))\"" }.joined(separator: ", ")
  }

  /// What is signed (RFC 5849, section 3.4.1).
  private func base(_ verb: String, _ url: String, _ parameters: [(String, String)]) -> String {
    let pairs = parameters.map { (PercentEncoding.strict($0.0), PercentEncoding.strict($0.1)) }
      .sorted { $0.0 != $1.0 ? $0.0 < $1.0 : $0.1 < $1.1 }.map { $0.0 + "=" + $0.1 }
    return [verb, url, pairs.joined(separator: "&")].map(PercentEncoding.strict).joined(separator: "&")
  }

  private static func signature(of base: String, key: String) -> String {
    let (key, bytes) = (Array(key.utf8), Array(base.utf8))
    var digest = [UInt8](repeating: 0, count: 20)
    co_hmac_sha1(key, key.count, bytes, bytes.count, &digest)
    return Base64.text(of: digest)
  }
}
