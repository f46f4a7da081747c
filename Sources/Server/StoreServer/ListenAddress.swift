import Backends
import HummingbirdCore
import POSIX

/// Where the server listens.
public enum ListenAddress: Sendable, Equatable {
  /// 0 for any free port.
  case port(host: String, number: Int)
  /// A socket of this machine, without TLS: for a proxy. Who may enter its folder may connect.
  case socket(path: String)

  /// nil for a socket.
  public var host: String? { if case .port(let host, _) = self { host } else { nil } }

  /// True if only this machine can reach it.
  public var isLoopback: Bool { host.map { $0 == "localhost" || IPAddress.isLoopback($0) } ?? true }

  var bound: BindAddress {
    switch self {
    case .port(let host, let number): .hostname(host, port: number)
    case .socket(let path): .unixDomainSocket(path: path)
    }
  }

  /// Lets all who may enter the folder connect, such as a proxy of another user.
  func open() {
    if case .socket(let path) = self { chmod(path, 0o666) }
  }

  /// Removes the file of the socket, unless it is that of another server by now.
  func close() {
    if case .socket(let path) = self, !answers { unlink(path) }
  }

  /// True if someone listens at the socket, even if only for others.
  public var answers: Bool {
    guard case .socket(let path) = self else { return false }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = POSIX.socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return false }
    defer { POSIX.close(descriptor) }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    return withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
          || errno != ECONNREFUSED && errno != ENOENT
      }
    }
  }
}
