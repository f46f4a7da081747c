import FileStores

extension StoreChecks {
  static let changes: [StoreCheck] = [
    StoreCheck("A file that another program makes, changes and deletes is told") { test in
      guard let feed = test.store.capabilities.changes else { return }
      var follower = Follower(test.store, feed: feed, cursor: try await feed.start())
      let made = try await test.writeElsewhere("a", "1")
      try await follower.waitFor("the new file") { $0["a"] == .some(made.revision) }
      let changed = try await test.writeElsewhere("a", "22")
      try await follower.waitFor("the new content") { $0["a"] == .some(changed.revision) }
      try await test.other.delete(StorePath("a"), ifRevision: nil)
      try await follower.waitFor("the absence") { $0.keys.contains("a") && $0["a"] == .some(nil) }
    },
    StoreCheck("A change from before the wait is told at once") { test in
      guard let feed = test.store.capabilities.changes else { return }
      var follower = Follower(test.store, feed: feed, cursor: try await feed.start())
      let made = try await test.writeElsewhere("a", "1")
      try await follower.waitFor("the new file") { $0["a"] == .some(made.revision) }
    },
    StoreCheck("Files in new and moved folders are told, each at its new path") { test in
      guard let feed = test.store.capabilities.changes else { return }
      var follower = Follower(test.store, feed: feed, cursor: try await feed.start())
      try await test.writeElsewhere("x/y/a", "1")
      try await follower.waitFor("the file in the new folder") { $0["x/y/a"] != nil }
      _ = try await test.other.move(StorePath("x"), to: StorePath("z"), ifRevision: nil)
      try await follower.waitFor("the moved folder") {
        $0["z/y/a"] != nil && $0.keys.contains("x") && $0["x"] == .some(nil)
      }
      let changed = try await test.writeElsewhere("z/y/a", "22")
      try await follower.waitFor("a change below the moved folder") { $0["z/y/a"] == .some(changed.revision) }
    },
    StoreCheck("The last page's cursor tells what changed since before the listing began") { test in
      guard let feed = test.store.capabilities.changes else { return }
      try await test.write("sub/a", "1")
      for recursive in [false, true] {
        let pages = try await test.pages("", ListOptions(.names, recursive: recursive))
        for page in pages.dropLast() { try expect(page.changes == nil, "a cursor before the last page") }
        let cursor = try unwrap(pages.last?.changes, "no cursor on the last page")
        var follower = Follower(test.store, feed: feed, cursor: cursor)
        let changed = try await test.writeElsewhere(recursive ? "sub/a" : "b", "changed \(recursive)")
        try await follower.waitFor("the change") { $0[recursive ? "sub/a" : "b"] == .some(changed.revision) }
      }
    },
    StoreCheck("A cursor of another store means list anew") { test in
      guard let feed = test.store.capabilities.changes else { return }
      let set = try await feed.wait(since: ChangeCursor("another-1"))
      try expect(set.mustRelist, "\(set)")
      var follower = Follower(test.store, feed: feed, cursor: set.cursor)
      let made = try await test.writeElsewhere("a", "1")
      try await follower.waitFor("a change after that") { $0["a"] == .some(made.revision) }
    },
    StoreCheck("A wait that is cancelled ends with cancelled") { test in
      guard let feed = test.store.capabilities.changes else { return }
      let cursor = try await feed.start()
      let task = Task {
        var cursor = cursor
        // Changes from before the cancellation may still come: a folder without inotify is listed anew once.
        for _ in 0..<100 { cursor = try await feed.wait(since: cursor).cursor }
      }
      task.cancel()
      try await expectError(.cancelled) { try await task.value }
    },
    StoreCheck("Several may wait at once, and all are told") { test in
      guard let feed = test.store.capabilities.changes else { return }
      let cursor = try await feed.start()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            var follower = Follower(test.store, feed: feed, cursor: cursor)
            try await follower.waitFor("the new file") { $0["a"] != nil }
          }
        }
        try await test.writeElsewhere("a", "1")
        try await group.waitForAll()
      }
    },
    StoreCheck("byteclub's own files are no changes") { test in
      guard let feed = test.store.capabilities.changes, let trash = test.other.capabilities.trash else { return }
      var follower = Follower(test.store, feed: feed, cursor: try await feed.start())
      try await test.writeElsewhere("a", "1")
      _ = try await trash.discard(StorePath("a"), ifRevision: nil)
      try await test.writeElsewhere("b", "1")
      try await follower.waitFor("the last change") { $0["b"] != nil }
      try expect(follower.known.keys.allSatisfy { !$0.contains(".byteclub") }, "\(follower.known.keys)")
    },
  ]
}

/// Follows a feed until it reports the expected state.
struct Follower {
  let store: any FileStore
  let feed: any ChangeFeed
  var cursor: ChangeCursor
  /// The reported revisions; nil for absent files.
  var known: [String: Revision?] = [:]
  private var hasListed = false

  init(_ store: any FileStore, feed: any ChangeFeed, cursor: ChangeCursor) {
    self.store = store
    self.feed = feed
    self.cursor = cursor
  }

  mutating func waitFor(_ what: String, _ isTold: ([String: Revision?]) -> Bool) async throws {
    var rounds = 0
    while !isTold(known) {
      let set = try await feed.wait(since: cursor)
      cursor = set.cursor
      for change in set.changes {
        switch change {
        case .present(let entry): known.updateValue(entry.revision, forKey: entry.path.description)
        case .absent(let path): known.updateValue(nil, forKey: path.description)
        }
      }
      rounds += 1
      if set.mustRelist, !hasListed, MissingCalls.ofThisProcess.contains(.inotify) {
        // A folder that is only looked at loses track once, when the looking begins. A client then lists anew.
        hasListed = true
        try await list()
        continue
      }
      try expect(rounds < 10_000 && !set.mustRelist, "never told: \(what); told: \(known)")
    }
  }

  private mutating func list() async throws {
    for path in known.keys { known.updateValue(nil, forKey: path) }
    var cursor: ListCursor?
    repeat {
      let page = try await store.list(.root, ListOptions(.full, recursive: true), after: cursor)
      for entry in page.entries { known.updateValue(entry.revision, forKey: entry.path.description) }
      cursor = page.next
    } while cursor != nil
  }
}
