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

  public var words: String {
    if isDamaged { return "damaged on the disk; it is not sent" }
    return switch kind {
    case .rename: "renamed from \"\(path)\""
    case .trash: "moved to the trash"
    case .restore: "brought back from the trash"
    }
  }
}

/// The outcome of a change of names.
enum SentChange: Sendable {
  case entry(FileEntry)
  case trashed(TrashedFile)
  /// The file is gone already, as the member wanted.
  case gone
}

/// Renames, moves to the trash and restorations: durable first, then sent in the order of the member's decisions.
extension LocalCopy {
  /// The changes of names that wait to be sent, oldest first, damaged ones last.
  public func waitingChanges() async -> [WaitingChange] {
    await load()
    await reloadWaiting()
    return state.withLock { ($0.waiting.changes + $0.damaged).map(WaitingChange.init) }
  }

  /// Drops a waiting change. The file is then as the store has it.
  public func drop(_ id: Int64) async throws(StoreError) {
    try await pool.run { [outbox] () throws(StoreError) in _ = try outbox.removeChange(id) }
    await reloadWaiting()
  }

  func rename(_ entry: FileEntry, to target: StorePath) async throws(StoreError) -> FileEntry {
    let path = entry.path
    if target != path, let taken = self.entry(at: target), !isCaseChange(path, target) {
      throw StoreError(
        .exists, "\"\(target)\" already exists.", remedy: "Choose another name.", path: target, current: taken)
    }
    await reloadWaiting()
    let waiting = state.withLock { $0.waiting.changes }
    if let earlier = SyncPlanner.takenBack(renaming: path, to: target, among: waiting) {
      try await drop(earlier.id)
      if let entry = self.entry(at: target) { return entry }
    }
    let record = record(.rename, entry, target: target)
    switch try await change(record) {
    case .entry(let entry)?: return entry
    case .trashed?, .gone?, nil: return self.entry(at: target) ?? entry.moved(to: target)
    }
  }

  private func isCaseChange(_ path: StorePath, _ target: StorePath) -> Bool {
    !store.limits.caseSensitive && path.description.lowercased() == target.description.lowercased()
  }

  func trash(_ entry: FileEntry, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
    let record = record(.trash, entry, base: ifRevision)
    let id = Mutex<Int64>(0)
    switch try await change(record, { number in id.withLock { $0 = number } }) {
    case .trashed(let file)?:
      remember(file)
      return file
    case .entry?, .gone?, nil:
      return TrashedFile(
        id: CopiedTrash.prefix + String(id.withLock { $0 }), origin: entry.path, discarded: record.created,
        size: entry.size ?? 0)
    }
  }

  private func remember(_ file: TrashedFile) {
    state.withLock { state in
      state.trashed.append(file)
      if state.trashed.count > 1000 { state.trashed.removeFirst() }
    }
  }

  func waitingInTrash() -> [TrashedFile] {
    state.withLock { $0.waiting.changes }.filter { $0.kind == .trash }.reversed().map {
      TrashedFile(
        id: CopiedTrash.prefix + String($0.id), origin: $0.path, discarded: $0.created,
        size: UInt64(clamping: $0.size ?? 0))
    }
  }

  func restore(
    _ id: TrashedFile.ID, as path: StorePath?, _ base: any StoreTrash
  ) async throws(StoreError) -> FileEntry {
    if id.hasPrefix(CopiedTrash.prefix), let number = Int64(id.dropFirst(CopiedTrash.prefix.count)) {
      return try await takeBack(number, as: path, base)
    }
    guard isAway, let file = state.withLock({ $0.trashed.last { $0.id == id } }) else {
      let entry = try await base.restore(id, as: path)
      await learn(entry)
      return entry
    }
    let target = path ?? file.origin
    if let taken = entry(at: target) {
      throw StoreError(
        .exists, "\"\(target)\" already exists.", remedy: "Choose another name.", path: target, current: taken)
    }
    let entry = FileEntry(path: target, kind: .file, size: file.size, modified: file.discarded)
    let sent = try await change(record(.restore, entry, trashed: id))
    if case .entry(let entry)? = sent { return entry }
    return entry
  }

  /// Takes back a move to the trash that may wait still.
  private func takeBack(
    _ number: Int64, as path: StorePath?, _ base: any StoreTrash
  ) async throws(StoreError) -> FileEntry {
    await reloadWaiting()
    if let waiting = state.withLock({ $0.waiting.changes.first { $0.id == number } }) {
      try await drop(number)
      guard !waiting.isTried || entry(at: waiting.path) != nil, let entry = entry(at: waiting.path) else {
        throw LocalCopyStore.missing(waiting.path)
      }
      return path.map { $0 == entry.path } ?? true ? entry : try await rename(entry, to: path ?? entry.path)
    }
    // It was sent meanwhile: the newest file of that origin in the trash.
    guard let sent = state.withLock({ $0.sentTrash[number] }) else { throw LocalCopyStore.missing(path ?? .root) }
    return try await restore(sent, as: path, base)
  }

  private func record(
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
  private func change(
    _ record: ChangeRecord, _ numbered: (Int64) -> Void = { _ in }
  ) async throws(StoreError) -> SentChange? {
    let id = try await pool.run { [outbox] () throws(StoreError) in try outbox.addChange(record) }
    numbered(id)
    await reloadWaiting()
    guard !isAway else { return nil }
    return try await send()[id]?.get()
  }

  /// Sends all waiting changes of names, in order, up to the first for which the store is away.
  /// - Returns: the outcomes, by number. A refused change is an error, and no longer waits.
  @discardableResult
  func send() async -> [Int64: Result<SentChange, StoreError>] {
    await lines.add("send") { [self] in
      await load()
      await reloadWaiting()
      var outcomes: [Int64: Result<SentChange, StoreError>] = [:]
      // Sending a change can alter those after it: a renamed file may have another revision.
      while let change = state.withLock({ state in state.waiting.changes.first { outcomes[$0.id] == nil } }) {
        if connection.state != .online {
          // A short request first: it shows that nothing of the change has arrived.
          await probe()
          guard connection.state == .online else { return outcomes }
        }
        guard let outcome = await send(change) else { return outcomes }
        outcomes[change.id] = outcome
      }
      return outcomes
    }.value
  }

  /// Sends all waiting changes of names.
  /// - Returns: a sentence about each change that can never be sent.
  public func sendNames() async -> [StoreError] {
    await send().sorted { $0.key < $1.key }.compactMap { if case .failure(let error) = $0.value { error } else { nil } }
  }

  /// Sends the changes before a write to a path that they concern.
  /// - Throws: the error of a store that is away.
  func settle(_ path: StorePath) async throws(StoreError) {
    func isConcerned() -> Bool {
      state.withLock { $0.waiting.changes.contains { $0.path == path || $0.target == path } }
    }
    guard isConcerned() else { return }
    let refusals = await sendNames()
    state.withLock { $0.refusals += refusals }
    guard isConcerned() else { return }
    if case .offline(_, let error) = connection.state { throw error }
    throw StoreError(
      .offline, "The name of \"\(path)\" waits to be sent, so its text waits, too.", remedy: "Try again in a moment.",
      path: path)
  }

  /// Reasons of changes that could not be sent, since the last call.
  public func takeRefusals() -> [StoreError] {
    state.withLock { state in
      defer { state.refusals = [] }
      return state.refusals
    }
  }

  /// Sends one change. Returns nil if it waits.
  private func send(_ change: ChangeRecord) async -> Result<SentChange, StoreError>? {
    do throws(StoreError) {
      if !change.isTried {
        try await pool.run { [outbox] () throws(StoreError) in try outbox.markTried(change.id) }
      }
    } catch {
      onFailure(error)
      return nil
    }
    do throws(StoreError) {
      let sent = try await request(change)
      await finish(change, sent)
      return .success(sent)
    } catch {
      let atTarget = await target(of: change, after: error)
      switch SyncPlanner.verdict(of: change, failedWith: error.kind, atTarget: atTarget, wasTried: change.isTried) {
      case .waits: return nil
      case .done:
        let sent = atTarget.map { SentChange.entry($0) } ?? .gone
        await finish(change, sent)
        return .success(sent)
      case .refused:
        await refuse(change)
        return .failure(LocalCopy.refusal(of: change, error))
      }
    }
  }

  private func request(_ change: ChangeRecord) async throws(StoreError) -> SentChange {
    switch change.kind {
    case .rename:
      guard let target = change.target else { throw LocalCopyStore.missing(change.path) }
      return .entry(try await direct.move(change.path, to: target, ifRevision: nil))
    case .trash:
      guard let trash = direct.capabilities.trash else {
        throw StoreError(
          .unsupported, "The store of this club has no trash.",
          remedy: "To delete the file for good, use another program.")
      }
      return .trashed(try await trash.discard(change.path, ifRevision: change.base))
    case .restore:
      guard let trash = direct.capabilities.trash, let id = change.trashed else {
        throw LocalCopyStore.missing(change.path)
      }
      return .entry(try await trash.restore(id, as: change.path))
    }
  }

  /// The file at the path to which a failed change leads.
  private func target(of change: ChangeRecord, after error: StoreError) async -> FileEntry? {
    guard [.notFound, .exists].contains(error.kind), change.kind != .trash else { return nil }
    do throws(StoreError) {
      return try await direct.entry(at: change.target ?? change.path)
    } catch {
      return nil
    }
  }

  private func finish(_ change: ChangeRecord, _ sent: SentChange) async {
    await moveText(change, sent)
    switch sent {
    case .entry(let entry):
      if change.kind == .rename { await lose(change.path) }
      await learn(entry)
    case .trashed(let file):
      remember(file)
      state.withLock { $0.sentTrash[change.id] = file.id }
      await lose(change.path)
    case .gone: await lose(change.path)
    }
    do throws(StoreError) {
      if case .entry(let entry) = sent, let revision = entry.revision, revision != change.base {
        try await pool.run { [outbox, club] () throws(StoreError) in
          try outbox.rebaseChanges(of: entry.path, club: club, from: change.base, to: revision)
        }
      }
      try await drop(change.id)
    } catch {
      // The next try finds that the store has it.
      onFailure(error)
    }
  }

  /// A renamed note keeps its text in the copy.
  private func moveText(_ change: ChangeRecord, _ sent: SentChange) async {
    guard change.kind == .rename, case .entry(let entry) = sent, entry.revision != nil,
      let hash = change.baseHash, entry.contentHash?.hex == hash
    else { return }
    let (club, database) = (club, database)
    do throws(StoreError) {
      let text = try await pool.run { () throws(StoreError) in try database.copiedText(of: change.path, club: club) }
      if let text, text.revision == change.base { await keep([(entry, text.text)]) }
    } catch {
      onFailure(error)
    }
  }

  private func refuse(_ change: ChangeRecord) async {
    do throws(StoreError) {
      try await pool.run { [outbox, club] () throws(StoreError) in
        // The texts that wait under the new name belong to the old one again.
        if change.kind == .rename, let target = change.target {
          try outbox.renamed(target, to: change.path, club: club)
        }
      }
      try await drop(change.id)
    } catch {
      onFailure(error)
    }
  }

  private static func refusal(of change: ChangeRecord, _ error: StoreError) -> StoreError {
    let (message, remedy): (String, String) =
      switch (change.kind, error.kind) {
      case (.rename, .notFound):
        (
          "\"\(change.path)\" was not renamed to \"\(change.shownTarget)\": someone else has renamed or deleted it.",
          "Refresh the list to see what there is."
        )
      case (.rename, .exists):
        (
          "\"\(change.path)\" keeps its name: someone else has made \"\(change.shownTarget)\" meanwhile.",
          "Choose another name."
        )
      case (.trash, .conflict):
        (
          "\"\(change.path)\" stays in the club: someone else has changed it meanwhile.",
          "Look at it, then move it to the trash again."
        )
      case (.restore, .notFound): ("\"\(change.path)\" is not back: the trash no longer has it.", "")
      case (.restore, .exists):
        (
          "\"\(change.path)\" is not back: someone else has made another file of that name.",
          "Restore it under another name."
        )
      default: (error.message, error.remedy)
      }
    return StoreError(error.kind, message, remedy: remedy, path: change.path, current: error.current)
  }
}

extension ChangeRecord {
  fileprivate var shownTarget: String { "\(target ?? path)" }
}
