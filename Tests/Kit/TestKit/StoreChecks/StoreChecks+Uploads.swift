import FileStores

extension StoreChecks {
  private static func bytes(_ text: String) -> ByteChunk { Array(text.utf8)[...] }

  /// A first piece by the store's rule: "hello ", or as many bytes as each piece must have.
  private static func first(_ uploads: any ResumableUploads, _ session: UploadSession) -> ByteChunk {
    guard case .exactly(let count) = uploads.piece(of: session) else { return bytes("hello ") }
    return (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }[...]
  }

  static let uploads: [StoreCheck] = [
    StoreCheck("An upload in pieces is nowhere to be seen until it is finished, then it is whole") { test in
      guard let uploads = test.store.capabilities.uploads else { return }
      let session = try await uploads.begin(StorePath("sub/a"), size: nil)
      let head = first(uploads, session)
      let (middle, whole) = (UInt64(head.count), UInt64(head.count + 5))
      try expect(try await uploads.append(head, to: session, at: 0) == middle, "another offset")
      try expect(try await uploads.append(bytes("world"), to: session, at: middle) == whole, "another offset")
      try expectEqual(try await test.names(recursive: true), [])
      let entry = try await uploads.finish(session, size: whole, at: StorePath("sub/a"), mode: .create)
      try expect(entry.size == whole, "\(entry)")
      try expect(try await test.entry("sub/a").revision == entry.revision, "another revision")
      try expect(try await test.store.readAll(StorePath("sub/a")).bytes == Array(head) + bytes("world"), "other text")
    },
    StoreCheck("An upload goes on where it broke off, also by another client") { test in
      guard let uploads = test.store.capabilities.uploads, let others = test.other.capabilities.uploads else { return }
      let session = try await uploads.begin(StorePath("a"), size: nil)
      let head = first(uploads, session)
      _ = try await uploads.append(head, to: session, at: 0)
      let again = UploadSession(session.id)
      try expect(try await others.offset(of: again) == UInt64(head.count), "another offset")
      _ = try await others.append(bytes("world"), to: again, at: UInt64(head.count))
      _ = try await others.finish(again, size: UInt64(head.count + 5), at: StorePath("a"), mode: .create)
      try expect(try await test.store.readAll(StorePath("a")).bytes == Array(head) + bytes("world"), "other text")
    },
    StoreCheck("An append at a wrong offset is conflict and changes nothing") { test in
      guard let uploads = test.store.capabilities.uploads else { return }
      let session = try await uploads.begin(StorePath("a"), size: nil)
      let sent = try await uploads.append(first(uploads, session), to: session, at: 0)
      for offset in [0, sent - 1, sent + 1, 1 << 40] as [UInt64] {
        try await expectError(.conflict) { _ = try await uploads.append(bytes("x"), to: session, at: offset) }
      }
      try expect(try await uploads.offset(of: session) == sent, "another offset")
    },
    StoreCheck("Finishing with a wrong size is badInput, and the upload can still go on") { test in
      guard let uploads = test.store.capabilities.uploads else { return }
      let session = try await uploads.begin(StorePath("a"), size: nil)
      _ = try await uploads.append(bytes("hello"), to: session, at: 0)
      for size in [0, 4, 6] as [UInt64] {
        try await expectError(.badInput) {
          _ = try await uploads.finish(session, size: size, at: StorePath("a"), mode: .create)
        }
      }
      _ = try await uploads.finish(session, size: 5, at: StorePath("a"), mode: .create)
      try expect(try await test.text("a") == "hello", "other text")
    },
    StoreCheck("Finishing keeps the conditions of put, and may be tried under another name where the store says so") {
      test in
      guard let uploads = test.store.capabilities.uploads else { return }
      let base = try unwrap(try await test.write("a", "old").revision, "no revision")
      try await test.writeElsewhere("a", "theirs")
      let session = try await uploads.begin(StorePath("a"), size: nil)
      _ = try await uploads.append(bytes("mine"), to: session, at: 0)
      try await expectError(.exists) {
        _ = try await uploads.finish(session, size: 4, at: StorePath("a"), mode: .create)
      }
      try await expectError(.conflict) {
        _ = try await uploads.finish(session, size: 4, at: StorePath("a"), mode: .replace(base))
      }
      try expectEqual(try await test.text("a"), "theirs")
      guard uploads.finishesElsewhere else {
        try await expectError(.badInput) {
          _ = try await uploads.finish(session, size: 4, at: StorePath("a (2)"), mode: .create)
        }
        return
      }
      _ = try await uploads.finish(session, size: 4, at: StorePath("a (2)"), mode: .create)
      try expectEqual(try await test.text("a (2)"), "mine")
    },
    StoreCheck("Finishing over the base, or over anything, replaces it") { test in
      guard let uploads = test.store.capabilities.uploads else { return }
      let base = try unwrap(try await test.write("a", "old").revision, "no revision")
      for (text, mode) in [("new", WriteMode.replace(base)), ("newer", .overwrite)] {
        let session = try await uploads.begin(StorePath("a"), size: nil)
        _ = try await uploads.append(bytes(text), to: session, at: 0)
        _ = try await uploads.finish(session, size: UInt64(text.utf8.count), at: StorePath("a"), mode: mode)
        try expect(try await test.text("a") == text, "not \(text)")
      }
    },
    StoreCheck("An abandoned or finished upload is notFound; abandoning twice is no error") { test in
      guard let uploads = test.store.capabilities.uploads else { return }
      let session = try await uploads.begin(StorePath("a"), size: nil)
      for _ in 0..<2 { try await uploads.abandon(session) }
      let finished = try await uploads.begin(StorePath("b"), size: nil)
      _ = try await uploads.finish(finished, size: 0, at: StorePath("b"), mode: .create)
      for gone in [session, finished, UploadSession("../a"), UploadSession("")] {
        try await expectError(.notFound) { _ = try await uploads.append(bytes("x"), to: gone, at: 0) }
        try await expectError(.notFound) { _ = try await uploads.offset(of: gone) }
        try await expectError(.notFound) {
          _ = try await uploads.finish(gone, size: 0, at: StorePath("c"), mode: .create)
        }
      }
      try await uploads.abandon(UploadSession("../a"))
    },
    StoreCheck("An upload of many pieces is whole") { test in
      guard let uploads = test.store.capabilities.uploads else { return }
      let session = try await uploads.begin(StorePath("a"), size: nil)
      var all: [UInt8] = []
      let exact: Int? = if case .exactly(let count) = uploads.piece(of: session) { count } else { nil }
      for number in 0..<(exact == nil ? 40 : 3) {
        let piece = [UInt8](repeating: UInt8(number), count: exact ?? 10_000 + number)
        let offset = try await uploads.append(piece[...], to: session, at: UInt64(all.count))
        all += piece
        try expect(offset == UInt64(all.count), "another offset")
      }
      let entry = try await uploads.finish(session, size: UInt64(all.count), at: StorePath("a"), mode: .create)
      try expect(try await test.store.readAll(StorePath("a")).bytes == all, "other bytes")
      if let hash = entry.contentHash { try expect(hash == ContentHash(of: all), "another hash") }
    },
    StoreCheck("A piece may come from a source, which is read from the offset on and no further") { test in
      guard let uploads = test.store.capabilities.uploads else { return }
      let session = try await uploads.begin(StorePath("a"), size: nil)
      let head = first(uploads, session)
      let (middle, whole) = (UInt64(head.count), UInt64(head.count + 5))
      let source = DataSource(head + bytes("world, and more"), chunkSize: head.count < 100 ? 4 : 100_000)
      try expect(try await uploads.append(source, count: head.count, to: session, at: 0) == middle, "another offset")
      try await expectError(.conflict) { _ = try await uploads.append(source, count: 5, to: session, at: middle - 2) }
      try expect(try await uploads.append(source, count: 5, to: session, at: middle) == whole, "another offset")
      let all = Array(head) + bytes("world")
      let entry = try await uploads.finish(session, size: whole, at: StorePath("a"), mode: .create)
      try expect(entry.contentHash.map { $0 == ContentHash(of: all) } ?? true, "another hash")
      try expect(try await test.store.readAll(StorePath("a")).bytes == Array(head) + bytes("world"), "other text")
      try await expectError(.notFound) { _ = try await uploads.append(source, count: 5, to: session, at: 0) }
    },
    StoreCheck("A source that fails, or ends too early, adds nothing to an upload") { test in
      guard let uploads = test.store.capabilities.uploads else { return }
      let session = try await uploads.begin(StorePath("a"), size: nil)
      let head = first(uploads, session)
      let sent = try await uploads.append(head, to: session, at: 0)
      let short = DataSource(head + bytes("world!"))
      try await expectError(.badInput) { _ = try await uploads.append(short, count: 100, to: session, at: sent) }
      let failing = OddSource(
        [UInt8](repeating: 1, count: head.count + 3000), size: sent + 9000,
        end: .error(StoreError(.quota, "The disk is gone.")))
      try await expectError(.quota) { _ = try await uploads.append(failing, count: 8000, to: session, at: sent) }
      try expect(try await uploads.append(short, count: 6, to: session, at: sent) == sent + 6, "another offset")
      _ = try await uploads.finish(session, size: sent + 6, at: StorePath("a"), mode: .create)
      try expect(try await test.store.readAll(StorePath("a")).bytes == Array(head) + bytes("world!"), "other text")
    },
    StoreCheck("A file has the time of its source, its upload or its batch, also after a move, if the store says so") {
      test in
      guard test.store.limits.keepsTimes else { return }
      let (time, all) = (Timestamp(seconds: 1_000_000_000), test.store.capabilities)
      func seconds(_ path: String) async throws -> Int64? {
        let (_, read) = try await test.other.readAll(StorePath(path))
        return (read.ownTime ?? read.modified)?.seconds
      }
      let source = DataSource(bytes("hello"), modified: time)
      _ = try await test.store.put(source, at: StorePath("a"), mode: .create)
      try expectEqual(try await seconds("a"), time.seconds)
      _ = try await test.store.move(StorePath("a"), to: StorePath("b"), ifRevision: nil)
      try expectEqual(try await seconds("b"), time.seconds)
      try await test.write("b", "newer", mode: .overwrite)
      try expect(try await seconds("b") != time.seconds, "the time of the old content")
      if let uploads = all.uploads {
        var session = try await uploads.begin(StorePath("c"), size: nil, modified: time)
        session.modified = time
        _ = try await uploads.append(bytes("hello"), to: session, at: 0)
        _ = try await uploads.finish(session, size: 5, at: StorePath("c"), mode: .create)
        try expectEqual(try await seconds("c"), time.seconds)
      }
      if let batches = all.batches {
        _ = try await batches.put([BatchFile(source, at: StorePath("d"), mode: .create)])[0].get()
        try expectEqual(try await seconds("d"), time.seconds)
      }
    },
    StoreCheck("An upload to a name that cannot be is refused at its beginning") { test in
      guard let uploads = test.store.capabilities.uploads else { return }
      try await expectError(.badName) { _ = try await uploads.begin(StorePath(".byteclub/x"), size: nil) }
      try await expectError(.badInput) { _ = try await uploads.begin(.root, size: nil) }
    },
  ]
}
