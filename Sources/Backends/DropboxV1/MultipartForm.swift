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

struct FramedSource: ByteSource {
  let head: [UInt8]
  let source: any ByteSource
  let offset: UInt64
  let length: UInt64?
  let tail: [UInt8]

  var size: UInt64? { length.map { UInt64(head.count) + $0 + UInt64(tail.count) } }

  func open(at start: UInt64) async throws(StoreError) -> any ByteReading {
    let skipped = min(start, UInt64(head.count))
    var rest = start - skipped
    let inside = min(rest, length ?? rest)
    rest -= inside
    return Reading(
      ahead: head.dropFirst(Int(clamping: skipped)), source: try await source.open(at: offset + inside),
      left: length.map { $0 - inside }, behind: tail.dropFirst(Int(clamping: rest)))
  }

  private struct Reading: ByteReading {
    var ahead: ByteChunk
    var source: (any ByteReading)?
    var left: UInt64?
    var behind: ByteChunk

    mutating func next() async throws(StoreError) -> ByteChunk? {
      if !ahead.isEmpty {
        defer { ahead = [] }
        return ahead
      }
      if let chunk = try await inside() { return chunk }
      defer { behind = [] }
      return behind.isEmpty ? nil : behind
    }

    private mutating func inside() async throws(StoreError) -> ByteChunk? {
      guard let chunk = try await source?.next() else {
        source = nil
        if let left, left > 0 { throw StoreError(.badInput, "The source ended \(left) bytes too early.") }
        return nil
      }
      guard let left else { return chunk }
      guard UInt64(chunk.count) <= left else { throw StoreError(.badInput, "The source has more bytes than its size.") }
      self.left = left - UInt64(chunk.count)
      return chunk
    }
  }
}
