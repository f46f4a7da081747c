internal import Backends
internal import Basics
internal import POSIX
import Synchronization

/// A proxy on loopback before a real server of HTTP/1.1, with the faults of bad lines, busy servers and other proxies.
/// The n-th request of one method has the same fate for a seed, whatever comes between.
public final class ChaosProxy: Sendable {
  public enum Fault: String, Sendable, CaseIterable {
    /// The connection ends before the server sees the request.
    case refused
    /// The server gets half of the request's body.
    case cutRequest
    /// The server carries the request out, and the connection is reset.
    case lostAnswer
    /// Half of the answer's bytes arrive.
    case cutAnswer
    /// The answer arrives later.
    case slow
    /// 503 with `Retry-After`.
    case busy
    /// 500.
    case failed
    /// 429 with `Retry-After`.
    case tooMany
    /// The page of a network's sign-in.
    case foreignPage
    /// The server gets the request twice; its second answer arrives.
    case twice
    /// The answer arrives twice.
    case doubled
  }

  private struct State {
    var counts: [String: UInt64] = [:]
    var inARow: [String: Int] = [:]
    var faults: [Fault: Int] = [:]
    var fates: [String: [Fault?]] = [:]
  }

  /// Of six requests of a method about one has a fault, and at most so many in a row.
  private static let (share, longestRow) = (6 as UInt64, 2)

  private let seed: UInt64
  private let server: UInt16
  private let kinds: [Fault]
  private let state = Mutex(State())
  private let listener = Mutex<RawServer?>(nil)

  /// - Parameters:
  ///   - server: a port of this machine.
  ///   - kinds: the faults that come.
  public init(to server: UInt16, seed: UInt64, kinds: [Fault] = Fault.allCases) throws {
    (self.server, self.seed, self.kinds) = (server, seed, kinds)
    let proxy = self
    let raw = try RawServer { proxy.serve($0) }
    listener.withLock { $0 = raw }
  }

  /// Without a slash at its end.
  public var url: String { listener.withLock { $0 }?.url ?? "" }

  /// The number of each fault so far.
  public var faults: [Fault: Int] { state.withLock { $0.faults } }

  /// The fates of the requests of a method so far, in their order.
  public func fates(of method: String) -> [Fault?] { state.withLock { $0.fates[method] ?? [] } }

  public func stop() { listener.withLock { $0 }?.stop() }

  private func serve(_ client: RawConnection) {
    var upstream: RawConnection?
    defer { upstream?.end() }
    while let request = client.request() {
      let fault = fate(of: request.method)
      switch fault {
      case .refused: return client.reset()
      case .busy: guard client.send(RawAnswer(503, headers: ["Retry-After": "2"])) else { return }
      case .failed: guard client.send(RawAnswer(500)) else { return }
      case .tooMany: guard client.send(RawAnswer(429, headers: ["Retry-After": "1"])) else { return }
      case .foreignPage:
        let page = RawAnswer(
          200, headers: ["Content-Type": "text/html"], body: Array("<html>Welcome to the train".utf8), closes: true)
        client.send(page)
        return
      case nil, .cutRequest, .lostAnswer, .cutAnswer, .slow, .twice, .doubled:
        if upstream == nil { upstream = RawConnection.client(of: server) }
        guard let to = upstream else { return client.reset() }
        let bytes = ChaosProxy.bytes(of: request)
        if fault == .cutRequest {
          to.send(Array(bytes.dropLast((request.body.count + 1) / 2)))
          if request.body.isEmpty { _ = to.answer(to: request.method) }
          return client.reset()
        }
        if fault == .twice { _ = exchange(bytes, request.method, over: &upstream) }
        guard let answer = exchange(bytes, request.method, over: &upstream) else { return client.reset() }
        switch fault {
        case .lostAnswer: return client.reset()
        case .cutAnswer:
          client.send(Array(answer.bytes.prefix(answer.bytes.count / 2)))
          return client.reset()
        case .doubled:
          client.send(answer.bytes + answer.bytes)
          return
        case .slow:
          // at any pace: the answer is late by any time.
          poll(nil, 0, 15)
          fallthrough
        default: guard client.send(answer.bytes) else { return }
        }
        if answer.closes { return }
      }
    }
  }

  /// Sends a request over a kept connection, or over a new one if the server has closed that.
  private func exchange(_ bytes: [UInt8], _ method: String, over upstream: inout RawConnection?) -> RawReply? {
    for _ in 0..<2 {
      if upstream == nil { upstream = RawConnection.client(of: server) }
      guard let to = upstream else { return nil }
      let answer = to.send(bytes) ? to.answer(to: method) : nil
      if answer?.closes ?? true {
        to.end()
        upstream = nil
      }
      if let answer { return answer }
    }
    return nil
  }

  private func fate(of method: String) -> Fault? {
    state.withLock { state in
      let count = state.counts[method, default: 0]
      state.counts[method] = count + 1
      var hash = FNV1a()
      hash.add("\(seed) \(method) \(count)".utf8)
      var numbers = SeededNumbers(hash.value)
      guard UInt64.random(in: 0..<ChaosProxy.share, using: &numbers) == 0,
        state.inARow[method, default: 0] < ChaosProxy.longestRow, let fault = kinds.randomElement(using: &numbers)
      else {
        state.inARow[method] = 0
        state.fates[method, default: []].append(nil)
        return nil
      }
      state.inARow[method, default: 0] += 1
      state.faults[fault, default: 0] += 1
      state.fates[method, default: []].append(fault)
      return fault
    }
  }

  private static func bytes(of request: RawRequest) -> [UInt8] {
    var text = "\(request.method) \(request.target) HTTP/1.1\r\n"
    for field in request.headers.fields where !["expect", "transfer-encoding"].contains(field.name.lowercased()) {
      text += "\(field.name): \(field.value)\r\n"
    }
    if request.headers["Content-Length"] == nil, !request.body.isEmpty {
      text += "Content-Length: \(request.body.count)\r\n"
    }
    return Array((text + "\r\n").utf8) + request.body
  }
}

/// A server's answer as it came.
struct RawReply {
  let bytes: [UInt8]
  /// True if the connection ends after it.
  let closes: Bool
}

extension RawConnection {
  /// Reads the answer to a request of this method, without those of the hundreds; nil if the connection ends before it.
  func answer(to method: String) -> RawReply? {
    while true {
      guard let first = line() else { return nil }
      let words = first.split(separator: " ", maxSplits: 2)
      guard words.count > 1, let status = Int(words[1]) else { return nil }
      var (headers, text) = (HTTPHeaders(), first + "\r\n")
      while let line = line(), !line.isEmpty {
        text += line + "\r\n"
        let name = line.prefix { $0 != ":" }
        headers.append(String(name), String(line.dropFirst(name.count + 1)))
      }
      if status < 200 { continue }
      var closes = headers["Connection"]?.lowercased() == "close" || words[0] == "HTTP/1.0"
      var bytes = Array((text + "\r\n").utf8)
      if method == "HEAD" || status == 204 || status == 304 { return RawReply(bytes: bytes, closes: closes) }
      if let length = headers["Content-Length"].flatMap({ Int($0) }) {
        bytes += self.bytes(length)
      } else if headers["Transfer-Encoding"]?.lowercased() == "chunked" {
        while let size = line() {
          let count = Int(size.prefix { $0.isHexDigit }, radix: 16) ?? 0
          bytes += Array((size + "\r\n").utf8) + self.bytes(count)
          if let end = line() { bytes += Array((end + "\r\n").utf8) }
          if count == 0 { break }
        }
      } else {
        closes = true
        while true {
          let more = self.bytes(65_536)
          bytes += more
          if more.count < 65_536 { break }
        }
      }
      return RawReply(bytes: bytes, closes: closes)
    }
  }
}
