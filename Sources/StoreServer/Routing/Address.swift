import HTTPTypes

struct Address: Sendable {
  let origin: String
  let query: [String: String]

  init(_ head: HTTPRequest, isSecure: Bool) {
    let host = head.authority ?? "localhost"
    let isPlain = host.utf8.allSatisfy { byte in
      switch byte {
      case 48...57, 65...90, 97...122: true
      case UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "["), UInt8(ascii: "]"): true
      default: false
      }
    }
    origin = (isSecure ? "https://" : "http://") + (isPlain ? host : "localhost")
    query = FormText.query(of: head)
  }
}
