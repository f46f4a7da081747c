public import Basics
public import ClubServices
public import FileStores
internal import Markdown
internal import Synchronization
public import TextUI

/// Performs the effects of the notes' screen with the notes service.
public final class NotesPerformer: AnsweringPerformer {
  public typealias Effect = NotesEffect
  public typealias Action = NotesAction

  let service: NotesService
  let journal: DraftJournal
  let editor: @Sendable (String) -> ExternalProgram
  let clock: any Clock<Duration>
  let connection: StoreConnection?
  /// The record of seen notes; nil for no marks.
  let news: NewsService?
  private let day: DayNote
  private let keepPins: @Sendable ([StorePath]) async -> Void
  private let files: FileListPerformer
  let sessions = Mutex<[Int: Draft.ID]>([:])

  /// `editor` returns the program that edits a file. `connection` reports whether
  /// the club's store answers; `clock` measures the pauses before retries and rounds of sending. The details of many notes
  /// are read while no `input` comes.
  public init(
    service: NotesService, journal: DraftJournal, editor: @escaping @Sendable (String) -> ExternalProgram,
    desktop: any DesktopOpener, connection: StoreConnection? = nil, clock: any Clock<Duration> = TimerClock(),
    keep: @escaping @Sendable (ListChoice, String) async -> Void = { _, _ in }, news: NewsService? = nil,
    queryClock: @escaping @Sendable () -> QueryClock = { .local },
    day: DayNote = DayNote(), keepPins: @escaping @Sendable ([StorePath]) async -> Void = { _ in },
    input: InputTurns = InputTurns()
  ) {
    (self.clock, self.day, self.keepPins) = (clock, day, keepPins)
    self.connection = connection
    self.service = service
    self.journal = journal
    self.editor = editor
    self.news = news
    files = FileListPerformer(
      service: service, desktop: desktop,
      list: { (sender) async throws(StoreError) in try await service.list(news, input.rest(on: clock), sender) },
      search: { (words, sender) async throws(StoreError) in
        try await service.search(words, NoteQuery(words, queryClock()), sender)
      },
      pauseInTyping: {
        // The copy has an index of its texts; files of a folder are read, and the next letter ends that.
        if service.copy?.canSearch == true { return .zero }
        guard connection == nil else { return nil }
        return service.isSoonSearched ? .zero : .milliseconds(200)
      },
      connection: connection, clock: clock, keep: keep, mender: service,
      news: news.map { ($0, .notes) })
  }

  /// Takes what was typed; the journal makes it durable.
  public func post(_ posting: NotesPosting) {
    switch posting {
    case .beginDraft(let session, let path, let title, let base, let text):
      let draft = journal.begin(path, title: title, base: base, text: text)
      sessions.withLock { $0[session] = draft }
    case .adoptDraft(let session, let draft):
      sessions.withLock { $0[session] = draft }
    case .recordEdits(let session, let edits):
      if let draft = draft(of: session) { journal.record(edits, in: draft) }
    case .retitleDraft(let session, let title):
      if let draft = draft(of: session) { journal.retitle(draft, title) }
    }
  }

  public func tries(of effect: NotesEffect) -> NextTries? {
    switch effect {
    case .open, .history, .version, .difference: NextTries(connection: connection, clock: clock)
    default: nil
    }
  }

  public func answer(
    to effect: NotesEffect, _ sender: Sender<NotesAction>
  ) async throws(StoreError) -> NotesAction? {
    switch effect {
    case .files(let effect): await files.perform(effect, sender.map(NotesAction.files))
    case .details(let paths): return .files(.detailed(await service.details(of: paths), isLast: false))
    case .open(let path, let purpose):
      let opened = try await open(path, purpose, sender)
      sender.send(opened)
      if let age = age(of: opened, path) { return age }
      guard purpose != .write, case .opened(let note, _, _) = opened,
        let remarks = await service.checkedRemarks(on: note)
      else { return nil }
      return .remarksCompared(note.entry, remarks)
    case .readNewer(let path, let revision, let base, let session):
      let newer = try await service.newer(path, base: base, draft: draft(of: session))
      news?.seeSoon(newer.entry)
      return .newerRead(newer, over: revision, session: session)
    case .lookOn: return .lookedOn
    case .findWaiting: return try await findWaiting(sender)
    case .lookWaiting: return .waiting(try await service.waiting())
    case .readWaiting(let text): return .readWaiting(text, try await service.text(of: text.id))
    case .send(let text) where text.isNobodys: return try await sendStray(text, sender)
    case .send(let text): return .saved(text.path, try await service.send(text), session: nil)
    case .sendAll(let conflicts, let isAsked): return await sendAll(conflicts: conflicts, isAsked: isAsked, sender)
    case .awaitSending: return await awaitSending()
    case .watchKeeping: for await failure in journal.failures() { sender.send(.keeping(failure)) }
    case .watchCopy:
      guard let copy = service.copy else { return nil }
      for await _ in copy.heldCounts() { sender.send(.removalHeld(copy.heldPaths)) }
    case .acceptRemoval:
      guard let count = await service.copy?.acceptRemoval() else { return nil }
      return .files(.reported("Removed \(count == 1 ? "one file" : "\(count) files") here, too."))
    case .discard(let text):
      try await service.discard(text)
      return .discarded(text, try await service.waiting())
    case .openDraft(let draft):
      let text = try await journal.text(of: draft.id)
      try await journal.adopt(draft.id)
      return .openedDraft(draft, text: text)
    case .dropDraft(let session, let isKept):
      guard let draft = take(session) else { return nil }
      if isKept { try await journal.drop(draft) } else { try await journal.discard(draft) }
    case .save(let path, let base, let text, let session): return try await save(path, base, text, session)
    case .create(let name, let text, let session): return try await create(name, text, session)
    case .resolve(let conflict, let choice, let session): return try await resolve(conflict, choice, session)
    case .history(let path):
      let versions = try await service.history(of: path)
      return .historyListed(path, versions, offsets: versions.map { $0.modified?.localOffset ?? 0 })
    case .backlinks(let path): return .backlinksFound(path, try await backlinks(to: path, sender))
    case .headings(let path):
      let text = try await service.beginning(of: path, limit: 1 << 20).bytes
      var pages = MarkdownPages(TextBuffer(text), size: Size(80, 24), marks: .ascii)
      return .headingsRead(path, pages.headings().map { String(decoding: $0.text, as: UTF8.self) })
    case .version(let path, let revision): return .versionRead(try await service.version(revision, of: path))
    case .difference(let path, let version, let before):
      return .differenceRead(try await difference(of: path, version, before))
    case .lookAtVersion(let path, let version, let before):
      return .versionSeen(SeenVersion(try await difference(of: path, version, before)))
    case .lookTrash: return .trashListed(try await service.trashed())
    case .restoreTrashed(let files): return await restore(files)
    case .lookAtTrashed(let file):
      return .trashedRead(file.id, try await service.beginning(trashed: file.id, limit: TrashView.previewBytes))
    case .blame(let path): return .blamed(try await service.blame(path))
    case .undoMerge(let merged): return .mergeUndone(merged, try await service.undo(merged))
    case .restoreVersion(let path, let revision, let base):
      return .restoredVersion(try await service.restore(revision, of: path, over: base))
    case .readTemplate(let path): return .templateRead(path, try await service.template(at: path))
    case .findToday:
      let found = try await service.dayNote(day)
      return .todayFound(found.path, found.template)
    case .keepPins(let paths): await keepPins(paths)
    case .findTags: return .tagsFound(try await tags())
    case .picture: break
    case .beginEdit(let path): return try await beginEdit(path)
    case .followEdit(let session):
      try await service.follow(session) { sender.send(.saved(session.path, $0, session: nil)) }
    case .endEdit(let session):
      return .saved(session.path, try await service.endEdit(session), session: nil)
    }
    return nil
  }
}
