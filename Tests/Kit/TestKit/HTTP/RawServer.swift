import POSIX
import Synchronization

/// A server on the loopback interface that sends exactly the bytes of a test: whole responses, cut ones, junk, or
/// nothing. Each connection has its own thread, on which `handle` may read, write and block.
public final class RawServer: Sendable {
  /// The error of a failed start.
  public struct Failure: Error {
    /// The call that failed.
    public let call: String
    public let number: Int32
  }

  private struct State {
    var accepted = 0
    var open: Set<Int32> = []
    var threads: [pthread_t] = []
    var isStopped = false
  }

  /// The port on 127.0.0.1.
  public let port: UInt16
  private let listener: Int32
  private let handle: @Sendable (RawConnection) -> Void
  private let state = Mutex(State())

  /// Starts the server. With `receiveBuffer` the kernel buffers about this many unread bytes.
  public init(receiveBuffer: Int32? = nil, handle: @escaping @Sendable (RawConnection) -> Void) throws(Failure) {
    self.handle = handle
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw Failure(call: "socket", number: errno) }
    if var size = receiveBuffer {
      setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 512) == 0 && getsockname(listener, address, &size) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isBound else {
      close(listener)
      throw Failure(call: "bind", number: errno)
    }
    start { $0.accept() }
  }

  /// Answers every request with `answer`, many on one connection.
  public static func answering(
    _ answer: @escaping @Sendable (RawRequest) -> RawAnswer
  ) throws(Failure) -> RawServer {
    try RawServer { connection in
      while let request = connection.request() {
        let answer = answer(request)
        guard connection.send(answer) else { return }
        if answer.closes { return }
      }
    }
  }

  /// The root's URL, without a slash at its end.
  public var url: String { "http://127.0.0.1:\(port)" }
  /// The number of accepted connections.
  public var connections: Int { state.withLock { $0.accepted } }

  /// Ends all connections and waits for their threads. No `handle` may wait for anything else at that time.
  public func stop() {
    // The thread that accepts may start one more connection before it ends.
    while true {
      let threads = state.withLock { state in
        state.isStopped = true
        for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
        shutdown(listener, Int32(SHUT_RDWR))
        defer { state.threads = [] }
        return state.threads
      }
      if threads.isEmpty { return }
      for thread in threads { pthread_join(thread, nil) }
    }
  }

  private func accept() {
    while true {
      let descriptor = POSIX.accept(listener, nil, nil)
      guard descriptor >= 0 else { break }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      let number: Int? = state.withLock { state in
        guard !state.isStopped else { return nil }
        state.open.insert(descriptor)
        state.accepted += 1
        return state.accepted
      }
      guard let number else {
        close(descriptor)
        break
      }
      start { server in
        let connection = RawConnection(descriptor, number: number)
        server.handle(connection)
        server.state.withLock { _ = $0.open.remove(descriptor) }
        connection.end()
      }
    }
    close(listener)
  }

  private final class Work: Sendable {
    let server: RawServer
    let body: @Sendable (RawServer) -> Void
    init(_ server: RawServer, _ body: @escaping @Sendable (RawServer) -> Void) {
      self.server = server
      self.body = body
    }
  }

  private func start(_ body: @escaping @Sendable (RawServer) -> Void) {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(self, body))
    let failed = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        let work = Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()
        work.body(work.server)
        return nil
      }, work.toOpaque())
    if failed == 0 {
      state.withLock { $0.threads.append(thread) }
    } else {
      work.release()
    }
  }
}

/// A latch for blocking threads: opened once, by any thread.
public final class Latch: Sendable {
  private let isOpen = Mutex(false)
  private let pipe: (read: Int32, write: Int32)

  public init() {
    var ends: [Int32] = [-1, -1]
    _ = POSIX.pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    pipe = (ends[0], ends[1])
  }

  deinit {
    close(pipe.read)
    if !isOpen.withLock({ $0 }) { close(pipe.write) }
  }

  /// Releases all waiting threads.
  public func open() {
    isOpen.withLock { isOpen in
      // Any number of threads can read from a pipe whose write end is closed, at any later time.
      if !isOpen { close(pipe.write) }
      isOpen = true
    }
  }

  /// Blocks until the latch is open.
  public func wait() {
    var byte: UInt8 = 0
    while read(pipe.read, &byte, 1) < 0, errno == EINTR {}
  }
}
