internal import Basics
internal import ClubServices
internal import FileStores
internal import TextUI

/// Performs the effects of a file list with the service behind it.
struct FileListPerformer: AnsweringPerformer {
  typealias Effect = FileListEffect
  typealias Action = FileListAction

  let service: any ListedFiles
  let desktop: any DesktopOpener
  /// Reads the files and sends them.
  let list: @Sendable (Sender<FileListAction>) async throws(StoreError) -> Void
  /// Searches names and texts and sends the progress; returns `found`. Nil for files without texts.
  var search: (@Sendable (String, Sender<FileListAction>) async throws(StoreError) -> FileListAction)?
  /// The pause after a key before texts are searched for words that are being typed. Nil if the texts are on a server:
  /// `Enter` alone searches them then.
  var pauseInTyping: @Sendable () -> Duration? = { nil }
  /// The connection; nil for a club without a network.
  var connection: StoreConnection?
  var clock: any Clock<Duration> = TimerClock()
  /// Remembers a choice for a list; failures are ignored, because it can be made again.
  var keep: @Sendable (ListChoice, String) async -> Void = { _, _ in }
  /// Mends links of notes to files that were renamed or moved; nil for a list without them.
  var mender: NotesService?
  /// Finds out what is new, and for which list; nil for no marks.
  var news: (service: NewsService, list: NewsList)?

  func tries(of effect: FileListEffect) -> NextTries? {
    if case .list = effect { NextTries(connection: connection, clock: clock) } else { nil }
  }

  func answer(
    to effect: FileListEffect, _ sender: Sender<FileListAction>
  ) async throws(StoreError) -> FileListAction? {
    switch effect {
    case .list:
      try await list(sender)
      await sendRemarks(sender, isListed: true)
    case .search(let words): return try await search?(words, sender)
    case .searchTexts(let words, let isTyping): return try await searchTexts(words, isTyping: isTyping, sender)
    case .watch: try await watch(sender)
    case .rename(let path, let name):
      do throws(StoreError) {
        let entry = try await service.rename(path, to: name)
        sender.send(.renamed(from: path, entry))
        await see([entry], insteadOf: [path])
        await offerToMend([PathMove(path, to: entry.path)], sender)
      } catch {
        if let entry = await arrived(path, at: error.path) { sender.send(.renamed(from: path, entry)) }
        throw error
      }
    case .mend(let plan):
      guard let outcome = try await mender?.mend(plan) else { return nil }
      sender.send(.mended(outcome))
      await see(outcome.entries, insteadOf: [])
    case .leaveLinks(let plan): mender?.decide(plan.moves)
    case .move(let paths, let folder): await move(paths, to: folder, sender)
    case .trash(let paths): await trash(paths, sender)
    case .makeFolder(let name, let folder): return .folderMade(try await service.makeFolder(name, in: folder))
    case .moveFolder(let folder, let target, let seen):
      let moved = try await service.moveFolder(folder, to: target, seen: seen)
      sender.send(.folderMoved(moved))
      await offerToMend([PathMove(moved.from, to: moved.to)], sender)
    case .trashFolder(let folder):
      let trashed = try await service.trashFolder(folder)
      mender?.movedToTrash(folder)
      return .folderTrashed(trashed)
    case .see(let files, let turn):
      await news?.service.see(files.map { ($0.key, $0.value) }, turn: news.map { NewsTurn($0.list, turn) })
    case .undo(let step, let turn, let seen):
      let outcome = await undo(step, turn, seen)
      sender.send(.undone(outcome))
      await see(outcome.back, insteadOf: [])
    case .keep(let choice, let list): await keep(choice, list)
    case .link(let path, let end):
      let (link, isNew) = try await service.share(path, until: end)
      return .linked(link, isNew: isNew)
    case .openOutside(let path): return .reported(try await desktop.open(path))
    case .openAddress(let address): return .reported(try await desktop.open(address: address))
    }
    return nil
  }

  private func searchTexts(
    _ words: String, isTyping: Bool, _ sender: Sender<FileListAction>
  ) async throws(StoreError) -> FileListAction? {
    guard let search else { return nil }
    if isTyping {
      guard let pause = pauseInTyping() else { return nil }
      // A key that follows soon cancels this search before it has read anything.
      if pause > .zero, (try? await clock.sleep(for: pause)) == nil { return nil }
    }
    let steps = Sender<FileListAction> { action, name in
      guard case .searching(_, let files, let unread, _) = action else { return }
      sender.send(.moreTexts(words, files, unread: unread), replacing: name)
    }
    guard case .found(_, let files, _, _) = try await search(words, steps) else { return nil }
    return .foundTexts(words, files)
  }

  /// A temporary error interrupts the watching and is reported once. No change is missed, because the service continues
  /// from its cursor.
  private func watch(_ sender: Sender<FileListAction>) async throws(StoreError) {
    var tries = NextTries(connection: connection, clock: clock)
    var isInterrupted = false
    while true {
      do throws(StoreError) {
        if isInterrupted {
          // A request that works may stay silent for minutes.
          try await service.reach()
          sender.send(.watchResumed)
          isInterrupted = false
        }
        try await service.changes { set in
          tries.begin()
          sender.send(.changed(set))
          await compare(set, sender)
          await sendRemarks(sender, isListed: false)
        }
        return
      } catch {
        guard error.isTemporary else { throw error }
        if !isInterrupted { sender.send(.watchInterrupted(error)) }
        isInterrupted = true
        guard await tries.pause(atLeast: error.retryAfter) else { return }
      }
    }
  }

  /// Files that this member renamed or brought back are no news, whoever wrote them.
  private func see(_ entries: [FileEntry], insteadOf paths: [StorePath]) async {
    guard let news, !entries.isEmpty else { return }
    if !paths.isEmpty { await news.service.forget(paths) }
    await news.service.see(entries)
  }

  /// Marks changes that others made just now.
  private func compare(_ set: ChangeSet, _ sender: Sender<FileListAction>) async {
    guard let news else { return }
    var present: [FileEntry] = []
    var absent: [StorePath] = []
    for change in set.changes {
      switch change {
      case .present(let entry): present.append(entry)
      case .absent(let path): absent.append(path)
      }
    }
    await news.service.forget(absent)
    let marks = await news.service.compare(present, in: news.list)
    if !marks.isEmpty { sender.send(.news(marks, isListed: false)) }
  }

  /// Remarks are news of their own file. Those of the first listing count as seen.
  private func sendRemarks(_ sender: Sender<FileListAction>, isListed: Bool) async {
    let facts = await service.remarkFacts()
    var new: [StorePath: NewsMark] = [:]
    if let news { new = await news.service.marks(ofAll: await service.remarkFiles(), in: news.list.ofRemarks) }
    guard let facts else { return }
    let member = new.isEmpty ? "" : await service.memberName()
    sender.send(
      .remarks(
        facts.mapValues { facts in
          let mark = new[facts.file.path]
          return ListedRemarks(
            count: facts.count, last: facts.last, file: facts.file.path, new: mark?.revision,
            isForMe: mark != nil && facts.mention(member))
        }, isListed: isListed))
  }

  /// Tries every file, even after a failure.
  private func move(_ paths: [StorePath], to folder: StorePath, _ sender: Sender<FileListAction>) async {
    var done: [MovedFile] = []
    let failed = await failures(paths, at: { $0 }) { (path) async throws(StoreError) in
      do throws(StoreError) {
        done.append(MovedFile(path, try await service.move(path, to: folder)))
      } catch {
        if let entry = await arrived(path, at: try folder.appending(path.name)) { done.append(MovedFile(path, entry)) }
        throw error
      }
    }
    let known = failed.filter { $0.error.kind != .cancelled }
    if !done.isEmpty || !known.isEmpty { sender.send(.moved(done, failed: known)) }
    await see(done.map(\.entry), insteadOf: done.map(\.origin))
    await offerToMend(done.map { PathMove($0.origin, to: $0.entry.path) }, sender)
  }

  /// Looks for the links that moves have broken. The list asks whether to mend them, unless the files moved on meanwhile.
  func offerToMend(_ moves: [PathMove], _ sender: Sender<FileListAction>) async {
    guard let mender, !moves.isEmpty else { return }
    do throws(StoreError) {
      guard let plan = try await mender.linksToMend(adding: moves) else { return }
      if let remark = plan.remark { sender.send(.warned(remark)) }
      // Without links it ends an earlier offer.
      sender.send(.linksFound(plan))
    } catch {
      // While the store is away, the list of broken links is what is left; without the folders it is short, too.
      let isSaid = !error.isTemporary || mender.copy?.lacksFolders == true
      guard error.kind != .cancelled, error.kind != .unsupported, isSaid else { return }
      sender.send(
        .warned("byteclub could not look for links to \"\(moves[0].from)\", so they are as they were. \(error)"))
    }
  }

  /// The file at its new path, if a failed move was of what follows it: the member can undo the move.
  private func arrived(_ path: StorePath, at target: StorePath?) async -> FileEntry? {
    guard let target, target != path else { return nil }
    do throws(StoreError) {
      _ = try await service.entry(at: path)
      return nil
    } catch {
      guard error.kind == .notFound else { return nil }
    }
    do throws(StoreError) {
      return try await service.entry(at: target)
    } catch {
      // The member reads the reason of the move's failure.
      return nil
    }
  }

  /// Tries every file, even after a failure.
  private func trash(_ paths: [StorePath], _ sender: Sender<FileListAction>) async {
    var done: [TrashedFile] = []
    let failed = await failures(paths, at: { $0 }) { (path) async throws(StoreError) in
      done.append(try await service.trash(path))
      mender?.movedToTrash(path)
    }
    let known = failed.filter { $0.error.kind != .cancelled }
    if !done.isEmpty || !known.isEmpty { sender.send(.trashed(done, failed: known)) }
  }

  /// Restores the files in reverse order: if two had the same name, the later one had it last.
  private func undo(_ step: UndoStep, _ turn: Int?, _ seen: [FileEntry]) async -> UndoOutcome {
    var back: [FileEntry] = []
    switch step {
    case .restore(let files):
      let failed = await failures(files.reversed(), at: \.origin) { (file) async throws(StoreError) in
        back.append(try await service.restore(file.id))
      }
      return UndoOutcome(step, back: back.reversed(), failed: failed)
    case .rename(let path, let name):
      let failed = await failures([path], at: { $0 }) { (path) async throws(StoreError) in
        let entry = try await service.rename(path, to: name)
        mender?.movedBack([PathMove(path, to: entry.path)])
        back.append(entry)
      }
      return UndoOutcome(step, back: back, failed: failed)
    case .move(let files):
      let failed = await failures(files.reversed(), at: \.entry.path) { (file) async throws(StoreError) in
        let entry = try await service.move(file.entry.path, to: file.origin.parent)
        mender?.movedBack([PathMove(file.entry.path, to: entry.path)])
        back.append(entry)
      }
      return UndoOutcome(step, back: back.reversed(), failed: failed)
    case .moveFolder(let moved):
      let failed = await failures([moved.to], at: { $0 }) { (folder) async throws(StoreError) in
        _ = try await service.moveFolder(folder, to: moved.from, seen: seen)
        mender?.movedBack([PathMove(folder, to: moved.from)])
      }
      return UndoOutcome(step, back: [], failed: failed)
    case .restoreFolder(let trashed):
      // The list is read anew: some of the files are none of it.
      let failed = await failures([trashed.folder], at: { $0 }) { (_) async throws(StoreError) in
        if let failure = try await service.restore(trashed).failure { throw failure }
      }
      return UndoOutcome(step, back: [], failed: failed)
    case .see(let marks):
      await news?.service.unsee(marks, turn: news.flatMap { news in turn.map { NewsTurn(news.list, $0) } })
      return UndoOutcome(step, back: [])
    case .link(let link):
      let failed = await failures([link], at: \.path) { (link) async throws(StoreError) in
        try await service.unshare(link)
      }
      return UndoOutcome(step, back: [], failed: failed)
    case .mend(let notes):
      guard let outcome = await mender?.undo(notes) else { return UndoOutcome(step, back: []) }
      let changed = outcome.changed.map { path in
        FileFailure(path, StoreError(.conflict, outcome.sentence("Undid the mending of"), path: path))
      }
      return UndoOutcome(
        step, back: outcome.entries, failed: changed + outcome.failures.map { FileFailure($0.path ?? .root, $0) })
    // The notes' performer undoes merges.
    case .merge: return UndoOutcome(step, back: [])
    }
  }

  private func failures<File>(
    _ files: [File], at path: (File) -> StorePath, _ body: (File) async throws(StoreError) -> Void
  ) async -> [FileFailure] {
    var failures: [FileFailure] = []
    for file in files {
      do throws(StoreError) {
        try await body(file)
      } catch {
        failures.append(FileFailure(path(file), error))
      }
    }
    return failures
  }
}

/// The operations that both kinds of files share.
protocol ListedFiles: Sendable {
  /// Reports changes by any program until the task is cancelled.
  func changes(_ receive: (ChangeSet) async -> Void) async throws(StoreError)
  /// Sends the store a short request to test whether it answers.
  func reach() async throws(StoreError)
  func rename(_ path: StorePath, to name: String) async throws(StoreError) -> FileEntry
  func entry(at path: StorePath) async throws(StoreError) -> FileEntry
  /// Into another folder, under the same name.
  func move(_ path: StorePath, to folder: StorePath) async throws(StoreError) -> FileEntry
  func makeFolder(_ typed: String, in folder: StorePath) async throws(StoreError) -> StorePath
  /// `seen` as in `NotesService`.
  func moveFolder(
    _ folder: StorePath, to target: StorePath, seen: [FileEntry]
  ) async throws(StoreError) -> FolderMoved
  func trashFolder(_ folder: StorePath) async throws(StoreError) -> TrashedFolder
  func restore(_ folder: TrashedFolder) async throws(StoreError) -> FolderRestored
  func trash(_ path: StorePath) async throws(StoreError) -> TrashedFile
  func restore(_ id: TrashedFile.ID) async throws(StoreError) -> FileEntry
  func share(_ path: StorePath, until end: LinkEnd) async throws(StoreError) -> (link: SharedLink, isNew: Bool)
  func unshare(_ link: SharedLink) async throws(StoreError)
  /// nil if no file ever had remarks.
  func remarkFacts() async -> [StorePath: TalkFacts]?
  func remarkFiles() async -> [FileEntry]
  /// The name of this member's remarks.
  func memberName() async -> String
}
