public import Basics
public import ClubServices
public import FileStores
public import Imaging
internal import Synchronization
public import TextUI

/// The kinds that the member chose for photos, in this run and earlier ones. A photo has several words for its content
/// (`PhotosService.contentWords`); any of them finds it.
public struct KindMemory: Sendable {
  let kind: @Sendable (_ words: [String]) async -> PictureKind?
  let keep: @Sendable (PictureKind, _ words: [String]) async -> Void

  public init(
    kind: @escaping @Sendable (_ words: [String]) async -> PictureKind?,
    keep: @escaping @Sendable (PictureKind, _ words: [String]) async -> Void
  ) {
    (self.kind, self.keep) = (kind, keep)
  }
}

public final class PhotosPerformer: AnsweringPerformer {
  public typealias Effect = PhotosEffect
  public typealias Action = PhotosAction

  let service: PhotosService
  let files: any LocalFiles
  let connection: StoreConnection?
  let clock: any Clock<Duration>
  private let desktop: any DesktopOpener
  private let list: FileListPerformer
  let kinds: KindMemory?
  private let phones: PhoneWords
  private let keepLayout: @Sendable (PhotosLayout) async -> Void
  private let keepGrid: @Sendable (GridChoice) async -> Void
  /// Files that were being checked at a stop are not queued.
  let cancellations = Atomic<Int>(0)

  /// The QR code of an address, and sentences about phones that do not reach it, or that warn of it.
  public typealias PhoneWords = @Sendable (_ address: String) async -> (code: QRBlocks?, warnings: [String])

  /// `clock` measures the pauses before retries. `notes` have links to photos, to be mended.
  public init(
    service: PhotosService, files: any LocalFiles, desktop: any DesktopOpener, photosFolder: StorePath,
    connection: StoreConnection? = nil, clock: any Clock<Duration> = TimerClock(),
    keep: @escaping @Sendable (ListChoice, String) async -> Void = { _, _ in }, news: NewsService? = nil,
    queryClock: @escaping @Sendable () -> QueryClock = { .local },
    kinds: KindMemory? = nil, keepLayout: @escaping @Sendable (PhotosLayout) async -> Void = { _ in },
    keepGrid: @escaping @Sendable (GridChoice) async -> Void = { _ in },
    phones: @escaping PhoneWords = { _ in (nil, []) }, notes: NotesService? = nil
  ) {
    (self.keepLayout, self.keepGrid, self.phones) = (keepLayout, keepGrid, phones)
    (self.connection, self.clock, self.kinds) = (connection, clock, kinds)
    self.service = service
    self.desktop = desktop
    self.files = files
    list = FileListPerformer(
      service: service, desktop: desktop,
      list: { (sender) async throws(StoreError) in
        let (table, entries) = try await service.table(of: photosFolder)
        sender.send(.listed(table))
        guard let news else { return }
        let marks = await news.marks(ofAll: entries, in: .photos)
        if !marks.isEmpty { sender.send(.news(marks, isListed: true)) }
      },
      search: { (words, _) async throws(StoreError) in try await service.search(words, NoteQuery(words, queryClock()))
      },
      connection: connection, clock: clock, keep: keep, mender: notes,
      news: news.map { ($0, .photos) })
  }

  public func answer(
    to effect: PhotosEffect, _ sender: Sender<PhotosAction>
  ) async throws(StoreError) -> PhotosAction? {
    switch effect {
    case .files(let effect): await list.perform(effect, sender.map(PhotosAction.files))
    case .thumbnails(let paths, let failed, let columns, let rows, let boxes, let resolution):
      await thumbnails(paths, failed: failed, boxes, usual: Size(columns, rows), resolution, sender)
    case .shapes(let paths): return await shapes(of: paths).map(PhotosAction.shaped)
    case .view(let path, let file): await view(path, onDisk: file, sender)
    case .detail(let path, let request): return try await detail(path, request)
    case .awaitTurn(let pause):
      guard (try? await clock.sleep(for: pause)) != nil else { return nil }
      return .turned
    case .kinds(let paths): await findKinds(paths, sender)
    case .captures:
      await service.readCaptures { sender.send(.capturesFound($0.moments), replacing: "captures") }
    case .keepLayout(let layout): await keepLayout(layout)
    case .keepGrid(let choice): await keepGrid(choice)
    case .keepKind(let kind, let path): await kinds?.keep(kind, await service.contentWords(of: path))
    case .awaitRest:
      guard (try? await clock.sleep(for: PhotoViewer.rest)) != nil else { return nil }
      return .settled
    case .caption(let path): await caption(path, sender)
    case .tour(let path):
      await tour(of: path, sender, isAgain: true)
      await compareNames(at: path, sender)
    case .door(let path, let yaw, let pitch, let heading, let target):
      let waiting = try await service.addDoor(
        from: path, yawDegrees: yaw, pitchDegrees: pitch, headingDegrees: heading, to: target)
      return .doorMade(from: path, to: target, waiting: waiting)
    case .withdrawDoor(let door, let path):
      return .doorWithdrawn(in: path, waiting: try await service.withdrawDoor(door, in: path))
    case .readWalk(let path): return .walkRead(try await service.walk(at: path))
    case .keepWalk(let recorder, let title):
      let kept = try await service.keep(recorder, title: title)
      return .walkKept(kept.path, waiting: kept.waiting)
    case .askForPhotos(let giver):
      let page = try await service.dropPage(giver: giver)
      let (code, warnings) = await phones(page.url)
      return .dropPageMade(ShownDropPage(page, code: code, warnings: warnings))
    case .prefetch(let paths): await prefetch(paths, sender)
    case .lookOnDisk(let copies): await look(copies, sender)
    case .openOnDisk(let file): return .files(.reported(try await desktop.open(file: file)))
    case .seek(let words): await seek(words, sender)
    case .info(let path):
      let info = try await service.info(path)
      return .informed(info, offset: info.entry.modified?.localOffset ?? 0)
    case .openKept(let path):
      _ = try await desktop.open(file: try await service.file(of: path))
      return .files(.reported("Opened a read-only copy of \"\(String(decoding: path.name, as: UTF8.self))\"."))
    case .upload(let paths, let album, let again): await upload(paths, to: album, again: again, sender)
    case .download(let paths, let directory, let again): await download(paths, to: directory, again: again, sender)
    case .stopPreparing: cancellations.add(1, ordering: .sequentiallyConsistent)
    case .findFolder(let typed): return .folderFound(typed, await files.folder(typed))
    case .makeFolder(let typed, let path): return .folderFound(typed, await files.makeFolder(path))
    case .remember(let folder, let purpose): try await files.remember(folder, for: purpose)
    case .complete(let typed, let purpose): return .completed(typed, await files.complete(typed, for: purpose))
    }
    return nil
  }
}

extension PhotosPerformer {
  /// Works for a text into which a picture of this machine goes.
  func perform(_ effect: PictureEffect, _ sender: Sender<PictureAction>) async {
    switch effect {
    case .complete(let typed): sender.send(.completed(typed, await files.complete(typed, for: .upload)))
    case .look(let pasted):
      guard let path = TypedPaths.picture(pasted: String(decoding: pasted, as: UTF8.self)) else { return }
      let found = await files.complete(path, for: .upload)
      if case .files(let files) = found.meaning, files.count == 1 { sender.send(.found(files[0], pasted: pasted)) }
    case .upload(let file):
      do throws(StoreError) {
        let plan = try await service.planUpload(files.resolve(file), into: nil, again: false)
        if let there = plan.existing { return sender.send(.ready(file, there.path)) }
        // Before the upload, which may be over at once.
        sender.send(.began(file, local: plan.localPath))
        _ = try await service.upload(plan)
      } catch {
        sender.send(.ended(file, error))
      }
    }
  }
}
