import Basics
import FileStores
import POSIX
import NIOCore

enum ListenFault {
  /// nil if the error is not about the address.
  static func error(_ error: any Error, at address: ListenAddress) -> StoreError? {
    switch address {
    case .port(let host, let number): return self.error(error, host: host, port: number)
    case .socket(let path):
      return (error as? IOError).map {
        StoreError(
          .server, "The socket \"\(path)\" cannot be made: \(SystemError.text($0.errnoCode)).",
          remedy: "Name a path in a folder where the server may write with --listen unix:PATH.")
      }
    }
  }

  /// nil if the error is not about the address.
  /// - Parameter option: the option that names the address.
  static func error(_ error: any Error, host: String, port: Int, option: String = "--listen") -> StoreError? {
    if error is SocketAddressError || error is SocketAddressError.UnknownHost {
      return StoreError(
        .badInput, "DNS does not know the host \"\(host)\".",
        remedy: "Name an address of this machine with \(option), such as 127.0.0.1:\(port).")
    }
    guard let error = error as? IOError else { return nil }
    switch error.errnoCode {
    case EADDRINUSE:
      return StoreError(
        .server, "Port \(port) of \(host) is in use.", remedy: "Stop the other program or choose another \(option).")
    case EADDRNOTAVAIL:
      return StoreError(
        .badInput, "\(host) is not an address of this machine.",
        remedy: "Choose another \(option), such as 0.0.0.0:\(port)."
      )
    case EACCES, EPERM:
      return StoreError(
        .notPermitted, "You may not listen at port \(port) of \(host).",
        remedy: "Choose a port from 1024 on with \(option).")
    default: return nil
    }
  }
}
