internal import FileStores
internal import TextUI

/// Performs what a list of files asks for, by the service behind it.
struct FileListPerformer: Sendable {
  let service: any ListedFiles
  let desktop: any DesktopOpener
  /// Reads the files and tells them.
  let list: @Sendable (Sender<FileListAction>) async throws(StoreError) -> Void

  func perform(_ effect: FileListEffect, _ sender: Sender<FileListAction>) async {
    switch effect {
    case .list:
      await sender.attempt({ $0.kind == .cancelled ? nil : .listFailed($0) }) { () async throws(StoreError) in
        try await list(sender)
        return nil
      }
    case .watch:
      do throws(StoreError) {
        try await service.changes { sender.send(.changed($0)) }
      } catch {
        sender.send(.watchEnded(error))
      }
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
