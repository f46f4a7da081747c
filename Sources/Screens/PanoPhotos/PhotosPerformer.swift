public import ClubServices
public import FileStores
internal import Imaging
internal import Synchronization
public import TextUI
public import Transfers

/// Performs what the photos' screen asks for, by the photos' service.
public final class PhotosPerformer: EffectPerformer {
  let service: PhotosService
  let engine: TransferEngine
  let files: any LocalFiles
  let desktop: any DesktopOpener
  let photosFolder: StorePath
  /// How often all transfers were cancelled: uploads that are still being looked at then are not begun.
  let cancellations = Atomic<Int>(0)

  /// Everything that the effects need.
  public init(
    service: PhotosService, engine: TransferEngine, files: any LocalFiles, desktop: any DesktopOpener,
    photosFolder: StorePath
  ) {
    self.service = service
    self.engine = engine
    self.files = files
    self.desktop = desktop
    self.photosFolder = photosFolder
  }

  /// Takes nothing: the order of no effect of this tab matters.
  public func post(_ effect: PhotosEffect) {
    preconditionFailure("\(effect) is performed, not posted")
  }

  /// Does it, and tells what happened; errors are told as sentences.
  @concurrent
  public func perform(_ effect: PhotosEffect, _ sender: Sender<PhotosAction>) async {
    switch effect {
    case .list: await list(sender)
    case .watch:
      do throws(StoreError) {
        try await service.changes { sender.send(.changed($0)) }
      } catch {
        sender.send(.watchEnded(error))
      }
    case .thumbnails(let paths, let columns, let rows): await thumbnails(paths, columns, rows, sender)
    case .view(let path): await view(path, sender)
    case .info(let path):
      await attempt(sender) { () async throws(StoreError) in .informed(try await self.service.info(path)) }
    case .upload(let paths):
      let before = cancellations.load(ordering: .sequentiallyConsistent)
      for path in paths { await upload(path, after: before, sender) }
    case .download(let paths, let directory): await download(paths, to: directory, sender)
    case .cancel(let id): await engine.cancel(id)
    case .cancelAll:
      cancellations.add(1, ordering: .sequentiallyConsistent)
      await engine.cancelAll()
    case .complete(let typed, let purpose):
      sender.send(.completed(typed, await files.complete(typed, for: purpose)))
    case .rename(let path, let name):
      await attempt(sender) { () async throws(StoreError) in
        .renamed(from: path, try await self.service.rename(path, to: name))
      }
    case .trash(let paths): await trash(paths, sender)
    case .undo(let step):
      await attempt(sender) { () async throws(StoreError) in
        switch step {
        case .restore(let file): .undone(try await self.service.restore(file.id))
        case .rename(let path, let name): .undone(try await self.service.rename(path, to: name))
        }
      }
    case .openOutside(let path):
      await attempt(sender) { () async throws(StoreError) in .told(try await self.desktop.open(path)) }
    }
  }

  private func attempt(
    _ sender: Sender<PhotosAction>, _ body: () async throws(StoreError) -> PhotosAction
  ) async {
    do throws(StoreError) {
      sender.send(try await body())
    } catch {
      if error.kind != .cancelled { sender.send(.failed("\(error)")) }
    }
  }
}
