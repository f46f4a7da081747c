public import Database
public import FileStores
import Synchronization

/// A club's notes: listing, reading, saving, and what goes wrong with it.
///
/// A text that is to be saved is in the outbox before the store is asked, and leaves it when the store has it, or the
/// member has settled a conflict. Saves of one note go out one at a time, in the order of the calls; cancelling the
/// calling task does not cancel them. A note that another program changed is never overwritten unseen.
public final class NotesService: Sendable {
  let club: Club
  let outbox: OutboxDatabase
  let drafts: DraftJournal
  let folderAt: @Sendable (String) throws(StoreError) -> any FileStore
  let editsDirectory: String
  let now: @Sendable () -> Timestamp
  var store: any FileStore { club.store }
  var pool: BlockingPool { drafts.pool }

  /// Puts and what must not overtake them, by path.
  let sending: SerialLines<StorePath>
  /// Writing of saves into the outbox, by path: they do not wait for the network.
  let keeping: SerialLines<StorePath>
  /// Looks at a copy under edit, by its path.
  let looking: SerialLines<String>
  /// Held while a save joins both of its lines.
  let joining = Mutex(())
  /// Saves of this process that are on their way.
  let underway = Mutex<Set<UnsentSave.ID>>([])
  /// What this process has saved of each draft.
  let newest = Mutex<[Draft.ID: NewestSave]>([:])
  private let listedUpTo = Mutex<ChangeCursor?>(nil)

  /// A service for one club. `drafts` is a journal of the same club on the same outbox; `folderAt` makes a store of a
  /// directory (for copies under edit, which lie in `editsDirectory`).
  public init(
    club: Club, outbox: OutboxDatabase, drafts: DraftJournal,
    folderAt: @escaping @Sendable (String) throws(StoreError) -> any FileStore, editsDirectory: String,
    now: @escaping @Sendable () -> Timestamp = { Timestamp.now() }
  ) {
    (self.club, self.outbox, self.drafts) = (club, outbox, drafts)
    (self.folderAt, self.editsDirectory, self.now) = (folderAt, editsDirectory, now)
    let tasks = drafts.pool.tasks
    (sending, keeping, looking) = (SerialLines(on: tasks), SerialLines(on: tasks), SerialLines(on: tasks))
  }

  /// The notes, as fast as the store can name them, page by page: regular files at the top of the club whose names do
  /// not begin with a dot. Notes that are not `areWhole` have path and kind alone; when all are, `details` would ask
  /// for the same again. A failure leaves out what was not received yet; nothing may be concluded to be gone.
  public func names(_ receive: (_ notes: [FileEntry], _ areWhole: Bool) -> Void) async throws(StoreError) {
    try await list(.names, receive)
  }

  /// The notes with all that the store knows, page by page.
  public func details(_ receive: ([FileEntry]) -> Void) async throws(StoreError) {
    try await list(.full) { notes, _ in receive(notes) }
  }

  /// What the store knows of these notes, in their order. What is gone, or cannot be asked for now, is left out.
  public func details(of paths: [StorePath]) async -> [FileEntry] {
    let store = store
    let found = await paths.results(atOnce: NotesService.detailsAtOnce) { (path) throws(StoreError) in
      try await store.entry(at: path)
    }
    return found.compactMap { if case .success(let entry) = $0 { entry } else { nil } }
  }

  /// Tells changes of notes by any program, as they happen, beginning with what has changed since the last listing
  /// began. A set that must be relisted is passed on. Returns when the task is cancelled.
  /// - Throws: `unsupported` when the store cannot tell; else what ended the watching.
  public func changes(_ receive: (ChangeSet) async -> Void) async throws(StoreError) {
    guard let feed = store.changes else {
      throw StoreError(
        .unsupported, "The store of \"\(club.name)\" does not report changes.",
        remedy: "Refresh the list to see changes.")
    }
    do throws(StoreError) {
      var cursor = listedUpTo.withLock { $0 }
      if cursor == nil { cursor = try await feed.start() }
      var lateness: String?
      while let since = cursor {
        let set = try await feed.wait(since: since)
        cursor = set.cursor
        let notes = ChangeSet(
          changes: set.changes.compactMap(NotesService.ofNotes), cursor: set.cursor, mustRelist: set.mustRelist,
          lateness: set.lateness)
        if notes.mustRelist || !notes.changes.isEmpty || notes.lateness != lateness { await receive(notes) }
        lateness = set.lateness
      }
    } catch  where error.kind == .cancelled && Task.isCancelled {
      return
    }
  }

  /// Asks the store something short; see `Club.reach`.
  public func reach() async throws(StoreError) { try await club.reach() }

  /// A whole note. Saves of it that are on their way are waited for, so that it is the newest text.
  public func open(_ path: StorePath) async throws(StoreError) -> OpenNote {
    await sending.wait(for: path)
    let (bytes, entry) = try await readNote(path)
    var draft: Draft?
    do throws(StoreError) {
      draft = try await drafts.newest(of: path)
    } catch {
      // The note can be read without the outbox; that this one is in trouble is told.
      drafts.onFailure(error)
    }
    let found = draft
    return await pool.run { OpenNote(entry: entry, bytes: bytes, draft: found) }
  }

  /// Enough for a page of rows to come in a few round trips; few enough for any store.
  private static let detailsAtOnce = 8

  private func list(
    _ detail: ListOptions.Detail, _ receive: ([FileEntry], Bool) -> Void
  ) async throws(StoreError) {
    let options = ListOptions(detail)
    var page = try await store.list(.root, options, after: nil)
    while let cursor = page.next {
      // The next page is read while this one is looked at: for 100,000 names both take some 25 ms.
      async let coming = self.page(options, after: cursor)
      NotesService.pass(page, to: receive)
      page = try await coming.get()
    }
    NotesService.pass(page, to: receive)
    if let changes = page.changes { listedUpTo.withLock { $0 = changes } }
  }

  @concurrent
  private func page(_ options: ListOptions, after cursor: ListCursor) async -> Result<ListPage, StoreError> {
    do throws(StoreError) {
      return .success(try await store.list(.root, options, after: cursor))
    } catch {
      return .failure(error)
    }
  }

  private static func pass(_ page: ListPage, to receive: ([FileEntry], Bool) -> Void) {
    let entries = page.entries
    // Most folders hold nothing but notes; a copy of the page would cost as much as looking at it.
    let notes = entries.indices.allSatisfy { isNote(entries[$0]) } ? entries : entries.filter(isNote)
    if !notes.isEmpty { receive(notes, page.isWhole) }
  }

  static func isNote(_ entry: FileEntry) -> Bool { entry.kind == .file && isNotePath(entry.path) }

  private static func isNotePath(_ path: StorePath) -> Bool {
    !path.isRoot && path.bytes[0] != UInt8(ascii: ".") && !path.bytes.contains(UInt8(ascii: "/"))
  }

  /// A folder that takes a note's place is the note's end.
  private static func ofNotes(_ change: ChangeSet.Change) -> ChangeSet.Change? {
    switch change {
    case .present(let entry) where isNote(entry): change
    case .present(let entry): isNotePath(entry.path) ? .absent(entry.path) : nil
    case .absent(let path): isNotePath(path) ? change : nil
    }
  }
}
