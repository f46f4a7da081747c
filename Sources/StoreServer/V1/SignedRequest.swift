import HTTPTypes

/// What a request of version 1 says about who sends it.
struct SignedRequest: Sendable {
  /// The token of OAuth 2, from the header or the parameter `access_token`.
  let bearer: String?
  /// OAuth 1's own parameters: from the header, or among all others.
  let oauth: [String: String]
  private let head: HTTPRequest
  private let origin: String
  private let parameters: [String: String]

  /// True where OAuth 1 is used.
  var isSigned: Bool { oauth["oauth_signature"] != nil }

  init(_ head: HTTPRequest, _ address: Address, _ parameters: [String: String]) {
    let field = head.headerFields[.authorization] ?? address.query["authorization"] ?? ""
    let isBearer = field.prefix(7).lowercased() == "bearer "
    bearer = isBearer ? String(field.dropFirst(7).drop { $0 == " " }) : parameters["access_token"]
    var own: [String: String] = [:]
    if field.prefix(6).lowercased() == "oauth " {
      own = SignedRequest.fields(field.dropFirst(6))
    } else if parameters["oauth_signature"] != nil {
      own = parameters.filter { $0.key.hasPrefix("oauth_") }
    }
    oauth = own
    (self.head, origin, self.parameters) = (head, address.origin, parameters)
  }

  /// What is signed (RFC 5849, section 3.4.1).
  var base: String {
    let all = parameters.merging(oauth) { _, own in own }.filter { $0.key != "oauth_signature" && $0.key != "realm" }
    let pairs = all.map { (SignedRequest.encoded($0.key), SignedRequest.encoded($0.value)) }
      .sorted { $0.0 != $1.0 ? $0.0 < $1.0 : $0.1 < $1.1 }.map { $0.0 + "=" + $0.1 }
    let path = String(head.barePath)
    return [head.method.rawValue, SignedRequest.normal(origin) + path, pairs.joined(separator: "&")]
      .map(SignedRequest.encoded).joined(separator: "&")
  }

  /// The parameters of a header field: `name="value", …`, percent-encoded.
  private static func fields(_ text: Substring) -> [String: String] {
    var fields: [String: String] = [:]
    for pair in text.split(separator: ",") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      let name = parts[0].filter { $0 != " " }
      var value = parts[1][...]
      while value.first == " " { value = value.dropFirst() }
      while value.last == " " { value = value.dropLast() }
      if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
      fields[name] = FormText.decoded(value.replacing("+", with: "%2B")) ?? String(value)
    }
    return fields
  }

  /// Scheme and host in lower case, without the port that the scheme has anyway.
  private static func normal(_ origin: String) -> String {
    let low = origin.lowercased()
    if low.hasPrefix("http://"), low.hasSuffix(":80") { return String(low.dropLast(3)) }
    if low.hasPrefix("https://"), low.hasSuffix(":443") { return String(low.dropLast(4)) }
    return low
  }

  /// RFC 5849, section 3.6.
  static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
