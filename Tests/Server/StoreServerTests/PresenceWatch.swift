import FileStores
import POSIX
import Synchronization

/// A watch of who is in a club, as a program of its own, read as fast or slowly as a test wants.
final class PresenceWatch: Sendable {
  private let line: Connection
  private let text = Mutex("")

  /// - Parameters:
  ///   - receiving: the kernel's room for what comes, in bytes.
  ///   - segment: the largest packet. A server's kernel keeps less for a line of small ones.
  init(_ server: TestServer, token: String? = nil, receiving: Int32? = nil, segment: Int32? = nil) async throws {
    line = try Connection(port: server.client.port, receiving: receiving, segment: segment)
    try await line.send(
      """
      POST /2/byteclub/watch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token ?? server.token)\r
      Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{"form":1}
      """)
  }

  /// Reads until the text that came contains a part, and returns all of it.
  @discardableResult
  func waits(for part: String) async throws -> String {
    while true {
      let known = text.withLock { $0 }
      if known.holds(part) { return known }
      try await read(" without \(part): \(known)")
    }
  }

  /// Hands out line by line, each with the frame before it, until one is as it should be.
  /// - Returns: the bytes of all of them, frames too.
  @discardableResult
  func takes(until isMet: (Substring) -> Bool) async throws -> Int {
    var bytes = 0
    while true {
      let lines = text.withLock { text -> String in
        guard let end = text.utf8.lastIndex(of: 0x0A).map(text.utf8.index(after:)) else { return "" }
        defer { text.removeSubrange(..<end) }
        return String(text[..<end])
      }
      bytes += lines.utf8.count
      var isLast = false
      for line in lines.split(separator: "\n") where isMet(line) { isLast = true }
      if isLast { return bytes }
      try await read("")
    }
  }

  private func read(_ failure: String) async throws {
    guard let more = try await line.receive(), !more.isEmpty else {
      throw StoreError(.offline, "The watch ended\(failure).")
    }
    text.withLock { $0 += String(decoding: more, as: UTF8.self) }
  }

  func rest() async throws -> String { String(decoding: try await line.rest(), as: UTF8.self) }
}

extension StringProtocol {
  /// As `contains`, which is slow over hundreds of kilobytes in a debug build.
  func holds(_ part: String) -> Bool { strstr(String(self), part) != nil }
}
