internal import Basics

/// AWS Signature Version 4 for S3: the header `Authorization`. Pure: the same values give the same signature.
///
/// Source: AWS, "Signature Version 4 signing process" and "Authenticating Requests: Using the Authorization Header
/// (Amazon S3)". For S3 a path is encoded once and never normalized.
struct S3Signer: Sendable {
  static let emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  let keys: S3Keys
  let region: String
  var service = "s3"

  struct Request: Sendable {
    var method: String
    /// Without a default port, as it is sent.
    var host: String
    /// Percent-encoded, beginning with a slash.
    var path: String
    /// Not encoded.
    var query: [(String, String)] = []
    /// Each is signed. Without `Host`, `Authorization` and those that the transport adds.
    var headers: [(String, String)] = []
    /// 64 hexadecimal digits.
    var payloadHash: String
  }

  /// The header fields to add: `X-Amz-Date`, `X-Amz-Content-Sha256`, perhaps `X-Amz-Security-Token`, `Authorization`.
  /// - Parameter seconds: since 1970, by the server's clock.
  func fields(for request: Request, at seconds: Int64) -> [(String, String)] {
    let date = S3Signer.date(seconds)
    var added = [("X-Amz-Date", date), ("X-Amz-Content-Sha256", request.payloadHash)]
    if let token = keys.sessionToken { added.append(("X-Amz-Security-Token", token)) }
    var whole = request
    whole.headers += added
    let signature = SHA256.hexadecimal(HMAC.sha256(stringToSign(whole, date), key: signingKey(date)))
    let names = S3Signer.signedHeaders(whole).map(\.0).joined(separator: ";")
    let scope = "Credential=\(keys.id)/\(scope(date))"
    added.append(("Authorization", "AWS4-HMAC-SHA256 \(scope), SignedHeaders=\(names), Signature=\(signature)"))
    return added
  }

  /// The canonical request of the specification. `request` has all headers that are signed, but for `Host`.
  static func canonical(_ request: Request) -> String {
    let headers = signedHeaders(request)
    return [
      request.method, request.path, canonicalQuery(request.query),
      headers.map { "\($0.0):\($0.1)\n" }.joined(), headers.map(\.0).joined(separator: ";"), request.payloadHash,
    ].joined(separator: "\n")
  }

  /// Sorted by the bytes of the encoded names, then values.
  static func canonicalQuery(_ query: [(String, String)]) -> String {
    query.map { (PercentEncoding.encoded($0.0), PercentEncoding.encoded($0.1)) }
      .sorted { left, right in
        left.0 == right.0 ? Array(left.1.utf8).precedes(right.1.utf8) : Array(left.0.utf8).precedes(right.0.utf8)
      }
      .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  func stringToSign(_ request: Request, _ date: String) -> String {
    let hash = SHA256.hexadecimal(of: S3Signer.canonical(request).utf8)
    return ["AWS4-HMAC-SHA256", date, scope(date), hash].joined(separator: "\n")
  }

  private func scope(_ date: String) -> String { "\(date.prefix(8))/\(region)/\(service)/aws4_request" }

  private func signingKey(_ date: String) -> [UInt8] {
    var key = Array("AWS4\(keys.secret)".utf8)
    for word in [String(date.prefix(8)), region, service, "aws4_request"] { key = HMAC.sha256(word, key: key) }
    return key
  }

  /// Lower-case names in order; spaces of values are trimmed and single; fields of one name are joined.
  private static func signedHeaders(_ request: Request) -> [(String, String)] {
    var fields: [String: String] = [:]
    for (name, value) in [("host", request.host)] + request.headers {
      let value = value.split(separator: " ").joined(separator: " ")
      let name = name.lowercased()
      fields[name] = fields[name].map { "\($0),\(value)" } ?? value
    }
    return fields.sorted { Array($0.key.utf8).precedes($1.key.utf8) }.map { ($0.key, $0.value) }
  }

  /// `20130524T000000Z`.
  static func date(_ seconds: Int64) -> String {
    CivilTime(secondsSince1970: Int(seconds)).utc.filter { $0 != "-" && $0 != ":" }
  }
}

extension Array<UInt8> {
  fileprivate func precedes(_ other: some Sequence<UInt8>) -> Bool { lexicographicallyPrecedes(other) }
}
