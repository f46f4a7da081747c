import Backends
import CPlatform
import HummingbirdCore
import POSIX

/// Where the server listens.
public enum ListenAddress: Sendable, Equatable {
  /// 0 for any free port.
  case port(host: String, number: Int)
  /// A socket of this machine, without TLS: for a proxy. Every program that may enter its folder may connect.
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
    return cp_socket_answers(path)
  }
}
