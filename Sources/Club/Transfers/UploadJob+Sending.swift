import FileStores

extension UploadJob {
  /// The most times in a row that a store may name another offset without having taken a byte.
  private static let maxFruitless = 3

  /// Sends the file in one request, and hashes it meanwhile.
  mutating func put(_ source: UploadSource) async throws(StoreError) -> Outcome {
    // Content that differs from the order's counts as a restart.
    if record.order.contentHash != nil { _ = try await noted(source) }
    var isAgain = record.attempts > 1 || record.restarts > 0
    while true {
      do throws(StoreError) {
        if isAgain { try await job.resumed(at: 0) }
        let (store, path) = (job.store, record.path)
        let entry = try await SentPiece(source, upTo: source.bytes, job).sent { piece throws(StoreError) in
          try await store.put(piece, at: path, mode: .create)
        }
        return .there(try await checked(entry, try await noted(source)))
      } catch {
        guard error.kind == .exists, !source.isChanged else { throw error }
        // After a lost answer the hash shows if the file is there.
        let hash = try await noted(source)
        if let entry = try await own(hash) { return .there(entry) }
        isAgain = true
        try await countRefusal(error)
        try await takeNextName(after: error)
        if let there = try await nameBegins(source) { return .there(there) }
      }
    }
  }

  private mutating func noted(_ source: UploadSource) async throws(StoreError) -> ContentHash {
    let hash = try await source.contentHash()
    record = await job.note { $0.note(hash) }
    return hash
  }

  mutating func send(_ source: UploadSource, _ uploads: any ResumableUploads) async throws(StoreError) -> Outcome {
    try await abandonLost(uploads)
    if record.session == nil, !uploads.finishesElsewhere, let there = try await nameBegins(source) {
      return .there(there)
    }
    guard let (session, start) = try await session(source, uploads) else { return .startOver }
    var (offset, size) = (start, PieceSize(uploads.piece(of: session), largest: job.settings.pieceBytes))
    var fruitless = 0
    while offset < source.bytes {
      let next = size.next(limit: await job.engine.bucket.rate, at: offset)
      let count = Int(clamping: min(UInt64(next), source.bytes - offset))
      let (began, at) = (job.engine.elapsed(), offset)
      do throws(StoreError) {
        offset = try await SentPiece(source, upTo: at + UInt64(count), job).sent { piece throws(StoreError) in
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
        try await job.resumed(at: offset)
        continue
      }
      size.learn(count, took: job.engine.elapsed() - began)
      let reached = offset
      record = await job.note { $0.offset = reached }
      try await job.engine.progressed(job.id, to: reached)
    }
    return try await finish(session, try await source.contentHash(), uploads)
  }

  /// The journal's session, or a new one that the journal has before it gets a byte; nil if the sent bytes are gone.
  private mutating func session(
    _ source: UploadSource, _ uploads: any ResumableUploads
  ) async throws(StoreError) -> (UploadSession, UInt64)? {
    if let session = record.session {
      if let kept = uploads.keptFor, let began = record.sessionBegan, job.engine.now() >= began.adding(kept) {
        return nil
      }
      guard let offset = try await offset(of: session, uploads), offset <= source.bytes else { return nil }
      record = await job.note { $0.offset = offset }
      try await job.resumed(at: offset)
      return (session, offset)
    }
    let began = job.engine.now()
    if uploads.keptFor == nil { record = try await job.keep { $0.sessionBegan = began } }
    let session = try await uploads.begin(
      record.path, size: source.bytes, modified: source.source.modified)
    do throws(StoreError) {
      record = try await job.keep { record in
        (record.session, record.sessionBegan, record.offset) = (session, began, 0)
        record.sessionEnds = uploads.keptFor.map { began.adding($0) }
      }
    } catch {
      try? await uploads.abandon(session)
      throw error
    }
    return (session, 0)
  }

  /// A kill may have come between the beginning of an upload and the note of its session. Then the time of the beginning
  /// is noted alone.
  private mutating func abandonLost(_ uploads: any ResumableUploads) async throws(StoreError) {
    guard record.session == nil, record.sessionBegan != nil else { return }
    do throws(StoreError) {
      try await uploads.abandonLost(to: record.path)
    } catch {
      // A server that does not let members list uploads is no reason to send nothing: a rule of the bucket removes them.
      if error.isTemporary || error.kind == .cancelled { throw error }
    }
    record = try await job.keep { $0.sessionBegan = nil }
  }
}

extension UploadJob {
  private static let maxNames = 10_000
  private static let maxRefusals = 3

  /// Asks the store to finish, after a note in the journal.
  mutating func finish(
    _ session: UploadSession, _ hash: ContentHash, _ uploads: any ResumableUploads
  ) async throws(StoreError) -> Outcome {
    try await job.enter(.finish)
    let total = record.total ?? 0
    var session = session
    session.modified = record.modified
    record = try await job.keep { record in
      record.note(hash)
      record.offset = total
    }
    while true {
      do throws(StoreError) {
        let entry = try await uploads.finish(session, size: total, at: record.path, mode: .create)
        return .there(try await checked(entry, hash))
      } catch {
        switch error.kind {
        case .exists:
          if let entry = try await own(hash) {
            await dropSession()
            return .there(entry)
          }
          try await countRefusal(error)
          try await takeNextName(after: error)
          if !uploads.finishesElsewhere {
            try await job.enter(.goOn)
            return .startOver
          }
        case .notFound:
          // The session is gone: an earlier finish may have succeeded.
          if let entry = try await own(hash) { return .there(entry) }
          try await job.enter(.goOn)
          return .startOver
        case .badInput, .conflict:
          guard let reached = try await offset(of: session, uploads), reached != total else { throw error }
          try await job.enter(.goOn)
          record = try await job.keep { $0.offset = min(reached, total) }
          return .again
        default: throw error
        }
      }
    }
  }

  /// Takes the first free name, because the upload cannot get another one later.
  /// - Returns: the file of an earlier upload of the same content, if it is there.
  private mutating func nameBegins(_ source: UploadSource) async throws(StoreError) -> FileEntry? {
    while let there = try await job.store.entryIfAny(record.path) {
      let hash = try await source.contentHash()
      if let entry = try await own(hash) { return entry }
      try await takeNextName(
        after: StoreError(
          .exists, "\"\(record.path)\" already exists.", remedy: "Choose another name.", path: record.path,
          current: there))
    }
    return nil
  }

  func own(_ hash: ContentHash?) async throws(StoreError) -> FileEntry? {
    guard let hash else { return nil }
    return try await job.store.entry(at: record.path, holding: hash, size: record.total)
  }

  /// Compares the stored file with the sent bytes. Removes a file that differs, because this upload has created it.
  mutating func checked(_ entry: FileEntry, _ hash: ContentHash) async throws(StoreError) -> FileEntry {
    let isRight = entry.contentHash.map { $0 == hash } ?? (entry.size == nil || entry.size == record.total)
    if isRight { return entry }
    record = await job.note { record in
      (record.session, record.sessionBegan, record.sessionEnds, record.offset) = (nil, nil, nil, 0)
    }
    try await job.store.delete(entry.path, ifRevision: entry.revision)
    throw StoreError(
      .corrupt, "\"\(entry.path)\" was damaged on the way.", remedy: "Upload it again.",
      path: entry.path)
  }

  /// Ends an upload that the store refuses again and again by a name that it does not have, such as a server that renames
  /// what it gets.
  private mutating func countRefusal(_ error: StoreError) async throws(StoreError) {
    refusals = try await job.store.entryIfAny(record.path) == nil ? refusals + 1 : 0
    guard refusals < Self.maxRefusals else { throw error }
  }

  mutating func takeNextName(after error: StoreError) async throws(StoreError) {
    guard case .upload(_, _, _, let name, let first) = record.order.work else { throw error }
    let limit = job.store.limits.nameBytes
    func candidate(_ number: Int) -> [UInt8] { number < 2 ? name : NumberedName.numbered(name, number, limit: limit) }
    let current = Array(record.path.name)
    // The path carries the order's number, or a later one.
    var number = first
    while number < Self.maxNames, candidate(number) != current { number += 1 }
    guard number < Self.maxNames else { throw error }
    let next = try record.path.parent.appending(candidate(max(2, number + 1)))
    record = try await job.keep { $0.path = next }
  }
}

extension FileStore {
  func entry(at path: StorePath, holding hash: ContentHash, size: UInt64?) async throws(StoreError) -> FileEntry? {
    try await ifThere(or: [.conflict, .badInput]) { () throws(StoreError) in
      let entry = try await entry(at: path)
      guard entry.kind == .file, size == nil || entry.size == nil || entry.size == size else { return nil }
      if let known = entry.contentHash { return known == hash ? entry : nil }
      // A store without checksums is read.
      let hasher = ContentHasher()
      let read = try await read(path, from: 0, ifRevision: entry.revision) { chunk throws(StoreError) in
        hasher.update(chunk)
      }
      return hasher.finish() == hash ? read : nil
    }
  }
}
