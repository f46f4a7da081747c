internal import FileStores

/// A form with one file (RFC 7578).
struct MultipartForm {
  let contentType: String
  /// The lines before the file's bytes.
  let head: [UInt8]
  /// The lines behind them.
  let tail: [UInt8]

  /// `boundary` is ASCII that the file does not contain: long and random.
  init(fileName: String, boundary: String) {
    contentType = "multipart/form-data; boundary=" + boundary
    let name = fileName.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "%22"
      case "\r": "%0D"
      case "\n": "%0A"
      default: String(scalar)
      }
    }.joined()
    head = Array(
      ("--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n"
        + "Content-Type: application/octet-stream\r\n\r\n").utf8)
    tail = Array("\r\n--\(boundary)--\r\n".utf8)
  }

  /// The form with a file's bytes in it. A source is read as it is sent.
  func around(_ file: HTTPBody) -> HTTPBody {
    switch file {
    case .empty: .bytes(head + tail)
    case .bytes(let bytes): .bytes(head + bytes + tail)
    case .source(let source, let offset, let length):
      .source(
        FramedSource(head: head, source: source, offset: offset, length: length, tail: tail), from: 0,
        length: length.map { UInt64(head.count) + $0 + UInt64(tail.count) })
    }
  }
}
