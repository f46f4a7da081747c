public import FileStores

public struct HTTPRequest: Sendable {
  /// The kind of traffic, which decides the version of HTTP.
  public enum Kind: Sendable, Hashable {
    /// A short request and response: HTTP/2 over TLS, where many share one connection.
    case call
    /// File content: HTTP/1.1, where a paused transfer slows the other end instead of filling memory.
    case content
    /// The content of a file that is known to be short: HTTP/2 over TLS, and four times as many at once as `content`,
    /// because nearly all of the time is waiting.
    case shortContent
    /// A request whose response waits for news. Uses HTTP/2 as `call` does.
    case longPoll

    /// True for the bytes of files, whose own coding is not the transport's.
    public var isContent: Bool { self == .content || self == .shortContent }
  }

  public var method: HTTPMethod
  /// The absolute, percent-encoded `http` or `https` address, without user, password and fragment.
  public var url: String
  /// Sent unchanged, after the fields of the transport (`Host`, `User-Agent`, `Content-Length`).
  public var headers: HTTPHeaders
  public var body: HTTPBody
  public var kind: Kind
  public var timeouts: HTTPTimeouts?
  /// True if the transport may resend the request when a kept connection closes before a response; otherwise that is
  /// `offline`.
  public var isRepeatable: Bool
  /// A body of at least this many bytes is announced with `Expect: 100-continue`, so that the server can refuse before it
  /// is sent.
  public var asksFrom = HTTPRequest.largeBody
  static let largeBody: UInt64 = 1 << 20

  /// Only `get` and `head` requests start as repeatable.
  public init(
    _ method: HTTPMethod, _ url: String, headers: HTTPHeaders = [:], body: HTTPBody = .empty, kind: Kind = .call,
    timeouts: HTTPTimeouts? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.kind = kind
    self.timeouts = timeouts
    isRepeatable = method == .get || method == .head
  }
}

public enum HTTPBody: Sendable {
  case empty
  case bytes([UInt8])
  /// The bytes of a source from an offset. With `length`, exactly that many are sent, and a shorter source is
  /// `badInput`; without, all of them in chunks.
  case source(any ByteSource, from: UInt64, length: UInt64?)

  public var length: UInt64? {
    switch self {
    case .empty: 0
    case .bytes(let bytes): UInt64(bytes.count)
    case .source(_, _, let length): length
    }
  }
}

public struct HTTPResponse: Sendable, Hashable {
  public let status: Int
  public let headers: HTTPHeaders

  public init(_ status: Int, headers: HTTPHeaders = [:]) {
    self.status = status
    self.headers = headers
  }

  public var isSuccess: Bool { 200...299 ~= status }

  public var contentLength: UInt64? { headers["Content-Length"].flatMap { UInt64($0) } }

  /// The server's time, in seconds since 1970.
  var date: Int64? { headers["Date"].flatMap { HTTPDate.seconds(of: $0) } }

  /// A compression that the request did not permit. A file's own bytes may be compressed.
  func foreignEncoding(of kind: HTTPRequest.Kind) -> String? {
    let isPlain = { (value: String, plain: String) in HTTPHeaders.same(value, plain) }
    if let value = headers.values(of: "Transfer-Encoding").first(where: {
      !isPlain($0, "chunked") && !isPlain($0, "identity")
    }) {
      return value
    }
    guard !kind.isContent, let value = headers["Content-Encoding"] else { return nil }
    return value.isEmpty || isPlain(value, "identity") ? nil : value
  }

  /// True if the answer gives several lengths, or one that is no number. libcurl would end the body at one of them.
  var hasUnclearLength: Bool {
    let words = headers.values(of: "Content-Length").flatMap { $0.split { $0 == "," || $0 == " " } }
    let lengths = Set(words.map { UInt64($0) })
    return lengths.count > 1 || lengths.contains(nil)
  }

  /// The delay in `Retry-After`, which is in seconds or a date (RFC 9110, section 10.2.3). A past date is zero, more
  /// than 30 days is 30 days, and anything else is nil. `now` is in seconds since 1970.
  public func retryAfter(now: Int64) -> Duration? {
    guard let text = headers["Retry-After"] else { return nil }
    let longest: Int64 = 30 * 86_400
    if !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
      return .seconds(min(Int64(text) ?? longest, longest))
    }
    guard let date = HTTPDate.seconds(of: text) else { return nil }
    return .seconds(min(max(0, date - now), longest))
  }
}

public struct HTTPMethod: Sendable, Hashable, CustomStringConvertible {
  public let word: String

  /// A method in capital letters. Methods of one service, such as PROPFIND, are defined with that service.
  init(_ word: StaticString) { self.word = "\(word)" }

  public static let get = HTTPMethod("GET")
  public static let head = HTTPMethod("HEAD")
  public static let post = HTTPMethod("POST")
  public static let put = HTTPMethod("PUT")
  public static let delete = HTTPMethod("DELETE")
  public static let options = HTTPMethod("OPTIONS")

  public var description: String { word }
}
