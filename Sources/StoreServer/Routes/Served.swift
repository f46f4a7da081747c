import FileStores
import HTTPTypes
import Hummingbird
import JSON
import NIOCore

/// A file's content as an answer: whole, one range of it, or word that the client has it already.
struct Served: Sendable {
  let metadata: JSON?
  /// The version, as an entity tag.
  let tag: String
  let size: UInt64
  let type: String?
  /// What the file is called, for who saves it; nil to say nothing of that.
  var name: String?
  /// All of the content, when it was read already.
  var bytes: [UInt8]?

  /// Hands bytes on; false when no more are wanted.
  typealias Receiver = (ByteChunk) async throws(StoreError) -> Bool

  /// The answer. `read` is called for the content, with the offset to begin at.
  func response(
    _ head: HTTPRequest,
    _ read: @escaping @Sendable (_ offset: UInt64, _ receive: Receiver) async throws -> Void
  ) -> Response {
    if let answer = atHand(head) {
      return Response(
        status: answer.status, headers: answer.headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.bytes)))
    }
    var headers = headers
    if let known = head.headerFields[.ifNoneMatch], Served.matches(known, tag) {
      return Response(status: .notModified, headers: headers)
    }
    var wanted = head.headerFields[.range]
    if let condition = head.headerFields.value("If-Range"), condition != "\"\(tag)\"" { wanted = nil }
    switch ByteSpan(header: wanted, size: size) {
    case .outside:
      headers[.contentRange] = "bytes */\(size)"
      headers[.contentLength] = "0"
      return Response(status: .rangeNotSatisfiable, headers: headers)
    case .whole:
      return Served.answer(.ok, headers, 0..<size, read)
    case .part(let range):
      headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
      return Served.answer(.partialContent, headers, range, read)
    }
  }

  /// The answer when all of the content is wanted and was read already.
  func atHand(_ head: HTTPRequest) -> AnswerAtHand? {
    guard let bytes, head.headerFields[.ifNoneMatch] == nil, head.headerFields[.range] == nil else { return nil }
    var headers = headers
    headers[.contentLength] = String(bytes.count)
    return AnswerAtHand(status: .ok, headers: headers, bytes: bytes)
  }

  private var headers: HTTPFields {
    var headers: HTTPFields = [
      .contentType: type ?? "application/octet-stream", .acceptRanges: "bytes", .eTag: "\"\(tag)\"",
    ]
    if let metadata { headers[.apiResult] = metadata.spacedASCII }
    if let name { headers[.contentDisposition] = FormText.attachment(name) }
    return headers
  }

  private static func answer(
    _ status: HTTPResponse.Status, _ headers: HTTPFields, _ range: Range<UInt64>,
    _ read: @escaping @Sendable (_ offset: UInt64, _ receive: Receiver) async throws -> Void
  ) -> Response {
    var headers = headers
    headers[.contentLength] = String(range.upperBound - range.lowerBound)
    return Response(
      status: status, headers: headers,
      body: ResponseBody(contentLength: Int(clamping: range.count)) { writer in
        let count = range.upperBound - range.lowerBound
        let sent = try await writer.pass(atMost: count) { receive in
          if !range.isEmpty { try await read(range.lowerBound, receive) }
        }
        guard sent == count else { throw StoreError(.conflict, "The file became shorter while it was being sent.") }
        try await writer.finish(nil)
      })
  }

  private static func matches(_ header: String, _ tag: String) -> Bool {
    header.split(separator: ",").contains { word in
      let bare = word.filter { $0 != " " }
      return bare == "*" || bare == "\"\(tag)\"" || bare == "W/\"\(tag)\""
    }
  }
}
