public import Basics
import CPlatform
public import FileStores
import POSIX
import Synchronization

/// Waits for the browser to return from a sign-in (RFC 8252, section 7.3).
/// Listens only on 127.0.0.1, on a port chosen by the system, until `code` returns or it is released. The first request
/// that belongs to the sign-in ends it; all others are refused.
public final class LoopbackListener: Sendable {
  private struct Visitor {
    let socket: Int32
    let deadline: ContinuousClock.Instant
    var bytes: [UInt8] = []
  }

  public var address: String { "http://\(host)\(LoopbackRequest.path)" }

  private let host: String
  private let mostVisitors: Int
  private let patience: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  /// -1 once it is closed.
  private let listening: Mutex<Int32>
  private let isCancelled = Atomic(false)

  /// - Throws: `server` if the system provides no port.
  public convenience init() throws(StoreError) { try self.init(mostVisitors: 16, patience: .seconds(10)) }

  /// - Parameter mostVisitors: connections served at once; others wait in the backlog.
  /// - Parameter patience: for a connection without a complete request.
  init(
    mostVisitors: Int, patience: Duration,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) throws(StoreError) {
    (self.mostVisitors, self.patience, self.now) = (mostVisitors, patience, now)
    let socket = POSIX.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard socket >= 0 else { throw LoopbackListener.failure(errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer -> Int32 in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let isOpen =
          bind(socket, address, size) == 0 && listen(socket, 16) == 0
          && getsockname(socket, address, &size) == 0
        return isOpen ? 0 : errno
      }
    }
    guard code == 0 else {
      close(socket)
      throw LoopbackListener.failure(code)
    }
    host = "127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    listening = Mutex(socket)
  }

  deinit { stop() }

  /// Waits for the code, then closes the port.
  /// - Throws: `notSignedIn` if the member declined, or if no request came within `limit`; `cancelled`, within 100 ms.
  public func code(
    for signIn: SignIn, within limit: Duration = .seconds(300), on pool: BlockingPool
  ) async throws(StoreError) -> String {
    let verdict = await withTaskCancellationHandler {
      await pool.run { self.wait(signIn.state, ContinuousClock.now + limit) }
    } onCancel: {
      cancel()
    }
    let service = signIn.account.service.name
    switch verdict {
    case .code(let code): return code
    case .declined(let words):
      let reason = TokenText.safe(words, without: []).asServersClause
      throw signIn.account.notSignedIn("\(service) did not allow byteclub: \(reason).")
    case .refused where isCancelled.load(ordering: .relaxed): throw .cancelled("Signing in to \(service)")
    case .refused:
      throw StoreError(
        .notSignedIn, "\(service) sent no answer to this machine within \(limit.components.seconds) seconds.",
        remedy: "Try again, or paste the code with: \(signIn.account.loginCommand) --paste")
    }
  }

  /// Ends `code` with `cancelled`, within 100 ms.
  public func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Not while `code` waits.
  public func stop() {
    listening.withLock { socket in
      if socket >= 0 { close(socket) }
      socket = -1
    }
  }

  private func wait(_ state: String, _ deadline: ContinuousClock.Instant) -> LoopbackRequest.Verdict {
    var visitors: [Visitor] = []
    defer {
      for visitor in visitors { close(visitor.socket) }
      stop()
    }
    let door = listening.withLock { $0 }
    while door >= 0, ContinuousClock.now < deadline, !isCancelled.load(ordering: .relaxed) {
      let isFull = visitors.count >= mostVisitors
      var polled = [pollfd(fd: isFull ? -1 : door, events: Int16(POLLIN), revents: 0)]
      polled += visitors.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
      _ = poll(&polled, nfds_t(polled.count), 50)
      let now = now()
      var staying: [Visitor] = []
      for (var visitor, ready) in zip(visitors, polled.dropFirst()) {
        let isHere = ready.revents == 0 ? now < visitor.deadline : LoopbackListener.read(&visitor)
        guard isHere else {
          close(visitor.socket)
          continue
        }
        guard LoopbackRequest.isComplete(visitor.bytes) else {
          staying.append(visitor)
          continue
        }
        let verdict = LoopbackRequest.verdict(visitor.bytes, host: host, state: state)
        LoopbackListener.answer(visitor.socket, verdict)
        if verdict != .refused {
          visitors = staying + visitors.drop { $0.socket != visitor.socket }.dropFirst()
          return verdict
        }
      }
      visitors = staying
      if polled[0].revents != 0 {
        let socket = cp_accept(door)
        if socket >= 0 {
          visitors.append(Visitor(socket: socket, deadline: now + patience))
        }
      }
    }
    return .refused
  }

  private static func read(_ visitor: inout Visitor) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = POSIX.read(visitor.socket, &buffer, buffer.count)
    if count < 0 { return errno == EAGAIN || errno == EINTR }
    visitor.bytes += buffer[..<count]
    return count > 0 && visitor.bytes.count <= LoopbackRequest.mostBytes
  }

  /// Closes the socket. The response fits into any socket's buffer.
  private static func answer(_ socket: Int32, _ verdict: LoopbackRequest.Verdict) {
    let page =
      switch verdict {
      case .code: LoopbackPage.signedIn
      case .declined: LoopbackPage.declined
      case .refused: LoopbackPage.refused
      }
    _ = page.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    shutdown(socket, Int32(SHUT_WR))
    close(socket)
  }

  private static func failure(_ code: Int32) -> StoreError {
    StoreError(
      .server, "byteclub could not open a port on this machine: \(SystemError.text(code)).",
      remedy: "Paste the code with: byteclub login --paste")
  }
}
