internal import ClubServices
internal import FileStores
internal import Synchronization
internal import TextUI

extension NotesService: ListedFiles {
  /// Names first: the list is on the screen before any file is looked at. A store that tells the details with the names
  /// is not asked for them.
  func list(_ sender: Sender<FileListAction>) async throws(StoreError) {
    let (table, isWhole) = try await table()
    sender.send(.listed(table))
    if isWhole { return }
    try await details { sender.send(.detailed($0, isLast: false)) }
    sender.send(.detailed([], isLast: true))
  }

  func search(_ words: String, _ sender: Sender<FileListAction>) async throws(StoreError) -> FileListAction {
    let search = try await search(for: words) { done, total in
      // A hundredth at a time is as fine as anyone sees.
      guard done % max(1, total / 100) == 0, done < total else { return }
      sender.send(.searching(words, done: done, total: total), replacing: "searching")
    }
    var remarks: [String] = []
    if !search.tooLarge.isEmpty { remarks.append("\(search.tooLarge.count) over 16 MiB") }
    if !search.notText.isEmpty { remarks.append("\(search.notText.count) not text") }
    if !search.failures.isEmpty { remarks.append("\(search.failures.count) not readable") }
    return .found(
      words, search.found.map(FoundFile.init), total: search.total,
      remark: remarks.isEmpty ? "" : " By name only: \(remarks.joined(separator: ", ")).")
  }

  /// What the names were collected in is gone when the details come.
  private func table() async throws(StoreError) -> (EntryTable, isWhole: Bool) {
    var builder = EntryTable.Builder(folder: .root)
    var isWhole = true
    var detailed: [FileEntry] = []
    try await names { notes, areWhole in
      builder.add(notes)
      if areWhole { detailed += notes } else { isWhole = false }
    }
    var table = builder.finish()
    table.merge(detailed)
    return (table, isWhole)
  }
}

extension FoundFile {
  /// A note, with as much of its first line that was found as fits on any screen.
  fileprivate init(_ note: FoundNote) {
    guard let line = note.lines.first else {
      self.init(note.entry.path)
      return
    }
    let cut = line.start > 40 ? line.start - 20 : 0
    let text = (cut > 0 ? "~" : "") + line.text.dropFirst(cut).prefix(400)
    self.init(note.entry.path, line: line.number, text: text, more: note.lines.count - 1)
  }
}

extension NotesPerformer {
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

  func history(_ effect: NotesEffect, _ sender: Sender<NotesAction>) async {
    switch effect {
    case .history(let path):
      await sender.attemptAgain(connection, clock, { .historyFailed(path, $0) }) { () async throws(StoreError) in
        .historyTold(path, try await self.service.history(of: path))
      }
    case .version(let path, let revision):
      await sender.attemptAgain(connection, clock, { .openFailed(path, $0) }) { () async throws(StoreError) in
        .versionRead(try await self.service.version(revision, of: path))
      }
    case .restoreVersion(let path, let revision, let base):
      await sender.attempt({ .restoreFailed(path, $0) }) { () async throws(StoreError) in
        .restoredVersion(try await self.service.restore(revision, of: path, over: base))
      }
    default: break
    }
  }

  func draft(of session: Int) -> Draft.ID? { sessions.withLock { $0[session] } }

  func take(_ session: Int) -> Draft.ID? { sessions.withLock { $0.removeValue(forKey: session) } }
}
