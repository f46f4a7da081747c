internal import Basics
internal import ClubServices
internal import FileStores
internal import Synchronization
internal import TextUI

extension NotesService: ListedFiles {
  /// Lists names first, so the list is visible before any file is read. A store that lists details with the names is
  /// not asked again.
  func list(_ news: NewsService?, _ sender: Sender<FileListAction>) async throws(StoreError) {
    news?.beginListing(of: .notes)
    let (table, entries) = try await table()
    sender.send(.listed(table))
    if let entries {
      await compare(entries, news, sender)
    } else {
      // Each page waits for its comparison: pages that wait instead would take 20 MB for 100,000 notes.
      try await details { page in
        sender.send(.detailed(page, isLast: false))
        await compare(page, news, sender)
      }
      sender.send(.detailed([], isLast: true))
    }
    await news?.endListing(of: .notes)
  }

  private func compare(_ entries: [FileEntry], _ news: NewsService?, _ sender: Sender<FileListAction>) async {
    guard let marks = await news?.comparePage(entries, of: .notes), !marks.isEmpty else { return }
    sender.send(.news(marks, isListed: true))
  }

  func search(_ words: String, _ sender: Sender<FileListAction>) async throws(StoreError) -> FileListAction {
    let search = try await search(for: words) { done, total in
      // Progress in steps of one percent.
      guard done % max(1, total / 100) == 0, done < total else { return }
      sender.send(.searching(words, done: done, total: total), replacing: "searching")
    }
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
    try await names { notes, areWhole in
      builder.add(notes)
      if areWhole { detailed += notes } else { isWhole = false }
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
  func open(_ path: StorePath, _ purpose: NotesEffect.OpenPurpose) async throws(StoreError) -> NotesAction {
    let note = purpose == .write ? try await service.openOrNew(path) : try await service.open(path)
    guard let news, note.entry.revision != nil else { return .opened(note, purpose) }
    let changes = await news.changes(in: note, history: service.keptVersions)
    news.seeSoon(note.entry, text: note.bytes)
    return .opened(note, purpose, changes: changes)
  }

  func openDraft(_ draft: Draft, _ sender: Sender<NotesAction>) async {
    do throws(StoreError) {
      let text = try await journal.text(of: draft.id)
      try await journal.adopt(draft.id)
      sender.send(.openedDraft(draft, text: text))
    } catch {
      sender.send(.failed("byteclub could not read the draft of \"\(draft.title)\". \(error)"))
    }
  }

  func beginEdit(_ path: StorePath, _ sender: Sender<NotesAction>) async {
    do throws(StoreError) {
      let session = try await service.beginEdit(path)
      guard let program = editor(session.copy) else {
        _ = try await service.endEdit(session)
        sender.send(.failed("No editor is set. Set $VISUAL or $EDITOR, or press Enter and i to edit here."))
        return
      }
      sender.send(.editBegan(session, program))
    } catch {
      sender.send(.failed("byteclub could not open \"\(path)\" for editing. \(error)"))
    }
  }

  func draft(of session: Int) -> Draft.ID? { sessions.withLock { $0[session] } }

  func take(_ session: Int) -> Draft.ID? { sessions.withLock { $0.removeValue(forKey: session) } }
}
