internal import FileStores

/// A form with one file (RFC 7578).
struct MultipartForm {
  let contentType: String
  let body: [UInt8]

  init(fileName: String, bytes: [UInt8]) {
    // No bytes hold their own checksum.
    let boundary = "byteclub-" + SHA256.hexadecimal(of: bytes).prefix(40)
    contentType = "multipart/form-data; boundary=" + boundary
    let name = fileName.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "%22"
      case "\r": "%0D"
      case "\n": "%0A"
      default: String(scalar)
      }
    }.joined()
    var body = Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n".utf8)
    body += "Content-Type: application/octet-stream\r\n\r\n".utf8
    body += bytes
    body += "\r\n--\(boundary)--\r\n".utf8
    self.body = body
  }
}
