import FileStores

extension StoreChecks {
  static let trash: [StoreCheck] = [
    StoreCheck("A discarded file is gone from the club and in the trash, with its origin and size") { test in
      guard let trash = test.store.capabilities.trash else { return }
      try await test.write("sub/a", "text")
      let discarded = try await trash.discard(StorePath("sub/a"), ifRevision: nil)
      try expect(discarded.origin == (try StorePath("sub/a")) && discarded.size == 4, "\(discarded)")
      try expect(try await test.isThere("sub/a") == false, "still there")
      try expectEqual(try await trash.contents(), [discarded])
      try expectEqual(try await test.names(recursive: true), ["sub"])
    },
    StoreCheck("A restored file is back with its content, also when its folder is gone") { test in
      guard let trash = test.store.capabilities.trash else { return }
      try await test.write("sub/a", "text")
      let discarded = try await trash.discard(StorePath("sub/a"), ifRevision: nil)
      try await test.store.delete(StorePath("sub"), ifRevision: nil)
      let restored = try await trash.restore(discarded.id)
      try expect(restored.path == discarded.origin, "\(restored)")
      try expect(try await test.entry("sub/a").revision == restored.revision, "another revision")
      try expect(try await test.text("sub/a") == "text", "other text")
      try expect(try await trash.contents().isEmpty, "still in the trash")
    },
    StoreCheck("Restoring onto something new is exists, and the file stays in the trash") { test in
      guard let trash = test.store.capabilities.trash else { return }
      try await test.write("a", "old")
      let discarded = try await trash.discard(StorePath("a"), ifRevision: nil)
      try await test.write("a", "new")
      try await expectError(.exists) { _ = try await trash.restore(discarded.id) }
      try expect(try await test.text("a") == "new", "overwritten")
      try expect(try await trash.contents() == [discarded], "not in the trash any more")
    },
    StoreCheck("Files of one name are kept apart in the trash, newest first") { test in
      guard let trash = test.store.capabilities.trash else { return }
      var ids: [String] = []
      for text in ["1", "22", "333"] {
        try await test.write("a", text)
        ids.append(try await trash.discard(StorePath("a"), ifRevision: nil).id)
      }
      try expect(Set(ids).count == 3, "\(ids)")
      try expectEqual(try await trash.contents().map(\.size), [3, 2, 1])
      _ = try await trash.restore(ids[1])
      try expect(try await test.text("a") == "22", "another one")
    },
    StoreCheck("Discarding holds to its revision") { test in
      guard let trash = test.store.capabilities.trash else { return }
      let old = try await test.write("a", "1")
      let new = try await test.writeElsewhere("a", "22")
      try await expectError(.conflict) { _ = try await trash.discard(StorePath("a"), ifRevision: old.revision) }
      try expect(try await trash.contents().isEmpty, "in the trash")
      try expect(try await test.text("a") == "22", "changed")
      _ = try await trash.discard(StorePath("a"), ifRevision: new.revision)
    },
    StoreCheck("What is not there can neither be discarded nor restored") { test in
      guard let trash = test.store.capabilities.trash else { return }
      try await expectError(.notFound) { _ = try await trash.discard(StorePath("a"), ifRevision: nil) }
      for id in ["nothing", "", "..", "../..", "a/b", ".byteclub"] {
        try await expectError(.notFound) { _ = try await trash.restore(id) }
      }
    },
    StoreCheck("Emptying says how many files that were, and they are gone for good") { test in
      guard let trash = test.store.capabilities.trash else { return }
      var last = ""
      for number in 0..<3 {
        try await test.write("f\(number)")
        last = try await trash.discard(StorePath("f\(number)"), ifRevision: nil).id
      }
      try expect(try await trash.empty() == 3, "another number")
      try expect(try await trash.contents().isEmpty, "not empty")
      try await expectError(.notFound) { _ = try await trash.restore(last) }
      try expect(try await trash.empty() == 0, "not empty the second time")
    },
    StoreCheck("A file is put back under another name, also when its own is taken") { test in
      guard let trash = test.store.capabilities.trash else { return }
      try await test.write("a", "old")
      let discarded = try await trash.discard(StorePath("a"), ifRevision: nil)
      try await test.write("a", "new")
      try await test.write("b", "other")
      try await expectError(.exists) { _ = try await trash.restore(discarded.id, as: StorePath("b")) }
      let restored = try await trash.restore(discarded.id, as: StorePath("sub/c"))
      try expect(restored.path == (try StorePath("sub/c")), "\(restored)")
      try expect(try await test.text("sub/c") == "old", "other text")
      try expect(try await test.text("a") == "new", "overwritten")
      try expect(try await trash.contents().isEmpty, "still in the trash")
    },
    StoreCheck("One file of the trash is deleted, and the others stay; a second time changes nothing") { test in
      guard let trash = test.store.capabilities.trash else { return }
      var files: [TrashedFile] = []
      for name in ["a", "b"] {
        try await test.write(name, "text")
        files.append(try await trash.discard(StorePath(name), ifRevision: nil))
      }
      for id in [files[0].id, files[0].id, "nothing", "..", ""] { try await trash.delete(id) }
      try expectEqual(try await trash.contents(), [files[1]])
      try await expectError(.notFound) { _ = try await trash.restore(files[0].id) }
    },
    StoreCheck("A file in the trash is read up to a limit, and stays there") { test in
      guard let trash = test.store.capabilities.trash else { return }
      try await test.write("sub/a", "0123456789")
      try await test.write("empty", "")
      let discarded = try await trash.discard(StorePath("sub/a"), ifRevision: nil)
      let empty = try await trash.discard(StorePath("empty"), ifRevision: nil)
      for limit in [0, 1, 9, 10, 11, 4096] {
        let first = try await trash.read(discarded.id, limit: limit)
        try expectEqual(String(decoding: first.bytes, as: UTF8.self), String("0123456789".prefix(limit)))
        try expect(first.isCut == (limit < 10), "cut at \(limit): \(first.isCut)")
      }
      try expectEqual(try await trash.read(empty.id, limit: 9), FileBeginning(of: [], limit: 9))
      try expectEqual(Set(try await trash.contents().map(\.id)), [discarded.id, empty.id])
    },
    StoreCheck("Of files with one name in the trash, the one with that id is read, whatever the club has there") {
      test in
      guard let trash = test.store.capabilities.trash else { return }
      var ids: [String] = []
      for text in ["1", "22", "333"] {
        try await test.write("a", text)
        ids.append(try await trash.discard(StorePath("a"), ifRevision: nil).id)
      }
      try await test.write("a", "new")
      for (id, text) in zip(ids, ["1", "22", "333"]) {
        try expectEqual(String(decoding: try await trash.read(id, limit: 99).bytes, as: UTF8.self), text)
      }
    },
    StoreCheck("What the trash does not have, or no longer, cannot be read") { test in
      guard let trash = test.store.capabilities.trash else { return }
      try await test.write("a", "1")
      try await test.write("b", "2")
      let (a, b) = (
        try await trash.discard(StorePath("a"), ifRevision: nil),
        try await trash.discard(StorePath("b"), ifRevision: nil)
      )
      _ = try await trash.restore(a.id)
      try await trash.delete(b.id)
      for id in [a.id, b.id, "nothing", "", ".", "..", "../..", "a", "a/b", "/a", ".byteclub", "1-1", "1-1/../../a"] {
        try await expectError(.notFound) { _ = try await trash.read(id, limit: 9) }
      }
    },
    StoreCheck("Odd names survive the trash") { test in
      guard let trash = test.store.capabilities.trash, !test.store.limits.unicodeNamesOnly else { return }
      for name in [[10, 10, 65], [0xFE, 0xFF], Array("日本 語".utf8)] as [[UInt8]] {
        let path = try StorePath.root.appending(name)
        _ = try await test.store.put(DataSource(name), at: path, mode: .create)
        let discarded = try await trash.discard(path, ifRevision: nil)
        try expect(discarded.origin == path, "\(discarded.origin.bytes)")
        try expect(try await trash.read(discarded.id, limit: 99).bytes == name, "other bytes in the trash")
        _ = try await trash.restore(discarded.id)
        try expect(try await test.store.readAll(path).bytes == name, "other bytes")
      }
    },
  ]
}
