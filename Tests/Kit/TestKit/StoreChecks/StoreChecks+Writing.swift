import FileStores

extension StoreChecks {
  static let writing: [StoreCheck] = [
    StoreCheck("Create writes where nothing is, and makes the parents") { test in
      let put = try await test.write("a/b/c.md", "hello")
      try expect(put.size == 5 && put.kind == .file && put.path == (try StorePath("a/b/c.md")), "\(put)")
      try expect(try await test.text("a/b/c.md") == "hello", "other text")
    },
    StoreCheck("The revision that put returns is what entry(at:) says") { test in
      for text in ["one", "two"] {
        let put = try await test.write("a", text, mode: .overwrite)
        let entry = try await test.entry("a")
        try expect(put.revision != nil && put.revision == entry.revision, "\(put) but \(entry)")
      }
    },
    StoreCheck("Every write makes another revision, also of the same length unless the store says so") { test in
      var revisions: Set<Revision> = []
      for number in 0..<10 {
        let more = test.store.limits.revisionsDiffer ? "" : String(repeating: ".", count: number)
        let put = try await test.write("a", "text \(number)" + more, mode: .overwrite)
        revisions.insert(try unwrap(put.revision, "no revision"))
      }
      try expect(revisions.count == 10, "\(revisions.count) revisions of 10")
    },
    StoreCheck("Create is exists where a file is, tells what is there, and leaves it") { test in
      let there = try await test.write("a", "mine")
      let error = try await expectError(.exists) { try await test.write("a", "other") }
      try expect(error.current?.revision == there.revision, "\(String(describing: error.current))")
      try expect(error.path == (try StorePath("a")), "\(String(describing: error.path))")
      try expect(try await test.text("a") == "mine", "overwritten")
    },
    StoreCheck("Create and overwrite are exists where a folder is") { test in
      try await test.write("a/b")
      try await expectError(.exists) { try await test.write("a", "x") }
      try await expectError(.exists) { try await test.write("a", "x", mode: .overwrite) }
      try expect(try await test.entry("a").kind == .folder, "no folder any more")
    },
    StoreCheck("Writing below a file is exists") { test in
      try await test.write("a", "file")
      try await expectError(.exists) { try await test.write("a/b/c", "x") }
      try expect(try await test.text("a") == "file", "changed")
    },
    StoreCheck("Overwrite writes over a file, and where nothing is") { test in
      for text in ["one", "two, which is longer", ""] {
        try await test.write("a", text, mode: .overwrite)
        try expect(try await test.text("a") == text, "not \(text)")
      }
    },
    StoreCheck("A file of many chunks is whole") { test in
      let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
      let put = try await test.store.put(DataSource(bytes, chunkSize: 65_537), at: StorePath("a"), mode: .create)
      try expect(put.size == 3_000_000, "\(put)")
      try expect(try await test.store.readAll(StorePath("a")).bytes == bytes, "other bytes")
    },
    StoreCheck("Writing the root, or reading below it by an empty name, is refused") { test in
      try await expectError(.badInput, .exists) { try await test.write("", "x") }
      try await expectError(.badInput, .exists) { try await test.write("", "x", mode: .overwrite) }
    },
    StoreCheck("Many writes at once to different names all arrive") { test in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<24 { group.addTask { try await test.write("d\(number % 3)/f\(number)", "\(number)") } }
        try await group.waitForAll()
      }
      for number in 0..<24 { try expect(try await test.text("d\(number % 3)/f\(number)") == "\(number)", "f\(number)") }
    },
  ]

  static let conditions: [StoreCheck] = [
    StoreCheck("Replace writes over the revision that is there") { test in
      let base = try unwrap(try await test.write("a", "one").revision, "no revision")
      let put = try await test.write("a", "two, which is longer", mode: .replace(base))
      try expect(put.revision != base, "the same revision")
      try expect(try await test.text("a") == "two, which is longer", "not replaced")
    },
    StoreCheck("Replace of another revision is conflict, tells what is there, and leaves it") { test in
      let base = try unwrap(try await test.write("a", "one").revision, "no revision")
      let there = try await test.writeElsewhere("a", "theirs")
      let error = try await expectError(.conflict) { try await test.write("a", "mine", mode: .replace(base)) }
      try expect(error.current?.revision == there.revision, "\(String(describing: error.current))")
      try expect(try await test.text("a") == "theirs", "overwritten")
    },
    StoreCheck("Replace where nothing is, or a folder, is conflict and makes nothing") { test in
      let base = try unwrap(try await test.write("a", "one").revision, "no revision")
      try await test.store.delete(StorePath("a"), ifRevision: nil)
      try await expectError(.conflict) { try await test.write("a", "mine", mode: .replace(base)) }
      try await expectError(.conflict) { try await test.write("x/y", "mine", mode: .replace(base)) }
      try expectEqual(try await test.names(recursive: true), [])
      try await test.store.createFolder(StorePath("a"))
      try await expectError(.conflict) { try await test.write("a", "mine", mode: .replace(base)) }
    },
    StoreCheck("A revision is not another file's") { test in
      let base = try unwrap(try await test.write("a", "same").revision, "no revision")
      try await test.write("b", "same")
      try await expectError(.conflict) { try await test.write("b", "mine", mode: .replace(base)) }
    },
    StoreCheck("Of two creates at once exactly one wins, and its text is there whole") { test in
      guard test.store.limits.conditions != .none else { return }
      for round in 0..<10 {
        let wins = await race(test, "a\(round)", .create)
        try expect(wins.count == 1, "\(wins.count) winners")
        try expect(try await test.text("a\(round)") == wins[0], "not the winner's text")
      }
    },
    StoreCheck("Of two replaces of one base at once exactly one wins, and its text is there whole") { test in
      guard test.store.limits.conditions != .none else { return }
      for round in 0..<10 {
        let base = try unwrap(try await test.write("a\(round)", "base").revision, "no revision")
        let wins = await race(test, "a\(round)", .replace(base))
        try expect(wins.count == 1, "\(wins.count) winners")
        try expect(try await test.text("a\(round)") == wins[0], "not the winner's text")
      }
      try expectEqual(try await test.names().count, 10)
    },
    StoreCheck("A chain of replaces by two writers loses no acknowledged write") { test in
      guard test.store.limits.conditions != .none else { return }
      try await test.write("lines", "")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (name, store) in [("a", test.store), ("b", test.other)] {
          group.addTask {
            for number in 0..<10 { try await append("\(name)\(number)\n", store, test) }
          }
        }
        try await group.waitForAll()
      }
      let lines = Set(try await test.text("lines").split(separator: "\n"))
      try expect(lines.count == 20, "\(lines.count) of 20 lines")
    },
  ]

  /// Writes through both stores at once; returns the texts of the successful writes.
  private static func race(_ test: StoreUnderTest, _ path: String, _ mode: WriteMode) async -> [String] {
    await withTaskGroup(of: String?.self) { group in
      for (index, store) in [test.store, test.other].enumerated() {
        let text = String(repeating: "\(index)", count: 10_000 + index)
        group.addTask {
          do {
            _ = try await store.put(DataSource(Array(text.utf8), chunkSize: 997), at: StorePath(path), mode: mode)
            return text
          } catch {
            // Of an error that is none of these, the printed line is the only trace.
            if ![.conflict, .exists].contains((error as? StoreError)?.kind) {
              print("a racing write failed: \(error)")
            }
            return nil
          }
        }
      }
      var winners: [String] = []
      for await winner in group { if let winner { winners.append(winner) } }
      return winners
    }
  }

  private static func append(_ line: String, _ store: any FileStore, _ test: StoreUnderTest) async throws {
    let path = try StorePath("lines")
    var tries = 1
    while try await !appendOnce(line, path, store, test) {
      tries += 1
      try expect(tries < 10_000, "the file does not come back")
    }
  }

  /// False if another writer was faster.
  private static func appendOnce(
    _ line: String, _ path: StorePath, _ store: any FileStore, _ test: StoreUnderTest
  ) async throws -> Bool {
    do throws(StoreError) {
      let (bytes, entry) = try await store.readAll(path)
      guard let base = entry.revision else { return false }
      _ = try await store.put(DataSource(bytes + Array(line.utf8)), at: path, mode: .replace(base))
      return true
    } catch {
      if error.kind == .conflict || error.kind == .notFound && !test.replacesAtOnce { return false }
      throw error
    }
  }
}
