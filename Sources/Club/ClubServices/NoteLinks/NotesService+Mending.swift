internal import Basics
import Database
public import FileStores
internal import Markdown
import Synchronization

/// The links that renames or moves have broken, and how each note would be mended.
public struct LinkMendPlan: Sendable {
  struct Note: Sendable {
    let path: StorePath
    /// The hash of the text that the edits fit.
    let hash: String
    let edits: [LinkEdit]
  }

  let notes: [Note]
  /// The moves that have broken them.
  public var moves: [PathMove] = []
  /// The files and folders to which the links would lead.
  var targets: [StorePath] = []
  /// True if a note with links to pictures has moved, and the photos are unknown: such links stay as they are.
  var lacksPhotos = false
  /// The number of notes that could not be read, such as those without a text on this machine.
  var unread = 0

  /// A sentence about links that may be broken all the same; nil if all were looked at.
  public var remark: String? {
    let photos = "Links to photos were not looked at: this machine does not have the list of photos."
    let notes =
      "\(unread == 1 ? "1 note" : "\(unread) notes") could not be read, so links in \(unread == 1 ? "it" : "them") stay."
    let remarks = (lacksPhotos ? [photos] : []) + (unread > 0 ? [notes] : [])
    return remarks.isEmpty ? nil : remarks.joined(separator: " ")
  }

  public var linkCount: Int { notes.reduce(0) { $0 + $1.edits.count } }
  public var noteCount: Int { notes.count }

  /// Asks for the member's agreement.
  public var question: String {
    "\(linkCount == 1 ? "1 link" : "\(linkCount) links") in \(noteCount == 1 ? "1 note points" : "\(noteCount) notes point") "
      + "here. Mend \(linkCount == 1 ? "it" : "them")?"
  }
}

/// A note whose links were mended.
public struct MendedNote: Sendable, Hashable {
  public let path: StorePath
  let hash: String
  /// They bring the links back.
  let inverse: [LinkEdit]
}

/// Notes that were mended or brought back, and those that were left as they are.
public struct MendOutcome: Sendable {
  public internal(set) var mended: [MendedNote] = []
  public internal(set) var entries: [FileEntry] = []
  /// The number of mended notes whose saves wait on this machine.
  public internal(set) var waiting = 0
  /// The reason why one of them waits, if the store has refused it.
  var refusal: StoreError?
  /// Changed since the links were counted.
  public internal(set) var changed: [StorePath] = []
  public internal(set) var failures: [StoreError] = []

  public var isWhole: Bool { changed.isEmpty && failures.isEmpty }

  /// "Mended links in 3 of 5 notes; changed meanwhile: a.md, b.md."
  public func sentence(_ verb: String) -> String {
    summary(verb) + ((failures.first ?? refusal).map { " \($0)" } ?? "")
  }

  /// The error of notes that were left as they are, with what became of the others; nil if there are none.
  public func error(_ verb: String) -> StoreError? {
    guard !isWhole else { return nil }
    guard let first = failures.first else {
      return StoreError(.conflict, summary(verb), remedy: "Correct the links in these notes.")
    }
    return StoreError(first.kind, "\(summary(verb)) \(first.message)", remedy: first.remedy, path: first.path)
  }

  private func summary(_ verb: String) -> String {
    let all = mended.count + changed.count + failures.count
    let notes = isWhole ? (all == 1 ? "1 note" : "\(all) notes") : "\(mended.count) of \(all) notes"
    let names = changed.prefix(3).map { "\($0)" }.joined(separator: ", ")
    let more = changed.count > 3 ? " and \(changed.count - 3) more" : ""
    let left = changed.isEmpty ? "" : "; changed meanwhile: \(names)\(more)"
    let which =
      waiting == all
      ? (all == 1 ? "it is" : "they are") : waiting == 1 ? "1 of them is" : "\(waiting) of them are"
    let end = refusal == nil ? "sent when the server answers" : "kept on this machine, not yet in the club"
    let unsent = waiting == 0 ? "" : "; \(which) \(end)"
    return "\(verb) links in \(notes)\(unsent)\(left)."
  }
}

extension NotesService {
  private static let mendsAtOnce = 4

  /// The paths of all files that links of notes may lead to.
  /// - Throws: the errors of a listing.
  public func linkPaths() async throws(StoreError) -> LinkPaths {
    var paths = Set(await saved { _ in true }.map(\.save.path))
    if club.notes.hasFolders {
      // The lists that the app has: of a club behind a network, those of the local copy, with the names that wait.
      for entry in try await allFiles(.names, known: true)
      where entry.kind == .file && !NotesService.isHidden(entry.path) {
        paths.insert(entry.path)
      }
      return LinkPaths(paths)
    }
    for entry in try await store.contents(of: .root, .names)
    where entry.kind == .file && !NotesService.isHidden(entry.path) {
      paths.insert(entry.path)
    }
    return LinkPaths(paths)
  }

  private static func isHidden(_ path: StorePath) -> Bool { path.components.contains { $0.first == UInt8(ascii: ".") } }

  /// Looks for the links that these moves, which have happened, have broken. Each note is read at most once for each name.
  /// - Throws: as a search of the notes; `offline` if only the notes at the top are known.
  public func linksToMend(after moves: [PathMove]) async throws(StoreError) -> LinkMendPlan {
    let paths = try await linkPaths()
    if copy?.lacksFolders == true {
      throw StoreError(
        .offline, "This machine knows only the notes at the top.",
        remedy: "When the server answers, correct them in the list of broken links.")
    }
    let lacksPhotos = copy.map { $0.isAway && !$0.has(.photos) } == true && !club.photosFolder.isRoot
    let moved = lacksPhotos ? moves.filter { $0.from.parent != $0.to.parent }.map(\.to) : []
    let pictures = Mutex(false)
    let mend = LinkMend(moves, among: paths)
    let found = Mutex<[StorePath: LinkMendPlan.Note]>([:])
    let look: @Sendable (StorePath, [UInt8]) -> Void = { path, text in
      guard !found.withLock({ $0[path] != nil }), MarkdownDocument.isMarkdown(named: path.name, beginning: text) else {
        return
      }
      if moved.contains(where: { path == $0 || path.relative(to: $0) != nil }),
        NoteLinks.all(in: text).contains(where: { NoteLinks.isPicture($0.words.path) })
      {
        pictures.withLock { $0 = true }
      }
      let edits = mend.edits(in: text, of: path)
      guard !edits.isEmpty else { return }
      let note = LinkMendPlan.Note(path: path, hash: text.hashed, edits: edits)
      found.withLock { $0[path] = note }
    }
    var unread = 0
    for word in NotesService.words(of: moves, paths) {
      unread = max(unread, try await texts(with: word, matched: { look($0.path, $1) }).failures.count)
    }
    // The own links of a note in another folder may not have the name.
    if moves.count == 1, let move = moves.first, move.from.parent != move.to.parent, paths.contains(move.to) {
      // A note that cannot be read stays as it is.
      let own = await Result.catching { () throws(StoreError) in try await newestText(move.to).bytes }
      if case .success(let text) = own { look(move.to, text) }
    }
    return LinkMendPlan(
      notes: found.withLock { $0.values.sorted { $0.path < $1.path } }, moves: moves,
      targets: moves.map(\.to).filter(paths.holds),
      lacksPhotos: pictures.withLock { $0 }, unread: unread)
  }

  /// The words to search for; notes without them have no link to mend. A link keeps the ASCII letters of a name, unless it
  /// writes them as codes (%57, &#87;): such a link is not found.
  private static func words(of moves: [PathMove], _ paths: LinkPaths) -> [String] {
    guard moves.count == 1, let move = moves.first, paths.contains(move.to) else { return ["["] }
    let old = word(of: move.from)
    // A link to another file of the new name may lead here now.
    let new = paths.hasTwin(of: move.to) ? word(of: move.to) : old
    return old == new ? [old] : [old, new]
  }

  /// The longest word of a name that a link to it has.
  public static func word(of path: StorePath) -> String {
    let words = MarkdownDocument.stem(of: path.name).split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    return words.max { $0.count < $1.count }.map(String.init) ?? "["
  }

  /// Mends the links of a plan: one save for each note, over the text that was read. A note that has changed stays as it is.
  /// - Throws: `conflict` if a file of the moves is no longer where the links would lead; the errors of a listing.
  public func mend(_ plan: LinkMendPlan) async throws(StoreError) -> MendOutcome {
    do throws(StoreError) {
      let paths = try await linkPaths()
      if let gone = plan.targets.first(where: { !paths.holds($0) }) {
        decide(plan.moves)
        throw StoreError(
          .conflict, "\"\(gone)\" is no longer there, so the links to it are as they were.",
          remedy: "The list of broken links has them.", path: gone)
      }
    } catch {
      // Without an answer the mends wait with their conditions.
      guard error.isTemporary else { throw error }
    }
    decide(plan.moves)
    return await rewrite(plan.notes.map { ($0.path, $0.hash, $0.edits) })
  }

  /// Brings the links of mended notes back.
  public func undo(_ mended: [MendedNote]) async -> MendOutcome {
    await rewrite(mended.map { ($0.path, $0.hash, $0.inverse) })
  }

  private func rewrite(_ notes: [(path: StorePath, hash: String, edits: [LinkEdit])]) async -> MendOutcome {
    let waiting = Dictionary(grouping: await saved { _ in true }.map(\.save), by: \.path)
    let results = await notes.results(atOnce: NotesService.mendsAtOnce) { note throws(StoreError) in
      try await self.rewrite(note.path, note.hash, note.edits, waiting[note.path] ?? [])
    }
    var outcome = MendOutcome()
    for (note, result) in zip(notes, results) {
      switch result {
      case .success(let (mended, sent)?):
        outcome.mended.append(mended)
        switch sent {
        case .success(let entry): outcome.entries.append(entry)
        case .failure(let error):
          outcome.waiting += 1
          if !error.isTemporary { outcome.refusal = error }
        }
      case .success(nil): outcome.changed.append(note.path)
      case .failure(let error) where error.kind == .notFound || error.kind == .conflict:
        outcome.changed.append(note.path)
      case .failure(let error): outcome.failures.append(error)
      }
    }
    return outcome
  }

  /// Nil, without a change, if the note has another text than the edits fit.
  private func rewrite(
    _ path: StorePath, _ hash: String, _ edits: [LinkEdit], _ waiting: [SaveRecord]
  ) async throws(StoreError) -> (MendedNote, Result<FileEntry, StoreError>)? {
    guard !waiting.contains(where: { $0.isConflict }) else { return nil }
    let (old, entry) = waiting.isEmpty ? try await readNote(path) : try await newestText(path)
    guard OpenNote.kind(of: old) == .text else {
      throw StoreError(
        .unsupported, "The links in \"\(path)\" are as they were: it is not UTF-8 text.", path: path)
    }
    guard old.hashed == hash, LinkEdit.fit(edits, old) else { return nil }
    let new = LinkEdit.apply(edits, to: old)
    let mended = MendedNote(path: path, hash: new.hashed, inverse: LinkEdit.inverse(of: edits, in: old))
    // A text that waited is a part of this save, and nowhere else from now on.
    let whole = waiting.last { !NotesService.isAddition($0.draft) }
    let saving = save(
      path, base: entry.revision, baseHash: old.hashed, text: new, draft: NotesService.mend(over: whole),
      isOnlyCopy: !waiting.isEmpty, waitsIfAway: true, over: copy == nil || whole != nil ? nil : old)
    switch try await saving.value.get() {
    case .saved(let entry): return (mended, .success(entry))
    case .merged(let merged): return (mended, .success(merged.entry))
    case .kept(_, let error): return (mended, .failure(error))
    // With a text that waited, the member decides about the conflict.
    case .conflict, .deleted: return nil
    }
  }

  private static let mendPrefix = "mend:"

  /// True for a text that nobody typed: it is merged as typed text is, and goes where it cannot be.
  static func isMend(_ draft: String?) -> Bool { draft?.hasPrefix(mendPrefix) == true }

  /// The draft of a mend. Over a text that waits it has what was typed there, or what a script put there.
  private static func mend(over waiting: SaveRecord?) -> String? {
    guard let waiting else { return mendPrefix + DraftJournal.newID() }
    guard let draft = waiting.draft else { return nil }
    return isMend(draft) ? mendPrefix + DraftJournal.newID() : NotesService.draft(ofCopy: DraftJournal.newID())
  }

  /// After its save, whose row keeps the text from a sweep. Without it the store's history may have the text. Blocks.
  func keepBase(_ text: [UInt8]) {
    do throws(StoreError) {
      try drafts.keepBase(text, as: text.hashed)
    } catch {
      drafts.onFailure(error)
    }
  }

  /// Removes a mend that met another change of the same place, or of the name.
  /// - Returns: the reason.
  func skipMend(_ save: SaveRecord, _ theirs: FileEntry?) async -> StoreError {
    await pool.run(reporting: drafts.onFailure) { () throws(StoreError) in try self.outbox.removeSave(save.id) }
    let why =
      if let theirs { "\(await writer(of: theirs).subject) changed \"\(save.path)\", too" } else {
        "\"\(save.path)\" is no longer in the club"
      }
    return StoreError(
      .conflict, "\(why), so its links were not mended.", remedy: "Correct them in the list of broken links.",
      path: save.path, current: theirs)
  }
}
