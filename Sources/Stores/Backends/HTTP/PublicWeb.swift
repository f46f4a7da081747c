public import FileStores
internal import POSIX

/// Reads files of the public web for others and posts to it, and asks nothing of this machine or its network.
///
/// The address is checked when the connection is ready, so a name that resolves to a private address is refused.
/// Proxies are not used, because they would resolve the name themselves. Redirects are not followed.
public struct PublicWeb: Sendable {
  /// As Dropbox's `save_url`: a longer download fails.
  private static let longest = Duration.seconds(900)
  /// The most bytes of an answer to a post; nobody reads them.
  private static let mostAnswerBytes = 64 << 10
  private let transport: any HTTPTransport

  /// - Parameter allowsPrivate: true if the owner of this machine chose the address, wherever it is.
  public init(allowsPrivate: Bool = false, timeouts: HTTPTimeouts? = nil) {
    var options = HTTPOptions(
      origins: [], userAgent: "byteclub-serve", timeouts: timeouts ?? HTTPTimeouts(whole: PublicWeb.longest),
      proxies: HTTPProxies(), allowPlainHTTP: true)
    options.onlyPublicAddresses = !allowsPrivate
    transport = CurlTransport(options: options)
  }

  init(_ transport: any HTTPTransport) { self.transport = transport }

  /// - Throws: as `HTTPTransport.exchange`; `notPermitted` for a private address; `server` for any status but 200.
  public func read(
    _ url: String, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    let response = try await transport.exchange(HTTPRequest(.get, url, kind: .content), sent: nil) {
      (response, chunk) throws(StoreError) in
      try PublicWeb.check(response)
      try await receive(chunk)
    }
    try PublicWeb.check(response)
  }

  /// Sends a body.
  /// - Returns: the status, whatever it is.
  /// - Throws: as `HTTPTransport.exchange`; `notPermitted` for a private address; `tooLarge` for a long answer.
  public func post(
    _ body: [UInt8], to url: String, _ headers: [(String, String)]
  ) async throws(StoreError) -> Int {
    var request = HTTPRequest(.post, url, body: .bytes(body))
    for (name, value) in headers { request.headers.append(name, value) }
    return try await transport.call(request, limit: PublicWeb.mostAnswerBytes).0.status
  }

  private static func check(_ response: HTTPResponse) throws(StoreError) {
    guard response.status == 200 else {
      throw StoreError(.server, "The web server answered with status \(response.status).")
    }
  }
}

public enum IPAddress {
  /// IPv4 networks outside of the public internet (IANA IPv4 Special-Purpose Address Registry), multicast and reserved
  /// ones.
  private static let private4: [(base: UInt32, bits: UInt32)] = [
    (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
    (0xC000_0000, 24), (0xC000_0200, 24), (0xC058_6300, 24), (0xC0A8_0000, 16), (0xC612_0000, 15),
    (0xC633_6400, 24), (0xCB00_7100, 24), (0xE000_0000, 4), (0xF000_0000, 4),
  ]

  /// The 4 bytes of an address, also of one in an IPv4-mapped address, or its 16; nil for a name. IPv6 may have brackets.
  static func bytes(_ host: String) -> [UInt8]? {
    let text = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
    var six = in6_addr()
    guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
    let bytes = withUnsafeBytes(of: six) { Array($0) }
    let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
    return isMapped ? Array(bytes[12...]) : bytes
  }

  /// True for an address of 127.0.0.0/8, and for ::1.
  public static func isLoopback(_ host: String) -> Bool {
    guard let bytes = bytes(host) else { return false }
    return bytes.count == 4 ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
  }

  /// True for an address of the public internet. For IPv6 that is 2000::/3, without documentation (2001:db8::/32) and
  /// without the ranges that carry other addresses (2001::/23 with Teredo, 2002::/16).
  public static func isPublic(_ text: String) -> Bool {
    guard let bytes = bytes(text) else { return false }
    if bytes.count == 4 { return isPublic(bytes.reduce(0) { $0 << 8 | UInt32($1) }) }
    let head = UInt32(bytes[0]) << 24 | UInt32(bytes[1]) << 16 | UInt32(bytes[2]) << 8 | UInt32(bytes[3])
    guard head >> 29 == 0b001 else { return false }
    return head != 0x2001_0DB8 && head & 0xFFFF_FE00 != 0x2001_0000 && head >> 16 != 0x2002
  }

  private static func isPublic(_ address: UInt32) -> Bool {
    !private4.contains { network in address >> (32 - network.bits) == network.base >> (32 - network.bits) }
  }
}
