import Basics
import Database
public import FileStores
import Synchronization

extension NotesService {
  /// Makes a copy of a note for the member's own editor: mode 0600, in its own directory with mode 0700. A text of the
  /// member that the club does not have yet takes precedence. With `makesNew`, a missing note is empty, and the first save
  /// of the copy makes it.
  /// - Throws: `notFound` without `makesNew`; errors of reading the note and of writing the copy.
  public func beginEdit(_ path: StorePath, makesNew: Bool = false) async throws(StoreError) -> EditSession {
    await sending.wait(for: path)
    let (bytes, entry) = try await textToEdit(path, makesNew: makesNew)
    return try await pool.run { () throws(StoreError) in
      try self.drafts.owner.take()
      let hash = SHA256.hexadecimal(of: bytes)
      let record = CopyRecord(
        id: DraftJournal.newID(), club: self.club.key, path: path, base: entry.revision, baseHash: hash,
        name: NotesService.copyName(of: path), savedHash: hash, owner: self.drafts.owner.word)
      let directory = try PrivateDirectory(making: self.editsDirectory).directory(record.id)
      try directory.write(bytes, as: record.name)
      try self.outbox.putCopy(record) { () throws(StoreError) in try self.drafts.keepBase(bytes, as: hash) }
      return EditSession(directory: directory, record: record, entry: entry)
    }
  }

  private func textToEdit(
    _ path: StorePath, makesNew: Bool
  ) async throws(StoreError) -> (bytes: [UInt8], entry: FileEntry) {
    guard makesNew else { return try await newestText(path) }
    return try await ifThere { () throws(StoreError) in try await newestText(path) }
      ?? ([], FileEntry(path: path, kind: .file))
  }

  /// Saves the copy each time the editor writes it (in place or by renaming), until the task is cancelled; finishes a
  /// save in progress.
  /// - Throws: `unsupported` if the directory cannot be watched; otherwise the error that ended the watching. `endEdit`
  ///   still finds every change.
  public func follow(
    _ session: EditSession, _ outcome: (SaveOutcome) async -> Void
  ) async throws(StoreError) {
    guard let feed = try folderAt(session.directory.path).capabilities.changes else {
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
      // `endEdit` may already have removed the copy.
      guard Task.isCancelled else { throw inCopy(error, session) }
    }
  }

  /// Checks the copy a last time after the editor was closed. Removes the copy if the store has its text; one that the
  /// editor did not touch stays for a day.
  /// - Returns: `saved`, also without changes. With `conflict` and `kept` the copy stays; the error of `kept` names its
  ///   path.
  /// - Throws: `notFound` if the copy is gone; otherwise as `save`, naming the path of the copy.
  public func endEdit(_ session: EditSession) async throws(StoreError) -> SaveOutcome {
    do throws(StoreError) {
      let outcome = try await looking.run(session.copy) { () throws(StoreError) in try await self.lastLook(session) }
      guard case .kept(let id, let error) = outcome else { return outcome }
      return .kept(id, inCopy(error, session))
    } catch {
      throw error.kind == .notFound ? error : inCopy(error, session)
    }
  }

  private func look(_ session: EditSession) async throws(StoreError) -> SaveOutcome? {
    guard await isAtRest(session) else { return nil }
    return try await looking.run(session.copy) { () throws(StoreError) -> SaveOutcome? in
      guard let (text, isNew) = try await self.read(session), isNew else { return nil }
      return try await self.save(session, text)
    }
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
      // The store does not have the text yet. A save that no longer waits was settled meanwhile.
      if try await record(pending) != nil {
        outcome = await note(try await sendUnsent(pending), session, SHA256.hexadecimal(of: text))
      } else {
        outcome = .saved(try await store.entry(at: session.path))
      }
    }
    switch outcome {
    case .saved, .merged:
      await pool.run(reporting: drafts.onFailure) { () throws(StoreError) in
        if session.isUntouched { return try self.leave(session) }
        try session.directory.removeAll()
        try self.outbox.removeCopy(session.shared.state.withLock { $0.record.id })
      }
    default: break
    }
    return outcome
  }

  /// An editor that does not wait (`code`) has ended, and its window is still open. So an untouched copy stays for a day,
  /// and whichever process sees a new text in it saves it (`rescueCopies`).
  private func leave(_ session: EditSession) throws(StoreError) {
    try outbox.putCopy(
      session.shared.state.withLock { state in
        state.record.owner = NotesService.nobody
        return state.record
      })
  }

  static let nobody = ""
  static let leftSeconds: Int64 = 86_400

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

  private func note(_ outcome: SaveOutcome, _ session: EditSession, _ hash: String) async -> SaveOutcome {
    let record = session.shared.state.withLock { state in
      (state.record.savedHash, state.isTouched) = (hash, true)
      switch outcome {
      case .saved(let entry):
        (state.entry, state.pending) = (entry, nil)
        (state.record.base, state.record.baseHash) = (entry.revision, hash)
      case .merged(let merged):
        // The copy lacks the other change, so its next text is merged from the same base again.
        (state.entry, state.pending) = (merged.entry, nil)
      case .conflict(let conflict): state.pending = conflict.save
      case .kept(let id, _): state.pending = id
      case .deleted: state.pending = nil
      }
      return state.record
    }
    await pool.run(reporting: drafts.onFailure) { () throws(StoreError) in try self.outbox.putCopy(record) }
    return outcome
  }

  /// Waits until the file stops changing: an editor that writes in place empties it first. Returns false if cancelled,
  /// or if the file is missing, as during a rename.
  private func isAtRest(_ session: EditSession) async -> Bool {
    var before: CopyToken?
    for _ in 0..<100 {
      guard let token = await pool.run({ CopyToken(session.copy) }) else { return false }
      if token == before { return true }
      before = token
      do {
        try await clock.sleep(for: .milliseconds(token.isEmpty ? 300 : 40))
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

  /// The note's own name, from which the editor knows its type; "note.txt" if it is not plain text or too long.
  private static func copyName(of path: StorePath) -> String {
    let name = String(decoding: path.name, as: UTF8.self)
    let isPlain = Array(name.utf8) == Array(path.name) && name.utf8.count <= 200
    return isPlain && !name.unicodeScalars.contains { $0.properties.generalCategory == .control } ? name : "note.txt"
  }
}
