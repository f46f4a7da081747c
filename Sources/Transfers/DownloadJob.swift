import FileStores

/// One download, from where the journal says it is to its name.
struct DownloadJob: Sendable {
  /// How often one attempt starts over before it fails.
  private static let maxTurns = 4

  var record: TransferRecord
  let line: TransferLine
  let store: any FileStore
  let folder: String
  let pool: BlockingPool
  let settings: TransferSettings
  let part: DownloadPart

  init(
    _ record: TransferRecord, _ line: TransferLine, _ store: any FileStore, _ folder: String, _ pool: BlockingPool,
    _ settings: TransferSettings, _ random: @Sendable () -> UInt64
  ) {
    (self.record, self.line, self.store, self.folder) = (record, line, store, folder)
    (self.pool, self.settings) = (pool, settings)
    let goal = Array(record.path.name)
    part = DownloadPart(
      folder: folder, goal: goal, name: record.part ?? DownloadPart.name(for: goal, random: random()), pool: pool,
      flushedBytes: settings.pieceBytes, probe: settings.diskProbe)
  }

  mutating func perform() async throws(StoreError) -> TransferResult {
    if let result = try await published() { return result }
    var turns = 0
    while true {
      if let result = try await attempt() { return result }
      turns += 1
      guard turns < Self.maxTurns else { throw restless }
      record = try await line.keep { $0.startOver() }
      try await line.resumed(at: 0)
    }
  }

  /// After a crash the file may have its name already.
  private mutating func published() async throws(StoreError) -> TransferResult? {
    guard let entry = try await record.published(part) else { return nil }
    return TransferResult(entry: entry, place: record.place)
  }

  /// Nil when it has to start from nothing.
  private mutating func attempt() async throws(StoreError) -> TransferResult? {
    let entry = try await store.entry(at: record.path)
    guard entry.kind == .file else {
      throw StoreError(.badInput, "\"\(record.path)\" is no longer a file.", path: record.path)
    }
    if let revision = record.revision, revision != entry.revision { return nil }
    // The name of the part is written down before the part is made: none is without an owner.
    let isNew = record.part == nil
    if isNew || record.revision == nil {
      let (name, boot) = (part.name, settings.boot)
      record = try await line.keep { record in
        (record.part, record.revision, record.total, record.contentHash) = (
          name, entry.revision, entry.size, entry.contentHash
        )
        if isNew { record.partBoot = boot }
      }
    }
    let start = try await openPart(most: isNew ? nil : entry.size)
    if record.attempts > 1 || start > 0 { try await line.resumed(at: start) }
    guard let read = try await receive(from: start) else { return nil }
    return try await name(read)
  }

  /// Opens the part file; returns the offset from which it goes on. After a kill that is the file's length.
  private mutating func openPart(most size: UInt64?) async throws(StoreError) -> UInt64 {
    let boot = settings.boot
    let isOfThisBoot = boot != nil && record.partBoot == boot
    let start = try await part.open(
      at: record.offset, most: isOfThisBoot ? size : nil, claimed: await line.parts)
    if start != record.offset || record.partBoot != boot {
      record = try await line.keep { ($0.offset, $0.partBoot) = (start, boot) }
    }
    return start
  }

  /// Returns what was read; nil when it is another revision now.
  private mutating func receive(from start: UInt64) async throws(StoreError) -> FileEntry? {
    var count = start
    var noted = start
    var most = await line.chunkBytes
    do throws(StoreError) {
      // What has come is compared here, whether or not it was begun before.
      let entry = try await store.readUnchecked(record.path, from: start, ifRevision: record.revision) {
        chunk throws(StoreError) in
        var rest = chunk
        while !rest.isEmpty {
          let piece = rest.prefix(most)
          try await part.add(piece)
          rest = rest.dropFirst(piece.count)
          count += UInt64(piece.count)
          most = try await line.received(piece.count, to: count)
        }
        let durable = part.durable
        if durable > noted {
          noted = durable
          _ = await line.note { $0.offset = durable }
        }
      }
      try await part.settle()
      return entry
    } catch {
      // What has come is kept, where the disk takes it.
      try? await part.settle()
      if error.kind == .conflict { return nil }
      if let durable = try? await part.flush() { record = await line.note { $0.offset = durable } }
      throw error
    }
  }

  /// Compares, and gives the file its name; nil when what has come is something else.
  private mutating func name(_ entry: FileEntry) async throws(StoreError) -> TransferResult? {
    try await line.enter(.verify)
    let (size, hash) = try await part.sum()
    guard entry.size == nil || entry.size == size, entry.contentHash == nil || entry.contentHash == hash else {
      try await line.enter(.goOn)
      // A line may have spoilt it: once more from the start, before that is a failure.
      guard record.error?.kind != .corrupt else { throw corrupt }
      let error = StoreError(
        .corrupt, "The received part of \"\(record.order.name)\" differs from the store's. The download begins again.",
        path: record.path)
      record = await line.note { $0.error = error }
      return nil
    }
    try await part.seal()
    try await line.enter(.finish)
    let goal = Array(record.path.name)
    for number in 1...10_000 {
      let candidate = number == 1 ? goal : FileName.numbered(goal, number, limit: PartDisk.maxNameBytes)
      let place = (folder.hasSuffix("/") ? folder : folder + "/") + String(decoding: candidate, as: UTF8.self)
      // A name that was asked for before a crash comes first: the file may have it.
      if number == 1, let before = record.place, before != place, try await part.publish(as: record.placeName) {
        return TransferResult(entry: entry, place: before)
      }
      record = try await line.keep { record in
        (record.place, record.contentHash, record.offset, record.total) = (place, hash, size, size)
      }
      if try await part.publish(as: candidate) { return TransferResult(entry: entry, place: place) }
    }
    throw StoreError(.exists, "Every name for \"\(record.order.name)\" is taken in \"\(folder)\".")
  }

  private var corrupt: StoreError {
    StoreError(
      .corrupt, "The received part of \"\(record.order.name)\" differs from the store's.",
      remedy: "Download it again.",
      path: record.path)
  }

  private var restless: StoreError {
    record.error
      ?? StoreError(
        .conflict, "\"\(record.path)\" kept changing during the download.",
        remedy: "Try again later.", path: record.path)
  }
}

extension TransferRecord {
  /// The name that the file was to get, as the folder has it.
  var placeName: [UInt8] {
    let goal = Array(path.name)
    guard let place else { return goal }
    for number in 1...10_000 {
      let candidate = number == 1 ? goal : FileName.numbered(goal, number, limit: PartDisk.maxNameBytes)
      if place.hasSuffix("/" + String(decoding: candidate, as: UTF8.self)) { return candidate }
    }
    return goal
  }

  /// The entry of a download whose part is gone because it had got its name; nil when it had not.
  func published(_ part: DownloadPart) async throws(StoreError) -> FileEntry? {
    guard place != nil, let contentHash, let total, try await !part.exists(),
      let (size, hash) = try await part.content(of: placeName), size == total, hash == contentHash
    else { return nil }
    return FileEntry(path: path, kind: .file, size: size, revision: revision, contentHash: hash)
  }
}
