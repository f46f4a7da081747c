import Basics
import Dispatch
import FileStores
import Synchronization
import TestKit
import Testing

@testable import Backends
@testable import ClubServices
@testable import Database

@Suite struct NewsTests {
  private let pool = BlockingPool(threads: 1)

  private func entry(_ path: String, _ revision: String, by member: String? = nil) throws -> FileEntry {
    FileEntry(path: try StorePath(path), kind: .file, size: 1, revision: Revision(revision), member: member)
  }

  private func service(_ catalogue: CatalogueDatabase, own: String? = nil) -> NewsService {
    NewsService(club: "club", catalogue: catalogue, pool: pool, ownName: { own })
  }

  private func catalogue() throws -> CatalogueDatabase { try CatalogueDatabase(path: ":memory:") }

  @Test func `new and changed files are marked; seen, own and nameless ones are not`() throws {
    let seen = [try StorePath("a"): Revision("1"), try StorePath("b"): Revision("1")]
    let entries = [
      try entry("a", "1"), try entry("b", "2", by: "Ann"), try entry("c", "1"), try entry("d", "1", by: "Me"),
      FileEntry(path: try StorePath("e"), kind: .file), FileEntry(path: try StorePath("f"), kind: .folder),
    ]
    let found = NewsComparison(entries, seen: seen, own: "Me")
    #expect(
      found.marks == [
        try StorePath("b"): NewsMark(revision: Revision("2"), before: Revision("1"), member: "Ann"),
        try StorePath("c"): NewsMark(revision: Revision("1"), before: nil),
      ])
    #expect(found.own.map(\.path) == [try StorePath("d")])
  }

  @Test func `a revision that was seen meanwhile is not marked by a late comparison`() throws {
    var marks = NewsMarks()
    let path = try StorePath("a")
    let mark = NewsMark(revision: Revision("2"), before: Revision("1"))
    marks.see(path, Revision("2"))
    #expect(marks.add([path: mark]).isEmpty && marks.isEmpty)
    let newer = NewsMark(revision: Revision("3"), before: Revision("1"))
    #expect(marks.add([path: newer]) == [path: newer])
    #expect(marks.add([path: newer]).isEmpty && marks.count == 1)
    #expect(marks.seeAll() == [path: newer])
    #expect(marks.isEmpty && marks.add([path: newer]).isEmpty)
    marks.unsee([path: newer])
    #expect(marks[path] == newer)
  }

  @Test func `the first listing of a club is seen; later files are news until they are seen, across restarts`()
    async throws
  {
    let catalogue = try catalogue()
    let first = service(catalogue)
    #expect(await first.compare([try entry("a", "1"), try entry("b", "1")], in: .notes).isEmpty)
    await first.endListing(of: .notes)
    let again = service(catalogue)
    let listed = [try entry("a", "2", by: "Ann"), try entry("b", "1"), try entry("c", "1")]
    let marks = await again.compare(listed, in: .notes)
    #expect(Set(marks.keys) == [try StorePath("a"), try StorePath("c")])
    #expect(marks[try StorePath("a")]?.isAdded == false)
    #expect(marks[try StorePath("c")]?.isAdded == true)
    #expect(await service(catalogue).compare(listed, in: .notes) == marks)
    await again.see([listed[0]])
    #expect(Set(await service(catalogue).compare(listed, in: .notes).keys) == [try StorePath("c")])
    // Photos have a first listing of their own.
    #expect(await again.compare([try entry("photos/p.jpg", "1")], in: .photos).isEmpty)
  }

  @Test func `what lies in folders is no news when the folders come into view, and later changes there are`()
    async throws
  {
    let catalogue = try catalogue()
    func service(_ hasNoteFolders: Bool) -> NewsService {
      NewsService(club: "club", hasNoteFolders: hasNoteFolders, catalogue: catalogue, pool: pool)
    }
    // An earlier version has seen the top.
    for list in [NewsList.notes, .noteRemarks] {
      #expect(await service(false).marks(ofAll: [try entry("a.md", "1")], in: list).isEmpty)
    }
    let all = [try entry("a.md", "2"), try entry("trips/b.md", "1"), try entry("trips/b.md.talk.md", "1")]
    for list in [NewsList.notes, .noteRemarks] {
      // A listing that breaks off begins nothing.
      #expect(await service(true).comparePage(all, of: list).keys.map { "\($0)" } == ["a.md"])
      #expect(await service(true).marks(ofAll: all, in: list).keys.map { "\($0)" } == ["a.md"])
    }
    let later = [try entry("trips/b.md", "2", by: "Ann"), try entry("trips/c.md", "1")]
    #expect(await service(true).marks(ofAll: later, in: .notes).count == 2)
    let hidden = [try entry("trips/.x/f", "1"), try entry("trips/d.talk.md", "1")]
    let counted = try NewsService.count(
      of: all + later + hidden, notes: NoteScope(photosFolder: try StorePath("photos")), club: "club", in: catalogue)
    #expect(counted == 3)
  }

  @Test func `of a long listing the catalogue is read once, and asked for the files that changed alone`() async throws {
    let (catalogue, count) = (try catalogue(), 10_000)
    let files = try (0..<count).map { try entry("\($0)", "1") }
    #expect(await service(catalogue).marks(ofAll: files, in: .notes).isEmpty)
    let news = service(catalogue)
    var later = files
    later[3] = try entry("3", "2", by: "Ann")
    later.append(try entry("new", "1"))
    news.beginListing(of: .notes)
    let before = try catalogue.file.read { $0.rowsRead }
    let first = await news.comparePage(Array(later[..<(count / 2)]), of: .notes)
    #expect(first == [later[3].path: NewsMark(revision: Revision("2"), before: Revision("1"), member: "Ann")])
    let rest = Array(later[(count / 2)...])
    #expect(await news.comparePage(rest, of: .notes).keys.map { "\($0)" } == ["new"])
    // All of the files, the baseline, and the file that changed.
    #expect(try catalogue.file.read { $0.rowsRead } - before == count + 2)
    // The member undoes what was seen, and the files are news again.
    await news.see([later[3]])
    await news.unsee(first)
    await news.unsee([files[7].path: NewsMark(revision: Revision("1"), before: nil)])
    #expect(
      Set(await news.comparePage(Array(later[..<(count / 2)]), of: .notes).keys) == [files[3].path, files[7].path])
    await news.endListing(of: .notes)
    #expect(Set(await news.marks(ofAll: later, in: .notes).keys) == [files[3].path, files[7].path, later[count].path])
  }

  @Test func `a long first listing is written in few pieces, and does not undo what is seen meanwhile`() async throws {
    let (catalogue, count) = (try catalogue(), 20_000)
    let files = try (0..<count).map { try entry("\($0 * 7919 % count)", "1") }
    let news = service(catalogue)
    news.beginListing(of: .notes)
    for start in stride(from: 0, to: count, by: 1000) {
      #expect(await news.comparePage(Array(files[start..<(start + 1000)]), of: .notes).isEmpty)
      guard start == 0 else { continue }
      #expect(try catalogue.seenRevisions(of: files.map(\.path), club: "club").isEmpty)
      news.seeSoon(try entry("0", "2"))
      await news.see([try entry("7919", "2")])
      await news.forget([files[2].path])
    }
    await news.finish()
    #expect(try catalogue.seenRevisions(of: files.map(\.path), club: "club").count > count / 2)
    await news.endListing(of: .notes)
    let seen = try catalogue.seenRevisions(of: files.map(\.path), club: "club")
    #expect(seen.count == count - 1 && seen[files[2].path] == nil)
    #expect(seen[files[0].path] == Revision("2") && seen[files[1].path] == Revision("2"))
    let later = files.dropFirst(3) + [try entry("0", "2"), try entry("7919", "2"), try entry("new", "1")]
    #expect(await service(catalogue).marks(ofAll: Array(later), in: .notes).keys.map { "\($0)" } == ["new"])
  }

  @Test func `a listing that begins while another one ends loses none of its files`() async throws {
    let catalogue = try catalogue()
    let files = [try entry("a", "1"), try entry("trips/b", "1")]
    let news = service(catalogue)
    news.beginListing(of: .notes)
    #expect(await news.comparePage(files, of: .notes).isEmpty)
    news.beginListing(of: .notes)
    await news.endListing(of: .notes)
    #expect(await news.comparePage(files + [try entry("c", "1")], of: .notes).keys.map { "\($0)" } == ["c"])
    #expect(await service(catalogue).marks(ofAll: files, in: .notes).isEmpty)
  }

  @Test func `what the watch tells of a first listing's files counts, also before an older page`() async throws {
    let catalogue = try catalogue()
    let news = service(catalogue)
    news.beginListing(of: .notes)
    #expect(await news.comparePage([try entry("a", "1")], of: .notes).isEmpty)
    #expect(await news.compare([try entry("a", "2"), try entry("b", "2")], in: .notes).isEmpty)
    #expect(await news.comparePage([try entry("b", "1"), try entry("c", "1")], of: .notes).isEmpty)
    await news.endListing(of: .notes)
    let now = [try entry("a", "2"), try entry("b", "2"), try entry("c", "2")]
    #expect(await service(catalogue).marks(ofAll: now, in: .notes).keys.map { "\($0)" } == ["c"])
  }

  @Test func `a listing that breaks off leaves all as seen`() async throws {
    let catalogue = try catalogue()
    #expect(await service(catalogue).compare([try entry("a", "1")], in: .notes).isEmpty)
    #expect(await service(catalogue).compare([try entry("b", "1")], in: .notes).isEmpty)
  }

  @Test func `this member's writes from another machine are no news, and the name is asked for once`() async throws {
    let catalogue = try catalogue()
    let news = service(catalogue, own: "Me")
    await news.endListing(of: .notes)
    #expect(await news.compare([try entry("a", "1", by: "Me"), try entry("b", "1")], in: .notes).count == 1)
    #expect(try catalogue.seenRevisions(of: [StorePath("a")], club: "club").count == 1)
  }

  @Test func `photos of a guest are news also for the member who asked for them`() async throws {
    let news = service(try catalogue(), own: "ray")
    await news.endListing(of: .photos)
    let entries = [
      try entry("photos/a.jpg", "1", by: "Mia (a guest of ray)"),
      try entry("photos/b.jpg", "1", by: "ray (a guest of ray)"), try entry("photos/c.jpg", "1", by: "ray"),
    ]
    #expect(
      Set(await news.compare(entries, in: .photos).keys) == [
        try StorePath("photos/a.jpg"), try StorePath("photos/b.jpg"),
      ])
  }

  @Test func `the lines changed since the member last saw a note are found by its kept text`() async throws {
    let (world, catalogue) = (try NotesWorld(), try catalogue())
    let past = NotePast(
      catalogue, club: "club", pool: world.pool, now: { Timestamp(seconds: 1) }, onFailure: { Issue.record("\($0)") })
    let (news, notes) = (service(catalogue), try world.service(past: past))
    let path = try StorePath("a.md")
    func changes() async throws -> (OpenNote, [Range<Int>]?) {
      let note = try await notes.open(path)
      return (note, await news.changes(in: note) { await notes.compared($0, of: path) }?.ranges)
    }
    try await world.put("one\ntwo\nthree\n", at: "a.md")
    #expect(try await changes().1 == nil)
    await news.see([try await notes.open(path).entry])
    try await world.put("one\nTWO\nthree\nfour\n", at: "a.md")
    let (note, ranges) = try await changes()
    #expect(ranges == [1..<2, 3..<4])
    await news.see([note.entry])
    #expect(try await changes().1 == nil)
    await news.forget([path])
    #expect(try await changes().1 == nil)
  }

  @Test func `without a kept text, the store's history has it, unless it is large or the store is away`() async throws {
    let (world, news) = (try NotesWorld(), service(try catalogue()))
    let notes = try world.service(store: world.memory)
    let path = try StorePath("a.md")
    for (old, ranges) in [("one\n", [1..<2]), (String(repeating: "x", count: 1 << 20) + "y", nil)] {
      let seen = try await world.put(old, at: "a.md")
      await news.see([seen])
      try await world.put("one\ntwo\n", at: "a.md")
      let note = try await notes.open(path)
      #expect(await news.changes(in: note) { await notes.compared($0, of: path) }?.ranges == ranges)
      #expect(await news.changes(in: note) { _ in nil } == nil)
    }
    #expect(await notes.compared(Revision("unknown"), of: path) == nil)
  }

  @Test func `each way of writing through the store counts as seen`() async throws {
    let catalogue = try catalogue()
    let news = service(catalogue)
    await news.endListing(of: .notes)
    let base = MemoryStore()
    let store = SeenStore(base, news: news)
    let path = try StorePath("a")
    let put = try await store.put(DataSource([1]), at: path, mode: .create)
    let again = try await store.put(DataSource([2]), at: path, mode: .overwrite)
    #expect(await news.compare([again], in: .notes).isEmpty)
    let moved = try await store.move(path, to: StorePath("b"), ifRevision: nil)
    #expect(await news.compare([moved], in: .notes).isEmpty)
    let history = try #require(store.capabilities.revisions)
    let first = try await history.versions(of: moved.path, limit: 10).last?.revision ?? put.revision
    let restored = try await history.restore(try #require(first), of: moved.path, over: moved.revision)
    #expect(await news.compare([restored], in: .notes).isEmpty)
    let trash = try #require(store.capabilities.trash)
    let discarded = try await trash.discard(moved.path, ifRevision: nil)
    let back = try await trash.restore(discarded.id, as: StorePath("d"))
    #expect(await news.compare([back], in: .notes).isEmpty)
    let other = try await base.put(DataSource([3]), at: StorePath("c"), mode: .create)
    #expect(await news.compare([other], in: .notes).count == 1)
  }

  @Test func `a save does not wait for a locked catalogue, which learns of it later`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/catalogue"
    let catalogue = try CatalogueDatabase(path: path, patience: .seconds(600))
    let news = service(catalogue)
    await news.endListing(of: .notes)
    let other = try CatalogueDatabase(path: path)
    let (isLocked, isDone) = (PendingAnswer<Void>(), DispatchSemaphore(value: 0))
    let lock = Task {
      await BlockingPool(threads: 1).run {
        try? other.file.write { _ in
          isLocked.give(())
          isDone.wait()
        }
      }
    }
    _ = await isLocked.value()
    let store = SeenStore(MemoryStore(), news: news)
    let put = try await store.put(DataSource([1]), at: try StorePath("a"), mode: .create)
    #expect(await news.compare([put], in: .notes).isEmpty, "this process knows it at once")
    isDone.signal()
    await lock.value
    await news.finish(within: .seconds(240))
    #expect(try catalogue.seenRevisions(of: [put.path], club: "club") == [put.path: try #require(put.revision)])
  }

  @Test func `the reasons of failures are given away, and a name that failed is asked for again`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("file", [1])
    let failures = Mutex<[StoreError.Kind]>([])
    let away = Mutex(true)
    let broken = NewsService(
      club: "club", catalogue: CatalogueDatabase(openingLater: folder.path + "/file/catalogue"), pool: pool,
      onFailure: { error in failures.withLock { $0.append(error.kind) } })
    await broken.see([try entry("a", "1")])
    #expect(failures.withLock { $0.count } == 1)
    failures.withLock { $0 = [] }
    let news = NewsService(
      club: "club", catalogue: try catalogue(), pool: pool,
      ownName: { () throws(StoreError) in
        if away.withLock({ $0 }) { throw StoreError(.offline, "No connection.") }
        return "Me"
      }, onFailure: { error in failures.withLock { $0.append(error.kind) } })
    await news.endListing(of: .notes)
    let mine = try entry("a", "1", by: "Me")
    #expect(await news.compare([mine], in: .notes).count == 1)
    #expect(failures.withLock { $0 } == [.offline])
    away.withLock { $0 = false }
    #expect(await news.compare([mine], in: .notes).isEmpty)
  }

  @Test func `while the catalogue cannot tell whether a club was seen, nothing is marked or recorded`() async throws {
    let catalogue = try catalogue()
    let first = service(catalogue)
    #expect(await first.marks(ofAll: [try entry("a", "1")], in: .notes).isEmpty)
    let changed = [try entry("a", "2"), try entry("b", "1")]
    try hide("seen_lists", in: catalogue)
    let again = service(catalogue)
    #expect(await again.marks(ofAll: changed, in: .notes).isEmpty)
    try hide("seen_lists", in: catalogue, isBack: true)
    #expect(await again.marks(ofAll: changed, in: .notes).count == 2, "the news is still there")
  }

  /// Files are recorded when many have come, and at the end.
  @Test(arguments: [("seen_lists", 1, false), ("seen", 1, true), ("seen", 20_000, false)])
  func `a first listing whose files could not be recorded leaves the club as not seen`(
    table: String, count: Int, failsAtEnd: Bool
  ) async throws {
    let catalogue = try catalogue()
    let failed = Mutex(0)
    let news = NewsService(
      club: "club", catalogue: catalogue, pool: pool, onFailure: { _ in failed.withLock { $0 += 1 } })
    let page = try (0..<count).map { try entry("\($0)", "1") }
    news.beginListing(of: .notes)
    try hide(table, in: catalogue)
    #expect(await news.comparePage(page, of: .notes).isEmpty)
    if !failsAtEnd { try hide(table, in: catalogue, isBack: true) }
    await news.endListing(of: .notes)
    if failsAtEnd { try hide(table, in: catalogue, isBack: true) }
    #expect(failed.withLock { $0 } > 0)
    #expect(try !catalogue.hasBaseline(of: "notes", club: "club"))
    #expect(await news.marks(ofAll: page, in: .notes).isEmpty)
    #expect(await news.marks(ofAll: [try entry("0", "2")], in: .notes).count == 1)
  }

  @Test func `a listing asks once for a name that fails, the next listing asks again`() async throws {
    let asked = Mutex(0)
    let news = NewsService(
      club: "club", catalogue: try catalogue(), pool: pool,
      ownName: { () throws(StoreError) in
        asked.withLock { $0 += 1 }
        throw StoreError(.offline, "No connection.")
      })
    await news.endListing(of: .notes)
    for _ in 0..<2 {
      news.beginListing(of: .notes)
      for name in ["a", "b", "c"] {
        #expect(await news.comparePage([try entry(name, "1", by: "Ann")], of: .notes).count == 1)
      }
      await news.endListing(of: .notes)
    }
    #expect(asked.withLock { $0 } == 2)
  }

  @Test func `a mark does not come back for a file whose later revision was seen, or that is gone`() async throws {
    let catalogue = try catalogue()
    let news = service(catalogue)
    await news.see([try entry("a", "1"), try entry("b", "1"), try entry("c", "1")])
    await news.endListing(of: .notes)
    let files = [try entry("a", "2", by: "Ann"), try entry("b", "2", by: "Ann"), try entry("c", "2", by: "Ann")]
    let marks = await news.compare(files, in: .notes)
    #expect(marks.count == 3)
    await news.see(files)
    await news.see([try entry("a", "3")])
    await news.forget([files[2].path])
    await news.unsee(marks)
    #expect(
      try catalogue.seenRevisions(of: files.map(\.path), club: "club") == [
        files[0].path: Revision("3"), files[1].path: Revision("1"),
      ])
    var shown = NewsMarks()
    shown.add(marks)
    _ = shown.seeAll()
    shown.see(files[0].path, Revision("3"))
    shown.forget(files[2].path)
    shown.unsee(marks)
    #expect(shown.paths == [files[1].path])
  }

  @Test func `what is seen and marked as new again is written in that order`() async throws {
    let catalogue = try catalogue()
    let news = service(catalogue)
    await news.see([try entry("a", "1")])
    await news.endListing(of: .notes)
    let file = try entry("a", "2", by: "Ann")
    let marks = await news.compare([file], in: .notes)
    let (isHeld, isDone) = (PendingAnswer<Void>(), DispatchSemaphore(value: 0))
    // The only thread of the pool is busy, so nothing is written yet.
    let hold = Task { [pool] in
      await pool.run {
        isHeld.give(())
        isDone.wait()
      }
    }
    _ = await isHeld.value()
    news.seeSoon(file)
    let back = Task { await news.unsee(marks) }
    news.seeSoon(try entry("b", "1"))
    isDone.signal()
    await hold.value
    await back.value
    await news.finish(within: .seconds(240))
    #expect(await service(catalogue).compare([file], in: .notes) == marks)
  }

  /// Marking all, undoing it and, with a third turn, marking all again, as the tasks happen to run.
  @Test(arguments: [[1, 2], [2, 1], [1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]])
  func `marks take effect in the order of the keys, however their effects run`(order: [Int]) async throws {
    let catalogue = try catalogue()
    let news = service(catalogue)
    await news.see([try entry("a", "1")])
    await news.endListing(of: .notes)
    let file = try entry("a", "2", by: "Ann")
    let marks = await news.compare([file], in: .notes)
    #expect(marks.count == 1)
    for number in order {
      let turn = NewsTurn(.notes, number)
      if number == 2 {
        await news.unsee(marks, turn: turn)
      } else {
        await news.see([(file.path, Revision("2"))], turn: turn)
      }
    }
    #expect(await service(catalogue).compare([file], in: .notes) == (order.count == 2 ? marks : [:]))
    // The photos have turns of their own.
    await news.see([(try entry("b", "1").path, Revision("1"))], turn: NewsTurn(.photos, 1))
    #expect(try catalogue.seenRevisions(of: [try entry("b", "1").path], club: "club").count == 1)
  }

  @Test func `marks come back after all was marked as seen, with the lines that changed`() async throws {
    let catalogue = try catalogue()
    let news = service(catalogue)
    await news.see([try entry("a", "1")])
    await news.endListing(of: .notes)
    let files = [try entry("a", "2", by: "Ann"), try entry("b", "1", by: "Ann")]
    let marks = await news.compare(files, in: .notes)
    #expect(marks.count == 2)
    await news.see(files)
    #expect(await service(catalogue).compare(files, in: .notes).isEmpty)
    await news.unsee(marks)
    #expect(await service(catalogue).compare(files, in: .notes) == marks)
    let note = OpenNote(entry: files[0], bytes: Array("one\nTWO\n".utf8), draft: nil)
    let text: (Revision) async -> [UInt8]? = { $0 == Revision("1") ? Array("one\ntwo\n".utf8) : nil }
    #expect(await news.changes(in: note, text: text)?.ranges == [1..<2])
  }

  /// Makes a table of the catalogue fail.
  private func hide(_ table: String, in catalogue: CatalogueDatabase, isBack: Bool = false) throws {
    let (from, to) = isBack ? ("hidden", table) : (table, "hidden")
    try catalogue.file.write { try $0.run("ALTER TABLE \(from) RENAME TO \(to)") }
  }

  @Test func `a cleared cache forgets everything, so all is seen again`() async throws {
    let catalogue = try catalogue()
    let news = service(catalogue)
    await news.endListing(of: .notes)
    _ = try catalogue.clear()
    #expect(await service(catalogue).compare([try entry("a", "1")], in: .notes).isEmpty)
  }
}

@Suite struct LineDiffTests {
  @Test(arguments: [
    ("", "", []), ("a\n", "a\n", []), ("", "a\n", [0..<1]), ("a\nb\nc\n", "a\nc\n", [1..<1]),
    ("a\nb\nc\n", "a\nB\nc\n", [1..<2]), ("a\nb\n", "x\na\nb\ny\n", [0..<1, 3..<4]),
    ("a\nb\nc\nd\n", "b\nc\nD\ne\n", [0..<0, 2..<4]), ("a", "b", [0..<1]),
  ])
  func `changed, added and removed lines are found`(old: String, new: String, ranges: [Range<Int>]) {
    #expect(LineDiff(from: Array(old.utf8), to: Array(new.utf8)).ranges == ranges)
  }

  @Test func `lines outside the ranges are a common subsequence, for random texts`() {
    var numbers = SeededNumbers(2026)
    func lines() -> [String] { (0..<numbers.below(12)).map { _ in ["a", "b", "c", ""][numbers.below(4)] } }
    for _ in 0..<500 {
      let (old, new) = (lines(), lines())
      let (before, after) = (old.joined(separator: "\n"), new.joined(separator: "\n"))
      let diff = LineDiff(from: Array(before.utf8), to: Array(after.utf8))
      let lines = after.split(separator: "\n", omittingEmptySubsequences: false)
      var rest = before.split(separator: "\n", omittingEmptySubsequences: false)[...]
      for (number, line) in lines.enumerated() where !diff.contains(number...number) {
        guard let place = rest.firstIndex(of: line) else {
          Issue.record("\(old) to \(new): \(diff.ranges)")
          break
        }
        rest = rest[(place + 1)...]
      }
      #expect(before != after || diff.isEmpty)
    }
  }

  @Test func `texts that have little in common are one change, in bounded time`() {
    let old = (0..<5000).map { "old \($0)" }.joined(separator: "\n")
    let new = (0..<5000).map { "new \($0)" }.joined(separator: "\n")
    #expect(LineDiff(from: Array(old.utf8), to: Array(new.utf8)).ranges == [0..<5000])
  }

  @Test func `one goes from change to change`() {
    let diff = LineDiff(from: Array("a\nb\nc\nd\n".utf8), to: Array("a\nB\nc\nD\n".utf8))
    #expect(diff.next(after: 0) == 1 && diff.next(after: 1) == 3 && diff.next(after: 3) == nil)
    #expect(diff.next(after: 3, backwards: true) == 1 && diff.next(after: 1, backwards: true) == nil)
  }
}
