public import Basics
public import Database
public import FileStores
import Synchronization

/// A club's notes: listing, reading, saving, and the handling of failures. A changed note is never overwritten unseen.
///
/// A text to save is in the outbox before the store is asked. It leaves the outbox when the store has it or the member
/// has settled a conflict. Saves of one note go out one at a time, in the order of the calls; cancelling the calling
/// task does not cancel them.
///
/// The texts themselves are in the outbox. What is kept in memory are hints about single saves, each with a lock of its own
/// (`NewestSaves` and `SentTexts` are pure), and lines of work, whose tasks are no values of a state.
public final class NotesService: Sendable {
  let club: Club
  let outbox: OutboxDatabase
  let drafts: DraftJournal
  let folderAt: @Sendable (String) throws(StoreError) -> any FileStore
  let editsDirectory: String
  let now: @Sendable () -> Timestamp
  let clock: any Clock<Duration>
  public let past: NotePast?
  var store: any FileStore { club.store }
  /// The local copy of a club behind a network.
  public var copy: LocalCopy? { club.copy }
  var pool: BlockingPool { drafts.pool }

  /// Writes, and work that must keep its order with them, by path.
  let sending: SerialLines<StorePath>
  /// Writes of saves into the outbox, by path. Does not wait for the network.
  let keeping: SerialLines<StorePath>
  let looking: SerialLines<String>
  /// Held while a save enters both queues.
  let joining = Mutex(())
  let underway = Mutex<Set<UnsentSave.ID>>([])
  /// The renames and moves since the start, oldest first: a save that began before one follows to the new path.
  let moves = Mutex<[MovedNames]>([])
  let undecided = Mutex(UndecidedMoves())
  let newest = Mutex(NewestSaves())
  let sentTexts = Mutex(SentTexts())
  let held = Mutex<HeldText?>(nil)
  /// The revisions that undone merges brought back, and the authors of their texts, by the save that waits.
  let undone = Mutex<[UnsentSave.ID: (revision: Revision, author: NoteWriter)]>([:])
  private let listedUpTo = Mutex<ChangeCursor?>(nil)
  private let talks = KnownTalk()
  /// The folders of notes, as of the last listing and the changes since.
  private let knownFolders = Mutex<Set<StorePath>>([])
  private let listedCount = Mutex(0)
  private let isListed = Mutex(false)

  /// `drafts` is a journal of the same club on the same outbox. `folderAt` makes stores for copies in `editsDirectory`.
  /// `past` keeps the texts that the store may not keep.
  public init(
    club: Club, outbox: OutboxDatabase, drafts: DraftJournal,
    folderAt: @escaping @Sendable (String) throws(StoreError) -> any FileStore, editsDirectory: String,
    past: NotePast? = nil, now: @escaping @Sendable () -> Timestamp = { Timestamp.now() },
    clock: any Clock<Duration> = TimerClock()
  ) {
    (self.club, self.outbox, self.drafts) = (club, outbox, drafts)
    (self.folderAt, self.editsDirectory, self.past) = (folderAt, editsDirectory, past)
    (self.now, self.clock) = (now, clock)
    let tasks = drafts.pool.tasks
    (sending, keeping, looking) = (SerialLines(on: tasks), SerialLines(on: tasks), SerialLines(on: tasks))
    club.copy?.onMovedTexts { [weak self, weak drafts, weak past] names in
      self?.moves.withLock { $0.append(names) }
      drafts?.moved(names)
      past?.moved(names)
    }
  }

  /// Lists the notes and their folders page by page (`NoteScope`). If all pages are whole, `details` would fetch the same
  /// again. After a failure the list is incomplete, so a missing note is not necessarily gone.
  public func names(_ receive: (NotePage) -> Void) async throws(StoreError) {
    try await list(.names, receive)
    isListed.withLock { $0 = true }
  }

  /// The notes as the copy of a club behind a network last knew them, by path and kind alone; nil once it is in memory,
  /// and for other clubs.
  public func firstNames() async -> [FileEntry]? {
    await club.copy?.firstNames()?.filter { club.notes.isNote($0) && !Talk.isNamed($0.path) }
  }

  /// The notes and folders at the top, if there are folders and one page has all of it; nil otherwise, for a club behind a
  /// network, and once all names were listed.
  public func topNames() async -> NotePage? {
    guard copy == nil, club.notes.hasFolders, !isListed.withLock({ $0 }) else { return nil }
    do throws(StoreError) {
      let page = try await store.list(.root, ListOptions(.names), after: nil)
      var talks: [FileEntry] = []
      let top = NotePage(page, club.notes, talks: &talks)
      return page.next == nil && !top.folders.isEmpty ? top : nil
    } catch {
      // The listing of all names reports the failure.
      return nil
    }
  }

  public func details(_ receive: ([FileEntry]) async -> Void) async throws(StoreError) {
    try await list(.full) { if !$0.notes.isEmpty { await receive($0.notes) } }
  }

  /// The metadata of these notes, in their order. Omits notes that are gone or cannot be reached.
  public func details(of paths: [StorePath]) async -> [FileEntry] {
    let found = await paths.results(atOnce: NotesService.detailsAtOnce) { [store] (path) throws(StoreError) in
      try await store.entry(at: path)
    }
    return found.compactMap { if case .success(let entry) = $0 { entry } else { nil } }
  }

  /// Reports changes of notes by any program from the start of the last listing on, until the task is cancelled. Passes
  /// on a change set with `mustRelist`; a folder of notes that comes or goes gives one, too.
  /// - Throws: `unsupported` if the store cannot report changes; otherwise the error that ended the watching.
  public func changes(_ receive: (ChangeSet) async -> Void) async throws(StoreError) {
    guard let feed = store.capabilities.changes else {
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
        let touches = set.changes.reduce(false) { touchesFolder($1) || $0 }
        let all = set.changes.compactMap(ofNotes)
        let notes = ChangeSet(
          changes: await withoutTalks(all), cursor: set.cursor, mustRelist: set.mustRelist || touches,
          lateness: set.lateness)
        if notes.mustRelist || !all.isEmpty || notes.lateness != lateness { await receive(notes) }
        lateness = set.lateness
      }
    } catch  where error.kind == .cancelled && Task.isCancelled {
      return
    }
  }

  /// Changed remarks on notes are noted.
  private func withoutTalks(_ changes: [ChangeSet.Change]) async -> [ChangeSet.Change] {
    var others: [ChangeSet.Change] = []
    for change in changes {
      switch change {
      case .present(let file) where Talk.isNamed(file.path): if await isShown(file) { others.append(change) }
      case .absent(let path) where Talk.isNamed(path):
        talks.remove(path)
        others.append(change)
      default: others.append(change)
      }
    }
    return others
  }

  /// The facts about the remarks on each note, as of the last listing and the changes since; nil if there never were some.
  public func remarkFacts() async -> [StorePath: TalkFacts]? { await talks.facts(club) }

  /// The files with remarks on notes, also those without facts yet.
  public func remarkFiles() -> [FileEntry] { talks.files }

  public func reach() async throws(StoreError) { try await club.reach() }

  /// Reads a whole note. Waits for its saves in progress, so the text is the newest. `progress` gets the bytes that have
  /// come until then.
  public func open(
    _ path: StorePath, progress: ([UInt8]) -> Void = { _ in }
  ) async throws(StoreError) -> OpenNote {
    await sending.wait(for: path)
    let (bytes, entry) = try await readNote(path, progress: progress)
    var draft: Draft?
    do throws(StoreError) {
      draft = try await drafts.newest(of: path)
    } catch {
      // The note can be read without the outbox, whose failure is reported.
      drafts.onFailure(error)
    }
    let found = draft
    return await pool.run { OpenNote(entry: entry, bytes: bytes, draft: found) }
  }

  /// As `open`; a missing note is empty and has no revision, so saving it makes it.
  public func openOrNew(
    _ path: StorePath, progress: ([UInt8]) -> Void = { _ in }
  ) async throws(StoreError) -> OpenNote {
    let note = try await ifThere { () throws(StoreError) in try await open(path, progress: progress) }
    if let note { return note }
    return OpenNote(entry: FileEntry(path: path, kind: .file), bytes: [], draft: try await drafts.newest(of: path))
  }

  /// Enough to load a page of rows in a few round trips, and few enough for any store.
  private static let detailsAtOnce = 8

  /// More notes of a folder are not read at each letter that is typed.
  private static let mostReadInTyping = 20_000

  /// True if a search of a folder is soon over, so that it need not wait for a rest in typing.
  public var isSoonSearched: Bool { 1...NotesService.mostReadInTyping ~= listedCount.withLock { $0 } }

  /// The notes, and the files with remarks on them.
  func detailsWithTalk(_ receive: ([FileEntry]) async -> Void) async throws(StoreError) {
    try await list(.full, showsTalk: true) { await receive($0.notes) }
  }

  private func list(
    _ detail: ListOptions.Detail, showsTalk: Bool = false, _ receive: (NotePage) async -> Void
  ) async throws(StoreError) {
    let options = club.notes.listing(detail)
    var (talks, folders, count): ([FileEntry], Set<StorePath>, Int) = ([], [], 0)
    func pass(_ page: ListPage) async {
      let page = NotePage(page, club.notes, talks: &talks)
      folders.formUnion(page.folders)
      count += page.notes.count
      if !page.isEmpty { await receive(page) }
    }
    var page = try await store.list(.root, options, after: nil)
    while let cursor = page.next {
      // The next page is read while this one is processed: for 100,000 names both take some 25 ms.
      async let coming = self.page(options, after: cursor)
      await pass(page)
      page = try await coming.get()
    }
    await pass(page)
    let shown = showsTalk ? talks : await shownTalks(talks)
    if !shown.isEmpty { await receive(NotePage(notes: shown, isWhole: page.isWhole)) }
    knownFolders.withLock { [folders] in $0 = folders }
    listedCount.withLock { [count] in $0 = count }
    if let changes = page.changes { listedUpTo.withLock { $0 = changes } }
  }

  @concurrent
  private func page(_ options: ListOptions, after cursor: ListCursor) async -> Result<ListPage, StoreError> {
    await .catching { () throws(StoreError) in try await store.list(.root, options, after: cursor) }
  }

  /// Files that are named as remarks are, but whose note is gone, or that hold something else.
  private func shownTalks(_ files: [FileEntry]) async -> [FileEntry] {
    let shown = await files.results(atOnce: NotesService.detailsAtOnce) { (file) throws(StoreError) in
      await self.isShown(file) ? file : nil
    }
    let others = shown.compactMap { if case .success(let file) = $0 { file } else { nil } }
    talks.keep(Set(files.map(\.path)).subtracting(others.map(\.path)))
    return others
  }

  /// False for the remarks on a note that is there. A file that cannot be read counts by its name.
  private func isShown(_ file: FileEntry) async -> Bool {
    guard let thing = Talk.thing(of: file.path) else { return true }
    do throws(StoreError) {
      guard try await store.entry(at: thing).kind == .file else { return true }
      if talks.refresh(file, on: thing) { return false }
      let bytes = try await club.talkFile(file.path, revision: file.revision).bytes
      guard Talk.isTalk(bytes) else { return true }
      talks.put(TalkFacts(Talk(bytes), file), on: thing)
      return false
    } catch {
      return error.kind == .notFound
    }
  }

  /// A folder that replaces a note means that the note is gone.
  private func ofNotes(_ change: ChangeSet.Change) -> ChangeSet.Change? {
    switch change {
    case .present(let entry) where club.notes.isNote(entry): change
    case .present(let entry): club.notes.isNote(entry.path) ? .absent(entry.path) : nil
    case .absent(let path): club.notes.isNote(path) ? change : nil
    }
  }

  /// True if a folder of notes comes or goes, which does not report each note in it.
  private func touchesFolder(_ change: ChangeSet.Change) -> Bool {
    knownFolders.withLock { known in
      switch change {
      case .present(let entry):
        entry.kind == .folder && club.notes.hasFolders && club.notes.isFolder(entry.path)
          && known.insert(entry.path).inserted
      case .absent(let path): known.remove(path) != nil
      }
    }
  }
}
