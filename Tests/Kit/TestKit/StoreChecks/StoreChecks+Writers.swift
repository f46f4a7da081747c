import FileStores

extension StoreChecks {
  static let writers: [StoreCheck] = [
    StoreCheck("A file names the member who wrote it: in lists and look-ups, in changes, in its history, after a move")
    {
      test in
      guard let writers = test.writers else { return }
      try await test.write("a", "1")
      _ = try await writers.others.put(DataSource(Array("2".utf8)), at: StorePath("sub/b"), mode: .create)
      let listed = try await test.list("", .full, recursive: true).filter { $0.kind == .file }
      try expectEqual(listed.sorted { $0.path < $1.path }.map(\.member), [writers.own, writers.other])
      try expectEqual(try await test.entry("a").member, writers.own)
      let feed = try unwrap(test.store.capabilities.changes, "no changes")
      let cursor = try await feed.start()
      _ = try await writers.others.put(DataSource(Array("22".utf8)), at: StorePath("a"), mode: .overwrite)
      try expectEqual(try await teller(of: "a", in: feed, since: cursor), writers.other)
      try expectEqual(try await test.entry("a").member, writers.other)
      let history = try unwrap(test.store.capabilities.revisions, "no history")
      try expectEqual(try await history.versions(of: StorePath("a"), limit: 1).first?.member, writers.other)
      _ = try await test.store.move(StorePath("a"), to: StorePath("c"), ifRevision: nil)
      try expectEqual(try await test.entry("c").member, writers.other)
    }
  ]

  /// The member that the feed names for a file's next change.
  private static func teller(
    of path: String, in feed: any ChangeFeed, since start: ChangeCursor
  ) async throws -> String? {
    let path = try StorePath(path)
    var cursor = start
    while true {
      let told = try await feed.wait(since: cursor)
      cursor = told.cursor
      for case .present(let entry) in told.changes where entry.path == path { return entry.member }
    }
  }
}
