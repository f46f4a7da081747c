public import FileStores

/// The promises of a store whose server does not do what it says.
public enum LieCheck {
  private static let text = (0..<1000).map { "\($0 % 10) of a long note\n" }.joined()

  /// A body that is longer or shorter than the file, of a wrong type, or without the API's own header, is never passed on
  /// whole, and nothing goes on behind it. A write is not believed before the server has all of it.
  /// - Parameters:
  ///   - store: a store of an empty club over `line`.
  ///   - honest: a store of the same club over a line without lies.
  public static func run(
    _ lie: LyingTransport.Lie, _ store: any FileStore, over line: LyingLine, honest: any FileStore
  ) async throws {
    let steady = RetryingStore(
      store, policy: RetryPolicy(attempts: 3), clock: ManualClock(advancesOnSleep: true), draw: { 0.5 })
    for (number, tested) in ([store, steady] as [any FileStore]).enumerated() {
      let path = try StorePath("note-\(number).md")
      let first = try await honest.put(DataSource(text.utf8), at: path, mode: .create)
      line.tell(lie)
      if lie.isOfWrites {
        try await write(tested, path, first)
      } else {
        try await read(tested, path, lie)
        if let history = tested.capabilities.revisions, let revision = first.revision {
          var received: [UInt8] = []
          try await expectAnError("a version") {
            _ = try await history.read(revision, of: path) { received += $0 }
          }
          try check(received, lie)
        }
        line.tell(nil)
        try expect(try await tested.readAll(path).bytes == Array(text.utf8), "other bytes after the lie")
      }
      line.tell(nil)
    }
  }

  private static func read(_ store: any FileStore, _ path: StorePath, _ lie: LyingTransport.Lie) async throws {
    for offset in [0, 3000] as [UInt64] {
      var received: [UInt8] = []
      try await expectAnError("a reading from \(offset)") {
        _ = try await store.read(path, from: offset, ifRevision: nil) { received += $0 }
      }
      try check(received, lie, from: Int(offset))
    }
  }

  private static func check(_ received: [UInt8], _ lie: LyingTransport.Lie, from offset: Int = 0) throws {
    let own = Array(text.utf8.dropFirst(offset))
    try expect(received.count < own.count && own.starts(with: received), "\(lie): \(received.count) bytes")
    // An answer from an offset may be a part of the rest (RFC 9110, section 15.3.7).
    let isHidden = lie == .shorter && offset > 0
    if lie.showsAtOnce, !isHidden { try expect(received.isEmpty, "\(lie): \(received.count) bytes were passed on") }
  }

  private static func write(_ store: any FileStore, _ path: StorePath, _ first: FileEntry) async throws {
    let new = Array(("new\n" + text).utf8)
    let fresh = try StorePath("new-\(path)")
    try await expectAnError("a new file") { _ = try await store.put(DataSource(new), at: fresh, mode: .create) }
    let mode = WriteMode.replace(try unwrap(first.revision, "no revision"))
    try await expectAnError("a replacement") { _ = try await store.put(DataSource(new), at: path, mode: mode) }
    guard let uploads = store.capabilities.uploads else { return }
    try await expectAnError("an upload") {
      let session = try await uploads.begin(try StorePath("up-\(path)"), size: UInt64(new.count))
      let reached = try await uploads.append(new[...], to: session, at: 0)
      _ = try await uploads.finish(session, size: reached, at: try StorePath("up-\(path)"), mode: .create)
    }
  }

  private static func expectAnError(_ what: String, _ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as StoreError {
      return try expect(error.message.hasSuffix("."), "not a sentence: \(error.message)")
    }
    throw BrokenPromise(description: "\(what) was believed")
  }
}
