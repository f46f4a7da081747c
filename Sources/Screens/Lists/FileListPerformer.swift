internal import ClubServices
internal import FileStores
internal import TextUI

/// Performs what a list of files asks for, by the service behind it.
struct FileListPerformer: Sendable {
  let service: any ListedFiles
  let desktop: any DesktopOpener
  /// Reads the files and tells them.
  let list: @Sendable (Sender<FileListAction>) async throws(StoreError) -> Void
  /// Searches names and texts and tells how far it is; what comes of it is `found`. Nil where files have no texts.
  var search: (@Sendable (String, Sender<FileListAction>) async throws(StoreError) -> FileListAction)?
  /// Whether the store answers; nil for a club without a network.
  var connection: StoreConnection?
  var clock: any Clock<Duration> = ContinuousClock()

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
    case .watch: await watch(sender)
    case .rename(let path, let name):
      await sender.attempt({ .renameFailed(path, $0) }) { () async throws(StoreError) in
        .renamed(from: path, try await service.rename(path, to: name))
      }
    case .trash(let paths): await trash(paths, sender)
    case .undo(let step): sender.send(.undone(await undo(step)))
    case .openOutside(let path):
      await sender.attempt { () async throws(StoreError) in .told(try await desktop.open(path)) }
    }
  }

  /// What passes by itself interrupts the watching and does not end it: it is told once, and nothing of what happens
  /// meanwhile is missed, as the service goes on from its cursor.
  private func watch(_ sender: Sender<FileListAction>) async {
    var tries = NextTries(connection: connection, clock: clock)
    var isInterrupted = false
    while true {
      do throws(StoreError) {
        if isInterrupted {
          // A wait that goes well is silent for minutes.
          try await service.reach()
          sender.send(.watchResumed)
          isInterrupted = false
        }
        try await service.changes { set in
          tries.begin()
          sender.send(.changed(set))
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

  /// One failure does not keep the others from the trash.
  private func trash(_ paths: [StorePath], _ sender: Sender<FileListAction>) async {
    var done: [TrashedFile] = []
    let failed = await failures(paths, at: { $0 }) { (path) async throws(StoreError) in
      done.append(try await service.trash(path))
    }
    let told = failed.filter { $0.error.kind != .cancelled }
    if !done.isEmpty || !told.isEmpty { sender.send(.trashed(done, failed: told)) }
  }

  /// The last that went comes back first: of two with one name, the later one had it.
  private func undo(_ step: UndoStep) async -> UndoOutcome {
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

/// The service behind a list of files: what both kinds of files let be done.
protocol ListedFiles: Sendable {
  /// Tells changes by any program, until the task is cancelled.
  func changes(_ receive: (ChangeSet) async -> Void) async throws(StoreError)
  /// Asks the store something short, to see whether it answers.
  func reach() async throws(StoreError)
  func rename(_ path: StorePath, to name: String) async throws(StoreError) -> FileEntry
  func trash(_ path: StorePath) async throws(StoreError) -> TrashedFile
  func restore(_ id: TrashedFile.ID) async throws(StoreError) -> FileEntry
}
