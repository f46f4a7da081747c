internal import FileStores

/// RFC 7578, with one file.
struct MultipartForm {
  let contentType: String
  let head: [UInt8]
  let tail: [UInt8]

  /// `boundary` is long, random ASCII that does not occur in the file.
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
