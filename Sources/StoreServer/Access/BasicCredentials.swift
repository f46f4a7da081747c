import FoundationEssentials

/// The key and secret of an `Authorization: Basic` header (RFC 7617).
struct BasicCredentials {
  let key: String
  let secret: String

  init?(_ header: String) {
    guard header.prefix(6).lowercased() == "basic ",
      let bytes = Data(base64Encoded: String(header.dropFirst(6).drop { $0 == " " })),
      let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
    else { return nil }
    key = String(text[..<colon])
    secret = String(text[text.index(after: colon)...])
  }
}
