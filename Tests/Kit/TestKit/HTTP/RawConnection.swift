public import Backends
import POSIX

/// One connection of a `RawServer`, used on its thread.
public final class RawConnection {
  /// Counts from 1 in the order of accepting.
  public let number: Int
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  init(_ descriptor: Int32, number: Int) {
    self.descriptor = descriptor
    self.number = number
  }

  /// Reads a request with its body, and sends 100 if the client waits for it; nil at the end of the connection.
  public func request() -> RawRequest? {
    guard let head = head() else { return nil }
    if head.headers["Expect"] != nil { send("HTTP/1.1 100 Continue\r\n\r\n") }
    return RawRequest(
      method: head.method, target: head.target, headers: head.headers, body: body(of: head), connection: number)
  }

  /// Reads a request's header; the body stays unread.
  public func head() -> RawRequest? {
    var lines: [String] = []
    while let line = line() {
      guard line.isEmpty else {
        lines.append(line)
        continue
      }
      let words = (lines.first ?? "").split(separator: " ").map(String.init)
      guard words.count == 3 else { return nil }
      var headers = HTTPHeaders()
      for field in lines.dropFirst() {
        let name = field.prefix { $0 != ":" }
        headers.append(String(name), String(field.dropFirst(name.count + 1)))
      }
      return RawRequest(method: words[0], target: words[1], headers: headers, body: [], connection: number)
    }
    return nil
  }

  /// Reads the body that belongs to a header; less if the connection ends early.
  public func body(of head: RawRequest) -> [UInt8] {
    if let length = head.headers["Content-Length"].flatMap({ Int($0) }) { return bytes(length) }
    guard head.headers["Transfer-Encoding"] == "chunked" else { return [] }
    var body: [UInt8] = []
    while let size = line().flatMap({ Int($0, radix: 16) }) {
      body += bytes(size)
      _ = line()
      if size == 0 { break }
    }
    return body
  }

  /// Reads this many bytes; fewer if the connection ends early.
  public func bytes(_ count: Int) -> [UInt8] {
    while buffer.count < count, fill() {}
    defer { buffer.removeFirst(min(count, buffer.count)) }
    return Array(buffer.prefix(count))
  }

  /// Reads and discards until the client closes.
  public func waitUntilClosed() {
    buffer = []
    while fill() { buffer = [] }
  }

  /// Sends text; false if the client has closed.
  @discardableResult public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends bytes; false if the client has closed.
  @discardableResult public func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        POSIX.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  @discardableResult public func send(_ answer: RawAnswer) -> Bool { send(answer.bytes) }

  /// Returns when the client has read all that was sent, or when the connection has ended. The client is a part of this
  /// process: its end of the connection is asked.
  public func waitUntilRead() {
    let (own, other) = (port(of: descriptor, getsockname), port(of: descriptor, getpeername))
    var client: Int32 = -1
    while !hasEnded {
      if client < 0 || port(of: client, getsockname) != other || port(of: client, getpeername) != own {
        client =
          (0..<Int32(getdtablesize())).first {
            port(of: $0, getsockname) == other && port(of: $0, getpeername) == own
          } ?? -1
      }
      if waiting(descriptor, TIOCOUTQ) == 0, client >= 0, waiting(client, FIONREAD) == 0 { return }
      sched_yield()
    }
  }

  private var hasEnded: Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
  }

  /// The bytes that an end of a connection has not sent (`TIOCOUTQ`) or read (`FIONREAD`) yet; nil if it is closed.
  private func waiting(_ descriptor: Int32, _ queue: Int32) -> Int32? {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(queue), &count) == 0 ? count : nil
  }

  /// The port of one end of a connection; nil for any other descriptor.
  private func port(
    of descriptor: Int32, _ ask: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
  ) -> UInt16? {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask(descriptor, $0, &size) }
    }
    guard result == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Resets the connection, so the client gets an error instead of an end.
  public func reset() {
    var hard = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
  }

  /// The direction of a relay's bytes.
  public enum Way: Sendable {
    case toPort, fromPort
  }

  /// Relays bytes between the client and a port of this machine until one of them closes. `passing` is called before
  /// bytes are passed on.
  public func relay(to port: UInt16, passing: (Way, ArraySlice<UInt8>) -> Void = { _, _ in }) {
    let target = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(target) }
    guard connectToLoopback(target, port: Int(port)) == 0 else { return }
    var room = [UInt8](repeating: 0, count: 65_536)
    while true {
      var polled = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: target, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, 2, -1) > 0 else { return }
      for (from, to) in [(polled[0], target), (polled[1], descriptor)] where from.revents != 0 {
        let count = read(from.fd, &room, room.count)
        guard count > 0 else { return }
        passing(to == target ? .toPort : .fromPort, room[..<count])
        guard POSIX.send(to, room, count, Int32(MSG_NOSIGNAL)) == count else { return }
      }
    }
  }

  /// A connection to a port of this machine, as its client; nil if nobody listens there.
  static func client(of port: UInt16) -> RawConnection? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard connectToLoopback(descriptor, port: Int(port)) == 0 else {
      close(descriptor)
      return nil
    }
    return RawConnection(descriptor, number: 0)
  }

  func end() { close(descriptor) }

  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end].filter { $0 != 0x0D }, as: UTF8.self)
      }
      guard fill() else { return nil }
    }
  }

  private func fill() -> Bool {
    var room = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &room, room.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      buffer += room[..<count]
      return true
    }
  }
}

public struct RawRequest: Sendable {
  public let method: String
  /// The path and the query; the whole URL for a proxy.
  public let target: String
  public let headers: HTTPHeaders
  public let body: [UInt8]
  /// The number of the connection.
  public let connection: Int
}

public struct RawAnswer: Sendable {
  public let bytes: [UInt8]
  /// True if the connection ends after the response.
  public let closes: Bool

  /// A response with a length. The connection stays open unless `closes`.
  public init(_ status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], closes: Bool = false) {
    var text = "HTTP/1.1 \(status) Words\r\n"
    for field in headers.fields { text += "\(field.name): \(field.value)\r\n" }
    text += "Content-Length: \(body.count)\r\n"
    if closes { text += "Connection: close\r\n" }
    bytes = Array((text + "\r\n").utf8) + body
    self.closes = closes
  }

  /// These bytes as they are; then the connection ends.
  public init(raw text: String) {
    bytes = Array(text.utf8)
    closes = true
  }
}
