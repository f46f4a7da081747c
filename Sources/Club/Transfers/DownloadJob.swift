import FileStores

/// One download, from the journal's offset to its name.
struct DownloadJob: Sendable {
  private static let maxTurns = 4

  private var record: TransferRecord
  private let job: JobContext
  private let folder: String
  private let part: DownloadPart

  init(_ job: JobContext, to folder: String) {
    (record, self.folder, self.job) = (job.record, folder, job)
    part = DownloadPart(of: job.record, in: folder, job.engine, job.settings)
  }

  mutating func perform() async throws(StoreError) -> TransferResult {
    // After a crash the file may already have its name.
    if let entry = try await record.published(part) { return TransferResult(entry: entry, place: record.place) }
    for turn in 1...Self.maxTurns {
      if let result = try await attempt() { return result }
      if turn == Self.maxTurns { break }
      record = try await job.keep { $0.startOver() }
      try await job.resumed(at: 0)
    }
    throw record.error
      ?? StoreError(
        .conflict, "\"\(record.path)\" kept changing during the download.", remedy: "Try again later.",
        path: record.path)
  }

  /// Returns nil if the download must start from nothing.
  private mutating func attempt() async throws(StoreError) -> TransferResult? {
    let entry = try await job.store.entry(at: record.path)
    guard entry.kind == .file else {
      throw StoreError(.badInput, "\"\(record.path)\" is no longer a file.", path: record.path)
    }
    if let revision = record.revision, revision != entry.revision { return nil }
    // The journal gets the part's name before the part exists, so every part has an owner.
    let isNew = record.part == nil
    if isNew || record.revision == nil {
      let (name, boot) = (part.name, job.settings.boot)
      record = try await job.keep { record in
        (record.part, record.revision, record.total, record.contentHash) = (
          name, entry.revision, entry.size, entry.contentHash
        )
        record.modified = entry.modified
        if isNew { record.partBoot = boot }
      }
    }
    let start = try await openPart(most: isNew ? nil : entry.size)
    try await checkRoom(for: entry, from: start)
    if record.attempts > 1 || start > 0 { try await job.resumed(at: start) }
    guard let read = try await receive(from: start) else { return nil }
    return try await name(read)
  }

  /// Opens the part file and returns the offset at which the download continues: after a kill, the file's length.
  private mutating func openPart(most size: UInt64?) async throws(StoreError) -> UInt64 {
    let boot = job.settings.boot
    let isOfThisBoot = boot != nil && record.partBoot == boot
    let start = try await part.open(
      at: record.offset, most: isOfThisBoot ? size : nil, claimed: await job.engine.parts)
    if start != record.offset || record.partBoot != boot {
      record = try await job.keep { ($0.offset, $0.partBoot) = (start, boot) }
    }
    return start
  }

  /// Refuses a file that does not fit on the disk.
  private func checkRoom(for entry: FileEntry, from start: UInt64) async throws(StoreError) {
    guard let size = entry.size, size > start, let free = await part.freeBytes(), size - start > free else { return }
    throw StoreError(
      .quota,
      "\"\(record.order.name)\" needs \(size - start) bytes more, but the disk of \"\(folder)\" has \(free) bytes free.",
      remedy: "Free some space or choose another folder, then try again.", path: record.path)
  }

  /// Receives the rest of the file. Returns nil if the store now has another revision.
  private mutating func receive(from start: UInt64) async throws(StoreError) -> FileEntry? {
    var count = start
    var noted = start
    var most = await job.engine.chunkBytes
    do throws(StoreError) {
      // The job compares the received bytes itself, including bytes of an earlier run.
      let entry = try await job.store.read(
        record.path, ReadOptions(from: start, ifRevision: record.revision, isChecked: false)
      ) {
        chunk throws(StoreError) in
        var rest = chunk
        while !rest.isEmpty {
          let piece = rest.prefix(most)
          try await part.add(piece)
          rest = rest.dropFirst(piece.count)
          count += UInt64(piece.count)
          most = try await job.engine.received(job.id, piece.count, to: count)
        }
        let durable = part.durable
        if durable > noted {
          noted = durable
          _ = await job.note { $0.offset = durable }
        }
      }
      try await part.settle()
      return entry
    } catch {
      // Received bytes are kept unless the disk fails.
      try? await part.settle()
      if error.kind == .conflict { return nil }
      if error.kind == .corrupt {
        // The received bytes are not the file's: the next try begins anew.
        record = await job.note { ($0.offset, $0.partBoot) = (0, nil) }
        throw error
      }
      if let durable = try? await part.flush() { record = await job.note { $0.offset = durable } }
      throw error
    }
  }

  /// Compares the bytes with the store's checksum and gives the file its name. Returns nil if they differ.
  private mutating func name(_ entry: FileEntry) async throws(StoreError) -> TransferResult? {
    try await job.enter(.verify)
    let (size, hash) = try await part.sum()
    guard entry.size == nil || entry.size == size, entry.contentHash == nil || entry.contentHash == hash else {
      try await job.enter(.goOn)
      guard record.error?.kind != .corrupt else {
        throw StoreError(
          .corrupt, "The received part of \"\(record.order.name)\" differs from the store's.",
          remedy: "Download it again.", path: record.path)
      }
      let error = StoreError(
        .corrupt, "The received part of \"\(record.order.name)\" differs from the store's. The download begins again.",
        path: record.path)
      record = await job.note { $0.error = error }
      return nil
    }
    try await part.seal(modified: entry.ownTime ?? entry.modified)
    try await job.enter(.finish)
    for (number, candidate) in record.candidates.enumerated() {
      let place = (folder.hasSuffix("/") ? folder : folder + "/") + String(decoding: candidate, as: UTF8.self)
      // A name that was chosen before a crash comes first: the file may already have it.
      if number == 0, let before = record.place, before != place, try await part.publish(as: record.placeName) {
        return TransferResult(entry: entry, place: before)
      }
      record = try await job.keep { record in
        (record.place, record.contentHash, record.offset, record.total) = (place, hash, size, size)
      }
      if try await part.publish(as: candidate) { return TransferResult(entry: entry, place: place) }
    }
    throw StoreError(.exists, "Every name for \"\(record.order.name)\" is taken in \"\(folder)\".")
  }
}

extension TransferRecord {
  /// Names that a download may get: its own, then numbered ones.
  var candidates: some Sequence<[UInt8]> {
    let goal = Array(path.name)
    return (1...10_000).lazy.map { number in
      number == 1 ? goal : NumberedName.numbered(goal, number, limit: DownloadPart.maxNameBytes)
    }
  }

  var placeName: [UInt8] {
    guard let place else { return Array(path.name) }
    return candidates.first { place.hasSuffix("/" + String(decoding: $0, as: UTF8.self)) } ?? Array(path.name)
  }

  /// The entry of a download whose part already has the final name; nil otherwise.
  func published(_ part: DownloadPart) async throws(StoreError) -> FileEntry? {
    guard place != nil, let contentHash, let total, try await !part.exists(),
      let (size, hash) = try await part.content(of: placeName), size == total, hash == contentHash
    else { return nil }
    return FileEntry(
      path: path, kind: .file, size: size, modified: modified, revision: revision, contentHash: hash)
  }
}
