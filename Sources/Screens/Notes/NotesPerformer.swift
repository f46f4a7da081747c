public import ClubServices
internal import FileStores
internal import Synchronization
public import TextUI

/// Performs what the notes' screen asks for, by the notes' service.
public final class NotesPerformer: EffectPerformer {
  let service: NotesService
  let journal: DraftJournal
  let editor: @Sendable (String) -> ExternalProgram?
  let clock: any Clock<Duration>
  let connection: StoreConnection?
  private let files: FileListPerformer
  let sessions = Mutex<[Int: Draft.ID]>([:])

  /// `editor` gives the program that edits a file, or nil when the member has named none; `connection` tells whether the
  /// club's store answers; `clock` counts the pauses before what failed is tried again, and what waits is sent again.
  public init(
    service: NotesService, journal: DraftJournal, editor: @escaping @Sendable (String) -> ExternalProgram?,
    desktop: any DesktopOpener, connection: StoreConnection? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.clock = clock
    self.connection = connection
    self.service = service
    self.journal = journal
    self.editor = editor
    files = FileListPerformer(
      service: service, desktop: desktop, list: service.list, search: service.search, connection: connection,
      clock: clock)
  }

  /// Takes what was typed; the journal makes it durable.
  public func post(_ effect: NotesEffect) {
    switch effect {
    case .beginDraft(let session, let path, let title, let base, let text):
      let draft = journal.begin(path, title: title, base: base, text: text)
      sessions.withLock { $0[session] = draft }
    case .adoptDraft(let session, let draft):
      sessions.withLock { $0[session] = draft }
    case .recordEdits(let session, let edits):
      if let draft = draft(of: session) { journal.record(edits, in: draft) }
    case .retitleDraft(let session, let title):
      if let draft = draft(of: session) { journal.retitle(draft, title) }
    default:
      preconditionFailure("\(effect) is performed, not posted")
    }
  }

  /// Does it, and tells what happened; errors are told as sentences.
  @concurrent
  public func perform(_ effect: NotesEffect, _ sender: Sender<NotesAction>) async {
    switch effect {
    case .files(let effect): await files.perform(effect, sender.map(NotesAction.files))
    case .details(let paths): sender.send(.files(.detailed(await service.details(of: paths), isLast: false)))
    case .open(let path, let purpose):
      await sender.attemptAgain(connection, clock, { .openFailed(path, $0) }) { () async throws(StoreError) in
        .opened(try await self.service.open(path), purpose)
      }
    case .lookOn: sender.send(.lookedOn)
    case .findWaiting, .lookWaiting, .readWaiting, .send, .sendAll, .awaitSending, .watchKeeping, .discard:
      await performWaiting(effect, sender)
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
        return .saved(
          path, try await self.service.save(path, base: base, text: text, draft: draft), session: session)
      }
    case .create(let name, let text, let session):
      await sender.attempt({ .saveFailed(nil, name: name, $0, session: session) }) { () async throws(StoreError) in
        let outcome = try await self.service.create(named: name, text: text)
        if let session, let draft = self.take(session) { try await self.journal.discard(draft) }
        return .saved(nil, outcome, session: session)
      }
    case .resolve(let conflict, let choice, let session):
      await sender.attempt({ .saveFailed(conflict.path, name: "\(conflict.path)", $0, session: session) }) {
        () async throws(StoreError) in
        let outcome = try await self.service.resolve(conflict, choice)
        // What was typed over the conflict is in the store or the outbox now, or is not wanted.
        if let session, let draft = self.take(session) { try await self.journal.discard(draft) }
        return .saved(conflict.path, outcome, session: session)
      }
    case .history, .version, .restoreVersion: await history(effect, sender)
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
    case .beginDraft, .adoptDraft, .recordEdits, .retitleDraft:
      preconditionFailure("\(effect) is posted, not performed")
    }
  }
}
