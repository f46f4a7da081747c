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

  /// The paths at which the member sees the files of the waiting changes of a kind, or saw them.
  func waitingPaths(_ kind: ChangeRecord.Kind) -> Set<StorePath> {
    state.withLock { Set($0.waiting.changes.filter { $0.kind == kind }.map { WaitingChange($0).shown }) }
  }

  /// The file of a restoration that waits; nil without one. The file's move to the trash may have been sent since.
  func returning(_ id: TrashedFile.ID) -> FileEntry? {
    state.withLock { state in
      let id = CopiedTrash.number(id).flatMap { state.sentTrash[$0] } ?? id
      let change = state.waiting.changes.first { $0.kind == .restore && $0.trashed == id }
      return change.flatMap { state.waiting.entry(at: $0.path, base: state.base) }
    }
  }

  /// Reads the waiting changes of names again: another byteclub may have added or sent some. All who ask before a reading
  /// begins share it.
  func reloadWaiting() async {
    await readings.add(()) { take in
      lines.add("names") { [self] in
        _ = take()
        do throws(StoreError) {
          try await stepNow { [club] outbox throws(StoreError) in ((), try outbox.changes(club: club)) }
        } catch {
          onFailure(error)
        }
      }
    }.work.value
  }

  /// Changes the waiting changes, and with them the rest of a plan: first in the outbox, then in memory. The store's changes
  /// since `cursor`, from before the files were listed, are asked for again.
  func changeNames<Value: Sendable>(
    _ plan: CopyPlan = CopyPlan(), listedAfter cursor: ChangeCursor? = nil,
    _ decide: @escaping @Sendable ([ChangeRecord]) -> (plan: ChangesPlan, value: Value)
  ) async throws(StoreError) -> Value {
    try await lines.run("names") { [self] () throws(StoreError) in
      try await changeNow(plan, listedAfter: cursor, decide)
    }
  }

  /// As `changeNames`, in its line.
  private func changeNow<Value: Sendable>(
    _ plan: CopyPlan = CopyPlan(), listedAfter cursor: ChangeCursor? = nil,
    _ decide: @escaping @Sendable ([ChangeRecord]) -> (plan: ChangesPlan, value: Value)
  ) async throws(StoreError) -> Value {
    let (texts, value) = try await stepNow(plan, listedAfter: cursor) { [club] outbox throws(StoreError) in
      try outbox.decideChanges(club: club) { waiting in
        var (plan, value) = decide(waiting)
        plan.texts.files = Companion.following(plan.texts.files)
        return (plan, (plan.texts, value))
      }
    }
    if !texts.isEmpty { movedTexts.withLock { $0 }?(texts) }
    return value
  }

  /// The end of a change that the store has made. The others are read again only if it concerns one, or if another byteclub
  /// has added some.
  func end(_ change: ChangeRecord, as entry: FileEntry?, _ plan: CopyPlan) async throws(StoreError) {
    try await lines.run("names") { [self] () throws(StoreError) in
      let (isAlone, last) = state.withLock { state in
        (
          SyncPlanner.finished(change, as: entry, among: state.waiting.changes).changed.isEmpty,
          max(state.waiting.changes.last?.id ?? 0, state.damaged.last?.id ?? 0)
        )
      }
      let isEnded = try await pool.run { [outbox, club] () throws(StoreError) in
        guard isAlone else { return false }
        return try outbox.endChange(change.id, club: club, last: last)
      }
      guard !isEnded else {
        var plan = plan
        plan.ended = change.id
        apply { [plan] _ in plan }
        return
      }
      try await changeNow(plan) { waiting in (SyncPlanner.finished(change, as: entry, among: waiting), ()) }
    }
  }

  /// Calls `body` with the old and new paths of texts, whenever a note does not get the name that the member sees.
  func onMovedTexts(_ body: @escaping @Sendable (MovedNames) -> Void) {
    movedTexts.withLock { $0 = body }
  }

  /// One step about waiting changes, in their line: memory has its effect on the outbox before the next step begins.
  private func stepNow<Value: Sendable>(
    _ plan: CopyPlan = CopyPlan(), listedAfter cursor: ChangeCursor? = nil,
    _ body: @escaping @Sendable (OutboxDatabase) throws(StoreError) -> (value: Value, waiting: [ChangeRecord])
  ) async throws(StoreError) -> Value {
    let (value, waiting) = try await pool.run { [outbox] () throws(StoreError) in try body(outbox) }
    apply { state in
      var plan = plan
      plan.waiting = waiting
      plan.head = cursor == nil || state.head?.cursor == nil ? nil : state.head
      plan.head?.cursor = cursor
      plan.isSetBack = plan.head != nil && plan.head?.cursor != state.head?.cursor
      return plan
    }
    return value
  }

  /// - Returns: the change's number.
  private func add(_ record: ChangeRecord) async throws(StoreError) -> Int64 {
    let (index, work) = added.add(record) { take in
      lines.add("names") { [self] in
        let records = take()
        return await .catching { () throws(StoreError) in
          try await stepNow { [club] outbox throws(StoreError) in try outbox.addChanges(records, club: club) }
        }
      }
    }
    return try await work.value.get()[index]
  }

  /// Drops a waiting change. The file is then as the store has it, or as later changes of the same file make it.
  public func drop(_ id: Int64) async throws(StoreError) {
    let work = dropped.add(id) { take in
      lines.add("names") { [self] in
        await .catching { () throws(StoreError) in
          var rest = take()
          while !rest.isEmpty {
            rest = try await changeNow { [rest] waiting in SyncPlanner.dropping(rest, among: waiting) }
          }
        }
      }
    }.work
    try await work.value.get()
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
