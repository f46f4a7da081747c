internal import Basics

/// Signs requests in the `Authorization` field (RFC 5849).
public struct OAuth1Signer: Sendable {
  private let keys: OAuth1Keys
  private let method: OAuth1Method
  private let now: @Sendable () -> Int64
  private let nonce: @Sendable () -> String

  /// `now` returns seconds since 1970; `nonce` returns a unique text on each call.
  public init(
    _ keys: OAuth1Keys, _ method: OAuth1Method, now: @escaping @Sendable () -> Int64,
    nonce: @escaping @Sendable () -> String
  ) {
    (self.keys, self.method, self.now, self.nonce) = (keys, method, now, nonce)
  }

  /// The value of the field `Authorization`.
  /// - Parameters:
  ///   - verb: the method, in capitals.
  ///   - url: the address without query; scheme and host in lower case, without the scheme's default port.
  ///   - parameters: all parameters of the query and of a form body, not yet encoded.
  public func authorization(_ verb: String, _ url: String, _ parameters: [(String, String)]) -> String {
    var own = [
      ("oauth_version", "1.0"), ("oauth_signature_method", method.rawValue), ("oauth_consumer_key", keys.consumerKey),
    ]
    if !keys.token.isEmpty { own.append(("oauth_token", keys.token)) }
    if method == .hmacSHA1 { own += [("oauth_timestamp", String(now())), ("oauth_nonce", nonce())] }
    let key = PercentEncoding.encoded(keys.consumerSecret) + "&" + PercentEncoding.encoded(keys.tokenSecret)
    switch method {
    case .plaintext: own.append(("oauth_signature", key))
    case .hmacSHA1:
      let signature = HMAC.sha1(base(verb, url, parameters + own), key: Array(key.utf8))
      own.append(("oauth_signature", Base64.text(of: signature)))
    }
    return "OAuth "
      + own.map { "\($0.0)=\"\(PercentEncoding.encoded($0.1))\"" }.joined(separator: ", ")
  }

  /// The signature base string (RFC 5849, section 3.4.1).
  private func base(_ verb: String, _ url: String, _ parameters: [(String, String)]) -> String {
    let pairs = parameters.map { (PercentEncoding.encoded($0.0), PercentEncoding.encoded($0.1)) }
      .sorted { $0.0 != $1.0 ? $0.0 < $1.0 : $0.1 < $1.1 }.map { $0.0 + "=" + $0.1 }
    return [verb, url, pairs.joined(separator: "&")].map { PercentEncoding.encoded($0) }.joined(separator: "&")
  }
}

public struct OAuth1Keys: Sendable, Hashable {
  public let consumerKey: String
  public let consumerSecret: String
  /// The member's token or a request token; empty before there is one.
  public let token: String
  public let tokenSecret: String

  public init(consumerKey: String, consumerSecret: String, token: String = "", tokenSecret: String = "") {
    (self.consumerKey, self.consumerSecret) = (consumerKey, consumerSecret)
    (self.token, self.tokenSecret) = (token, tokenSecret)
  }
}

/// The signature method (RFC 5849, section 3.4).
public enum OAuth1Method: String, Sendable, Hashable {
  case plaintext = "PLAINTEXT"
  case hmacSHA1 = "HMAC-SHA1"
}
