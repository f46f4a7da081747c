internal import Basics
public import Database
public import FileStores
internal import Synchronization

/// A change of names that waits, and the sentence for a list.
public struct WaitingChange: Sendable, Hashable, Identifiable {
  public let id: Int64
  public let kind: ChangeRecord.Kind
  public let path: StorePath
  public let target: StorePath?
  public let created: Timestamp
  public let isDamaged: Bool

  init(_ record: ChangeRecord) {
    (id, kind, path, target) = (record.id, record.kind, record.path, record.target)
    (created, isDamaged) = (record.created, record.isDamaged)
  }

  /// The path at which the member sees the file, or saw it.
  public var shown: StorePath { target ?? path }

  /// `rename`, `removal` or `restoration`.
  public var noun: String {
    switch kind {
    case .rename, .moveFolder: "rename"
    case .trash: "removal"
    case .restore: "restoration"
    }
  }

  public var words: String {
    if isDamaged { return "damaged on the disk; it is not sent" }
    return switch kind {
    case .rename, .moveFolder: "renamed from \"\(path)\""
    case .trash: "moved to the trash"
    case .restore: "brought back from the trash"
    }
  }
}

/// Renames, moves to the trash and restorations: durable first, then sent in the order of the member's decisions.
extension LocalCopy {
  /// The changes of names that wait to be sent, oldest first, damaged ones last.
  public func waitingChanges() async -> [WaitingChange] {
    await load()
    await reloadWaiting()
    return state.withLock { ($0.waiting.changes + $0.damaged).map(WaitingChange.init) }
  }

  /// Reads the waiting changes of names again: another byteclub may have added or sent some.
  func reloadWaiting() async {
    do throws(StoreError) {
      try await namesStep { [club] outbox throws(StoreError) in ((), try outbox.changes(club: club)) }
    } catch {
      onFailure(error)
    }
  }

  /// Changes the waiting changes, and with them the files: first in the outbox, then in memory. The store's changes since
  /// `cursor`, from before the files were listed, are asked for again.
  func changeNames<Value: Sendable>(
    files: SyncPlanner.Plan = SyncPlanner.Plan(), doubtful: Set<StorePath> = [],
    listedAfter cursor: ChangeCursor? = nil,
    _ decide: @escaping @Sendable ([ChangeRecord]) -> (plan: ChangesPlan, value: Value)
  ) async throws(StoreError) -> Value {
    let (texts, value) = try await namesStep(files: files, doubtful: doubtful, cursor) {
      [club] outbox throws(StoreError) in
      try outbox.decideChanges(club: club) { waiting in
        var (plan, value) = decide(waiting)
        plan.texts.files = Companion.following(plan.texts.files)
        return (plan, (plan.texts, value))
      }
    }
    if !texts.isEmpty { movedTexts.withLock { $0 }?(texts) }
    return value
  }

  /// Calls `body` with the old and new paths of texts, whenever a note does not get the name that the member sees.
  func onMovedTexts(_ body: @escaping @Sendable (MovedNames) -> Void) {
    movedTexts.withLock { $0 = body }
  }

  /// One step about waiting changes: memory has its effect on the outbox before the next step begins.
  private func namesStep<Value: Sendable>(
    files: SyncPlanner.Plan = SyncPlanner.Plan(), doubtful: Set<StorePath> = [], _ cursor: ChangeCursor? = nil,
    _ body: @escaping @Sendable (OutboxDatabase) throws(StoreError) -> (value: Value, waiting: [ChangeRecord])
  ) async throws(StoreError) -> Value {
    try await lines.run("names") { [self] () throws(StoreError) in
      try await stepNow(files: files, doubtful: doubtful, cursor, body)
    }
  }

  /// As `namesStep`, in its line.
  private func stepNow<Value: Sendable>(
    files: SyncPlanner.Plan = SyncPlanner.Plan(), doubtful: Set<StorePath> = [], _ cursor: ChangeCursor? = nil,
    _ body: @escaping @Sendable (OutboxDatabase) throws(StoreError) -> (value: Value, waiting: [ChangeRecord])
  ) async throws(StoreError) -> Value {
    let (value, waiting) = try await pool.run { [outbox] () throws(StoreError) in try body(outbox) }
    apply { state in
      var head = cursor == nil || state.head?.cursor == nil ? nil : state.head
      head?.cursor = cursor
      let isSetBack = head != nil && head?.cursor != state.head?.cursor
      return CopyPlan(files: files, head: head, isSetBack: isSetBack, waiting: waiting, doubtful: doubtful)
    }
    return value
  }

  /// New changes, which the next write of the outbox adds together: each write reads all that wait.
  struct Added: Sendable {
    var records: [ChangeRecord] = []
    var writing: Task<Result<[Int64], StoreError>, Never>?
  }

  /// - Returns: the change's number.
  private func add(_ record: ChangeRecord) async throws(StoreError) -> Int64 {
    let (index, writing) = added.withLock { added -> (Int, Task<Result<[Int64], StoreError>, Never>) in
      added.records.append(record)
      let writing = added.writing ?? lines.add("names") { [self] in await self.writeAdded() }
      added.writing = writing
      return (added.records.count - 1, writing)
    }
    return try await writing.value.get()[index]
  }

  private func writeAdded() async -> Result<[Int64], StoreError> {
    let records = added.withLock { added in
      defer { added = Added() }
      return added.records
    }
    return await .catching { () throws(StoreError) in
      try await self.stepNow { [club] outbox throws(StoreError) in
        try outbox.addChanges(records, club: club)
      }
    }
  }

  /// Drops a waiting change. The file is then as the store has it, or as later changes of the same file make it.
  public func drop(_ id: Int64) async throws(StoreError) {
    try await changeNames { waiting -> (plan: ChangesPlan, value: Void) in
      guard let change = waiting.first(where: { $0.id == id }) else { return (ChangesPlan(), ()) }
      // A tried rename may have arrived: then the file is not at its old place.
      return (SyncPlanner.without(change, isGone: change.isTried, among: waiting).changes, ())
    }
  }

  /// Renames a folder with all that is in it. The change waits as one, whatever the number of files.
  func move(folder: FileEntry, to target: StorePath) async throws(StoreError) -> FileEntry {
    let path = folder.path
    try Club.checkMove(of: path, to: target)
    try refuse(target, insteadOf: path)
    // Its files show later if it is the same folder, and one of them if a request has arrived.
    let all = try contents(of: path)
    let files = all.filter { $0.kind == .file }
    // Some stores have no hashes: there the size tells, as for a file.
    let sample = files.first { $0.contentHash != nil } ?? files.first { $0.size ?? 0 > 0 }
    let record = ChangeRecord(
      club: club, kind: .moveFolder, path: path, target: target, base: sample?.revision,
      baseHash: sample?.contentHash?.hex, size: sample?.size.map { Int64(clamping: $0) },
      sight: FolderSight(path, all), created: now())
    return try await rename(folder, by: record, to: target)
  }

  func rename(_ entry: FileEntry, to target: StorePath) async throws(StoreError) -> FileEntry {
    try refuse(target, insteadOf: entry.path)
    return try await rename(entry, by: record(.rename, entry, target: target), to: target)
  }

  private func refuse(_ target: StorePath, insteadOf path: StorePath) throws(StoreError) {
    guard target != path, let taken = entry(at: target), !isCaseChange(path, target) else { return }
    throw StoreError(
      .exists, "\"\(target)\" already exists.", remedy: "Choose another name.", path: target, current: taken)
  }

  private func rename(
    _ entry: FileEntry, by record: ChangeRecord, to target: StorePath
  ) async throws(StoreError) -> FileEntry {
    await reloadWaiting()
    let waiting = state.withLock { $0.waiting.changes }
    let earlier = SyncPlanner.takenBack(
      renaming: entry.path, to: target, isFolder: entry.kind == .folder, among: waiting)
    if let earlier {
      try await drop(earlier.id)
      if let entry = self.entry(at: target) { return entry }
    }
    switch try await change(record) {
    case .entry(let entry)?: return entry
    case .trashed?, .gone?, nil: return self.entry(at: target) ?? entry.moved(to: target)
    }
  }

  func isCaseChange(_ path: StorePath, _ target: StorePath) -> Bool {
    !store.limits.caseSensitive && path.description.lowercased() == target.description.lowercased()
  }

  func record(
    _ kind: ChangeRecord.Kind, _ entry: FileEntry, target: StorePath? = nil, trashed: String? = nil,
    base: Revision? = nil
  ) -> ChangeRecord {
    ChangeRecord(
      club: club, kind: kind, path: entry.path, target: target, trashed: trashed, base: base ?? entry.revision,
      baseHash: entry.contentHash?.hex, size: entry.size.map { Int64(clamping: $0) }, created: now())
  }

  /// Makes a change durable and sends it, after those before it.
  /// - Returns: nil if it waits.
  /// - Throws: the reason why it can never be sent.
  func change(
    _ record: ChangeRecord, _ numbered: (Int64) -> Void = { _ in }
  ) async throws(StoreError) -> SentChange? {
    let id = try await add(record)
    numbered(id)
    guard !isAway else { return nil }
    return try await send().outcomes[id]?.get()
  }
}

/// Folders as the member sees them.
extension LocalCopy {
  /// True if changes wait of files in a folder, or of a folder above it.
  func hasWaiting(in folder: StorePath) -> Bool {
    state.withLock { $0.waiting.changes }.contains { change in
      change.path.touches(folder) || change.target?.touches(folder) == true
    }
  }

  /// All that the copy has in a folder.
  /// - Throws: `notFound`.
  func contents(of folder: StorePath) throws(StoreError) -> [FileEntry] {
    let (all, there) = state.withLock { state in
      (
        state.waiting.local(state.base) { $0.relative(to: folder) != nil },
        state.waiting.entry(at: folder, base: state.base)
      )
    }
    guard there != nil || !all.isEmpty else { throw LocalCopyStore.missing(folder) }
    return all
  }
}
