import Basics
import FileStores
import POSIX
import TestKit
import Testing
import Transfers

@Suite struct `A file as a source` {
  let folder: TemporaryFolder
  let pool = BlockingPool(threads: 2)

  init() throws { folder = try TemporaryFolder() }

  private func read(_ source: FileSource, from offset: UInt64 = 0) async throws -> [UInt8] {
    var reading = try await source.open(at: offset)
    var bytes: [UInt8] = []
    while let chunk = try await reading.next() { bytes += chunk }
    return bytes
  }

  @Test(arguments: [0, 1, 1_048_575, 1_048_576, 3_000_000])
  func `gives the file's bytes, from any place`(count: Int) async throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    try folder.write("a", bytes)
    let source = try await FileSource(path: folder.file("a"), pool: pool)
    #expect(source.size == UInt64(count))
    #expect(try await read(source) == bytes)
    #expect(try await read(source, from: UInt64(count / 3)) == Array(bytes.dropFirst(count / 3)))
    #expect(try await read(source, from: UInt64(count) + 5) == [])
  }

  @Test func `that is missing, a folder or a pipe is refused at once`() async throws {
    mkfifo(folder.file("pipe"), 0o600)
    let cases: [(String, StoreError.Kind)] = [
      ("gone", .notFound), ("", .badInput), ("pipe", .badInput),
    ]
    for (name, expected) in cases {
      do {
        _ = try await FileSource(path: folder.file(name), pool: pool)
        Issue.record("\(name) was taken")
      } catch {
        #expect(error.kind == expected)
        #expect(error.message.contains(folder.file(name)))
      }
    }
  }

  @Test func `is looked at here and there`() async throws {
    try folder.write("a", Array(0..<200))
    let source = try await FileSource(path: folder.file("a"), pool: pool)
    let parts = try await source.reading { (fill) throws(StoreError) in
      [190, 3, 200, 900].map { offset in
        var bytes = [UInt8](repeating: 0, count: 20)
        let count = bytes.withUnsafeMutableBytes { fill($0, offset) }
        return Array(bytes.prefix(count))
      }
    }
    #expect(parts == [Array(190..<200), Array(3..<23), [], []])
    await #expect(throws: StoreError(.corrupt, "It is none.")) {
      try await source.reading { (_) throws(StoreError) in throw StoreError(.corrupt, "It is none.") }
    }
  }

  @Test func `that cannot be read tells that, and not what the look made of it`() async throws {
    // A regular file whose first page nobody may read.
    let source = try await FileSource(path: "/proc/self/mem", pool: pool)
    do {
      try await source.reading { (fill) throws(StoreError) in
        var bytes = [UInt8](repeating: 0, count: 20)
        _ = bytes.withUnsafeMutableBytes { fill($0, 0) }
        throw StoreError(.corrupt, "It is broken.")
      }
      Issue.record("it was read")
    } catch {
      #expect(error.kind == .server && error.message.contains("/proc/self/mem"))
    }
  }

  @Test(arguments: Change.allCases)
  func `that changes before or while it is looked at is none to upload`(change: Change) async throws {
    for isMeanwhile in [false, true] {
      try folder.write("a", [1, 2, 3, 4])
      let source = try await FileSource(path: folder.file("a"), pool: pool)
      if !isMeanwhile { try make(change) }
      do {
        try await source.reading { (_) throws(StoreError) in
          do { if isMeanwhile { try make(change) } } catch { Issue.record(error) }
        }
        Issue.record("it was looked at")
      } catch {
        #expect(error.kind == (change == .removed && !isMeanwhile ? .notFound : .badInput))
      }
    }
  }

  enum Change: CaseIterable { case longer, shorter, sameSize, replaced, removed }

  @Test(arguments: Change.allCases)
  func `that changes before it is opened is not uploaded`(change: Change) async throws {
    try folder.write("a", [1, 2, 3, 4])
    let source = try await FileSource(path: folder.file("a"), pool: pool)
    try make(change)
    do {
      _ = try await source.open(at: 0)
      Issue.record("it was opened")
    } catch {
      #expect(error.kind == (change == .removed ? .notFound : .badInput))
    }
  }

  @Test(arguments: [Change.longer, .shorter, .sameSize])
  func `that changes while it is read is not uploaded`(change: Change) async throws {
    try folder.write("a", [1, 2, 3, 4])
    let source = try await FileSource(path: folder.file("a"), pool: pool)
    var reading = try await source.open(at: 0)
    try make(change)
    do {
      while try await reading.next() != nil {}
      Issue.record("it was read")
    } catch {
      #expect(error.kind == .badInput)
      #expect(error.message.contains("changed during the upload"))
    }
  }

  private func make(_ change: Change) throws {
    let path = folder.file("a")
    switch change {
    case .longer: try inPlace(path, O_APPEND, [5])
    case .shorter: #expect(truncate(path, 2) == 0)
    case .sameSize:
      try inPlace(path, 0, [9])
      // As if some time had passed: two writes within a tick of the file system's clock look like one.
      var times = [timespec(tv_sec: 5, tv_nsec: 0), timespec(tv_sec: 5, tv_nsec: 0)]
      #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    case .replaced: try folder.write("a", [1, 2, 3, 4])
    case .removed: unlink(path)
    }
  }

  private func inPlace(_ path: String, _ flags: Int32, _ bytes: [UInt8]) throws {
    let descriptor = open(path, O_WRONLY | flags)
    try #require(descriptor >= 0)
    #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
  }
}
