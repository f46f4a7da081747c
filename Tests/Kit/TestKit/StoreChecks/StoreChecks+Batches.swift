import FileStores

extension StoreChecks {
  private static func file(_ path: String, _ text: String, _ mode: WriteMode = .create) throws -> BatchFile {
    BatchFile(DataSource(Array(text.utf8)), at: try StorePath(path), mode: mode)
  }

  private static func kinds(_ results: [Result<FileEntry, StoreError>]) -> [StoreError.Kind?] {
    results.map { result in
      if case .failure(let error) = result { error.kind } else { nil }
    }
  }

  static let batches: [StoreCheck] = [
    StoreCheck("Files that are written together are all there, told in their order") { test in
      guard let batches = test.store.capabilities.batches else { return }
      let files = try (0..<30).map { try file("sub/\($0 % 3)/f\($0)", "text of \($0)") } + [try file("empty", "")]
      let entries = try await batches.put(files).map { try $0.get() }
      try expectEqual(entries.map(\.path), files.map(\.path))
      for (number, entry) in entries.enumerated() {
        let there = try await test.entry(entry.path.description)
        try expect(there.revision == entry.revision && entry.kind == .file, "\(entry), not \(there)")
        let text = try await test.text(entry.path.description)
        try expectEqual(text, number < 30 ? "text of \(number)" : "")
      }
      try expect(try await batches.put([]).isEmpty, "results for nothing")
    },
    StoreCheck("Of files written together each keeps its own condition, and none hinders another") { test in
      guard let batches = test.store.capabilities.batches else { return }
      let base = try unwrap(try await test.write("a", "old").revision, "no revision")
      let there = try await test.writeElsewhere("a", "theirs")
      let current = try unwrap(there.revision, "no revision")
      try await test.write("b", "1")
      try await test.store.createFolder(StorePath("folder"))
      let results = try await batches.put([
        file("a", "create"), file("a", "stale", .replace(base)), file("b", "over", .overwrite),
        file("folder", "x", .overwrite), file("new", "n"), file("a/below", "x"), file("never", "x", .replace(base)),
        file("made/x", "x", .replace(base)), file("made/deep/x", "x", .replace(base)),
      ])
      try expectEqual(
        kinds(results), [.exists, .conflict, nil, .exists, nil, .exists, .conflict, .conflict, .conflict])
      try expectEqual(try await test.names(recursive: true), ["a", "b", "folder", "new"])
      for result in results.prefix(2) {
        if case .failure(let error) = result { try expect(error.current?.revision == current, "\(error)") }
      }
      try expectEqual(try await test.text("a"), "theirs")
      try expectEqual(try await test.text("b"), "over")
      try expectEqual(try await test.text("new"), "n")
      let over = try await batches.put([file("a", "mine", .replace(current))])
      try expectEqual(kinds(over), [nil])
      try expectEqual(try await test.text("a"), "mine")
    },
    StoreCheck("A file that cannot be sent leaves nothing behind and hinders no other") { test in
      guard let batches = test.store.capabilities.batches else { return }
      let bytes = [UInt8](repeating: 65, count: 3000)
      func odd(_ path: String, _ size: UInt64?, _ end: OddSource.End = .end) throws -> BatchFile {
        BatchFile(OddSource(bytes, size: size, end: end), at: try StorePath(path), mode: .create)
      }
      let results = try await batches.put([
        odd("short", 4000), odd("long", 2000), odd("failing", nil, .error(StoreError(.offline, "The disk broke."))),
        file("ok", "fine"), file(".byteclub/x", "x"), odd("large", batches.mostBytes + 1),
      ])
      try expectEqual(kinds(results), [.badInput, .badInput, .offline, nil, .badName, .tooLarge])
      if case .failure(let error) = results[2] { try expect(error.message == "The disk broke.", "\(error)") }
      try expectEqual(try await test.names(recursive: true), ["ok"])
    },
    StoreCheck("More files than one call takes are badInput, before anything is sent") { test in
      guard let batches = test.store.capabilities.batches else { return }
      let files = try (0...batches.mostFiles).map { try file("f\($0)", "x") }
      try await expectError(.badInput) { _ = try await batches.put(files) }
      try expectEqual(try await test.names(recursive: true), [])
    },
  ]
}
