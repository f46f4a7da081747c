import FileStores

extension StoreChecks {
  private static let line = [UInt8](repeating: 65, count: 5000)

  static let sources: [StoreCheck] = [
    StoreCheck("A source of unknown length is written to its end") { test in
      let put = try await test.store.put(OddSource(line, size: nil), at: StorePath("a"), mode: .create)
      try expect(put.size == 5000, "\(put)")
      try expect(try await test.store.readAll(StorePath("a")).bytes == line, "other bytes")
    },
    StoreCheck("A source hears how many of its bytes the store can have") { test in
      let source = HearingSource(DataSource(line, chunkSize: 700))
      _ = try await test.store.put(source, at: StorePath("a"), mode: .create)
      try expectEqual(source.heard.last, 5000)
      try expect(zip(source.heard, source.heard.dropFirst()).allSatisfy { $0 <= $1 }, "\(source.heard)")
      guard let uploads = test.store.capabilities.uploads else { return }
      let session = try await uploads.begin(StorePath("b"), size: nil)
      let isExact = if case .exactly = uploads.piece(of: session) { true } else { false }
      for reached in isExact ? [5000] : [2000, 5000] {
        let sent = reached == 5000 && !isExact ? 2000 : 0
        _ = try await uploads.append(source, count: reached - sent, to: session, at: UInt64(sent))
        try expectEqual(source.heard.last, UInt64(reached))
      }
      try await uploads.abandon(session)
    },
    StoreCheck("An empty source makes an empty file") { test in
      for (name, size) in [("known", UInt64?(0)), ("unknown", nil)] {
        let put = try await test.store.put(OddSource([], size: size), at: StorePath(name), mode: .create)
        try expect(put.size == 0, "\(put)")
      }
    },
    StoreCheck("A source that ends too soon is badInput and leaves nothing behind") { test in
      try await expectError(.badInput) {
        _ = try await test.store.put(OddSource(line, size: 5001), at: StorePath("sub/a"), mode: .create)
      }
      try expectEqual(try await test.names(recursive: true), [])
    },
    StoreCheck("A source that goes on too long is badInput and leaves nothing behind") { test in
      // The second size is at the end of a chunk.
      for size in [4999, 4000] as [UInt64] {
        try await expectError(.badInput) {
          _ = try await test.store.put(OddSource(line, size: size), at: StorePath("sub/a"), mode: .create)
        }
      }
      try expectEqual(try await test.names(recursive: true), [])
    },
    StoreCheck("What a source throws is thrown on, and the old content stays") { test in
      let old = try await test.write("a", "old")
      let failure = StoreError(.offline, "The camera was unplugged.")
      for (mode, path) in [(WriteMode.overwrite, "a"), (.create, "b/c")] {
        let error = try await expectError(.offline) {
          let source = OddSource(line, size: 10_000, end: .error(failure))
          _ = try await test.store.put(source, at: StorePath(path), mode: mode)
        }
        try expect(error.message == failure.message, "\(error)")
      }
      try expect(try await test.entry("a").revision == old.revision, "changed")
      try expectEqual(try await test.names(recursive: true), ["a"])
    },
    StoreCheck("A short replace leaves the old content") { test in
      let base = try unwrap(try await test.write("a", "old").revision, "no revision")
      try await expectError(.badInput) {
        _ = try await test.store.put(OddSource(line, size: 6000), at: StorePath("a"), mode: .replace(base))
      }
      try expect(try await test.text("a") == "old", "changed")
      try expect(try await test.entry("a").revision == base, "another revision")
    },
  ]

  static let cancelling: [StoreCheck] = [
    StoreCheck("A put that is cancelled in the middle ends with cancelled and leaves nothing behind") { test in
      let begun = Gate()
      let task = Task {
        _ = try await test.store.put(
          OddSource(line, size: 10_000, end: .hang(begun)), at: StorePath("sub/a"), mode: .create)
      }
      await begun.wait()
      task.cancel()
      try await expectError(.cancelled) { try await task.value }
      try expectEqual(try await test.names(recursive: true), [])
    },
    StoreCheck("An overwrite that is cancelled in the middle leaves the old content") { test in
      try await test.write("a", "old")
      let begun = Gate()
      let task = Task {
        _ = try await test.store.put(
          OddSource(line, size: nil, end: .hang(begun)), at: StorePath("a"), mode: .overwrite)
      }
      await begun.wait()
      task.cancel()
      try await expectError(.cancelled) { try await task.value }
      try expect(try await test.text("a") == "old", "changed")
    },
    StoreCheck("A reading that is cancelled ends with cancelled before the next chunk") { test in
      _ = try await test.store.put(
        DataSource([UInt8](repeating: 1, count: 4_000_000)), at: StorePath("a"), mode: .create)
      let begun = Gate()
      let task = Task {
        var after = 0
        _ = try await test.store.read(StorePath("a"), from: 0, ifRevision: nil) { _ throws(StoreError) in
          if Task.isCancelled { after += 1 }
          guard after < 2 else { throw StoreError(.corrupt, "A chunk came after the cancelling.") }
          begun.open()
          await Gate().wait()
        }
      }
      await begun.wait()
      task.cancel()
      try await expectError(.cancelled) { try await task.value }
    },
    StoreCheck("A cancelled task's calls end with cancelled and change nothing") { test in
      try await test.write("a", "old")
      let task = Task {
        await Gate().wait()
        let path = try StorePath("a")
        try await expectError(.cancelled) { _ = try await test.store.entry(at: path) }
        try await expectError(.cancelled) { _ = try await test.store.list(.root, ListOptions(.full), after: nil) }
        try await expectError(.cancelled) { _ = try await test.store.readAll(path) }
        try await expectError(.cancelled) { try await test.write("b", "x") }
        try await expectError(.cancelled) { _ = try await test.store.move(path, to: StorePath("c"), ifRevision: nil) }
        try await expectError(.cancelled) { try await test.store.delete(path, ifRevision: nil) }
        try await expectError(.cancelled) { try await test.store.createFolder(StorePath("d")) }
      }
      task.cancel()
      try await task.value
      try expectEqual(try await test.names(), ["a"])
    },
  ]
}
