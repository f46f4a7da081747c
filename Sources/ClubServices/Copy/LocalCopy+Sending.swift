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

/// Sends the changes of names that wait, in the order of the member's decisions.
extension LocalCopy {
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
        await finish(change, sent, newSource: error.kind == .exists ? await source(of: change) : nil)
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

  /// The file that the store has at the old path of a rename that has arrived earlier: someone has made another there.
  private func source(of change: ChangeRecord) async -> FileEntry? {
    guard change.kind == .rename else { return nil }
    do throws(StoreError) {
      let entry = try await direct.entry(at: change.path)
      return entry.path == change.path ? entry : nil
    } catch {
      return nil
    }
  }

  private func finish(_ change: ChangeRecord, _ sent: SentChange, newSource: FileEntry? = nil) async {
    await moveText(change, sent)
    switch sent {
    case .entry(let entry) where change.kind == .rename:
      return await finish(change, renamed: entry, newSource: newSource)
    case .entry(let entry):
      await forgetTrashed { $0 == change.trashed }
      await learn(entry)
    case .trashed(let file):
      await remember(file)
      state.withLock { $0.sentTrash[change.id] = file.id }
      await lose(change.path)
    case .gone: await lose(change.path)
    }
    do throws(StoreError) {
      try await drop(change.id)
    } catch {
      // The next try finds that the store has it.
      onFailure(error)
    }
  }

  /// The file's new path and the end of its waiting change are one step: readers of changes never miss the file.
  private func finish(_ change: ChangeRecord, renamed entry: FileEntry, newSource: FileEntry?) async {
    let present = [entry] + (newSource.map { [$0] } ?? [])
    let lost = newSource == nil ? [change.path] : []
    do throws(StoreError) {
      let changes = try await pool.run { [outbox, club] () throws(StoreError) in
        if let revision = entry.revision, revision != change.base {
          try outbox.rebaseChanges(of: entry.path, club: club, from: change.base, to: revision)
        }
        try outbox.removeChange(change.id)
        return try outbox.changes(club: club)
      }
      state.withLock { state in
        state.base.change(present: present, lost: lost)
        state.held.subtract([change.path, entry.path])
        state.doubtful.remove(entry.path)
        let touched = WaitingNames.touched(from: state.waiting.changes, to: changes)
        state.take(changes)
        state.log.add(touched: touched + [change.path, entry.path])
        if let head = state.head { persist(head, present: present.map { ($0, false) }, lost: lost) }
      }
      wake()
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
      if let text, text.revision == change.base { await keep([(entry, text.text)])?.value }
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
