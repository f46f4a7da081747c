internal import ClubServices
internal import FileStores
internal import TextUI

/// Performs what a list of files asks for, by the service behind it.
struct FileListPerformer: Sendable {
  let service: any ListedFiles
  let desktop: any DesktopOpener
  /// Reads the files and tells them.
  let list: @Sendable (Sender<FileListAction>) async throws(StoreError) -> Void
  /// Searches names and texts; what comes of it is `found`. Nil where files have no texts.
  var search: (@Sendable (String) async throws(StoreError) -> FileListAction)?
  /// Whether the store answers; nil for a club without a network.
  var connection: StoreConnection?
  var clock: any Clock<Duration> = ContinuousClock()

  func perform(_ effect: FileListEffect, _ sender: Sender<FileListAction>) async {
    switch effect {
    case .list: await listUntilItSucceeds(sender)
    case .search(let words):
      await sender.attempt({ $0.kind == .cancelled ? nil : .searchFailed(words, $0) }) { () async throws(StoreError) in
        try await search?(words)
      }
    case .watch: await watch(sender)
    case .rename(let path, let name):
      await sender.attempt { () async throws(StoreError) in
        .renamed(from: path, try await service.rename(path, to: name))
      }
    case .trash(let paths): await trash(paths, sender)
    case .undo(let step):
      await sender.attempt { () async throws(StoreError) in
        switch step {
        case .restore(let file): .undone(try await service.restore(file.id))
        case .rename(let path, let name): .undone(try await service.rename(path, to: name))
        }
      }
    case .openOutside(let path):
      await sender.attempt { () async throws(StoreError) in .told(try await desktop.open(path)) }
    }
  }

  /// What passes by itself is told, and the files are listed when it has passed.
  private func listUntilItSucceeds(_ sender: Sender<FileListAction>) async {
    var tries = NextTries(connection: connection, clock: clock)
    while true {
      do throws(StoreError) {
        return try await list(sender)
      } catch {
        guard error.kind != .cancelled else { return }
        sender.send(.listFailed(error))
        guard error.isTemporary, await tries.pause(atLeast: error.retryAfter) else { return }
      }
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
    var failure: StoreError?
    for path in paths {
      do throws(StoreError) {
        done.append(try await service.trash(path))
      } catch {
        failure = error
      }
    }
    if !done.isEmpty { sender.send(.trashed(done)) }
    if let failure { sender.send(.failed("\(failure)")) }
  }
}
