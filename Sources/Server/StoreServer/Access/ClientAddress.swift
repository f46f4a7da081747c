import NIOCore
import POSIX

/// The part of a client's address that limits count by: all of IPv4, the first half of IPv6, because one host has all of
/// the other half.
struct ClientAddress: Hashable, Sendable {
  private let bytes: [UInt8]

  init(_ remote: SocketAddress?) { self.init(remote?.ipAddress ?? "") }

  /// - Parameter text: an IP address; any other text counts by itself.
  init(_ text: String) {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 {
      self.bytes = Array(bytes.prefix(4))
    } else if inet_pton(AF_INET6, text, &bytes) == 1 {
      // IPv4 on a dual-stack socket.
      let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
      self.bytes = isMapped ? Array(bytes.suffix(4)) : Array(bytes.prefix(8))
    } else {
      self.bytes = Array(text.utf8.prefix(64))
    }
  }

  /// True for the longer addresses, of which one household has many.
  var isLong: Bool { bytes.count > 4 }

  /// The network of an address, for the name of a lock: an owner of many IPv6 networks has most often those of one /48.
  var network: String { bytes.prefix(6).map { String($0) }.joined(separator: ".") }
}
