import Basics
import Database
public import FileStores
import Synchronization

/// Texts that exist nowhere else, and their ways when the store does not take them.
///
/// A text waits, and byteclub sends it later, if the store could not take it now or the member was not signed in. A text
/// becomes a draft if a condition refused it or the store can never hold it: only the member sends a draft.
extension NotesService {
  /// True if a text with this error becomes a draft. A server that does not know a call may be another one for the moment,
  /// as the sign-in page of a network.
  public static func becomesDraft(_ error: StoreError) -> Bool {
    [.badName, .badInput, .tooLarge, .conflict, .exists].contains(error.kind)
  }

  /// True if no account is known, so that every kept text is a draft.
  public var keepsDraftsOnly: Bool { club.isNobodys }

  /// Keeps a text that was not sent, for this reason: to be sent later, or as a draft.
  /// - Throws: errors of the outbox.
  public func keep(
    _ text: [UInt8], for path: StorePath, base: Revision?, isAddition: Bool = false, after error: StoreError
  ) async throws(StoreError) {
    let id = try await postpone(text, for: path, base: base, isAddition: isAddition)
    if NotesService.becomesDraft(error) || keepsDraftsOnly { try await keepAsDraft(id) }
  }

  /// Drops the text that a script put earlier over the same revision, because a newer text is in the club now. It stays
  /// in the list of dropped texts for a while. A failure is reported; the old text then stays, too.
  public func dropReplaced(_ path: StorePath, over base: Revision?) async {
    guard outbox.exists else { return }
    await pool.run(reporting: drafts.onFailure) { () throws(StoreError) in
      for save in try self.outbox.saves(club: self.club.key)
      where save.path == path && save.draft == nil && save.base == base && !save.isDamaged {
        guard let text = try self.outbox.text(ofSave: save.id), !text.isDamaged else { continue }
        try self.drafts.keepDropped(path, title: "", base: base, text: text.bytes)
        try self.outbox.removeSave(save.id)
      }
    }
  }

  /// Makes a draft of a waiting save. A missing save is no error.
  public func keepAsDraft(_ id: UnsentSave.ID) async throws(StoreError) {
    try await pool.run { () throws(StoreError) in
      guard let save = try self.outbox.save(id), let text = try self.outbox.text(ofSave: id) else { return }
      try self.makeDraft(of: save, text.bytes)
    }
  }

  /// The next save of this text takes it over, in one step.
  public func hold(_ text: HeldText?) { held.withLock { $0 = text } }

  /// Durable as a draft before the save goes. Blocks.
  func makeDraft(of save: SaveRecord, _ text: [UInt8]) throws(StoreError) {
    let hash = NotesService.isAddition(save.draft) ? nil : save.baseHash
    let base = try hash.flatMap { (hash) throws(StoreError) in try drafts.baseText(hash) } ?? []
    let revision = NotesService.isAddition(save.draft) ? nil : save.base
    try drafts.keep(text, for: save.path, over: (revision, base), club: save.club)
    try outbox.removeSave(save.id)
  }

  /// Makes drafts of saves that a command kept while no account was known. Blocks.
  func draftStrays() throws(StoreError) {
    guard let strays = club.strays else { return }
    let underway = underway.withLock { $0 }
    for save in try outbox.saves(club: strays)
    where !save.isDamaged && !underway.contains(save.id)
      && (save.owner == drafts.owner.word || !drafts.owner.isLive(save.owner))
    {
      guard let text = try outbox.text(ofSave: save.id), !text.isDamaged else { continue }
      try makeDraft(of: save, text.bytes)
    }
  }

  /// The seconds before the next try of a text that the store has refused so often.
  static func secondsBeforeRetry(refusals: Int) -> Int64 { min(900, 10 << Int64(min(max(0, refusals), 8))) }

  /// Notes the refusal of a save that waits. A missing network and a missing sign-in need no pause: their end is seen.
  /// Blocks.
  func noteRefusal(of save: SaveRecord, _ error: StoreError) throws(StoreError) {
    switch error.kind {
    case .offline, .notSignedIn, .cancelled: return
    default: break
    }
    let seconds = max(
      NotesService.secondsBeforeRetry(refusals: save.refusals), error.retryAfter?.components.seconds ?? 0)
    let due = now().seconds.addingReportingOverflow(seconds)
    try outbox.noteRefusal(
      of: save.id, error.kind.rawValue, due: Timestamp(seconds: due.overflow ? .max / 1_000_000_000 : due.partialValue))
  }

  /// The time until the first waiting save is tried again by itself, at most `longest`. One that was due already waits for
  /// something else, such as the network.
  public func pauseBeforeSending(longest: Duration) async -> Duration {
    do throws(StoreError) {
      let now = now()
      let due = try await pool.run { () throws(StoreError) in
        try self.outbox.saves(club: self.club.key).filter { !$0.isConflict }.compactMap(\.due).filter { $0 > now }.min()
      }
      guard let due else { return longest }
      return min(longest, max(.seconds(2), .seconds(due.seconds - now.seconds)))
    } catch {
      drafts.onFailure(error)
      return longest
    }
  }

  /// The note of a typed name in the local copy, without a request; nil if that has none.
  public func known(named name: String) async -> FileEntry? {
    guard let copy = club.copy else { return nil }
    await copy.load()
    do throws(StoreError) {
      return try NotesService.paths(named: name).lazy.compactMap { copy.entry(at: $0) }.first { $0.kind == .file }
    } catch {
      return nil
    }
  }
}
