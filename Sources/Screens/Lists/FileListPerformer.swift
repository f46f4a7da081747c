internal import FileStores
internal import TextUI

/// Performs what a list of files asks for, by the service behind it.
struct FileListPerformer: Sendable {
  /// Between two tries to go on watching a store that cannot be reached. A retrying store has tried five times by then.
  static let watchPause = Duration.seconds(15)

  let service: any ListedFiles
  let desktop: any DesktopOpener
  /// Reads the files and tells them.
  let list: @Sendable (Sender<FileListAction>) async throws(StoreError) -> Void
  /// Searches names and texts; what comes of it is `found`. Nil where files have no texts.
  var search: (@Sendable (String) async throws(StoreError) -> FileListAction)?
  var clock: any Clock<Duration> = ContinuousClock()

  func perform(_ effect: FileListEffect, _ sender: Sender<FileListAction>) async {
    switch effect {
    case .list:
      await sender.attempt({ $0.kind == .cancelled ? nil : .listFailed($0) }) { () async throws(StoreError) in
        try await list(sender)
        return nil
      }
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

  /// What passes by itself interrupts the watching and does not end it: it is told once, and nothing of what happens
  /// meanwhile is missed, as the service goes on from its cursor.
  private func watch(_ sender: Sender<FileListAction>) async {
    var isTold = false
    while true {
      do throws(StoreError) {
        try await service.changes { set in
          isTold = false
          sender.send(.changed(set))
        }
        return
      } catch {
        guard error.isTemporary else { return sender.send(.watchEnded(error)) }
        if !isTold { sender.send(.watchInterrupted(error)) }
        isTold = true
      }
      do {
        try await clock.sleep(for: FileListPerformer.watchPause)
      } catch {
        // Cancelled: nobody watches any more.
        return
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
