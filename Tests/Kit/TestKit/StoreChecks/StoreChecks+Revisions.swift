import FileStores

extension StoreChecks {
  /// Writes `a` three times and returns the entries.
  private static func threeVersions(_ test: StoreUnderTest) async throws -> [FileEntry] {
    let first = try await test.write("sub/a", "1")
    let second = try await test.write("sub/a", "22", mode: .replace(try unwrap(first.revision, "no revision")))
    return [first, second, try await test.writeElsewhere("sub/a", "333")]
  }

  private static func text(
    _ history: any RevisionHistory, _ revision: Revision?, _ path: String = "sub/a"
  ) async throws -> String {
    let read = try await history.readAll(try unwrap(revision, "no revision"), of: StorePath(path))
    return String(decoding: read.bytes, as: UTF8.self)
  }

  static let revisions: [StoreCheck] = [
    StoreCheck("Versions are told newest first, with size, time and revision; the first is what is there") { test in
      guard let history = test.store.capabilities.revisions else { return }
      let written = try await threeVersions(test)
      let versions = try await history.versions(of: StorePath("sub/a"), limit: 10)
      try expectEqual(versions.map(\.size), [3, 2, 1])
      try expectEqual(versions.map(\.revision), written.reversed().map(\.revision))
      try expect(versions.allSatisfy { $0.kind == .file && $0.modified != nil }, "\(versions)")
      try expect(try await test.entry("sub/a").revision == versions[0].revision, "another revision is there")
      try expectEqual(try await history.versions(of: StorePath("sub/a"), limit: 2).map(\.size), [3, 2])
    },
    StoreCheck("Any version is read as it was, in any number of chunks") { test in
      guard let history = test.store.capabilities.revisions else { return }
      let large = String(repeating: "0123456789", count: 20_000)
      let first = try await test.write("a", large)
      try await test.writeElsewhere("a", "short")
      try expect(try await text(history, first.revision, "a") == large, "other text")
      try expect(try await text(history, try await test.entry("a").revision, "a") == "short", "other text")
      let entry = try await history.readAll(try unwrap(first.revision, "no revision"), of: StorePath("a")).entry
      try expect(entry.size == 200_000 && entry.revision == first.revision, "\(entry)")
    },
    StoreCheck("What the receiver of a version throws is thrown on") { test in
      guard let history = test.store.capabilities.revisions else { return }
      let first = try await test.write("a", "text")
      try await test.writeElsewhere("a", "new")
      let error = try await expectError(.quota) {
        _ = try await history.read(try unwrap(first.revision, "no revision"), of: StorePath("a")) {
          _ throws(StoreError) in
          throw StoreError(.quota, "The receiver is full.")
        }
      }
      try expect(error.message == "The receiver is full.", "\(error)")
    },
    StoreCheck("A version that is restored is the newest, and what was there stays in the history") { test in
      guard let history = test.store.capabilities.revisions else { return }
      let written = try await threeVersions(test)
      let restored = try await history.restore(
        try unwrap(written[0].revision, "no revision"), of: StorePath("sub/a"), over: written[2].revision)
      try expect(try await test.text("sub/a") == "1", "other text")
      try expect(try await test.entry("sub/a").revision == restored.revision, "another revision")
      let versions = try await history.versions(of: StorePath("sub/a"), limit: 10)
      try expectEqual(versions.map(\.size), [1, 3, 2, 1])
      try expect(try await text(history, written[2].revision) == "333", "what was there is lost")
    },
    StoreCheck("Restoring over another revision is conflict, with what is there, and leaves it") { test in
      guard let history = test.store.capabilities.revisions else { return }
      let written = try await threeVersions(test)
      let wanted = try unwrap(written[0].revision, "no revision")
      for base in [written[1].revision, written[0].revision, nil] {
        let error = try await expectError(.conflict) {
          _ = try await history.restore(wanted, of: StorePath("sub/a"), over: base)
        }
        try expect(error.current?.revision == written[2].revision, "\(error)")
      }
      try expectEqual(try await history.versions(of: StorePath("sub/a"), limit: 10).map(\.size), [3, 2, 1])
      try expect(try await test.text("sub/a") == "333", "other text")
    },
    StoreCheck("Restoring the version that is there leaves it alone") { test in
      guard let history = test.store.capabilities.revisions else { return }
      let written = try await threeVersions(test)
      let there = try unwrap(written[2].revision, "no revision")
      let entry = try await history.restore(there, of: StorePath("sub/a"), over: there)
      try expect(entry.revision == there, "\(entry)")
      try expectEqual(try await history.versions(of: StorePath("sub/a"), limit: 10).map(\.size), [3, 2, 1])
    },
    StoreCheck("After a deletion the versions are told, and one of them can be restored over nothing") { test in
      guard let history = test.store.capabilities.revisions else { return }
      let written = try await threeVersions(test)
      try await test.store.delete(StorePath("sub/a"), ifRevision: nil)
      let versions = try await history.versions(of: StorePath("sub/a"), limit: 10)
      try expectEqual(versions.map(\.size), [3, 2, 1])
      let wanted = try unwrap(written[1].revision, "no revision")
      try await expectError(.conflict) {
        _ = try await history.restore(wanted, of: StorePath("sub/a"), over: written[2].revision)
      }
      try expect(try await test.isThere("sub/a") == false, "restored against its condition")
      let restored = try await history.restore(wanted, of: StorePath("sub/a"), over: nil)
      try expect(restored.path == (try StorePath("sub/a")) && restored.size == 2, "\(restored)")
      try expect(try await test.text("sub/a") == "22", "other text")
    },
    StoreCheck("A path without versions is notFound, a folder badInput, a version that never was notFound") { test in
      guard let history = test.store.capabilities.revisions else { return }
      let written = try await threeVersions(test)
      let other = try unwrap(try await test.write("b", "other").revision, "no revision")
      try await expectError(.notFound) { _ = try await history.versions(of: StorePath("never"), limit: 10) }
      try await expectError(.badInput) { _ = try await history.versions(of: StorePath("sub"), limit: 10) }
      try await expectError(.badInput) { _ = try await history.versions(of: .root, limit: 10) }
      for revision in [other, Revision("nonsense"), Revision("0123456789abcdef0")] {
        try await expectError(.notFound) { _ = try await text(history, revision) }
        try await expectError(.notFound) {
          _ = try await history.restore(revision, of: StorePath("sub/a"), over: written[2].revision)
        }
      }
      try expect(try await test.text("sub/a") == "333", "other text")
    },
  ]
}
