import Basics
import POSIX
import TestKit
import Testing

/// A folder that is removed with the test.
private final class Place {
  let path: String

  init() throws {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/byteclub-basics-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError.last }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { remove(path) }

  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  private func remove(_ path: String) {
    for name in (try? Folders.names(in: path)) ?? [] { remove("\(path)/\(name)") }
    if rmdir(path) != 0 { unlink(path) }
  }
}

@Suite(.timeLimit(.minutes(5))) struct FileTests {
  @Test func `a whole file replaces the old one and is private whatever the umask`() throws {
    let place = try Place()
    try WholeFile.write(Array("old".utf8), to: "note", in: try OpenFile(folder: place.path))
    try WholeFile.write(Array("new".utf8), to: "note", in: try OpenFile(folder: place.path))
    let file = try OpenFile(reading: place("note"))
    #expect(try file.readAll() == Array("new".utf8))
    #expect(try file.facts().permissions == 0o600)
    #expect(try Folders.names(in: place.path) == ["note"])
  }

  @Test func `a write removes what killed writers of the same file left a day ago`() throws {
    let place = try Place()
    let old = timespec(tv_sec: time(nil) - 100_000, tv_nsec: 0)
    for (name, isOld) in [(".note.1f.part", true), (".note.2f.part", false), (".other.1f.part", true)] {
      try WholeFile.write([], to: place(name))
      if isOld { #expect(utimensat(AT_FDCWD, place(name), [old, old], 0) == 0) }
    }
    try WholeFile.write([1], to: "note", in: try OpenFile(folder: place.path))
    #expect(try Folders.names(in: place.path).sorted() == [".note.2f.part", ".other.1f.part", "note"])
  }

  @Test func `a failed write leaves the old file and nothing else`() throws {
    let place = try Place()
    try Folders.make(place("note/below"))
    #expect(throws: SystemError(code: EISDIR)) { try WholeFile.write([1], to: place("note")) }
    #expect(try Folders.names(in: place.path) == ["note"])
    #expect(throws: SystemError(code: ENOENT)) { try WholeFile.write([1], to: place("missing/note")) }
  }

  @Test(arguments: [(0, true), (99_999, true), (100_000, true), (100_001, false)])
  func `a file is read to its end up to the limit`(_ row: (bytes: Int, fits: Bool)) throws {
    let place = try Place()
    let bytes = [UInt8](repeating: 7, count: row.bytes)
    try WholeFile.write(bytes, to: place("f"))
    #expect(try OpenFile(reading: place("f")).readAll(limit: 100_000) == (row.fits ? bytes : nil))
  }

  @Test func `a file without a size is read to its end`() throws {
    #expect(try OpenFile(reading: "/proc/self/status").readAll()?.isEmpty == false)
  }

  @Test func `all bytes go through a full pipe that does not block`() throws {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    for end in ends { #expect(fcntl(end, F_SETFL, O_NONBLOCK) == 0) }
    let (reader, writer) = (OpenFile(owning: ends[0]), OpenFile(owning: ends[1]))
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    #expect(DetachedThread.start { try? OpenFile.write(bytes[...], to: writer.descriptor) })
    var read: [UInt8] = []
    while read.count < bytes.count {
      guard waitForInput(reader.descriptor, milliseconds: 240_000) else { break }
      read += try reader.readNext(65_536)
    }
    #expect(read == bytes)
  }

  @Test func `bytes are written and read at an offset`() throws {
    let place = try Place()
    let file = try OpenFile(place("f"), O_RDWR | O_CREAT)
    try file.write([1, 2, 3], at: 4)
    #expect(try file.read(from: 0, count: 100) == [0, 0, 0, 0, 1, 2, 3])
    #expect(try file.read(from: 7, count: 100) == [])
  }

  @Test func `a lock is for one descriptor, shared ones for several`() throws {
    let place = try Place()
    try WholeFile.write([], to: place("lock"))
    let (one, other) = (try OpenFile(reading: place("lock")), try OpenFile(reading: place("lock")))
    #expect(try FileLock.take(one.descriptor))
    #expect(try !FileLock.take(other.descriptor))
    // at any pace: nobody releases it, so the limit has to expire.
    #expect(try !FileLock.take(other.descriptor, waiting: .milliseconds(20)))
    FileLock.release(one.descriptor)
    #expect(try FileLock.take(one.descriptor, isShared: true))
    #expect(try FileLock.take(other.descriptor, isShared: true))
  }

  @Test func `a wait for a lock ends when it is released`() throws {
    let place = try Place()
    try WholeFile.write([], to: place("lock"))
    let (one, other) = (try OpenFile(reading: place("lock")), try OpenFile(reading: place("lock")))
    #expect(try FileLock.take(one.descriptor))
    #expect(DetachedThread.start { FileLock.release(one.descriptor) })
    #expect(try FileLock.take(other.descriptor, waiting: .seconds(30)))
  }

  @Test func `missing folders are made with those above them`() throws {
    let place = try Place()
    var made: [String] = []
    #expect(try Folders.make(place("a/b"), mode: 0o700) { made.append($0) })
    #expect(made == [place("a"), place("a/b")])
    #expect(try !Folders.make(place("a/b")))
    try WholeFile.write([], to: place("file"))
    #expect(throws: SystemError(code: ENOTDIR)) { try Folders.make(place("file/below")) }
  }

  @Test func `an error of the system reads as the system says it`() {
    #expect("\(SystemError(code: ENOENT))" == "No such file or directory")
  }
}

/// The thread's signal mask.
private func blocks(_ signal: Int32) -> Bool {
  var mask = sigset_t()
  pthread_sigmask(SIG_SETMASK, nil, &mask)
  return sigismember(&mask, signal) == 1
}

@Test(.timeLimit(.minutes(5)), arguments: [false, true])
func `a thread of its own blocks signals only where that is asked`(_ blocksSignals: Bool) async {
  let answer = PendingAnswer<(inside: Bool, isKept: Bool)>()
  // A thread inherits what its creator blocks: libdispatch's threads, one of which may run this test, block signals.
  let starts = DetachedThread.start {
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    let inside = PendingAnswer<Bool>()
    let before = blocks(SIGPIPE)
    guard DetachedThread.start(blocksSignals: blocksSignals, { inside.give(blocks(SIGPIPE)) }) else { return }
    let isKept = blocks(SIGPIPE) == before
    Task { answer.give((await inside.value() ?? !blocksSignals, isKept)) }
  }
  #expect(starts)
  let seen = await answer.value()
  #expect(seen?.inside == blocksSignals && seen?.isKept == true)
}
