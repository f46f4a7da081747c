public import ClubServices
public import FileStores
internal import Imaging
internal import Synchronization
public import TextUI

/// Performs what the photos' screen asks for, by the photos' service.
public final class PhotosPerformer: EffectPerformer {
  let service: PhotosService
  let files: any LocalFiles
  let connection: StoreConnection?
  let clock: any Clock<Duration>
  private let desktop: any DesktopOpener
  private let list: FileListPerformer
  /// How often preparing was stopped: what is still being looked at then is not begun.
  let cancellations = Atomic<Int>(0)

  /// Everything that the effects need; `connection` tells whether the club's store answers, `clock` counts the pauses
  /// before what failed is tried again.
  public init(
    service: PhotosService, files: any LocalFiles, desktop: any DesktopOpener, photosFolder: StorePath,
    connection: StoreConnection? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) {
    (self.connection, self.clock) = (connection, clock)
    self.service = service
    self.desktop = desktop
    self.files = files
    list = FileListPerformer(
      service: service, desktop: desktop,
      list: { (sender) async throws(StoreError) in
        sender.send(.listed(try await service.table(of: photosFolder)))
      }, connection: connection, clock: clock)
  }

  /// Takes nothing: the order of no effect of this tab matters.
  public func post(_ effect: PhotosEffect) {
    preconditionFailure("\(effect) is performed, not posted")
  }

  /// Does it, and tells what happened; errors are told as sentences.
  @concurrent
  public func perform(_ effect: PhotosEffect, _ sender: Sender<PhotosAction>) async {
    switch effect {
    case .files(let effect): await list.perform(effect, sender.map(PhotosAction.files))
    case .thumbnails(let paths, let failed, let columns, let rows):
      await thumbnails(paths, failed: failed, columns, rows, sender)
    case .view(let path, let file): await view(path, onDisk: file, sender)
    case .prefetch(let path): await prefetch(path)
    case .lookOnDisk(let copies): await look(copies, sender)
    case .openOnDisk(let file):
      await sender.attempt { () async throws(StoreError) in .files(.told(try await self.desktop.open(file: file))) }
    case .seek(let words): await seek(words, sender)
    case .info(let path):
      await sender.attempt { () async throws(StoreError) in .informed(try await self.service.info(path)) }
    case .openKept(let path):
      await sender.attempt { () async throws(StoreError) in
        _ = try await self.desktop.open(file: try await self.service.file(of: path))
        return .files(.told("Opened a read-only copy of \"\(String(decoding: path.name, as: UTF8.self))\"."))
      }
    case .upload(let paths, let again): await upload(paths, again: again, sender)
    case .download(let paths, let directory, let again): await download(paths, to: directory, again: again, sender)
    case .stopPreparing: cancellations.add(1, ordering: .sequentiallyConsistent)
    case .findFolder(let typed): sender.send(.folderFound(typed, await files.folder(typed)))
    case .makeFolder(let typed, let path): sender.send(.folderFound(typed, await files.makeFolder(path)))
    case .remember(let folder, let purpose):
      await sender.attempt { () async throws(StoreError) in
        try await self.files.remember(folder, for: purpose)
        return nil
      }
    case .complete(let typed, let purpose):
      sender.send(.completed(typed, await files.complete(typed, for: purpose)))
    }
  }
}
