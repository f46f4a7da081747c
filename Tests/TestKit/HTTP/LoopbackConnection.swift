internal import POSIX

/// Connects a socket to a port of 127.0.0.1. Here, and not in the server's tests, because the modules of NIO there claim the
/// types of socket addresses for themselves.
/// - Returns: 0, or -1 with `errno`.
public func connectToLoopback(_ socket: Int32, port: Int) -> Int32 {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = in_port_t(port).bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}
