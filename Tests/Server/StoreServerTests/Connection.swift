import Basics
import FileStores
import POSIX
import TestKit

@testable import StoreServer

/// One connection, on which a test sends and reads as fast or slowly as it wants. Calls block a thread of a pool.
final class Connection: Sendable {
  private let socket: Int32

  /// - Parameters:
  ///   - receiving: the kernel's room for what comes, in bytes.
  ///   - segment: the most bytes of a packet.
  init(port: Int, receiving: Int32? = nil, segment: Int32? = nil) throws {
    socket = POSIX.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var receiving {
      setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &receiving, socklen_t(MemoryLayout<Int32>.size))
    }
    if var segment {
      setsockopt(socket, Int32(IPPROTO_TCP), TCP_MAXSEG, &segment, socklen_t(MemoryLayout<Int32>.size))
    }
    guard connectToLoopback(socket, port: port) == 0 else { throw StoreError(.offline, "No connection: \(errno).") }
  }

  deinit { close(socket) }

  /// - Returns: false when the far side is gone.
  @discardableResult
  func send(_ text: String) async throws -> Bool { try await send(bytes: Array(text.utf8)[...]) }

  @discardableResult
  func send(bytes: ArraySlice<UInt8>) async throws -> Bool {
    let socket = socket
    return try await RawClient.pool.run { () throws(StoreError) -> Bool in
      var rest = bytes
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { POSIX.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// What comes within a time, at most so much; empty at the end, nil when nothing came.
  func receive(_ most: Int = 64 * 1024, milliseconds: Int32 = 240_000) async throws -> [UInt8]? {
    let socket = socket
    return try await RawClient.pool.run { () throws(StoreError) -> [UInt8]? in
      guard waitForInput(socket, milliseconds: milliseconds) else { return nil }
      var buffer = [UInt8](repeating: 0, count: most)
      let count = recv(socket, &buffer, most, 0)
      return Array(buffer.prefix(max(count, 0)))
    }
  }

  /// Everything up to the end.
  /// - Throws: `offline` if the far side falls silent and leaves the connection open.
  func rest() async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      guard let chunk = try await receive() else { throw StoreError(.offline, "The connection was not closed.") }
      if chunk.isEmpty { return bytes }
      bytes += chunk
    }
  }
}
