public import Backends
public import FileStores
import Synchronization

/// A transport over a line on which the bytes of files are lost or replaced, while each status says that all is well.
public struct LyingTransport: HTTPTransport {
  public enum Lie: Sendable, CaseIterable {
    /// The answer goes on behind the file, with its length in the header, or without a length.
    case longer, endsLater
    /// The answer ends before the file.
    case shorter, endsEarlier
    /// A web page in place of the file, of its own length, without a length, or of the file's length.
    case page, endlessPage, fittingPage
    /// The server gets nothing of a file's body, or its first half, and confirms it.
    case lostBody, halfBody

    /// True if it is about bytes that are written.
    public var isOfWrites: Bool { self == .lostBody || self == .halfBody }
    /// True if the head of the answer shows it.
    public var showsAtOnce: Bool { [.longer, .shorter, .page, .endlessPage, .fittingPage].contains(self) }
  }

  /// Shorter bodies are questions and lists.
  public static let fewestBytes = 5000

  private let base: any HTTPTransport
  private let line: LyingLine

  public init(_ base: any HTTPTransport, _ line: LyingLine) { (self.base, self.line) = (base, line) }

  public func exchange(
    _ request: HTTPRequest, sent: (@Sendable (UInt64) -> Void)?,
    _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> HTTPResponse {
    guard let lie = line.lie else { return try await base.exchange(request, sent: sent, receive) }
    if lie.isOfWrites {
      return try await base.exchange(try await shortened(request, lie), sent: sent, receive)
    }
    guard request.kind.isContent, request.body.length == 0 else {
      return try await base.exchange(request, sent: sent, receive)
    }
    var bytes: [UInt8] = []
    let response = try await base.exchange(request, sent: nil) { (_, chunk) throws(StoreError) in bytes += chunk }
    guard response.isSuccess else {
      if !bytes.isEmpty { try await receive(response, bytes[...]) }
      return response
    }
    let (told, body) = LyingTransport.answer(response, bytes, lie)
    var rest = body[...]
    while !rest.isEmpty {
      try await receive(told, rest.prefix(2000))
      rest = rest.dropFirst(2000)
    }
    return told
  }

  private static func answer(_ response: HTTPResponse, _ bytes: [UInt8], _ lie: Lie) -> (HTTPResponse, [UInt8]) {
    var headers = response.headers
    func page(_ count: Int) -> [UInt8] {
      Array("<html><body>Welcome to the train".utf8) + [UInt8](repeating: 0x20, count: max(0, count - 32))
    }
    switch lie {
    case .longer, .endsLater:
      let more = bytes + page(100)
      headers["Content-Length"] = lie == .longer ? String(more.count) : nil
      return (HTTPResponse(response.status, headers: headers), more)
    case .shorter, .endsEarlier:
      let fewer = Array(bytes.dropLast(100))
      headers["Content-Length"] = lie == .shorter ? String(fewer.count) : nil
      return (HTTPResponse(response.status, headers: headers), fewer)
    default:
      let body = page(lie == .page ? 32 : lie == .endlessPage ? bytes.count + 100 : bytes.count)
      var own: HTTPHeaders = ["Content-Type": "text/html; charset=utf-8"]
      if lie != .endlessPage { own["Content-Length"] = String(body.count) }
      return (HTTPResponse(200, headers: own), body)
    }
  }

  private func shortened(_ request: HTTPRequest, _ lie: Lie) async throws(StoreError) -> HTTPRequest {
    guard request.body.length ?? .max >= UInt64(LyingTransport.fewestBytes) else { return request }
    var bytes: [UInt8] = []
    switch request.body {
    case .empty: break
    case .bytes(let all): bytes = all
    case .source(let source, let offset, _):
      var reading = try await source.open(at: offset)
      while let chunk = try await reading.next() { bytes += chunk }
    }
    var request = request
    request.body = .bytes(lie == .lostBody ? [] : Array(bytes.prefix(bytes.count / 2)))
    return request
  }
}

/// The lie of a line at the moment.
public final class LyingLine: Sendable {
  private let told = Mutex<LyingTransport.Lie?>(nil)

  public init() {}

  var lie: LyingTransport.Lie? { told.withLock { $0 } }

  /// Nil tells the truth, as at the start.
  public func tell(_ lie: LyingTransport.Lie?) { told.withLock { $0 = lie } }
}
