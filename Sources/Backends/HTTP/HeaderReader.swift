/// Reads the lines of an answer's header as libcurl hands them on, one by one.
struct HeaderReader {
  /// More than any server has reason to send.
  private static let limit = 256 << 10

  private var status = 0
  private var fields = HTTPHeaders()
  private var size = 0
  /// The head of the final answer, once it is complete.
  private(set) var response: HTTPResponse?
  /// Whether any answer has begun.
  var hasBegun: Bool { status != 0 }
  /// Whether the server has said 100 (go on).
  private(set) var wasToldToContinue = false

  /// Takes a line with its line end; false for a header that cannot be taken (too long).
  mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
    size += line.count
    guard size <= HeaderReader.limit else { return false }
    var end = line.endIndex
    while end > line.startIndex, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
    let text = line[..<end]
    if text.isEmpty {
      if status == 100 { wasToldToContinue = true }
      if status >= 200, response == nil { response = HTTPResponse(status, headers: fields) }
    } else if text.starts(with: "HTTP/".utf8) {
      // A new answer: the one before was an interim one, or libcurl has asked again.
      (status, fields, response) = (HeaderReader.status(of: text), HTTPHeaders(), nil)
    } else if text.first == 0x20 || text.first == 0x09 {
      // The rest of a field that was folded, which no server may do any more (RFC 9112, section 5.2).
    } else if response == nil, let colon = text.firstIndex(of: UInt8(ascii: ":")) {
      let value = text[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
      fields.append(String(decoding: text[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
    }
    return true
  }

  private static func status(of line: Slice<UnsafeRawBufferPointer>) -> Int {
    let digits = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix { 0x30...0x39 ~= $0 }
    return digits.count == 3 ? digits.reduce(0) { $0 * 10 + Int($1) - 0x30 } : 0
  }
}
