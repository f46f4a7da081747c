import ArgumentParser
import Basics
import FileStores
import POSIX
import StoreServer

/// Addresses to listen at, as typed.
enum ListenOption {
  private static let socketMark = "unix:"
  /// The most bytes of a socket's path (unix(7)).
  private static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  static func address(_ text: String) throws -> ListenAddress {
    guard text.hasPrefix(socketMark) else {
      let found = try port(text, option: "--listen", example: "127.0.0.1:8443 or 0.0.0.0:8443")
      return .port(host: found.host, number: found.port)
    }
    let path = Folders.absolute(String(text.dropFirst(socketMark.count)))
    guard path.utf8.count <= longestPath else {
      throw ValidationError("The path of a socket has at most \(longestPath) bytes: \(path)")
    }
    return .socket(path: path)
  }

  static func port(_ text: String, option: String, example: String) throws -> (host: String, port: Int) {
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
      (0...65_535).contains(port)
    else { throw ValidationError("\(option) needs HOST:PORT, such as \(example).") }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard !host.isEmpty else { throw ValidationError("\(option) needs a host before the colon, such as 127.0.0.1.") }
    return (host, port)
  }

  /// Binding takes the place of any socket, also of one that another server has.
  /// - Throws: `exists` for a file that is no socket; `server` if someone answers there.
  static func checkFree(_ address: ListenAddress) throws(StoreError) {
    guard case .socket(let path) = address else { return }
    do throws(SystemError) { _ = try OpenFile(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW) } catch {
      // A socket opens for nobody.
      guard error.code == ENXIO, address.answers else { return }
      throw StoreError(
        .server, "Another server listens at the socket \"\(path)\".",
        remedy: "Stop it, or choose another path with --listen unix:PATH.")
    }
    throw StoreError(
      .exists, "\"\(path)\" is a file and no socket.", remedy: "Name another path with --listen unix:PATH.")
  }
}
