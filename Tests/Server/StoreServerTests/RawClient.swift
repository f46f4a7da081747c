import Basics
import FileStores
import POSIX
import JSON
import TestKit

@testable import StoreServer

/// An answer as it came.
struct Reply: Sendable {
  var status = 0
  var headers: [String: String] = [:]
  var body: [UInt8] = []

  var text: String { String(decoding: body, as: UTF8.self) }
  /// The body as JSON; null when it is none.
  var json: JSON { (try? JSONReader.read(body)) ?? .null }
}

/// Speaks HTTP/1.1 by hand over a socket, one connection a request, so that what is sent is exactly what a test says.
struct RawClient: Sendable {
  static let pool = BlockingPool(threads: 16)
  let port: Int

  /// Sends bytes, and reads until the far side closes. With `closing`, our side is shut after sending.
  func exchange(_ bytes: [UInt8], closing: Bool = false) async throws -> Reply {
    let port = port
    return try await RawClient.pool.run { () throws(StoreError) -> Reply in
      let socket = POSIX.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(socket) }
      guard connectToLoopback(socket, port: port) == 0 else { throw StoreError(.offline, "No connection: \(errno).") }
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count <= 0 { break }
        rest = rest.dropFirst(count)
      }
      if closing { shutdown(socket, Int32(SHUT_WR)) }
      var answer: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      while true {
        let count = recv(socket, &buffer, buffer.count, 0)
        if count <= 0 { break }
        answer += buffer.prefix(count)
      }
      return RawClient.parse(answer)
    }
  }

  private static func parse(_ bytes: [UInt8]) -> Reply {
    var reply = Reply()
    guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: [13, 10, 13, 10]) }) else { return reply }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    reply.status = lines.first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { reply.headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " }) }
    }
    reply.body = Array(bytes[(end + 4)...])
    return reply
  }

  /// One request with a body of known length.
  func request(
    _ method: String, _ path: String, _ headers: [(String, String)] = [], _ body: [UInt8] = []
  ) async throws -> Reply {
    var text = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    text += "Content-Length: \(body.count)\r\n\r\n"
    return try await exchange(Array(text.utf8) + body)
  }
}
