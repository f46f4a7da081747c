import Basics
import FileStores
import HTTPTypes
import Hummingbird
import JSON
import NIOCore

/// A file's content: whole, one range, or "not modified".
struct Served: Sendable {
  let metadata: JSON?
  let tag: String
  let size: UInt64
  let type: String?
  var name: String?
  var bytes: [UInt8]?

  /// Receives a chunk; returns false if no more is wanted.
  typealias Receiver = (ByteChunk) async throws(StoreError) -> Bool
  typealias Reader = @Sendable (_ offset: UInt64, _ pace: SendPace, _ receive: Receiver) async throws -> Void

  /// - Parameter budget: of members' answers; without one the answer is sent at the small pace.
  func response(_ head: HTTPRequest, _ budget: SendBudget? = nil, _ read: @escaping Reader) -> Response {
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
      return Served.answer(.ok, headers, 0..<size, budget, read)
    case .part(let range):
      headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
      return Served.answer(.partialContent, headers, range, budget, read)
    }
  }

  /// The answer if all of the content is requested and already read.
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
    _ status: HTTPResponse.Status, _ headers: HTTPFields, _ range: Range<UInt64>, _ budget: SendBudget?,
    _ read: @escaping Reader
  ) -> Response {
    var headers = headers
    headers[.contentLength] = String(range.upperBound - range.lowerBound)
    return Response(
      status: status, headers: headers,
      body: ResponseBody(contentLength: Int(clamping: range.count)) { writer in
        let count = range.upperBound - range.lowerBound
        let sent = try await (budget ?? SendBudget(most: 0)).with { pace in
          try await writer.pass(atMost: count, pace) { receive in
            if !range.isEmpty { try await read(range.lowerBound, pace, receive) }
          }
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

extension ResponseBodyWriter {
  /// Sends the chunks of `read`, at most this many bytes. Returns the bytes sent.
  /// - Throws: an error of sending, which soon ends the reading; otherwise an error of `read`.
  mutating func pass(
    atMost most: UInt64 = .max, _ pace: SendPace,
    _ read: @escaping @Sendable (_ receive: Served.Receiver) async throws -> Void
  ) async throws -> UInt64 {
    try await withThrowingTaskGroup(of: Void.self) { group in
      let handoff = ChunkHandoff(readsAhead: pace.readsAhead)
      group.addTask {
        do {
          try await read { chunk throws(StoreError) in await handoff.send(chunk) }
          handoff.finish()
        } catch {
          handoff.finish(error)
        }
      }
      var left = most
      var size = PieceSize(pace)
      do {
        while left > 0, var rest = try await handoff.next()?.prefix(Int(clamping: left)) {
          left -= UInt64(rest.count)
          while !rest.isEmpty {
            try await write(size.next(of: &rest))
            size.noteTaken()
          }
        }
        handoff.stop()
      } catch {
        handoff.stop()
        throw error
      }
      return most - left
    }
  }
}
