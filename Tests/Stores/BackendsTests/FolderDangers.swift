import Basics
import FileStores
import POSIX
import Synchronization
import TestKit
import Testing

@testable import Backends

/// Links, pipes, full disks, failing calls, permissions, crashes.
@Suite(.serialized) struct FolderDangers {
  private let pool = BlockingPool(threads: 3)

  @Test("A missing root is notFound and says how to make one; a file is badInput; create makes it")
  func roots() async throws {
    try await withTemporaryFolder { root in
      let missing = #expect(throws: StoreError.self) { try FolderStore(root: root + "/x/y", pool: pool) }
      #expect(missing?.kind == .notFound)
      #expect(missing?.remedy.contains("Make it") == true)
      try FolderStore.create(root: root + "/x/y")
      try FolderStore.create(root: root + "/x/y")
      _ = try FolderStore(root: root + "/x/y", pool: pool)
      writeInPlace(root + "/file", "")
      #expect(throws: StoreError.self) { try FolderStore(root: root + "/file", pool: pool) }
      let inTheWay = #expect(throws: StoreError.self) { try FolderStore.create(root: root + "/file") }
      #expect(inTheWay?.kind == .exists)
    }
  }

  @Test("A root that goes away is offline, and works again when it is back")
  func rootGone() async throws {
    try await withTemporaryFolder { folder in
      try FolderStore.create(root: folder + "/club")
      let store = try FolderStore(root: folder + "/club", pool: pool)
      writeInPlace(folder + "/club/a", "text")
      rename(folder + "/club", folder + "/elsewhere")
      for _ in 0..<2 {
        let error = await #expect(throws: StoreError.self) {
          _ = try await store.list(.root, ListOptions(.names), after: nil)
        }
        #expect(error?.kind == .offline)
        let entry = await #expect(throws: StoreError.self) { _ = try await store.entry(at: StorePath("a")) }
        #expect(entry?.kind == .offline)
      }
      rename(folder + "/elsewhere", folder + "/club")
      #expect(try await store.readAll(StorePath("a")).bytes == Array("text".utf8))
    }
  }

  @Test("Links are listed as other and never followed: loops, dangling ones, to /etc, inside and outside")
  func links() async throws {
    try await withTemporaryFolder { folder in
      let root = folder + "/club"
      try FolderStore.create(root: root)
      try FolderStore.create(root: folder + "/outside/deep")
      writeInPlace(folder + "/outside/secret", "secret")
      writeInPlace(folder + "/outside/deep/secret", "secret")
      writeInPlace(root + "/inside", "inside")
      let targets = [
        "loop": "loop", "dangling": "nowhere", "passwd": "/etc/passwd", "etc": "/etc", "out": "../outside",
        "up": "..", "in": "inside",
      ]
      for (name, target) in targets { symlink(target, root + "/" + name) }
      let store = try FolderStore(root: root, pool: pool)
      let listed = try await store.list(.root, ListOptions(.full, recursive: true), after: nil).entries
      #expect(listed.count == targets.count + 1)
      for name in targets.keys {
        let path = try StorePath(name)
        #expect(listed.first { $0.path == path }?.kind == .other)
        #expect(try await store.entry(at: path).kind == .other)
        await expect([.badInput], "reading \(name)") { _ = try await store.readAll(path) }
        for mode in [WriteMode.create, .overwrite] {
          await expect([.exists], "writing \(name)") { _ = try await store.put(DataSource([1]), at: path, mode: mode) }
        }
        let below = try StorePath(name + "/secret")
        let deeper = try StorePath(name + "/deep/secret")
        for path in [below, deeper] {
          await expect([.notPermitted, .notFound], "reading \(path)") { _ = try await store.readAll(path) }
          await expect([.notPermitted, .notFound], "looking at \(path)") { _ = try await store.entry(at: path) }
        }
        await expect([.notPermitted], "listing \(name)", or: .badInput) {
          _ = try await store.list(path, ListOptions(.names), after: nil)
        }
        await expect([.notPermitted, .exists], "writing below \(name)") {
          _ = try await store.put(DataSource([1]), at: StorePath(name + "/new"), mode: .create)
        }
        await expect([.notPermitted, .notFound], "deleting below \(name)") {
          try await store.delete(below, ifRevision: nil)
        }
      }
      #expect(allNames(folder + "/outside") == ["deep", "secret"] && allNames(folder + "/outside/deep") == ["secret"])
      // Deleting a folder deletes the links in it, not what they lead to.
      try await store.createFolder(StorePath("sub"))
      symlink("../../outside", root + "/sub/out")
      try await store.delete(StorePath("sub"), ifRevision: nil)
      #expect(contents(folder + "/outside/secret") == "secret")
    }
  }

  @Test("A folder that turns into a link out of the root, again and again, never lets anything out or in")
  func swappedLink() async throws {
    try await withTemporaryFolder { folder in
      let root = folder + "/club"
      try FolderStore.create(root: root + "/sub")
      try FolderStore.create(root: folder + "/outside")
      writeInPlace(folder + "/outside/a", "SECRET")
      writeInPlace(root + "/sub/a", "fine")
      symlink("../outside", root + "/link")
      let store = try FolderStore(root: root, pool: pool)
      let stop = Gate()
      let here = try store.disk.openRoot()
      let swapper = Task.detached {
        while !stop.isOpen {
          // The folder and the link change places at once: the name is never missing.
          _ = here.rename(CName("sub"), to: CName("link"), in: here, .exchange)
          await Task.yield()
        }
      }
      let path = try StorePath("sub/a")
      for round in 0..<2000 {
        if let (bytes, _) = try? await store.readAll(path) { #expect(bytes == Array("fine".utf8)) }
        if round.isMultiple(of: 20) {
          _ = try? await store.put(DataSource([1]), at: StorePath("sub/n\(round)"), mode: .create)
        }
      }
      stop.open()
      await swapper.value
      #expect(allNames(folder + "/outside") == ["a"])
    }
  }

  @Test("Pipes, sockets and devices never block and are badInput", .timeLimit(.minutes(5)))
  func pipes() async throws {
    try await withTemporaryFolder { root in
      mkfifo(root + "/pipe", 0o666)
      if getuid() == 0 { mknod(root + "/zero", S_IFCHR | 0o666, 0x105) }
      let store = try FolderStore(root: root, pool: pool)
      for name in allNames(root) {
        let path = try StorePath(name)
        #expect(try await store.entry(at: path).kind == .other)
        await expect([.badInput], "reading") { _ = try await store.readAll(path) }
        await expect([.exists], "writing") { _ = try await store.put(DataSource([1]), at: path, mode: .overwrite) }
        await expect([.badInput], "listing") { _ = try await store.list(path, ListOptions(.names), after: nil) }
      }
    }
  }

  /// Without exchanges nothing is displaced.
  private static let savingSteps: [FolderStep] =
    [.makeTemporary, .write, .look, .syncFile, .rename]
    + (MissingCalls.ofThisProcess.contains(.renameFlags) ? [] : [.lookAtDisplaced, .removeDisplaced])

  @Test(
    "When any step of a save fails, the old text stays, nothing is left, and the next try succeeds",
    arguments: FolderDangers.savingSteps, [EIO, ENOSPC, EDQUOT, EMFILE, EROFS])
  func failingStep(step: FolderStep, code: Int32) async throws {
    try await withTemporaryFolder { root in
      let failing = Mutex(true)
      var tuning = FolderTuning()
      tuning.probe = { here in failing.withLock { $0 && here == step } ? code : 0 }
      let store = try FolderStore(root: root, pool: pool, tuning: tuning)
      writeInPlace(root + "/a", "old")
      let path = try StorePath("a")
      let base = try #require(try await store.entry(at: path).revision)
      let error = await #expect(throws: StoreError.self) {
        _ = try await store.put(DataSource("new".utf8), at: path, mode: .replace(base))
      }
      let expected: [Int32: StoreError.Kind] = [
        EIO: .server, ENOSPC: .quota, EDQUOT: .quota, EMFILE: .server, EROFS: .notPermitted,
      ]
      #expect(error?.kind == expected[code])
      #expect(contents(root + "/a") == "old")
      #expect(allNames(root) == ["a"])
      failing.withLock { $0 = false }
      let now = try #require(try await store.entry(at: path).revision)
      _ = try await store.put(DataSource("new".utf8), at: path, mode: .replace(now))
      #expect(contents(root + "/a") == "new")
    }
  }

  @Test("Saves that fail leave no descriptor open", .timeLimit(.minutes(5)))
  func descriptors() async throws {
    try await withTemporaryFolder { root in
      let store = try FolderStore(root: root, pool: pool)
      func round() async throws {
        for number in 0..<20 {
          _ = try? await store.put(OddSource([1, 2, 3], size: 9), at: StorePath("x/\(number)"), mode: .create)
          _ = try? await store.readAll(StorePath("nothing"))
          _ = try await store.list(.root, ListOptions(.full, recursive: true), after: nil)
        }
      }
      for _ in 0..<2 {
        try await round()
        // A thread of the pool may close the last ones a moment after its answer.
        while openDescriptors(below: root) > 0 {
          try Task.checkCancellation()
          await Task.yield()
        }
      }
    }
  }

  @Test(
    "A full disk is quota, names the folder, keeps the old file, and works again after freeing",
    .enabled(if: getuid() == 0, "mounting a small tmpfs needs root"))
  func fullDisk() async throws {
    try await withTemporaryFolder { folder in
      guard mount("none", folder, "tmpfs", 0, "size=1m") == 0 else { return }
      defer { umount2(folder, Int32(MNT_DETACH)) }
      let store = try FolderStore(root: folder, pool: pool, keepsVersions: false)
      let old = [UInt8](repeating: 1, count: 300_000)
      let path = try StorePath("a")
      _ = try await store.put(DataSource(old), at: path, mode: .create)
      let large = DataSource([UInt8](repeating: 2, count: 900_000))
      for _ in 0..<20 {
        let error = await #expect(throws: StoreError.self) {
          _ = try await store.put(large, at: path, mode: .overwrite)
        }
        #expect(error?.kind == .quota)
        #expect(error?.message.contains(folder) == true)
        #expect(try await store.readAll(path).bytes == old)
        #expect(allNames(folder) == ["a"])
      }
      try await store.delete(path, ifRevision: nil)
      _ = try await store.put(large, at: path, mode: .create)
    }
  }

  @Test("A replaced file keeps its mode, owner and attributes; a new one has what the umask leaves")
  func traits() async throws {
    try await withTemporaryFolder { root in
      let store = try FolderStore(root: root, pool: pool)
      writeInPlace(root + "/a", "old")
      chmod(root + "/a", 0o640)
      if getuid() == 0 { chown(root + "/a", 1234, 5678) }
      let hasAttributes = setAttribute(root + "/a", "user.note", "hello")
      let path = try StorePath("a")
      let base = try #require(try await store.entry(at: path).revision)
      _ = try await store.put(DataSource("new".utf8), at: path, mode: .replace(base))
      _ = try await store.put(DataSource("newer".utf8), at: path, mode: .overwrite)
      var out = stat()
      lstat(root + "/a", &out)
      #expect(out.st_mode & 0o7777 == 0o640)
      if getuid() == 0 { #expect(out.st_uid == 1234 && out.st_gid == 5678) }
      if hasAttributes { #expect(attributeLength(root + "/a", "user.note") == 5) }
      _ = try await store.put(DataSource("x".utf8), at: StorePath("b"), mode: .create)
      let old = umask(0)
      umask(old)
      #expect(mode(root + "/b") == 0o666 & ~old)
    }
  }

  @Test("Unfinished files of a crash are removed after a day, not before, and never listed")
  func stale() async throws {
    try await withTemporaryFolder { root in
      let store = try FolderStore(root: root, pool: pool)
      writeInPlace(root + "/.byteclub-tmp-young", "x")
      writeInPlace(root + "/.byteclub-other", "x")
      #expect(try await store.list(.root, ListOptions(.names), after: nil).entries.isEmpty)
      #expect(allNames(root) == [".byteclub-other", ".byteclub-tmp-young"])
      let later = Int64(time(nil)) + FolderDisk.staleSeconds + 10
      store.disk.removeStale(
        [CName(".byteclub-tmp-young")], in: try store.disk.openRoot(), .root, now: later)
      #expect(allNames(root) == [".byteclub-other"])
    }
  }

  @Test("Trash and uploads are there for the next process")
  func reopened() async throws {
    try await withTemporaryFolder { root in
      let first = try FolderStore(root: root, pool: pool)
      _ = try await first.put(DataSource("text".utf8), at: StorePath("sub/a"), mode: .create)
      let discarded = try #require(try await first.capabilities.trash?.discard(StorePath("sub/a"), ifRevision: nil))
      let session = try #require(try await first.capabilities.uploads?.begin(StorePath("b"), size: nil))
      _ = try await first.capabilities.uploads?.append([1, 2, 3], to: session, at: 0)
      let second = try FolderStore(root: root, pool: pool)
      #expect(try await second.capabilities.trash?.contents() == [discarded])
      _ = try await second.capabilities.trash?.restore(discarded.id)
      #expect(contents(root + "/sub/a") == "text")
      #expect(try await second.capabilities.uploads?.offset(of: session) == 3)
      _ = try await second.capabilities.uploads?.finish(session, size: 3, at: StorePath("b"), mode: .create)
      #expect(contents(root + "/b") == "\u{1}\u{2}\u{3}")
    }
  }

  @Test(
    "A folder that may not be opened is listed, and the listing goes on",
    .enabled(if: getuid() != 0, "root may open all"))
  func closedFolder() async throws {
    try await withTemporaryFolder { root in
      try FolderStore.create(root: root + "/closed/inside")
      writeInPlace(root + "/z", "x")
      chmod(root + "/closed", 0)
      let store = try FolderStore(root: root, pool: pool)
      let names = try await store.list(.root, ListOptions(.names, recursive: true), after: nil).entries
      #expect(Set(names.map(\.path.description)) == ["closed", "z"])
      await expect([.notPermitted], "listing") {
        _ = try await store.list(StorePath("closed"), ListOptions(.names), after: nil)
      }
    }
  }

  @Test("Errors of the system become kinds and whole sentences")
  func faults() throws {
    let path = try StorePath("a")
    let kinds: [(Int32, StoreError.Kind)] = [
      (ENOENT, .notFound), (ENOTDIR, .notFound), (EEXIST, .exists), (EISDIR, .exists), (EACCES, .notPermitted),
      (EPERM, .notPermitted), (EROFS, .notPermitted), (ELOOP, .notPermitted), (ENOSPC, .quota), (EDQUOT, .quota),
      (EFBIG, .tooLarge), (ENAMETOOLONG, .badName), (EILSEQ, .badName), (EMFILE, .server), (EIO, .server),
      (ESTALE, .offline), (ENODEV, .offline), (EXDEV, .unsupported),
    ]
    for (code, kind) in kinds {
      let error = FolderFault.error(code, "write", path)
      #expect(error.kind == kind && error.path == path)
      #expect(error.message.hasSuffix(".") && error.message.contains("\"a\""))
    }
  }

  private func expect(
    _ kinds: [StoreError.Kind], _ what: Comment, or other: StoreError.Kind? = nil, _ body: () async throws -> Void
  ) async {
    let error = await #expect(throws: StoreError.self, what) { try await body() }
    if let error { #expect((kinds + [other].compactMap(\.self)).contains(error.kind), "\(what): \(error)") }
  }

  private func openDescriptors(below root: String) -> Int {
    var count = 0
    for number in 0..<1024 {
      var buffer = [CChar](repeating: 0, count: 4096)
      let length = readlink("/proc/self/fd/\(number)", &buffer, 4095)
      guard length > 0 else { continue }
      let target = String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if target.hasPrefix(root) { count += 1 }
    }
    return count
  }
}

// Swift's Glibc module does not show the calls for extended attributes.
private typealias Setter =
  @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32) -> Int32
private typealias Getter =
  @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int

private func setAttribute(_ path: String, _ name: String, _ value: String) -> Bool {
  guard let symbol = dlsym(nil, "setxattr") else { return false }
  return unsafeBitCast(symbol, to: Setter.self)(path, name, Array(value.utf8), value.utf8.count, 0) == 0
}

private func attributeLength(_ path: String, _ name: String) -> Int {
  guard let symbol = dlsym(nil, "getxattr") else { return -1 }
  return unsafeBitCast(symbol, to: Getter.self)(path, name, nil, 0)
}
