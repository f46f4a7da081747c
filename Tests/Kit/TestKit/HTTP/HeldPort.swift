import POSIX

/// A port of 127.0.0.1 that nobody else gets while this lives, whether its server runs or not: the system gives it to no
/// other program, and a server that is to have it may still listen there (it sets `SO_REUSEADDR`, as this does). Without
/// a server a connection is refused.
public final class HeldPort: Sendable {
  public let number: Int
  private let descriptor: Int32

  public init() throws {
    let held = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var (address, on) = (sockaddr_in(), Int32(1))
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    setsockopt(held, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(held, address, length) == 0 ? getsockname(held, address, &length) : -1
      }
    }
    guard code == 0 else {
      close(held)
      throw WebDAVProgram.Failure(what: "There is no free port.")
    }
    (descriptor, number) = (held, Int(UInt16(bigEndian: address.sin_port)))
  }

  deinit { close(descriptor) }
}
