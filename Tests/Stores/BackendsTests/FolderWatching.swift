import Basics
import FileStores
import POSIX
import TestKit
import Testing

@testable import Backends

/// What other programs do is reported.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(if: !MissingCalls.ofThisProcess.contains(.inotify), "this run does without inotify"))
struct FolderWatching {
  private let pool = BlockingPool(threads: 3)

  private func store(_ root: String, _ change: (inout FolderTuning) -> Void = { _ in }) throws -> FolderStore {
    var tuning = FolderTuning()
    tuning.quiet = .milliseconds(1)
    change(&tuning)
    return try FolderStore(root: root, pool: pool, tuning: tuning)
  }

  /// Reads the feed until `done`; fails when it must relist.
  private func follow(
    _ feed: any ChangeFeed, _ cursor: inout ChangeCursor, until done: ([String: FileEntry?]) -> Bool
  ) async throws -> [String: FileEntry?] {
    var told: [String: FileEntry?] = [:]
    while !done(told) {
      let set = try await feed.wait(since: cursor)
      #expect(!set.mustRelist)
      cursor = set.cursor
      for change in set.changes {
        switch change {
        case .present(let entry): told.updateValue(entry, forKey: entry.path.description)
        case .absent(let path): told.updateValue(nil, forKey: path.description)
        }
      }
    }
    return told
  }

  @Test("Saves like vim's and in place, deletes, renames, files in new folders are reported", arguments: [false, true])
  func programs(polls: Bool) async throws {
    try await withTemporaryFolder { root in
      writeInPlace(root + "/a", "old")
      let store = try store(root) { tuning in
        tuning.polls = polls
        tuning.pollInterval = .milliseconds(2)
      }
      let feed = try #require(store.capabilities.changes)
      var cursor = try await feed.start()
      if polls {
        // The first look at a polled folder begins anew.
        let first = try await feed.wait(since: cursor)
        #expect(first.mustRelist)
        cursor = first.cursor
      }
      saveLikeVim(root + "/a", "vim's")
      _ = try await follow(feed, &cursor) { $0["a"]??.size == 5 }
      writeInPlace(root + "/a", "in place")
      _ = try await follow(feed, &cursor) { $0["a"]??.size == 8 }
      rename(root + "/a", root + "/b")
      let moved = try await follow(feed, &cursor) { $0["b"]??.size == 8 && $0.keys.contains("a") }
      #expect(moved["a"] == .some(nil))
      mkdir(root + "/sub", 0o755)
      mkdir(root + "/sub/deeper", 0o755)
      writeInPlace(root + "/sub/deeper/c", "c")
      _ = try await follow(feed, &cursor) { $0["sub/deeper/c"]??.size == 1 }
      rename(root + "/sub", root + "/moved")
      _ = try await follow(feed, &cursor) { $0["moved/deeper/c"]??.size == 1 }
      writeInPlace(root + "/moved/deeper/c", "longer")
      _ = try await follow(feed, &cursor) { $0["moved/deeper/c"]??.size == 6 }
      unlink(root + "/moved/deeper/c")
      _ = try await follow(feed, &cursor) { $0.keys.contains("moved/deeper/c") && $0["moved/deeper/c"] == .some(nil) }
    }
  }

  @Test("A folder that moves out of the club is not followed")
  func movedOut() async throws {
    try await withTemporaryFolder { folder in
      try FolderStore.create(root: folder + "/club/sub")
      let store = try store(folder + "/club")
      let feed = try #require(store.capabilities.changes)
      var cursor = try await feed.start()
      rename(folder + "/club/sub", folder + "/away")
      _ = try await follow(feed, &cursor) { $0.keys.contains("sub") }
      writeInPlace(folder + "/away/secret", "x")
      writeInPlace(folder + "/club/last", "x")
      let told = try await follow(feed, &cursor) { $0["last"]??.size == 1 }
      #expect(told.keys.allSatisfy { $0 == "last" || $0 == "sub" })
    }
  }

  @Test("More changes than the log holds mean list anew, and it goes on from there")
  func overflow() async throws {
    try await withTemporaryFolder { root in
      let store = try store(root) { $0.changeCapacity = 8 }
      let feed = try #require(store.capabilities.changes)
      let cursor = try await feed.start()
      for number in 0..<40 { writeInPlace(root + "/f\(number)", "x") }
      while try await !feed.wait(since: cursor).mustRelist {}
      var next = try await feed.start()
      writeInPlace(root + "/g", "xyz")
      while true {
        let set = try await feed.wait(since: next)
        next = set.cursor
        if set.mustRelist { writeInPlace(root + "/g", "xyz") }
        if set.changes.contains(where: { if case .present(let entry) = $0 { entry.size == 3 } else { false } }) {
          break
        }
      }
    }
  }

  @Test("Events that the kernel lost mean list anew, and later changes are reported")
  func lostEvents() async throws {
    let log = ChangeLog()
    let before = log.cursor
    log.note([try StorePath("a")])
    log.loseTrack()
    let news = try await log.news(since: before)
    #expect(news.mustRelist && news.paths.isEmpty)
    log.note([try StorePath("b")])
    let next = try await log.news(since: news.cursor)
    #expect(try next.paths == [StorePath("b")])
    #expect(!next.mustRelist)
  }

  @Test("A root that is moved away means list anew, then offline; a new one is watched")
  func rootMoved() async throws {
    try await withTemporaryFolder { folder in
      let root = folder + "/club"
      try FolderStore.create(root: root)
      let store = try store(root)
      let feed = try #require(store.capabilities.changes)
      let cursor = try await feed.start()
      rename(root, folder + "/away")
      let set: ChangeSet?
      do throws(StoreError) {
        set = try await feed.wait(since: cursor)
      } catch {
        // The wait came after the move.
        #expect(error.kind == .offline)
        set = nil
      }
      if let set { #expect(set.mustRelist) }
      let error = await #expect(throws: StoreError.self) { _ = try await feed.wait(since: set?.cursor ?? cursor) }
      #expect(error?.kind == .offline)
      rename(folder + "/away", root)
      var next = try await feed.start()
      writeInPlace(root + "/a", "x")
      while try await feed.wait(since: next).mustRelist {
        next = try await feed.start(); writeInPlace(root + "/a", "y")
      }
    }
  }

  @Test("A look at all folders that loses track on its way is made again")
  func lostOnTheWay() {
    var coverage = WatchCoverage()
    let begun = coverage.losses
    coverage.lose()
    coverage.finish(begunAt: begun)
    #expect(!coverage.isComplete)
    coverage.finish(begunAt: coverage.losses)
    #expect(coverage.isComplete)
    coverage.lose()
    #expect(!coverage.isComplete)
  }

  @Test("A store that goes takes its watch and its thread along")
  func released() async throws {
    try await withTemporaryFolder { root in
      weak var watch: WatchThread?
      do {
        let store = try store(root)
        _ = try await store.capabilities.changes?.start()
        watch = store.watcher?.currentThread
        #expect(watch != nil)
      }
      // The thread ends by itself; nothing else holds it.
      while watch != nil { await Task.yield() }
    }
  }
}
