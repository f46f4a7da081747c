internal import POSIX

// These are here, and not in the server's tests, because the modules of NIO there claim the system's types for themselves.

/// Waits until there is something to read, or the end; false if the time passes first.
public func waitForInput(_ descriptor: Int32, milliseconds: Int32) -> Bool {
  var asked = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&asked, 1, milliseconds) == 1
}

/// Connects a socket to a port of 127.0.0.1.
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

/// Asks a server on 127.0.0.1 by HTTP/1.0, which ends the connection after the answer.
/// - Returns: nil if it does not answer.
public func askLoopback(
  _ method: String, _ target: String, port: UInt16, headers: [String: String] = [:], body: [UInt8] = []
) -> (status: Int, body: [UInt8])? {
  let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  defer { close(socket) }
  guard connectToLoopback(socket, port: Int(port)) == 0 else { return nil }
  let lines = headers.merging(["Host": "127.0.0.1:\(port)", "Content-Length": String(body.count)]) { given, _ in given }
  let head = "\(method) \(target) HTTP/1.0\r\n" + lines.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
  var rest = (Array(head.utf8) + body)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard count > 0 else { return nil }
    rest = rest.dropFirst(count)
  }
  var answer: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = recv(socket, &buffer, buffer.count, 0)
    guard count > 0 else { break }
    answer += buffer[..<count]
  }
  guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
  let words = String(decoding: answer[..<end.lowerBound], as: UTF8.self).split(separator: " ", maxSplits: 2)
  guard words.count > 1, let status = Int(words[1]) else { return nil }
  return (status, Array(answer[end.upperBound...]))
}
