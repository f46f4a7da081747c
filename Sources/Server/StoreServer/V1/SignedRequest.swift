import Backends
import Basics
import HTTPTypes

struct SignedRequest: Sendable {
  /// The OAuth 2 token, from the header or the parameter `access_token`.
  let bearer: String?
  /// The OAuth 1 parameters, from the header or from all others.
  let oauth: [String: String]
  private let head: HTTPTypes.HTTPRequest
  private let origin: String
  private let parameters: [String: String]

  var isSigned: Bool { oauth["oauth_signature"] != nil }

  init(_ head: HTTPTypes.HTTPRequest, _ address: Address, _ parameters: [String: String]) {
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

  /// The signature base string (RFC 5849, section 3.4.1): scheme and host in lower case, without the default port.
  var base: String {
    let all = parameters.merging(oauth) { _, own in own }.filter { $0.key != "oauth_signature" && $0.key != "realm" }
    let pairs = all.map { (PercentEncoding.encoded($0.key), PercentEncoding.encoded($0.value)) }
      .sorted { $0.0 != $1.0 ? $0.0 < $1.0 : $0.1 < $1.1 }.map { $0.0 + "=" + $0.1 }
    let path = String(head.barePath)
    let server = HTTPOrigin(origin)?.description ?? origin.lowercased()
    return [head.method.rawValue, server + path, pairs.joined(separator: "&")]
      .map { PercentEncoding.encoded($0) }.joined(separator: "&")
  }

  /// The parameters of a header: `name="value", …`, percent-encoded.
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
      fields[name] = PercentEncoding.decoded(value, plusIsSpace: false) ?? String(value)
    }
    return fields
  }
}
