import FileStores

/// The bytes get their name.
extension UploadJob {
  /// How many names are tried.
  private static let maxNames = 10_000

  /// Asks the store to finish; that it is asked is in the journal before.
  mutating func finish(
    _ session: UploadSession, _ hash: ContentHash, _ uploads: any ResumableUploads
  ) async throws(StoreError) -> Outcome {
    try await line.enter(.finish)
    let total = record.total ?? 0
    record = try await line.keep { record in
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
          try await takeNextName(after: error)
        case .notFound:
          // Only a finish uses a session up.
          if let entry = try await own(hash) { return .there(entry) }
          try await line.enter(.goOn)
          return .startOver
        case .badInput, .conflict:
          guard let reached = try await offset(of: session, uploads), reached != total else { throw error }
          try await line.enter(.goOn)
          record = try await line.keep { $0.offset = min(reached, total) }
          return .again
        default: throw error
        }
      }
    }
  }

  /// What is under the name, when that has our content.
  func own(_ hash: ContentHash?) async throws(StoreError) -> FileEntry? {
    guard let hash else { return nil }
    return try await store.entry(at: record.path, holding: hash, size: record.total)
  }

  /// Compares what arrived with what was sent. What is something else is removed again: there was nothing before.
  mutating func checked(_ entry: FileEntry, _ hash: ContentHash) async throws(StoreError) -> FileEntry {
    let isRight = entry.contentHash.map { $0 == hash } ?? (entry.size == nil || entry.size == record.total)
    if isRight { return entry }
    record = await line.note { record in
      (record.session, record.sessionBegan, record.offset) = (nil, nil, 0)
    }
    try await store.delete(entry.path, ifRevision: entry.revision)
    throw StoreError(
      .corrupt, "\"\(entry.path)\" was damaged on the way.", remedy: "Upload it again.",
      path: entry.path)
  }

  /// Goes on to the next name, and writes that down.
  mutating func takeNextName(after error: StoreError) async throws(StoreError) {
    guard case .upload(_, _, _, let name, let first) = record.order.work else { throw error }
    let limit = store.limits.nameBytes
    func candidate(_ number: Int) -> [UInt8] { number < 2 ? name : FileName.numbered(name, number, limit: limit) }
    let current = Array(record.path.name)
    // The path carries the order's number, or a later one.
    var number = first
    while number < Self.maxNames, candidate(number) != current { number += 1 }
    guard number < Self.maxNames else { throw error }
    let next = try record.path.parent.appending(candidate(max(2, number + 1)))
    record = try await line.keep { $0.path = next }
  }
}

extension FileStore {
  /// What is at a path, when it is a file with this content; nil when it is not.
  func entry(at path: StorePath, holding hash: ContentHash, size: UInt64?) async throws(StoreError) -> FileEntry? {
    do throws(StoreError) {
      let entry = try await entry(at: path)
      guard entry.kind == .file, size == nil || entry.size == nil || entry.size == size else { return nil }
      if let known = entry.contentHash { return known == hash ? entry : nil }
      // A store that tells no checksum is read.
      let hasher = ContentHasher()
      let read = try await read(path, from: 0, ifRevision: entry.revision) { chunk throws(StoreError) in
        hasher.update(chunk)
      }
      return hasher.finish() == hash ? read : nil
    } catch {
      if error.kind == .notFound || error.kind == .conflict || error.kind == .badInput { return nil }
      throw error
    }
  }
}
