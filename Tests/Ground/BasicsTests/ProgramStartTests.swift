import Basics
import POSIX
import Testing

/// What a program that is started has of this process, and how its end is reported.
@Suite(.serialized) struct ProgramStartTests {
  /// What a program prints, read to its end, and how it has ended.
  private func run(_ program: (Int32) -> ProgramStart) throws -> (text: String, status: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let child: pid_t
    do {
      defer { close(ends[1]) }
      child = try program(ends[1]).start()
    }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = read(ends[0], &buffer, buffer.count), count > 0 { text += buffer[..<count] }
    return (String(decoding: text, as: UTF8.self), ProgramStart.wait(for: child))
  }

  private func shell(
    _ script: String, input: ProgramStart.Stream = .nothing, group: ProgramStart.Group = .same
  ) throws -> (text: String, status: Int32) {
    try run { output in
      ProgramStart("sh", ["sh", "-c", script], streams: (input, .descriptor(output), .nothing), group: group)
    }
  }

  @Test func `no signal is ignored or blocked in it, whatever this process does`() throws {
    let before = signal(SIGUSR2, SIG_IGN)
    defer { signal(SIGUSR2, before) }
    var blocked = sigset_t()
    var old = sigset_t()
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGUSR1)
    pthread_sigmask(SIG_BLOCK, &blocked, &old)
    defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
    // No shell, which has its own mind about signals.
    let told = try run { output in
      ProgramStart(
        "grep", ["grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"],
        streams: (.nothing, .descriptor(output), .nothing))
    }
    let masks = told.text.split(separator: "\n").compactMap { UInt64($0.split(separator: "\t").last ?? "", radix: 16) }
    // 32 and 33 are the C library's own (nptl(7)): nobody can set them.
    #expect(masks.map { $0 & ~0x1_8000_0000 } == [0, 0])
  }

  @Test func `its end is its exit status, or 128 more than the signal's number`() throws {
    #expect(try shell("exit 0").status == 0)
    #expect(try shell("exit 7").status == 7)
    #expect(try shell("kill -TERM $$").status == 128 + SIGTERM)
    let child = try ProgramStart("sleep", ["sleep", "100"]).start()
    #expect(ProgramStart.ended(child) == nil)
    kill(child, SIGKILL)
    #expect(ProgramStart.wait(for: child) == 128 + SIGKILL)
  }

  @Test func `what cannot be started tells why`() {
    for (program, code) in [("/no/such/program", ENOENT), ("", ENOENT), ("/", EACCES)] {
      do throws(ProgramStart.Failure) {
        _ = try ProgramStart(program, [program]).start()
        Issue.record("\(program) started")
      } catch {
        #expect(error.code == code)
      }
    }
  }

  @Test func `its variables are this process's, or those that are given alone`() throws {
    let own = try run { ProgramStart("env", ["env"], streams: (.nothing, .descriptor($0), .nothing)) }
    #expect(own.text.split(separator: "\n").contains { $0.hasPrefix("PATH=") })
    let given = try run {
      ProgramStart("env", ["env"], environment: ["A=b c"], streams: (.nothing, .descriptor($0), .nothing))
    }
    #expect(given.text == "A=b c\n")
  }

  @Test func `its streams lead where they are to`() throws {
    #expect(try shell("cat; readlink /proc/self/fd/0 /proc/self/fd/2").text == "/dev/null\n/dev/null\n")
    var template = Array("/tmp/byteclub-test-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let file = folder + "/errors"
    defer {
      unlink(file)
      rmdir(folder)
    }
    for word in ["one", "two"] {
      let child = try ProgramStart(
        "sh", ["sh", "-c", "echo \(word) >&2"], streams: (.nothing, .nothing, .appending(file))
      ).start()
      #expect(ProgramStart.wait(for: child) == 0)
    }
    #expect(try shell("cat \(file)").text == "one\ntwo\n")
    #expect(try shell("stat -c %a \(file)").text == "600\n")
  }

  @Test func `it has no other descriptors of this process, not even those that are not close-on-exec`() throws {
    var pair: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    defer { for end in pair { close(end) } }
    let high = fcntl(pair[0], F_DUPFD, 900)
    defer { close(high) }
    #expect(high >= 900 && fcntl(high, F_GETFD) == 0)
    // A descriptor of the shell's own, and of `ls` for the folder that it reads, may be there.
    let told = try shell("ls -l /proc/self/fd").text
    #expect(!told.contains("socket:"), "\(told)")
  }

  @Test func `its group is this process's, its own, or that of a session without a terminal`() throws {
    // Process, group and session of proc_pid_stat(5), behind the name in brackets.
    func numbers(_ group: ProgramStart.Group) throws -> [String] {
      try shell("cat /proc/$$/stat; true", group: group).text.split(separator: " ").map(String.init)
    }
    let (same, own, session) = (try numbers(.same), try numbers(.own), try numbers(.session))
    #expect(same[4] == "\(getpgid(0))" && same[5] == "\(getsid(0))")
    #expect(own[4] == own[0] && own[5] == "\(getsid(0))")
    #expect(session[4] == session[0] && session[5] == session[0])
  }
}
