import CPlatform
import Dispatch
import POSIX
import Synchronization
import Testing

@testable import Accounts

/// What a program that is started finds open: its own three descriptors, whatever other threads do at that moment.
@Suite(.serialized) struct TokenDescriptorTests {
  @Test func `pipes and connections are close-on-exec from the beginning`() throws {
    var ends: [Int32] = [-1, -1]
    #expect(ends.withUnsafeMutableBufferPointer { cp_pipe($0.baseAddress) } == 0)
    for end in ends {
      #expect(fcntl(end, F_GETFD) == FD_CLOEXEC)
      close(end)
    }
    let door = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(door) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // A name of the abstract kind that the system chooses: no file.
    var size = socklen_t(MemoryLayout<sa_family_t>.size)
    let visitor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(visitor) }
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        #expect(bind(door, address, size) == 0 && listen(door, 1) == 0)
        size = socklen_t(MemoryLayout<sockaddr_un>.size)
        #expect(getsockname(door, address, &size) == 0)
        #expect(connect(visitor, address, size) == 0)
      }
    }
    let connection = cp_accept(door)
    #expect(connection >= 0)
    #expect(fcntl(connection, F_GETFD) == FD_CLOEXEC)
    #expect(fcntl(connection, F_GETFL) & O_NONBLOCK != 0)
    close(connection)
    #expect(cp_accept(-1) == -EBADF)
  }

  @Test func `a program that is started among many sees no other one's pipes`() {
    // What whoever runs these tests has left open is every child's.
    let inherited = ChildProgram.pipes()
    let strange = Mutex<[String]>([])
    let started = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<40 {
        guard let pipes = ChildProgram.pipes() else { continue }
        started.wrappingAdd(1, ordering: .relaxed)
        for pipe in pipes where inherited?.contains(pipe) != true { strange.withLock { $0.append(pipe) } }
      }
    }
    #expect(inherited != nil)
    #expect(started.load(ordering: .relaxed) == 320)
    #expect(strange.withLock { $0 } == [])
  }
}

extension ChildProgram {
  /// The pipes that a program finds open besides its two outputs; nil when it could not be run.
  fileprivate static func pipes() -> Set<String>? {
    let outcome = ChildProgram(words: ["ls", "-l", "/proc/self/fd"], limits: ChildProgram.Limits()).run { false }
    guard case .ended(0, let output, _) = outcome else { return nil }
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
    let strange = lines.filter { words in
      words.count > 3 && words[words.count - 1].hasPrefix("pipe:") && !["1", "2"].contains(words[words.count - 3])
    }
    return Set(strange.compactMap { $0.last.map(String.init) })
  }
}
