public import Basics
public import ClubServices
internal import FileStores
internal import Synchronization
public import TextUI

/// Performs the effects of the notes' screen with the notes service.
public final class NotesPerformer: EffectPerformer {
  let service: NotesService
  let journal: DraftJournal
  let editor: @Sendable (String) -> ExternalProgram?
  let clock: any Clock<Duration>
  let connection: StoreConnection?
  /// The record of seen notes; nil for no marks.
  let news: NewsService?
  private let files: FileListPerformer
  let sessions = Mutex<[Int: Draft.ID]>([:])

  /// `editor` returns the program that edits a file, or nil if the member has set none. `connection` reports whether
  /// the club's store answers; `clock` measures the pauses before retries and rounds of sending.
  public init(
    service: NotesService, journal: DraftJournal, editor: @escaping @Sendable (String) -> ExternalProgram?,
    desktop: any DesktopOpener, connection: StoreConnection? = nil, clock: any Clock<Duration> = TimerClock(),
    keepOrder: @escaping @Sendable (ListOrder, String) async -> Void = { _, _ in }, news: NewsService? = nil
  ) {
    self.clock = clock
    self.connection = connection
    self.service = service
    self.journal = journal
    self.editor = editor
    self.news = news
    files = FileListPerformer(
      service: service, desktop: desktop,
      list: { (sender) async throws(StoreError) in try await service.list(news, sender) }, search: service.search,
      pauseInTyping: {
        // The copy has an index of its texts; files of a folder are read.
        if service.copy?.canSearch == true { return .zero }
        return connection == nil ? .milliseconds(200) : nil
      },
      connection: connection, clock: clock, keepOrder: keepOrder, news: news.map { ($0, .notes) })
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

  /// Performs an effect and sends the results; errors are sent as sentences.
  @concurrent
  public func perform(_ effect: NotesEffect, _ sender: Sender<NotesAction>) async {
    switch effect {
    case .files(let effect): await files.perform(effect, sender.map(NotesAction.files))
    case .details(let paths): sender.send(.files(.detailed(await service.details(of: paths), isLast: false)))
    case .open(let path, let purpose):
      await sender.attemptAgain(connection, clock, { .openFailed(path, $0) }) { () async throws(StoreError) in
        let opened = try await self.open(path, purpose)
        sender.send(opened)
        return self.age(of: opened, path)
      }
    case .lookOn: sender.send(.lookedOn)
    case .findWaiting: await findWaiting(sender)
    case .lookWaiting:
      await sender.attempt { () async throws(StoreError) in .waiting(try await self.service.waiting()) }
    case .readWaiting(let text):
      await sender.attempt({ error in text.path.map { .openFailed($0, error) } }) { () async throws(StoreError) in
        .readWaiting(text, try await self.service.text(of: text.id))
      }
    case .send(let text) where text.isNobodys: await sendStray(text, sender)
    case .send(let text):
      await sender.attempt({ .saveFailed(text.path, name: text.title, $0, session: nil) }) {
        () async throws(StoreError) in .saved(text.path, try await self.service.send(text), session: nil)
      }
    case .sendAll(let conflicts, let isAsked): await sendAll(conflicts: conflicts, isAsked: isAsked, sender)
    case .awaitSending: await awaitSending(sender)
    case .watchKeeping: for await failure in journal.failures() { sender.send(.keeping(failure)) }
    case .watchCopy:
      guard let copy = service.copy else { return }
      for await _ in copy.heldCounts() { sender.send(.removalHeld(copy.heldPaths)) }
    case .acceptRemoval:
      guard let count = await service.copy?.acceptRemoval() else { return }
      sender.send(.files(.told("Removed \(count == 1 ? "one file" : "\(count) files") here, too.")))
    case .discard(let text):
      await sender.attempt { () async throws(StoreError) in
        try await self.service.discard(text)
        return .discarded(text, try await self.service.waiting())
      }
    case .openDraft(let draft): await openDraft(draft, sender)
    case .dropDraft(let session, let isKept):
      guard let draft = take(session) else { return }
      await sender.attempt { () async throws(StoreError) in
        if isKept { try await self.journal.drop(draft) } else { try await self.journal.discard(draft) }
        return nil
      }
    case .save(let path, let base, let text, let session):
      await sender.attempt({ .saveFailed(path, name: "\(path)", $0, session: session) }) {
        () async throws(StoreError) in
        let draft = session.flatMap(self.draft(of:))
        let outcome = try await self.service.save(path, base: base, text: text, draft: draft)
        switch outcome {
        case .saved(let entry): self.news?.seeSoon(entry, text: text)
        case .merged(let merged): self.news?.seeSoon(merged.entry, text: merged.text)
        default: break
        }
        return .saved(path, outcome, session: session)
      }
    case .create(let name, let text, let session):
      await sender.attempt({ .saveFailed(nil, name: name, $0, session: session) }) { () async throws(StoreError) in
        let outcome = try await self.service.create(named: name, text: text)
        if let session, let draft = self.take(session) { try await self.journal.discard(draft) }
        // A note in the outbox has no entry to name it.
        guard case .kept = outcome else { return .saved(nil, outcome, session: session) }
        return .saved(try self.service.path(ofNew: name), outcome, session: session)
      }
    case .resolve(let conflict, let choice, let session):
      await sender.attempt({ .saveFailed(conflict.path, name: "\(conflict.path)", $0, session: session) }) {
        () async throws(StoreError) in
        let outcome = try await self.service.resolve(conflict, choice)
        // Text typed over the conflict is in the store or the outbox now, or was dropped.
        if let session, let draft = self.take(session) { try await self.journal.discard(draft) }
        if case .renamed(let entry) = choice { return .saved(entry.path, outcome, session: session) }
        return .saved(conflict.path, outcome, session: session)
      }
    case .history(let path):
      await sender.attemptAgain(connection, clock, { .historyFailed(path, $0) }) { () async throws(StoreError) in
        .historyTold(path, try await self.service.history(of: path))
      }
    case .backlinks(let path):
      await sender.attempt({ $0.kind == .cancelled ? nil : .backlinksFailed(path, $0) }) {
        () async throws(StoreError) in
        .backlinksFound(path, try await self.backlinks(to: path))
      }
    case .version(let path, let revision):
      await sender.attemptAgain(connection, clock, { .openFailed(path, $0) }) { () async throws(StoreError) in
        .versionRead(try await self.service.version(revision, of: path))
      }
    case .difference(let path, let version, let before):
      await sender.attemptAgain(connection, clock, { .openFailed(path, $0) }) { () async throws(StoreError) in
        .differenceRead(try await self.difference(of: path, version, before))
      }
    case .lookTrash:
      await sender.attempt({ .trashFailed($0) }) { () async throws(StoreError) in
        .trashTold(try await self.service.trashed())
      }
    case .restoreTrashed(let files): sender.send(await restore(files))
    case .blame(let path):
      await sender.attempt({ $0.kind == .cancelled ? nil : .blameFailed(path, $0) }) { () async throws(StoreError) in
        .blamed(try await self.service.blame(path))
      }
    case .undoMerge(let merged):
      await sender.attempt({ .mergeNotUndone(merged, $0) }) { () async throws(StoreError) in
        .mergeUndone(merged, try await self.service.undo(merged))
      }
    case .restoreVersion(let path, let revision, let base):
      await sender.attempt({ .restoreFailed(path, $0) }) { () async throws(StoreError) in
        .restoredVersion(try await self.service.restore(revision, of: path, over: base))
      }
    case .beginEdit(let path): await beginEdit(path, sender)
    case .followEdit(let session):
      await sender.attempt { () async throws(StoreError) in
        try await self.service.follow(session) { sender.send(.saved(session.path, $0, session: nil)) }
        return nil
      }
    case .endEdit(let session):
      await sender.attempt({ .saveFailed(session.path, name: "\(session.path)", $0, session: nil) }) {
        () async throws(StoreError) in .saved(session.path, try await self.service.endEdit(session), session: nil)
      }
    }
  }
}
