/// One request.
public struct HTTPRequest: Sendable {
  /// What kind of traffic it is, which decides the version of HTTP.
  public enum Kind: Sendable, Hashable {
    /// A short question and a short answer: HTTP/2 over TLS, where many share one connection.
    case call
    /// A file's bytes: HTTP/1.1, where a paused transfer holds up the other end and not our memory.
    case content
    /// A question whose answer comes when there is something to say: as `call`.
    case longPoll
  }

  /// What is asked for.
  public var method: HTTPMethod
  /// The absolute address, percent-encoded: `http` or `https`, without user, password and fragment.
  public var url: String
  /// Sent as they are, after those that the transport itself sets (`Host`, `User-Agent`, `Content-Length`).
  public var headers: HTTPHeaders
  /// What is sent after the header.
  public var body: HTTPBody
  /// What kind of traffic it is.
  public var kind: Kind
  /// How long it may take; nil for the transport's own choice.
  public var timeouts: HTTPTimeouts?
  /// Whether the transport may send it once more, by itself, when a connection that was kept turns out to be closed
  /// before any byte of an answer. When it may not, that is `offline`.
  public var isRepeatable: Bool

  /// Makes a request. Those with `get` and `head` are repeatable, and no others.
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
