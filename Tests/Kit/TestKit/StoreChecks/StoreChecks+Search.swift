import FileStores

extension StoreChecks {
  private static func names(
    _ search: any StoreSearch, _ words: String, below folder: String = "", limit: Int = 100
  ) async throws -> [String] {
    try await search.files(matching: words, below: StorePath(folder), limit: limit)
      .map { $0.entry.path.description }.sorted()
  }

  static let search: [StoreCheck] = [
    StoreCheck("A search finds files at any depth whose names hold all words, in any case, and no folders") { test in
      guard let search = test.store.capabilities.search else { return }
      for path in ["Spring walk.jpg", "deep/er/SPRING.JPG", "deep/autumn.jpg", "spring folder/x.md"] {
        try await test.write(path)
      }
      try expectEqual(try await names(search, "spring"), ["Spring walk.jpg", "deep/er/SPRING.JPG"])
      try expectEqual(try await names(search, "walk spring"), ["Spring walk.jpg"])
      try expectEqual(try await names(search, ".jpg").count, 3)
      try expectEqual(try await names(search, "winter"), [])
    },
    StoreCheck("What a search finds is what is there, with size, time and revision") { test in
      guard let search = test.store.capabilities.search else { return }
      let written = try await test.write("Photos/spring.jpg", "text")
      let found = try unwrap(
        try await search.files(matching: "spring", below: .root, limit: 5).first, "nothing was found")
      try expect(found.isByName && found.entry.path == written.path, "\(found)")
      try expect(found.entry.kind == .file && found.entry.size == 4 && found.entry.modified != nil, "\(found)")
      try expectEqual(found.entry.revision, written.revision)
    },
    StoreCheck("A search stays below its folder, and within its limit") { test in
      guard let search = test.store.capabilities.search else { return }
      for number in 10..<35 { try await test.write("photos/sub/spring\(number).jpg") }
      try await test.write("photos2/spring.jpg")
      try await test.write("spring.jpg")
      let all = try await names(search, "spring", below: "photos", limit: 1000)
      try expectEqual(all, (10..<35).map { "photos/sub/spring\($0).jpg" })
      let some = try await names(search, "spring", below: "photos", limit: 10)
      try expect(some.count == 10 && Set(some).count == 10 && Set(some).isSubset(of: all), "\(some)")
      try expectEqual(try await names(search, "spring", below: "photos", limit: 0), [])
    },
    StoreCheck("What was deleted, moved away or discarded is not found any more") { test in
      guard let search = test.store.capabilities.search else { return }
      for name in ["spring1", "spring2", "spring3"] { try await test.write(name) }
      try await test.store.delete(StorePath("spring1"), ifRevision: nil)
      _ = try await test.store.move(StorePath("spring2"), to: StorePath("summer"), ifRevision: nil)
      _ = try await test.store.capabilities.trash?.discard(StorePath("spring3"), ifRevision: nil)
      try expectEqual(try await names(search, "spring"), test.store.capabilities.trash == nil ? ["spring3"] : [])
    },
    StoreCheck("A search below what is not there finds nothing, and one without words is badInput") { test in
      guard let search = test.store.capabilities.search else { return }
      try await test.write("a")
      do {
        try expectEqual(try await names(search, "spring", below: "nothing"), [])
      } catch let error as StoreError {
        try expectEqual(error.kind, .notFound)
      }
      for words in ["", "  "] { try await expectError(.badInput) { _ = try await names(search, words) } }
      if search.fewestCharacters > 1 {
        try await expectError(.badInput) {
          _ = try await names(search, String(repeating: "x", count: search.fewestCharacters - 1))
        }
      }
    },
    StoreCheck("Words with odd characters are searched for as they are") { test in
      guard let search = test.store.capabilities.search else { return }
      for name in ["Übung 日本語.md", "50%&x=y.md", "a+b c.md", "plain.md"] { try await test.write(name) }
      try expectEqual(try await names(search, "日本語"), ["Übung 日本語.md"])
      try expectEqual(try await names(search, "übung"), ["Übung 日本語.md"])
      try expectEqual(try await names(search, "%&x="), ["50%&x=y.md"])
      try expectEqual(try await names(search, "a+b"), ["a+b c.md"])
    },
  ]
}
