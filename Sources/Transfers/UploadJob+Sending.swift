import FileStores

/// The bytes' way to the store.
extension UploadJob {
  /// How often a store may ask to go on from elsewhere without having taken a byte in between.
  private static let maxFruitless = 3

  /// In one request.
  mutating func put(_ source: SourceFile) async throws(StoreError) -> Outcome {
    // Known before anything is asked: after an answer that was lost it tells whether the file is there.
    let hash = try await source.contentHash()
    record = await line.note { $0.note(hash) }
    var isAgain = record.attempts > 1 || record.restarts > 0
    while true {
      do throws(StoreError) {
        if isAgain { try await line.resumed(at: 0) }
        let (store, path) = (store, record.path)
        let entry = try await metered(source, from: 0, to: source.bytes) { paced throws(StoreError) in
          try await store.put(paced, at: path, mode: .create)
        }
        return .there(try await checked(entry, hash))
      } catch {
        guard error.kind == .exists, !source.isChanged else { throw error }
        if let entry = try await own(hash) { return .there(entry) }
        isAgain = true
        try await takeNextName(after: error)
      }
    }
  }

  /// In pieces, from where the store is.
  mutating func send(_ source: SourceFile, _ uploads: any ResumableUploads) async throws(StoreError) -> Outcome {
    guard let (session, start) = try await session(source, uploads) else { return .startOver }
    var (offset, size) = (start, PieceSize(largest: settings.pieceBytes))
    var fruitless = 0
    while offset < source.bytes {
      let count = Int(clamping: min(UInt64(size.next(limit: await line.limit)), source.bytes - offset))
      let (began, at) = (line.time, offset)
      do throws(StoreError) {
        offset = try await metered(source, from: at, to: at + UInt64(count)) { piece throws(StoreError) in
          try await uploads.append(piece, count: count, to: session, at: at)
        }
        fruitless = 0
      } catch {
        if error.kind == .notFound { return .startOver }
        guard error.kind == .conflict, fruitless < Self.maxFruitless else { throw error }
        fruitless += 1
        guard let reached = try await self.offset(of: session, uploads), reached <= source.bytes else {
          return .startOver
        }
        offset = reached
        try await line.resumed(at: offset)
        continue
      }
      size.learn(count, took: line.time - began)
      let reached = offset
      record = await line.note { $0.offset = reached }
      try await line.progressed(to: reached)
    }
    let hash = try await source.contentHash()
    return try await finish(session, hash, uploads)
  }

  /// Has the store take a part of the file, and tells how much of it the store can have meanwhile.
  private func metered<Value: Sendable>(
    _ source: SourceFile, from start: UInt64, to end: UInt64,
    _ body: (PacedSource) async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let meter = UploadMeter(line)
    async let telling: Void = meter.run(from: start)
    let result: Result<Value, StoreError>
    do throws(StoreError) {
      result = .success(try await body(PacedSource(file: source, line: line, meter: meter, end: end)))
    } catch {
      result = .failure(error)
    }
    meter.finish()
    await telling
    return try result.get()
  }

  /// The session that goes on, or a new one, written down before it gets a byte; nil when what was sent is gone.
  private mutating func session(
    _ source: SourceFile, _ uploads: any ResumableUploads
  ) async throws(StoreError) -> (UploadSession, UInt64)? {
    if let session = record.session {
      let age = record.sessionBegan.map { now().nanoseconds.subtractingReportingOverflow($0.nanoseconds) }
      if let age, !age.overflow, age.partialValue >= Self.keptFor { return nil }
      guard let offset = try await offset(of: session, uploads), offset <= source.bytes else { return nil }
      record = await line.note { $0.offset = offset }
      try await line.resumed(at: offset)
      return (session, offset)
    }
    let session = try await uploads.begin(record.path)
    let began = now()
    do throws(StoreError) {
      record = try await line.keep { record in
        (record.session, record.sessionBegan, record.offset) = (session, began, 0)
      }
    } catch {
      try? await uploads.abandon(session)
      throw error
    }
    return (session, 0)
  }
}

extension TransferRecord {
  /// Learns what the source holds. Another content than was ordered is sent, too, but counted as a change.
  mutating func note(_ hash: ContentHash) {
    if case .upload(_, _, .some(let ordered), _, _) = order.work, ordered != hash, contentHash == ordered, restarts == 0
    {
      restarts = 1
    }
    contentHash = hash
  }
}
