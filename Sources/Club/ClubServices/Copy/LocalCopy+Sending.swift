internal import Basics
internal import Database
public import FileStores
internal import Synchronization

/// The outcome of a change of names.
enum SentChange: Sendable {
  case entry(FileEntry)
  case trashed(TrashedFile)
  /// The file is gone already, as the member wanted.
  case gone
}

/// The ends of the changes of names that were sent.
struct SentChanges: Sendable {
  /// By number. A refused change is an error, and no longer waits.
  var outcomes: [Int64: Result<SentChange, StoreError>] = [:]
  /// Those that the store has now.
  var done: [WaitingChange] = []
  /// A sentence about each file that has not got the name that the member sees.
  var refusals: [StoreError] = []
}

/// Sends the changes of names that wait, in the order of the member's decisions.
extension LocalCopy {
  /// Sends all waiting changes of names, in order, up to the first for which the store is away. Cancelling ends the wait, not
  /// the sending.
  @discardableResult
  func send() async -> SentChanges {
    let sending = lines.add("send") { [self] in
      await load()
      await reloadWaiting()
      var sent = SentChanges()
      var known = 0
      while true {
        // The end of a change can alter those after it.
        guard let change = state.withLock({ state in state.waiting.changes.first { sent.outcomes[$0.id] == nil } })
        else {
          // Another byteclub may have added some meanwhile.
          guard known < sent.outcomes.count else { return sent }
          known = sent.outcomes.count
          await reloadWaiting()
          continue
        }
        if connection.state != .online {
          // A short request first: it shows that nothing of the change has arrived.
          await probe()
          guard connection.state == .online else { return sent }
        }
        guard await send(change, &sent) else { return sent }
      }
    }
    return await sending.valueUnlessCancelled(on: pool.tasks) ?? SentChanges()
  }

  /// Sends all waiting changes of names, and reports each that the store has then.
  /// - Returns: a sentence about each that can never be sent.
  public func sendNames(_ tell: (WaitingChange) -> Void = { _ in }) async -> [StoreError] {
    let sent = await send()
    for change in sent.done { tell(change) }
    return sent.refusals
  }

  /// Sends the changes before a write to a path that they concern.
  /// - Throws: the error of a store that is away.
  func settle(_ path: StorePath) async throws(StoreError) {
    func isConcerned() -> Bool {
      state.withLock { state in
        state.waiting.changes.contains { change in
          change.path == path || change.target == path || change.takes(path) != nil || change.source(of: path) != nil
        }
      }
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

  /// Sends one change. Returns false if it waits, and those after it.
  private func send(_ known: ChangeRecord, _ sent: inout SentChanges) async -> Bool {
    do throws(StoreError) {
      guard let change = try await pool.run({ [outbox] () throws(StoreError) in try outbox.markTried(known) }) else {
        // Another byteclub has dropped or altered it meanwhile: nothing goes out from memory.
        try await changeNames { _ in (ChangesPlan(), ()) }
        return true
      }
      let since = storePlace
      let answer: SentChange
      var newSource: FileEntry?
      do throws(StoreError) {
        answer = try await request(change)
      } catch {
        // Without an answer about the target nothing is known, and the change waits.
        guard let found = await target(of: change, after: error) else { return false }
        switch SyncPlanner.verdict(of: change, failedWith: error.kind, atTarget: found.file, wasTried: change.isTried) {
        case .waits: return false
        case .refused: return try await refuse(change, error, &sent)
        case .done:
          answer = found.file.map { .entry(change.kind == .moveFolder ? change.folder : $0) } ?? .gone
          if change.kind == .rename, error.kind != .notFound {
            // Someone has made another file at the old path since the rename arrived.
            guard let source = await source(of: change) else { return false }
            // The same file is still there: the one at the target only looks like it.
            if error.kind == .notPermitted, let file = source.file, SyncPlanner.isSame(change, file) {
              return try await refuse(change, error, &sent)
            }
            newSource = source.file
          }
        }
      }
      sent.outcomes[change.id] = .success(answer)
      try await finish(change, answer, newSource: newSource, since: since)
      sent.done.append(WaitingChange(change))
      return true
    } catch {
      // The outbox cannot be written: what comes after this change must not go out before it has left. The next try finds
      // what the store has.
      onFailure(error)
      return false
    }
  }

  private func request(_ change: ChangeRecord) async throws(StoreError) -> SentChange {
    switch change.kind {
    case .rename, .moveFolder:
      guard let target = change.target else { throw LocalCopyStore.missing(change.path) }
      try await look(before: change)
      return .entry(try await move(change, to: target))
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

  /// A path that the store was asked about.
  struct Look {
    /// nil if the store has no file there.
    var file: FileEntry?
  }

  /// The path to which a failed change leads, as far as it matters; nil if the store does not answer.
  private func target(of change: ChangeRecord, after error: StoreError) async -> Look? {
    // A server whose certificate is not trusted, or that permits nothing at all, has not judged the change.
    let isJudged = change.kind == .trash ? [] : [StoreError.Kind.notFound, .exists, .conflict]
    guard error.kind == .notPermitted || isJudged.contains(error.kind) else { return Look() }
    if change.kind == .moveFolder {
      // Another member may have made a folder of either name: a file of this one shows where it is.
      guard let stays = await sample(of: change, in: change.path), stays.file == nil else { return Look() }
      return await sample(of: change, in: change.target ?? change.path)
    }
    return await look(at: change.target ?? change.path)
  }

  /// The old path of a rename; nil if the store does not answer. A store without case has the file under its new name
  /// there, which is none.
  func source(of change: ChangeRecord) async -> Look? {
    guard let look = await look(at: change.path) else { return nil }
    return look.file?.path == change.path ? look : Look()
  }

  /// - Returns: nil if the store does not answer.
  private func look(at path: StorePath) async -> Look? {
    do throws(StoreError) {
      return Look(file: try await direct.entry(at: path))
    } catch {
      return SyncPlanner.isForNow(error.kind) ? nil : Look()
    }
  }

  /// The file in a folder that is the sample of a folder's change.
  private func sample(of change: ChangeRecord, in folder: StorePath) async -> Look? {
    guard let files = await files(in: folder) else { return nil }
    let hasSample = change.baseHash != nil || change.size != nil
    return Look(file: hasSample ? files.first { SyncPlanner.isSame(change, $0) } : nil)
  }

  /// All that the store has in a folder, and the folder; nil if it does not answer.
  func files(in folder: StorePath) async -> [FileEntry]? {
    do throws(StoreError) {
      return try await direct.contents(of: folder) + [FileEntry(path: folder, kind: .folder)]
    } catch {
      return SyncPlanner.isForNow(error.kind) ? nil : []
    }
  }

  /// The end of a folder's move, as `finish`. Its files are as the store lists them now; if it cannot, their revisions are
  /// unknown, and so are those that others have brought or taken: the next refresh lists everything anew.
  private func finish(folder change: ChangeRecord) async throws(StoreError) {
    guard let target = change.target else { return }
    let (base, before) = state.withLock { ($0.base.entries, $0.head?.cursor) }
    let known = base.filter { change.takes($0.path) != nil }
    let moved = known.compactMap { entry in change.takes(entry.path).map { entry.moved(to: $0) } }
    // The folder is in its own list, so that an empty one is no answer about the files.
    let now = await files(in: target).flatMap { $0.isEmpty ? nil : $0 }
    // Where letter case does not count, the new folder answers to the old name, too.
    let left = await isCaseChange(change.path, target) ? [] : files(in: change.path)
    let there = now ?? moved
    await moveTexts(of: known, with: change, now: there)
    state.withLock { $0.written.take(there, movedFrom: moved) }
    let present = (there + (left ?? [])).filter { isListed($0.path) }
    let kept = Set(present.map(\.path))
    // Without a list, files at the new place that the store's changes have told of stay.
    let all = now == nil ? known : known + base.filter { change.source(of: $0.path) != nil }
    let lost = all.map(\.path).filter { !kept.contains($0) }
    try await changeNames(
      CopyPlan(
        files: SyncPlanner.Plan(present: present, lost: lost),
        doubtful: now == nil ? Set(moved.filter { $0.kind == .file }.map(\.path)) : []),
      listedAfter: now == nil || left == nil ? LocalCopy.lostCursor : before ?? LocalCopy.lostCursor
    ) { waiting in
      (SyncPlanner.finished(change, now: there, among: waiting), ())
    }
  }

  /// The notes of a moved folder keep their texts in the copy.
  private func moveTexts(of known: [FileEntry], with change: ChangeRecord, now: [FileEntry]) async {
    let kept = await textsKept()
    let there = Dictionary(now.map { ($0.path, $0) }) { _, last in last }
    let moves = known.compactMap { entry -> MovedText? in
      guard let target = change.takes(entry.path), let revision = kept[entry.path], let file = there[target] else {
        return nil
      }
      let isSame = revision == entry.revision && entry.contentHash != nil && entry.contentHash == file.contentHash
      return MovedText(path: entry.path, target: target, revision: isSame ? file.revision ?? revision : revision)
    }
    guard !moves.isEmpty else { return }
    await lines.add("persist") { [self] in
      do throws(StoreError) {
        try await pool.run { [database, club] () throws(StoreError) in try database.move(moves, club: club) }
        state.withLock { state in for move in moves { state.texts?.move(move) } }
      } catch {
        onFailure(error)
      }
    }.value
  }

  /// The file's new place and the end of its waiting change are one step: readers of changes never miss the file.
  private func finish(
    _ change: ChangeRecord, _ sent: SentChange, newSource: FileEntry?, since: CopyPlace?
  ) async throws(StoreError) {
    if change.kind == .moveFolder { return try await finish(folder: change) }
    await moveText(change, sent)
    var (entry, present, lost): (FileEntry?, [FileEntry], [StorePath]) = (nil, [], [change.path])
    switch sent {
    case .entry(let new):
      (entry, present) = (new, isListed(new.path) ? [new] : [])
      if change.kind == .restore {
        lost = []
        if let id = change.trashed { await forgetTrashed(id) }
      } else if let newSource {
        (present, lost) = (present + [newSource], [])
      }
    case .trashed(let file):
      await remember(file)
      state.withLock { $0.sentTrash[change.id] = file.id }
    case .gone: break
    }
    try await end(change, as: entry, CopyPlan(files: SyncPlanner.Plan(present: present, lost: lost), since: since))
  }

  /// A renamed note keeps its text in the copy.
  private func moveText(_ change: ChangeRecord, _ sent: SentChange) async {
    guard change.kind == .rename, case .entry(let entry) = sent, entry.revision != nil,
      let hash = change.baseHash, entry.contentHash?.hex == hash
    else { return }
    let (club, database) = (club, database)
    do throws(StoreError) {
      let text = try await pool.run { () throws(StoreError) in try database.copiedText(of: change.path, club: club) }
      if let text, text.revision == change.base { await keep([(entry, text.text)])?.value }
    } catch {
      onFailure(error)
    }
  }

  /// The change and those that cannot be made without it no longer wait; texts go back to the names of their files.
  /// - Returns: false if it still waits.
  private func refuse(
    _ change: ChangeRecord, _ error: StoreError, _ sent: inout SentChanges
  ) async throws(StoreError) -> Bool {
    var isGone = error.kind == .notFound || change.isRename && error.kind == .conflict
    if change.isTried, !isGone, change.kind == .rename {
      // An earlier request may have arrived, and the file at the old path be another.
      guard let source = await source(of: change) else { return false }
      isGone = source.file.map { !SyncPlanner.isSame(change, $0) } ?? true
    } else if change.isTried, !isGone, change.kind == .moveFolder {
      guard let stays = await sample(of: change, in: change.path) else { return false }
      isGone = stays.file == nil
    }
    let refusal = try await changeNames { [isGone] waiting -> (plan: ChangesPlan, value: SyncPlanner.Refusal) in
      let refusal = SyncPlanner.without(change, isGone: isGone, among: waiting)
      return (refusal.changes, refusal)
    }
    let reason = LocalCopy.refusal(of: change, error)
    sent.outcomes[change.id] = .failure(reason)
    if refusal.isReported { sent.refusals.append(reason) }
    for dropped in refusal.dropped {
      let consequence = dropped.isReported ? LocalCopy.refusal(of: dropped) : reason
      sent.outcomes[dropped.change.id] = .failure(consequence)
      if dropped.isReported { sent.refusals.append(consequence) }
    }
    return true
  }

  private static func refusal(of dropped: SyncPlanner.Dropped) -> StoreError {
    if dropped.change.kind == .restore {
      return StoreError(
        .exists, "\"\(dropped.place)\" is not back: the file that had this name before keeps it.",
        remedy: "Restore it under another name.", path: dropped.place)
    }
    return StoreError(
      .exists,
      "\"\(dropped.place)\" keeps its name, because \"\(dropped.change.shownTarget)\" keeps its own.",
      remedy: "Choose another name.", path: dropped.place)
  }

  private static func refusal(of change: ChangeRecord, _ error: StoreError) -> StoreError {
    let (message, remedy): (String, String) =
      switch (change.kind, error.kind) {
      case (.rename, .conflict):
        (
          "\"\(change.path)\" was not renamed to \"\(change.shownTarget)\": it has changed since.",
          "Look at it, then rename it again."
        )
      case (.rename, .notFound), (.moveFolder, .notFound):
        (
          "\"\(change.path)\" was not renamed to \"\(change.shownTarget)\": someone else has renamed or deleted it.",
          "Refresh the list to see what there is."
        )
      case (.rename, .exists), (.moveFolder, .exists):
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
      case (.rename, .notPermitted), (.moveFolder, .notPermitted):
        ("\"\(change.path)\" keeps its name. \(error.message)", error.remedy)
      case (.trash, .notPermitted): ("\"\(change.path)\" stays in the club. \(error.message)", error.remedy)
      case (.restore, .notPermitted): ("\"\(change.path)\" is not back. \(error.message)", error.remedy)
      default: (error.message, error.remedy)
      }
    return StoreError(error.kind, message, remedy: remedy, path: change.path, current: error.current)
  }
}

extension ChangeRecord {
  fileprivate var shownTarget: String { "\(target ?? path)" }

  fileprivate var folder: FileEntry { FileEntry(path: target ?? path, kind: .folder) }
}
