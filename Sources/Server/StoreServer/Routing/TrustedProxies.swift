public import FileStores
import HTTPTypes
import POSIX

/// The proxies that may say for whom they ask: `X-Forwarded-For` and `X-Forwarded-Proto` count from these addresses
/// alone, because anyone can send such a header.
public struct TrustedProxies: Sendable {
  private struct Network: Sendable {
    /// 16 bytes; IPv4 in its mapped form.
    let bytes: [UInt8]
    let bits: Int

    func contains(_ address: [UInt8]) -> Bool {
      let whole = bits / 8
      guard bytes.prefix(whole) == address.prefix(whole) else { return false }
      let rest = bits % 8
      return rest == 0 || (bytes[whole] ^ address[whole]) >> UInt8(8 - rest) == 0
    }
  }

  /// The address of a peer at a socket of this machine.
  static let local = "local"
  private static let socket = "unix"

  private let networks: [Network]
  private let trustsSockets: Bool

  /// Nobody is believed.
  public static let none = TrustedProxies()

  private init() { (networks, trustsSockets) = ([], false) }

  /// - Parameter addresses: IPv4 or IPv6 addresses, or networks such as `10.0.0.0/8`; `unix` for those at sockets.
  /// - Throws: `badInput` for anything else, such as a host's name.
  public init(_ addresses: [String]) throws(StoreError) {
    var networks: [Network] = []
    for text in addresses where text != TrustedProxies.socket {
      let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard let bytes = TrustedProxies.bytes(of: String(parts[0])) else { throw TrustedProxies.wrong(text) }
      let isShort = !parts[0].contains(":")
      let most = isShort ? 32 : 128
      guard let bits = parts.count == 1 ? most : Int(parts[1]), (0...most).contains(bits) else {
        throw TrustedProxies.wrong(text)
      }
      networks.append(Network(bytes: bytes, bits: isShort ? bits + 96 : bits))
    }
    self.networks = networks
    trustsSockets = addresses.contains(TrustedProxies.socket)
  }

  func contains(_ address: String) -> Bool {
    if address == TrustedProxies.local { return trustsSockets }
    guard !networks.isEmpty, let bytes = TrustedProxies.bytes(of: address) else { return false }
    return networks.contains { $0.contains(bytes) }
  }

  /// The address and the scheme of a request as its client knows them.
  ///
  /// Each proxy appends the address that asked it, so the last one that is not a proxy's counts: all before it may be
  /// made up by the client.
  func client(of head: HTTPRequest, peer: String, isSecure: Bool) -> (peer: String, isSecure: Bool) {
    guard contains(peer) else { return (peer, isSecure) }
    let fields = head.headerFields
    var client = peer
    for entry in TrustedProxies.entries(fields[values: .forwardedFor]).reversed() {
      guard let address = TrustedProxies.address(entry) else { break }
      client = address
      guard contains(address) else { break }
    }
    let scheme = TrustedProxies.entries(fields[values: .forwardedScheme]).last?.lowercased()
    return (client, scheme.map { $0 == "https" } ?? isSecure)
  }

  private static func entries(_ values: [String]) -> [Substring] {
    values.flatMap { $0.split(separator: ",") }.map { entry in
      var rest = entry
      while rest.first == " " || rest.first == "\t" { rest = rest.dropFirst() }
      while rest.last == " " || rest.last == "\t" { rest = rest.dropLast() }
      return rest
    }
  }

  /// An address without brackets and port, in the system's own form; nil for anything else.
  private static func address(_ entry: Substring) -> String? {
    var text = entry
    if text.first == "[", let end = text.firstIndex(of: "]") {
      text = text[..<end].dropFirst()
    } else if text.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1 {
      text = text.prefix { $0 != ":" }
    }
    guard text.utf8.count <= 45, let bytes = bytes(of: String(text)) else { return nil }
    let isShort = !text.contains(":")
    var buffer = [CChar](repeating: 0, count: 64)
    let raw = isShort ? Array(bytes.suffix(4)) : bytes
    guard inet_ntop(isShort ? AF_INET : AF_INET6, raw, &buffer, socklen_t(buffer.count)) != nil else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func bytes(of text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 {
      return [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes.prefix(4)
    }
    return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
  }

  private static func wrong(_ text: String) -> StoreError {
    StoreError(
      .badInput, "\"\(text)\" is no address of a proxy.",
      remedy: "Give an IP address such as 127.0.0.1, a network such as 10.0.0.0/8, or unix for a socket.")
  }
}
