internal import Basics
internal import ClubServices
internal import FileStores
internal import Synchronization
internal import TextUI

extension NotesService: ListedFiles {
  func move(_ path: StorePath, to folder: StorePath) async throws(StoreError) -> FileEntry {
    try await move(path, to: folder, seen: nil)
  }

  func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    guard let entry = await details(of: [path]).first else {
      throw StoreError(.notFound, "\"\(path)\" does not exist.", remedy: "Refresh the list.", path: path)
    }
    return entry
  }

  /// Lists names first, so the list is visible before any file is read. A store that lists details with the names is
  /// not asked again. Details of many notes come while the member rests.
  func list(
    _ news: NewsService?, _ rest: InputRest, _ sender: Sender<FileListAction>
  ) async throws(StoreError) {
    var rest = rest
    news?.beginListing(of: .notes)
    if let names = await firstNames(), !names.isEmpty {
      var builder = EntryTable.Builder(folder: .root)
      builder.add(names)
      sender.send(.named(builder.finish()))
    }
    async let top: Void = sendTop(sender)
    let (table, entries) = try await table()
    await top
    sender.send(.listed(table))
    if let entries {
      await compare(entries, news, sender)
    } else {
      // Each page waits for its comparison: pages that wait instead would take 20 MB for 100,000 notes.
      try await details { page in
        sender.send(.detailed(page, isLast: false))
        await compare(page, news, sender)
        await rest.wait()
      }
      sender.send(.detailed([], isLast: true))
    }
    await news?.endListing(of: .notes)
    guard copy?.lacksFolders == true else { return }
    sender.send(
      .warned(
        "This machine knows only the notes at the top of the club. Those in folders come when the server answers."))
  }

  private func sendTop(_ sender: Sender<FileListAction>) async {
    guard let top = await topNames() else { return }
    var builder = EntryTable.Builder(folder: .root)
    builder.add(top)
    sender.send(.topNamed(builder.finish()))
  }

  private func compare(_ entries: [FileEntry], _ news: NewsService?, _ sender: Sender<FileListAction>) async {
    guard let marks = await news?.comparePage(entries, of: .notes), !marks.isEmpty else { return }
    sender.send(.news(marks, isListed: true))
  }

  func search(
    _ words: String, _ query: NoteQuery, _ sender: Sender<FileListAction>
  ) async throws(StoreError) -> FileListAction {
    let hits = SearchHits(steps: copy == nil ? 10 : 100)
    let tell: @Sendable (SearchHits.Part?) -> Void = { part in
      guard let part else { return }
      sender.send(
        .searching(words, part.files, unread: part.unread, of: part.total),
        replacing: part.files.isEmpty ? "searching" : nil)
    }
    let search = try await search(
      for: query, progress: { done, total in tell(hits.read(done, of: total)) },
      found: { note in tell(hits.add(FoundFile(note.entry, note.lines))) })
    var remarks: [String] = []
    if !search.tooLarge.isEmpty { remarks.append("\(search.tooLarge.count) over 16 MiB") }
    if !search.notText.isEmpty { remarks.append("\(search.notText.count) not text") }
    if !search.failures.isEmpty { remarks.append("\(search.failures.count) not readable") }
    return .found(
      words, search.found.map { FoundFile($0.entry, $0.lines) }, total: search.total,
      remark: remarks.isEmpty ? "" : " By name only: \(remarks.joined(separator: ", ")).")
  }

  /// In a function of its own, which frees the builder before the details arrive.
  private func table() async throws(StoreError) -> (EntryTable, entries: [FileEntry]?) {
    var builder = EntryTable.Builder(folder: .root)
    var isWhole = true
    var detailed: [FileEntry] = []
    try await names { page in
      builder.add(page)
      if page.isWhole { detailed += page.notes } else { isWhole = false }
    }
    var table = builder.finish()
    table.merge(detailed)
    return (table, isWhole ? detailed : nil)
  }
}

extension FoundFile {
  /// A file with its first matching line, cut to fit any screen.
  init(_ entry: FileEntry, _ lines: [TextFinder.Line]) {
    guard let line = lines.first else {
      self.init(entry.path)
      return
    }
    let cut = line.start > 40 ? line.start - 20 : 0
    let text = (cut > 0 ? "~" : "") + line.text.dropFirst(cut).prefix(400)
    self.init(entry.path, line: line.number, text: text, more: lines.count - 1)
  }
}

extension NotesPerformer {
  /// Opens a note, and notes that the member has seen it.
  func open(
    _ path: StorePath, _ purpose: NotesEffect.OpenPurpose, _ sender: Sender<NotesAction>
  ) async throws(StoreError) -> NotesAction {
    var steps = LoadingSteps()
    let progress = { (bytes: [UInt8]) in
      let isFirst = steps.isFirst
      guard steps.isNext(bytes.count) else { return }
      let head = isFirst ? NotesService.head(of: bytes, limit: LoadingSteps.headBytes) : nil
      sender.send(.opening(path, bytes: bytes.count, head: head), replacing: head == nil ? "opening" : nil)
    }
    var note =
      purpose == .write
      ? try await service.openOrNew(path, progress: progress) : try await service.open(path, progress: progress)
    note.remarks = await service.remarks(on: note)
    if purpose == .reread { note.writer = await service.writer(of: note.entry) }
    guard let news, note.entry.revision != nil else { return .opened(note, purpose) }
    let changes = await news.changes(in: note) { await service.compared($0, of: path) }
    news.seeSoon(note.entry)
    return .opened(note, purpose, changes: changes)
  }

  func save(
    _ path: StorePath, _ base: Revision?, _ text: [UInt8], _ session: Int?
  ) async throws(StoreError) -> NotesAction {
    let outcome = try await service.save(path, base: base, text: text, draft: session.flatMap(draft(of:)))
    switch outcome {
    case .saved(let entry): news?.seeSoon(entry)
    case .merged(let merged): news?.seeSoon(merged.entry)
    default: break
    }
    return .saved(path, outcome, session: session)
  }

  func create(_ name: String, _ text: [UInt8], _ session: Int?) async throws(StoreError) -> NotesAction {
    let outcome = try await service.create(named: name, text: text)
    if let session, let draft = take(session) { try await journal.discard(draft) }
    // A note in the outbox has no entry to name it.
    guard case .kept = outcome else { return .saved(nil, outcome, session: session) }
    return .saved(try service.path(ofNew: name), outcome, session: session)
  }

  func resolve(
    _ conflict: SaveConflict, _ choice: ConflictChoice, _ session: Int?
  ) async throws(StoreError) -> NotesAction {
    let outcome = try await service.resolve(conflict, choice)
    // Text typed over the conflict is in the store or the outbox now, or was dropped.
    if let session, let draft = take(session) { try await journal.discard(draft) }
    if case .renamed(let entry) = choice { return .saved(entry.path, outcome, session: session) }
    return .saved(conflict.path, outcome, session: session)
  }

  func beginEdit(_ path: StorePath) async throws(StoreError) -> NotesAction {
    let session = try await service.beginEdit(path)
    return .editBegan(session, editor(session.copy))
  }

  func draft(of session: Int) -> Draft.ID? { sessions.withLock { $0[session] } }

  func take(_ session: Int) -> Draft.ID? { sessions.withLock { $0.removeValue(forKey: session) } }
}
