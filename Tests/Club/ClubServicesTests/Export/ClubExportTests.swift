import Backends
import Basics
import ClubServices
import FileStores
import Foundation
import Synchronization
import TestKit
import Testing

/// All of a club's files come into a directory, whole, and nothing that is there is lost.
@Suite struct ClubExportTests {
  /// A directory that is removed, and a store of it.
  private func withDirectory(_ body: (FolderStore, URL) async throws -> Void) async throws {
    let directory = URL(filePath: TemporaryFolder.newPath())
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await body(try FolderStore(root: directory.path, pool: BlockingPool(), keepsVersions: false), directory)
  }

  private func content(_ name: String) -> [UInt8] { Array("This is \(name).\n".utf8) }

  /// A club of so many notes, two photos (one larger than a small file may be), and an empty file.
  private func fill(_ store: some FileStore, notes: Int) async throws -> [String: [UInt8]] {
    var files = ["photos/small.jpg": content("small.jpg"), "empty.md": []]
    files["photos/deep/large.jpg"] = (0..<1_200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for number in 0..<notes { files["note \(number).md"] = content("note \(number)") }
    for (path, bytes) in files {
      _ = try await store.put(DataSource(bytes), at: StorePath(path), mode: .create)
    }
    return files
  }

  private func files(in directory: URL) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for case let path as String in FileManager.default.enumerator(atPath: directory.path) ?? .init() {
      let place = directory.appending(path: path)
      if try place.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
        found[path] = [UInt8](try Data(contentsOf: place))
      }
    }
    return found
  }

  @Test(
    "A club comes whole, with its folders, whether or not the store reads folders at once", arguments: [true, false])
  func whole(isTogether: Bool) async throws {
    try await withDirectory { target, directory in
      let source = TogetherStore()
      let all = try await fill(source, notes: 70)
      // The large photo outweighs all others: the folder is not asked for at once because of it.
      if isTogether { try await source.delete(StorePath("photos/deep/large.jpg"), ifRevision: nil) }
      let told = Mutex<[ExportProgress]>([])
      let outcome = try await ClubExport(from: source, to: target, pool: BlockingPool()).run(replaces: false) {
        progress in
        told.withLock { $0.append(progress) }
      }
      let wanted = isTogether ? all.filter { $0.key != "photos/deep/large.jpg" } : all
      #expect(try files(in: directory) == wanted)
      #expect(outcome.written.files == wanted.count && outcome.kept == 0 && outcome.failures.isEmpty)
      #expect(outcome.written.bytes == UInt64(wanted.values.reduce(0) { $0 + $1.count }))
      #expect(told.withLock { $0.map(\.files) } == Array(1...wanted.count))
      #expect(source.asked.together == (isTogether ? [wanted.count] : []))
      #expect(source.asked.single.count == (isTogether ? 0 : wanted.count))
    }
  }

  @Test("Folders without files come, too, and one whose name is taken is reported") func emptyFolders() async throws {
    try await withDirectory { target, directory in
      let source = TogetherStore()
      _ = try await fill(source, notes: 2)
      for folder in ["plans/2027/May", "plans/ideas", "photos/deep/none", "taken/inside"] {
        try await source.createFolder(StorePath(folder))
      }
      try Data("mine".utf8).write(to: directory.appending(path: "taken"))
      let export = ClubExport(from: source, to: target, pool: BlockingPool())
      for time in 0..<2 {
        let outcome = try await export.run(replaces: false)
        for folder in ["plans/2027/May", "plans/ideas", "photos/deep/none"] {
          #expect(try directory.appending(path: folder).resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true)
        }
        #expect(outcome.failures.map(\.kind) == [.exists] && outcome.failures[0].path != nil)
        #expect((outcome.written.files == 0) == (time == 1))
      }
      #expect(try files(in: directory)["taken"] == Array("mine".utf8))
    }
  }

  @Test("A file and a folder that have changed places are reported, and moved aside on request") func changedPlaces()
    async throws
  {
    try await withDirectory { target, directory in
      for (path, text) in [("a.md", "old a"), ("sub/b.md", "old b"), ("empty", "old e"), ("sub (1)", "another")] {
        _ = try await target.put(DataSource(text.utf8), at: StorePath(path), mode: .create)
      }
      let source = TogetherStore()
      for (path, text) in [("a.md/b.md", "new b"), ("a.md/c.md", "new c"), ("sub", "new sub"), ("c.md", "new")] {
        _ = try await source.put(DataSource(text.utf8), at: StorePath(path), mode: .create)
      }
      try await source.createFolder(StorePath("empty"))
      let export = ClubExport(from: source, to: target, pool: BlockingPool())
      let refused = try await export.run(replaces: false)
      #expect(
        refused.failures.map(\.message) == [
          "\"a.md\" is a folder in the club and a file in the copy.",
          "\"empty\" is a folder in the club and a file in the copy.",
          "\"sub\" is a file in the club and a folder in the copy.",
        ])
      #expect(refused.written.files == 1 && refused.aside.isEmpty)
      let preview = try await ClubExport.preview(of: source, to: target, replaces: true)
      #expect(preview.aside.map(\.to.description) == ["a (1).md", "empty (1)", "sub (2)"] && preview.failures.isEmpty)
      let outcome = try await export.run(replaces: true)
      #expect(outcome.failures.isEmpty && outcome.written.files == 3 && outcome.aside == preview.aside)
      #expect(
        try files(in: directory).mapValues { String(decoding: $0, as: UTF8.self) } == [
          "a (1).md": "old a", "empty (1)": "old e", "sub (2)/b.md": "old b", "sub (1)": "another", "c.md": "new",
          "a.md/b.md": "new b", "a.md/c.md": "new c", "sub": "new sub",
        ])
      #expect(try await export.run(replaces: true).aside.isEmpty)
    }
  }

  @Test("What does not come whole of a folder is read file by file") func rest() async throws {
    try await withDirectory { target, directory in
      let source = TogetherStore(.init(dropped: ["note 3.md"], untold: ["note 4.md"], most: 30))
      let all = try await fill(source, notes: 50).filter { $0.key != "photos/deep/large.jpg" }
      try await source.delete(StorePath("photos/deep/large.jpg"), ifRevision: nil)
      let outcome = try await ClubExport(from: source, to: target, pool: BlockingPool()).run(replaces: false)
      #expect(outcome.failures.isEmpty)
      #expect(try files(in: directory) == all)
      #expect(source.asked.together == [all.count])
      #expect(Set(source.asked.single).isSuperset(of: ["note 3.md", "note 4.md"].filter { all[$0] != nil }))
      #expect(source.asked.single.count >= all.count - 30 && source.asked.single.count < all.count)
    }
  }

  @Test("An export that is made again fetches what is new or has changed, and nothing else") func again() async throws {
    try await withDirectory { target, directory in
      let source = TogetherStore()
      var all = try await fill(source, notes: 5)
      _ = try await ClubExport(from: source, to: target, pool: BlockingPool()).run(replaces: false)
      let before = source.asked.single.count
      let newer = try await source.put(DataSource(content("new")), at: StorePath("new.md"), mode: .create)
      _ = try await source.put(DataSource(content("changed")), at: StorePath("note 1.md"), mode: .overwrite)
      (all["new.md"], all["note 1.md"]) = (content("new"), content("changed"))
      let outcome = try await ClubExport(from: source, to: target, pool: BlockingPool()).run(replaces: true)
      #expect(outcome.kept == all.count - 2 && outcome.written.files == 2 && outcome.failures.isEmpty)
      #expect(try files(in: directory) == all)
      #expect(newer.size == 13)
      let read = source.asked.single.dropFirst(before).filter { !$0.hasPrefix("note") || $0 == "note 1.md" }
      #expect(Set(read).isSuperset(of: ["new.md", "note 1.md"]))
    }
  }

  @Test("A target that stores other bytes is found out, whether or not it tells hashes", arguments: [true, false])
  func lyingTarget(tellsHashes: Bool) async throws {
    let source = MemoryStore()
    let all = try await fill(source, notes: 30)
    let target = AlteringStore(altered: ["note 3.md", "photos/deep/large.jpg"], tellsHashes: tellsHashes)
    let copy = ClubExport(from: source, to: target, pool: BlockingPool(), verifies: true)
    let outcome = try await copy.run(replaces: false)
    #expect(outcome.failures.map(\.kind) == [.corrupt, .corrupt])
    #expect(Set(outcome.failures.compactMap { $0.path?.description }) == target.altered)
    #expect(outcome.written.files == all.count - 2)
    let preview = try await ClubExport.preview(of: source, to: target, replaces: true)
    #expect(preview.files.map { $0.entry.path.description } == ["note 3.md", "photos/deep/large.jpg"])
    #expect(preview.files.allSatisfy(\.isReplacing) && preview.kept == all.count - 2)
  }

  @Test("A target that compares the bytes itself is not read back; another one is", arguments: [true, false])
  func comparingTarget(compares: Bool) async throws {
    let source = MemoryStore()
    let all = try await fill(source, notes: 30)
    let target = ComparingStore(compares: compares)
    let outcome = try await ClubExport(from: source, to: target, pool: BlockingPool(), verifies: true)
      .run(replaces: false)
    #expect(outcome.written.files == all.count && outcome.failures.isEmpty)
    #expect(target.readings == (compares ? 0 : all.count))
  }

  @Test("A file that differs stays, and is reported, unless it may be replaced") func refused() async throws {
    try await withDirectory { target, directory in
      let source = TogetherStore()
      let all = try await fill(source, notes: 3)
      let own = directory.appending(path: "note 1.md")
      try Data("my own words".utf8).write(to: own)
      try FileManager.default.createDirectory(
        at: directory.appending(path: "note 2.md"), withIntermediateDirectories: true)
      try Data("beside".utf8).write(to: directory.appending(path: "beside.md"))
      let outcome = try await ClubExport(from: source, to: target, pool: BlockingPool()).run(replaces: false)
      #expect(outcome.failures.map(\.kind) == [.exists, .exists])
      #expect(Set(outcome.failures.compactMap { $0.path?.description }) == ["note 1.md", "note 2.md"])
      #expect(try String(contentsOf: own, encoding: .utf8) == "my own words")
      let second = try await ClubExport(from: source, to: target, pool: BlockingPool()).run(replaces: true)
      #expect(second.failures.isEmpty)
      #expect(second.aside.map(\.from.description) == ["note 2.md"] && second.aside.allSatisfy(\.isFolder))
      #expect(try [UInt8](Data(contentsOf: own)) == all["note 1.md"])
      #expect(FileManager.default.fileExists(atPath: directory.appending(path: "beside.md").path))
    }
  }

  @Test("Files keep the time of their last change") func times() async throws {
    try await withDirectory { _, directory in
      let club = directory.appending(path: "club")
      try FileManager.default.createDirectory(at: club, withIntermediateDirectories: true)
      for (name, size) in [("small", 10), ("large", 1_200_000)] {
        let file = club.appending(path: name)
        try Data(repeating: 65, count: size).write(to: file)
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: file.path)
      }
      let copy = directory.appending(path: "copy")
      try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
      let pool = BlockingPool()
      _ = try await ClubExport(
        from: FolderStore(root: club.path, pool: pool), to: FolderStore(root: copy.path, pool: pool), pool: pool
      ).run(replaces: false)
      for name in ["small", "large"] {
        let facts = try FileManager.default.attributesOfItem(atPath: copy.appending(path: name).path)
        #expect((facts[.modificationDate] as? Date)?.timeIntervalSince1970 == 1e9, "\(name)")
      }
    }
  }

  @Test("Files that tell their own time when they are read keep it") func ownTimes() async throws {
    try await withDirectory { target, directory in
      let source = DatedStore(base: MemoryStore())
      let all = try await fill(source, notes: 1)
      _ = try await ClubExport(from: source, to: target, pool: BlockingPool()).run(replaces: false)
      for name in all.keys {
        let facts = try FileManager.default.attributesOfItem(atPath: directory.appending(path: name).path)
        #expect((facts[.modificationDate] as? Date)?.timeIntervalSince1970 == 1e9, "\(name)")
      }
    }
  }

  @Test("A large file has its own time before its first byte is read") func earlyTime() async throws {
    let (source, target) = (HeadStore(base: MemoryStore()), NamingStore(base: MemoryStore()))
    let all = try await fill(source, notes: 1)
    let outcome = try await ClubExport(from: source, to: target, pool: BlockingPool()).run(replaces: false)
    #expect(outcome.written.files == all.count && outcome.failures.isEmpty)
    #expect(target.times["photos/deep/large.jpg"] == Timestamp(seconds: 1_000_000_000))
  }

  @Test("A file that cannot be had, or compared, is reported, and the others come") func gone() async throws {
    try await withDirectory { target, directory in
      let base = MemoryStore()
      let all = try await fill(base, notes: 4)
      try Data("This is note 2!\n".utf8).write(to: directory.appending(path: "note 2.md"))
      let store = OddStore(base) { path, bytes throws(StoreError) in
        switch path.description {
        case "note 1.md": throw StoreError(.notFound, "There is no \"note 1.md\".", path: path)
        case "note 2.md": throw StoreError(.conflict, "It has changed.", path: path)
        case "note 3.md": return Array(bytes.reversed())
        case "photos/deep/large.jpg": return Array(bytes.reversed())
        default: return bytes
        }
      }
      let outcome = try await ClubExport(from: store, to: target, pool: BlockingPool()).run(replaces: true)
      let failures = Dictionary(uniqueKeysWithValues: outcome.failures.map { ($0.path?.description ?? "", $0.kind) })
      #expect(
        failures == [
          "note 1.md": .notFound, "note 2.md": .conflict, "note 3.md": .corrupt, "photos/deep/large.jpg": .corrupt,
          "closed": .notPermitted,
        ])
      #expect(outcome.leftOut.map(\.description) == ["link"])
      #expect(try files(in: directory).filter { $0.key != "note 2.md" } == all.filter { failures[$0.key] == nil })
    }
  }

  @Test("What hinders all files ends an export at once, and what was written stays", arguments: [8, 60])
  func obstacle(notes: Int) async throws {
    try await withDirectory { target, directory in
      let base = MemoryStore()
      _ = try await fill(base, notes: notes)
      let asked = Mutex(0)
      let store = OddStore(base) { path, bytes throws(StoreError) in
        let number = asked.withLock { asked in
          asked += 1
          return asked
        }
        guard number <= 4 else { throw StoreError(.notSignedIn, "The sign-in has ended.") }
        return bytes
      }
      let error = await #expect(throws: StoreError.self) {
        _ = try await ClubExport(from: store, to: target, pool: BlockingPool()).run(replaces: false)
      }
      #expect(error?.kind == .notSignedIn)
      #expect(try files(in: directory).count == 4)
      // Those that were under way with it, and no more.
      #expect(asked.withLock { $0 } <= 20)
    }
  }

  @Test("A disk that is full ends an export") func full() async throws {
    let base = MemoryStore()
    _ = try await fill(base, notes: 200)
    let target = FullStore()
    let error = await #expect(throws: StoreError.self) {
      _ = try await ClubExport(from: base, to: target, pool: BlockingPool()).run(replaces: false)
    }
    #expect(error?.kind == .quota)
    #expect(target.puts.withLock { $0 } < 200)
  }

  @Test("A cancelled export says so, leaves nothing half-done, and goes on later") func cancelled() async throws {
    try await withDirectory { target, directory in
      let base = MemoryStore()
      let all = try await fill(base, notes: 100)
      let (reached, reader) = AsyncStream.makeStream(of: Void.self)
      let store = OddStore(base) { path, bytes throws(StoreError) in
        // The large file comes last, when all small ones are written; the export is cancelled in the middle of it.
        if path.description == "photos/deep/large.jpg" {
          reader.finish()
          while !Task.isCancelled { sched_yield() }
        }
        return bytes
      }
      let export = ClubExport(from: store, to: target, pool: BlockingPool())
      let running = Task {
        do throws(StoreError) {
          _ = try await export.run(replaces: false)
          return nil as StoreError.Kind?
        } catch {
          return error.kind
        }
      }
      for await _ in reached {}
      running.cancel()
      #expect(await running.value == .cancelled)
      let there = try files(in: directory)
      #expect(there.count == all.count - 1)
      for (name, bytes) in there { #expect(all[name] == bytes, "\(name)") }
      _ = try await ClubExport(from: base, to: target, pool: BlockingPool()).run(replaces: false)
      #expect(try files(in: directory) == all)
    }
  }

  @Test("A cancelled export does not wait for small files that are on their way") func cancelledBatch() async throws {
    let base = MemoryStore()
    _ = try await fill(base, notes: 4)
    let target = HeldStore()
    let running = Task { () async -> StoreError? in
      do throws(StoreError) {
        _ = try await ClubExport(from: base, to: target, pool: BlockingPool()).run(replaces: false)
        return nil
      } catch {
        return error
      }
    }
    await target.gate.arrivals(1)
    running.cancel()
    let error = await running.value
    #expect(error?.kind == .cancelled)
    #expect(error?.message == "The copy was stopped after 0 of 7 files.", "\(String(describing: error))")
  }
}

/// A store that nothing reaches until its gate opens.
private struct HeldStore: StoreAround {
  let base: any FileStore = MemoryStore()
  let gate = Gate()

  func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry {
    await gate.wait()
    throw .cancelled("The writing", path: path)
  }
}

/// A store in memory whose answers are changed on their way; it lists a link and a folder that may not be read.
private struct OddStore: StoreAround {
  let base: any FileStore
  let change: @Sendable (StorePath, [UInt8]) throws(StoreError) -> [UInt8]

  init(_ base: MemoryStore, _ change: @escaping @Sendable (StorePath, [UInt8]) throws(StoreError) -> [UInt8]) {
    (self.base, self.change) = (base, change)
  }

  func list(_ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?) async throws(StoreError) -> ListPage
  {
    if folder.description == "closed" { throw StoreError(.notPermitted, "It may not be opened.", path: folder) }
    let page = try await base.list(folder, options, after: cursor)
    let odd = [
      FileEntry(path: try StorePath("link"), kind: .other), FileEntry(path: try StorePath("closed"), kind: .folder),
    ]
    return ListPage(
      entries: page.entries + (page.next == nil ? odd : []), isWhole: page.isWhole, next: page.next,
      changes: page.changes)
  }
  func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    let (bytes, entry) = try await base.readAll(path, ifRevision: options.revision)
    try await receive(try change(path, bytes)[...])
    return entry
  }
}

/// A store that has no room after some files.
private final class FullStore: StoreAround {
  let base: any FileStore = MemoryStore()
  let puts = Mutex(0)

  func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry {
    let number = puts.withLock { puts in
      puts += 1
      return puts
    }
    if number > 20 { throw StoreError(.quota, "No room is left.", path: path) }
    return try await base.put(source, at: path, mode: mode)
  }
}

/// A store whose lists leave out the own times of files, as S3's do.
private struct HeadStore: StoreAround {
  let base: any FileStore

  var limits: StoreLimits {
    StoreLimits(nameBytes: nil, fileBytes: nil, caseSensitive: true, unicodeNamesOnly: true, keepsTimes: true)
  }

  func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    var entry = try await base.entry(at: path)
    entry.ownTime = Timestamp(seconds: 1_000_000_000)
    return entry
  }
}

/// A store that names a file with its time before it reads the bytes, as an upload in parts does.
private struct NamingStore: StoreAround {
  let base: any FileStore
  let times = SharedTimes()

  func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry {
    times.note(source.modified, of: path)
    return try await base.put(source, at: path, mode: mode)
  }
}

private final class SharedTimes: Sendable {
  private let times = Mutex<[String: Timestamp]>([:])

  func note(_ time: Timestamp?, of path: StorePath) { times.withLock { $0["\(path)"] = time } }
  subscript(_ path: String) -> Timestamp? { times.withLock { $0[path] } }
}
