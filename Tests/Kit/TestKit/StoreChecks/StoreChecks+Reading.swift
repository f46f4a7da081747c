import FileStores

extension StoreChecks {
  static let reading: [StoreCheck] = [
    StoreCheck("What was written is read, byte for byte") { test in
      let bytes = (0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
      let put = try await test.store.put(DataSource(bytes), at: StorePath("a"), mode: .create)
      let (read, entry) = try await test.store.readAll(StorePath("a"))
      try expect(read == bytes, "other bytes")
      try expect(entry.size == 700_001 && entry.revision == put.revision, "\(entry)")
    },
    StoreCheck("An empty file is read with no chunk") { test in
      try await test.write("a", "")
      let (bytes, entry) = try await test.store.readAll(StorePath("a"))
      try expect(bytes.isEmpty && entry.size == 0, "\(entry)")
    },
    StoreCheck("A reading from an offset has the rest") { test in
      try await test.write("a", "0123456789")
      for offset in 0...10 {
        var got: [UInt8] = []
        _ = try await test.store.read(StorePath("a"), from: UInt64(offset), ifRevision: nil) { got += $0 }
        try expect(got == Array("0123456789".utf8.dropFirst(offset)), "from \(offset): \(got)")
      }
    },
    StoreCheck("An offset past the end is badInput, however large") { test in
      try await test.write("a", "0123456789")
      for offset in [11, UInt64(Int64.max), UInt64.max] as [UInt64] {
        try await expectError(.badInput) {
          _ = try await test.store.read(StorePath("a"), from: offset, ifRevision: nil) { _ in }
        }
      }
    },
    StoreCheck("Reading a revision that is there succeeds, any other is conflict with the current entry") { test in
      let old = try await test.write("a", "old")
      let new = try await test.writeElsewhere("a", "newer")
      let error = try await expectError(.conflict) {
        _ = try await test.store.read(StorePath("a"), from: 0, ifRevision: old.revision) { _ throws(StoreError) in
          throw StoreError(.corrupt, "A chunk came.")
        }
      }
      try expect(error.current?.revision == new.revision, "\(String(describing: error.current))")
      _ = try await test.store.readAll(StorePath("a"), ifRevision: new.revision)
    },
    StoreCheck("A file that changes while it is read gives one revision's bytes or conflict, never a mixture") { test in
      let old = [UInt8](repeating: 65, count: 2_000_000)
      let new = [UInt8](repeating: 66, count: 2_000_000)
      _ = try await test.store.put(DataSource(old), at: StorePath("a"), mode: .create)
      var got: [UInt8] = []
      var written = false
      do {
        _ = try await test.store.read(StorePath("a"), from: 0, ifRevision: nil) { chunk throws(StoreError) in
          got += chunk
          if !written {
            written = true
            _ = try await test.other.put(DataSource(new), at: StorePath("a"), mode: .overwrite)
          }
        }
        try expect(got == old || got == new, "a mixture of \(got.count) bytes")
      } catch let error as StoreError {
        try expect(error.kind == .conflict, "\(error)")
      }
    },
    StoreCheck("What the receiver throws is thrown on, and no chunk comes after") { test in
      try await test.write("a", String(repeating: "x", count: 1_000_000))
      var calls = 0
      let error = try await expectError(.offline) {
        _ = try await test.store.read(StorePath("a"), from: 0, ifRevision: nil) { _ throws(StoreError) in
          calls += 1
          throw StoreError(.offline, "The receiver is gone.")
        }
      }
      try expect(error.message == "The receiver is gone." && calls == 1, "\(calls) calls: \(error)")
    },
    StoreCheck("Reading what is not there is notFound, reading a folder is badInput") { test in
      try await test.write("sub/a")
      try await expectError(.notFound) { _ = try await test.text("b") }
      try await expectError(.notFound) { _ = try await test.text("sub/b") }
      try await expectError(.notFound) { _ = try await test.text("sub/a/b") }
      try await expectError(.badInput) { _ = try await test.text("sub") }
      try await expectError(.badInput) { _ = try await test.text("") }
    },
    StoreCheck("readAll refuses more than its limit") { test in
      try await test.write("a", "12345")
      try await expectError(.tooLarge) { _ = try await test.store.readAll(StorePath("a"), limit: 4) }
      _ = try await test.store.readAll(StorePath("a"), limit: 5)
    },
    StoreCheck("Many readings at once do not disturb each other") { test in
      for number in 0..<8 { try await test.write("f\(number)", String(repeating: "\(number)", count: 100_000)) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<24 {
          group.addTask {
            let text = try await test.text("f\(number % 8)")
            try expect(text == String(repeating: "\(number % 8)", count: 100_000), "f\(number % 8) is mixed up")
          }
        }
        try await group.waitForAll()
      }
    },
    StoreCheck("A known content hash is that of the content") { test in
      let put = try await test.write("a", "hello")
      _ = try await test.text("a")
      for entry in [put, try await test.entry("a")] {
        if let hash = entry.contentHash { try expect(hash == ContentHash(of: "hello".utf8), "\(hash)") }
      }
    },
  ]
}
