import Database
public import FileStores
import Synchronization

extension NotesService {
  /// Makes a copy of a note for the member's own editor: mode 0600, in a directory of its own with mode 0700.
  public func beginEdit(_ path: StorePath) async throws(StoreError) -> EditSession {
    await sending.wait(for: path)
    let (bytes, entry) = try await readNote(path)
    return try await pool.run { () throws(StoreError) in
      try self.drafts.owner.take()
      let hash = SHA256.hexadecimal(of: bytes)
      let record = CopyRecord(
        id: DraftJournal.newID(), club: self.club.place, path: path, base: entry.revision, baseHash: hash,
        name: NotesService.copyName(of: path), savedHash: hash, owner: self.drafts.owner.word)
      let directory = try PrivateDirectory(making: self.editsDirectory).directory(record.id)
      try directory.write(bytes, as: record.name)
      try self.outbox.putCopy(record)
      return EditSession(directory: directory, record: record, entry: entry)
    }
  }

  /// Saves what the editor writes, each time it writes (in place or by renaming), and tells how it went. Returns when
  /// the task is cancelled; a save that is on its way is finished first.
  /// - Throws: `unsupported` when the directory cannot be watched; else what ended the watching. `endEdit` finds all
  ///   that was written.
  public func follow(
    _ session: EditSession, _ outcome: (SaveOutcome) async -> Void
  ) async throws(StoreError) {
    guard let feed = try folderAt(session.directory.path).changes else {
      throw StoreError(
        .unsupported, "byteclub cannot watch the copy \"\(session.copy)\".",
        remedy: "byteclub saves it when you close the editor.", path: session.path)
    }
    do throws(StoreError) {
      var cursor = try await feed.start()
      while !Task.isCancelled {
        if let result = try await look(session) { await outcome(result) }
        cursor = try await feed.wait(since: cursor).cursor
      }
    } catch {
      // Nobody follows any more, and `endEdit` may have removed the copy already.
      guard Task.isCancelled else { throw inCopy(error, session) }
    }
  }

  /// A last look at the copy, when the editor is closed. The copy is removed when the store has its text.
  /// - Returns: `saved`, also when nothing was changed; with `conflict` and `kept` the copy stays, and the error of
  ///   `kept` says where.
  /// - Throws: `notFound` when the copy is gone; else as `save`, saying where the copy is.
  public func endEdit(_ session: EditSession) async throws(StoreError) -> SaveOutcome {
    do throws(StoreError) {
      let result = await looking.add(session.copy) { () -> Result<SaveOutcome, StoreError> in
        do throws(StoreError) {
          return .success(try await self.lastLook(session))
        } catch {
          return .failure(error)
        }
      }.value
      let outcome = try result.get()
      guard case .kept(let id, let error) = outcome else { return outcome }
      return .kept(id, inCopy(error, session))
    } catch {
      throw error.kind == .notFound ? error : inCopy(error, session)
    }
  }

  /// Saves the copy's text when it is new; nil when it is not, or when the copy is not there just now.
  private func look(_ session: EditSession) async throws(StoreError) -> SaveOutcome? {
    guard await isAtRest(session) else { return nil }
    return try await looking.add(session.copy) { () -> Result<SaveOutcome?, StoreError> in
      do throws(StoreError) {
        guard let (text, isNew) = try await self.read(session), isNew else { return .success(nil) }
        return .success(try await self.save(session, text))
      } catch {
        return .failure(error)
      }
    }.value.get()
  }

  private func lastLook(_ session: EditSession) async throws(StoreError) -> SaveOutcome {
    guard let (text, isNew) = try await read(session) else {
      throw StoreError(
        .notFound, "The copy \"\(session.copy)\" is gone. \"\(session.path)\" has its last saved text.",
        remedy: "Edit it again.", path: session.path)
    }
    var outcome = SaveOutcome.saved(session.shared.state.withLock { $0.entry })
    if isNew {
      outcome = try await save(session, text)
    } else if let pending = session.shared.state.withLock({ $0.pending }) {
      // Not in the store yet. A save that is not waiting any more was settled meanwhile.
      if try await record(pending) != nil {
        outcome = await note(try await sendUnsent(pending), session, SHA256.hexadecimal(of: text))
      } else {
        outcome = .saved(try await store.entry(at: session.path))
      }
    }
    if case .saved = outcome {
      do throws(StoreError) {
        try await pool.run { () throws(StoreError) in
          try session.directory.removeAll()
          try self.outbox.removeCopy(session.shared.state.withLock { $0.record.id })
        }
      } catch {
        drafts.onFailure(error)
      }
    }
    return outcome
  }

  private func read(_ session: EditSession) async throws(StoreError) -> (text: [UInt8], isNew: Bool)? {
    try await pool.run { () throws(StoreError) in
      guard let text = try session.directory.read(session.name) else { return nil }
      return (text, SHA256.hexadecimal(of: text) != session.shared.state.withLock { $0.record.savedHash })
    }
  }

  private func save(_ session: EditSession, _ text: [UInt8]) async throws(StoreError) -> SaveOutcome {
    let (record, hash) = (session.shared.state.withLock { $0.record }, SHA256.hexadecimal(of: text))
    let outcome = try await save(
      session.path, base: record.base, baseHash: record.baseHash, text: text,
      draft: NotesService.draft(ofCopy: record.id)
    ).value.get()
    return await note(outcome, session, hash)
  }

  /// Remembers how a save of the copy ended; the text is safe in any case, in the store or in the outbox.
  private func note(_ outcome: SaveOutcome, _ session: EditSession, _ hash: String) async -> SaveOutcome {
    let record = session.shared.state.withLock { state in
      state.record.savedHash = hash
      switch outcome {
      case .saved(let entry):
        (state.entry, state.pending) = (entry, nil)
        (state.record.base, state.record.baseHash) = (entry.revision, hash)
      case .conflict(let conflict): state.pending = conflict.save
      case .kept(let id, _): state.pending = id
      case .deleted: state.pending = nil
      }
      return state.record
    }
    do throws(StoreError) {
      try await pool.run { () throws(StoreError) in try self.outbox.putCopy(record) }
    } catch {
      drafts.onFailure(error)
    }
    return outcome
  }

  /// An editor that writes in place empties the file first: waits until the file has stayed as it is for a moment.
  /// False when the task is cancelled, or the file is away (an editor that renames).
  private func isAtRest(_ session: EditSession) async -> Bool {
    var before: CopyToken?
    for _ in 0..<100 {
      guard let token = await pool.run({ CopyToken(session.copy) }) else { return false }
      if token == before { return true }
      before = token
      do {
        try await Task.sleep(for: .milliseconds(token.isEmpty ? 300 : 40))
      } catch {
        return false
      }
    }
    return true
  }

  private func inCopy(_ error: StoreError, _ session: EditSession) -> StoreError {
    StoreError(
      error.kind, error.message, remedy: "\(error.remedy) Your text is kept in \"\(session.copy)\".", path: error.path,
      retryAfter: error.retryAfter, current: error.current)
  }

  /// The note's own name, so that the editor knows its kind; another one where no program could be given it as text.
  private static func copyName(of path: StorePath) -> String {
    let name = String(decoding: path.name, as: UTF8.self)
    let isPlain = Array(name.utf8) == Array(path.name) && name.utf8.count <= 200
    return isPlain && !name.unicodeScalars.contains { $0.properties.generalCategory == .control } ? name : "note.txt"
  }
}
