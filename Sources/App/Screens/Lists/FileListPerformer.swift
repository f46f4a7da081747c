internal import Basics
internal import ClubServices
internal import FileStores
internal import TextUI

/// Performs the effects of a file list with the service behind it.
struct FileListPerformer: Sendable {
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
  /// Remembers the order of a list; failures are ignored, because the order is found out again with a key.
  var keepOrder: @Sendable (ListOrder, String) async -> Void = { _, _ in }
  /// Finds out what is new, and for which list; nil for no marks.
  var news: (service: NewsService, list: NewsList)?

  func perform(_ effect: FileListEffect, _ sender: Sender<FileListAction>) async {
    switch effect {
    case .list:
      await sender.attemptAgain(connection, clock, { $0.kind == .cancelled ? nil : .listFailed($0) }) {
        () async throws(StoreError) in
        try await list(sender)
        return nil
      }
    case .search(let words):
      await sender.attempt({ $0.kind == .cancelled ? nil : .searchFailed(words, $0) }) { () async throws(StoreError) in
        try await search?(words, sender)
      }
    case .searchTexts(let words, let isTyping): await searchTexts(words, isTyping: isTyping, sender)
    case .watch: await watch(sender)
    case .rename(let path, let name):
      var renamed: FileEntry?
      await sender.attempt({ .renameFailed(path, $0) }) { () async throws(StoreError) in
        let entry = try await service.rename(path, to: name)
        renamed = entry
        return .renamed(from: path, entry)
      }
      if let renamed { await see([renamed], insteadOf: [path]) }
    case .trash(let paths): await trash(paths, sender)
    case .see(let files, let turn):
      await news?.service.see(files.map { ($0.key, $0.value) }, turn: news.map { NewsTurn($0.list, turn) })
    case .undo(let step, let turn):
      let outcome = await undo(step, turn)
      sender.send(.undone(outcome))
      await see(outcome.back, insteadOf: [])
    case .keepOrder(let order, let list): await keepOrder(order, list)
    case .link(let path):
      await sender.attempt { () async throws(StoreError) in .linked(try await service.link(to: path)) }
    case .openOutside(let path):
      await sender.attempt { () async throws(StoreError) in .told(try await desktop.open(path)) }
    case .openAddress(let address):
      await sender.attempt { () async throws(StoreError) in .told(try await desktop.open(address: address)) }
    }
  }

  /// A failure shows no texts: the names are found all the same.
  private func searchTexts(_ words: String, isTyping: Bool, _ sender: Sender<FileListAction>) async {
    guard let search else { return }
    if isTyping {
      guard let pause = pauseInTyping() else { return }
      // A key that follows soon cancels this search before it has read anything.
      if pause > .zero, (try? await clock.sleep(for: pause)) == nil { return }
    }
    let silent = Sender<FileListAction> { _, _ in }
    await sender.attempt({ _ in nil }) { () async throws(StoreError) in
      guard case .found(_, let files, _, _) = try await search(words, silent) else { return nil }
      return .foundTexts(words, files)
    }
  }

  /// A temporary error interrupts the watching and is reported once. No change is missed, because the service continues
  /// from its cursor.
  private func watch(_ sender: Sender<FileListAction>) async {
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
        }
        return
      } catch {
        guard error.isTemporary else { return sender.send(.watchEnded(error)) }
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

  /// Tries every file, even after a failure.
  private func trash(_ paths: [StorePath], _ sender: Sender<FileListAction>) async {
    var done: [TrashedFile] = []
    let failed = await failures(paths, at: { $0 }) { (path) async throws(StoreError) in
      done.append(try await service.trash(path))
    }
    let told = failed.filter { $0.error.kind != .cancelled }
    if !done.isEmpty || !told.isEmpty { sender.send(.trashed(done, failed: told)) }
  }

  /// Restores the files in reverse order: if two had the same name, the later one had it last.
  private func undo(_ step: UndoStep, _ turn: Int?) async -> UndoOutcome {
    var back: [FileEntry] = []
    switch step {
    case .restore(let files):
      let failed = await failures(files.reversed(), at: \.origin) { (file) async throws(StoreError) in
        back.append(try await service.restore(file.id))
      }
      return UndoOutcome(step, back: back.reversed(), failed: failed)
    case .rename(let path, let name):
      let failed = await failures([path], at: { $0 }) { (path) async throws(StoreError) in
        back.append(try await service.rename(path, to: name))
      }
      return UndoOutcome(step, back: back, failed: failed)
    case .see(let marks):
      await news?.service.unsee(marks, turn: news.flatMap { news in turn.map { NewsTurn(news.list, $0) } })
      return UndoOutcome(step, back: [])
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
  func trash(_ path: StorePath) async throws(StoreError) -> TrashedFile
  func restore(_ id: TrashedFile.ID) async throws(StoreError) -> FileEntry
  /// The link that shares a file, made if there is none.
  func link(to path: StorePath) async throws(StoreError) -> SharedLink
}

/// An action type with a case for failures.
protocol FailableAction: Sendable {
  static func failed(_ sentence: String) -> Self
}

extension FileListAction: FailableAction {}

extension Sender where Action: FailableAction {
  /// Sends the action of `body`, or the one that `failed` makes of its error: by default the message, or nothing if the
  /// effect was cancelled.
  func attempt(
    _ failed: (StoreError) -> Action? = { $0.kind == .cancelled ? nil : .failed("\($0)") },
    _ body: () async throws(StoreError) -> Action?
  ) async {
    do throws(StoreError) {
      if let action = try await body() { send(action) }
    } catch {
      if let action = failed(error) { send(action) }
    }
  }

  /// As `attempt`, repeated after temporary errors at the times of `NextTries.run`.
  func attemptAgain(
    _ connection: StoreConnection?, _ clock: any Clock<Duration>, _ failed: (StoreError) -> Action?,
    _ body: () async throws(StoreError) -> Action?
  ) async {
    await NextTries.run(
      connection: connection, clock: clock, failed: { if let action = failed($0) { send(action) } }
    ) { () async throws(StoreError) in
      if let action = try await body() { send(action) }
    }
  }
}
