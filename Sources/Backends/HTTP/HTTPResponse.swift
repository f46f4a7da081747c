/// The head of an answer.
public struct HTTPResponse: Sendable, Hashable {
  /// The status, 200 to 599.
  public let status: Int
  /// The header fields; trailers are not among them.
  public let headers: HTTPHeaders

  /// Makes a response.
  public init(_ status: Int, headers: HTTPHeaders = [:]) {
    self.status = status
    self.headers = headers
  }

  /// True from 200 to 299.
  public var isSuccess: Bool { 200...299 ~= status }

  /// The length of the body as announced.
  public var contentLength: UInt64? { headers["Content-Length"].flatMap { UInt64($0) } }

  /// How long the server asks to be left alone: the field `Retry-After`, in seconds or as a date (RFC 9110, section
  /// 10.2.3). A date that has passed is no wait; one longer than 30 days is 30 days; anything else is nil.
  /// - Parameter now: seconds since 1970.
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
