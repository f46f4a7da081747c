internal import ClubServices
internal import FileStores
internal import Imaging
internal import Synchronization
internal import TextUI

extension PhotosService: ListedFiles {
  /// With sizes and ages, which the recursive listing includes anyway.
  func table(of folder: StorePath) async throws(StoreError) -> (EntryTable, [FileEntry]) {
    var builder = EntryTable.Builder(folder: folder)
    var entries: [FileEntry] = []
    try await list {
      builder.add($0)
      entries += $0
    }
    var table = builder.finish()
    table.merge(entries)
    return (table, entries)
  }

  func move(_ path: StorePath, to folder: StorePath) async throws(StoreError) -> FileEntry {
    try await move(path, to: folder, named: nil)
  }

  func makeFolder(_ typed: String, in folder: StorePath) async throws(StoreError) -> StorePath {
    throw StoreError(.unsupported, "An album begins with its first photo.", remedy: "Move a photo into \"\(typed)\".")
  }

  func moveFolder(
    _ folder: StorePath, to target: StorePath, seen: [FileEntry]
  ) async throws(StoreError) -> FolderMoved {
    try await moveAlbum(folder, to: target, seen: seen)
  }

  func trashFolder(_ folder: StorePath) async throws(StoreError) -> TrashedFolder { try await trashAlbum(folder) }

  func restore(_ folder: TrashedFolder) async throws(StoreError) -> FolderRestored { try await restore(album: folder) }

  /// Searches names and captions.
  func search(_ words: String, _ query: NoteQuery) async throws(StoreError) -> FileListAction {
    let search = try await search(for: query)
    return .found(
      words, search.found.map { FoundFile($0.entry, $0.lines) }, total: search.total,
      remark: search.failure.map { " Some captions were not searched. \($0.message)" } ?? "")
  }
}

extension PhotosPerformer {
  /// Works in the order of the screen, so a cancelled effect leaves at most one thumbnail in progress. Failed ones are
  /// retried together.
  func thumbnails(
    _ paths: [StorePath], failed: [StorePath], _ boxes: [StorePath: Size], usual: Size,
    _ resolution: PictureResolution, _ sender: Sender<PhotosAction>
  ) async {
    await tellKept(paths, sender)
    var tries = NextTries(connection: connection, clock: clock)
    var (wanted, failed) = (paths, failed)
    while true {
      var least: Duration?
      func take(_ path: StorePath, _ result: Result<Pixels, StoreError>) {
        do throws(StoreError) {
          let picture = try cells(try result.get(), boxes[path] ?? usual, resolution, path)
          sender.send(.thumbnail(path, .success(picture)))
        } catch {
          if error.kind != .cancelled { sender.send(.thumbnail(path, .failure(error))) }
          guard error.isTemporary else { return }
          failed.append(path)
          least = [least, error.retryAfter].compactMap { $0 }.max()
        }
      }
      // Pictures of the usual size come first: the others take longer.
      for side in Self.sides {
        let some = wanted.filter { Self.side(for: boxes[$0] ?? usual, resolution) == side }
        if !some.isEmpty { await service.thumbnails(of: some, maxWidth: side, maxHeight: side, take) }
      }
      guard !failed.isEmpty, !Task.isCancelled, await tries.pause(atLeast: least) else { return }
      (wanted, failed) = (failed, [])
    }
  }

  /// In pixels, of the boxes for thumbnails.
  private static let sides = [320, 640, 1280, 2048]

  private static func side(for box: Size, _ resolution: PictureResolution) -> Int {
    let pixels = max(box.width * resolution.cell.width, box.height * resolution.cell.height)
    return sides.first { $0 >= pixels } ?? 2048
  }

  /// Reads the shapes of all these photos; nil if the effect was cancelled, because that says nothing about them.
  func shapes(of paths: [StorePath]) async -> [StorePath: Float]? {
    var shapes: [StorePath: Float] = [:]
    for path in paths where !Task.isCancelled {
      do throws(StoreError) {
        let size = try await service.header(of: path).size
        shapes[path] = Float(size.width) / Float(max(1, size.height))
      } catch {
        // The thumbnail reports the reason.
        shapes[path] = GridLayout.unreadShape
      }
    }
    return Task.isCancelled ? nil : shapes
  }

  /// One after the other: behind a network each takes a part of the photo.
  func findKinds(_ paths: [StorePath], _ sender: Sender<PhotosAction>) async {
    for path in paths where !Task.isCancelled {
      if let kind = await kinds?.kind(await service.contentWords(of: path)) {
        sender.send(.kindFound(path, kind))
        continue
      }
      do throws(StoreError) {
        sender.send(.kindFound(path, PictureGeometry(try await service.header(of: path)).kind))
      } catch {
        // Thumbnails and the viewer report errors. A header that is not at the beginning stays unread.
        if error.kind == .unsupported { sender.send(.kindFound(path, .flat)) }
        if error.isTemporary { return }
      }
    }
  }

  private func tellKept(_ paths: [StorePath], _ sender: Sender<PhotosAction>) async {
    guard service.keepsPhotos else { return }
    let kept = await service.keptPhotos(paths)
    if !Task.isCancelled { sender.send(.kept(kept, of: paths)) }
  }

  /// Adds the store's matches to those of the list's own filter.
  func seek(_ words: String, _ sender: Sender<PhotosAction>) async {
    do throws(StoreError) {
      let found = try await service.found(by: words)
      if !found.isEmpty { sender.send(.found(found.map(\.entry))) }
    } catch {
      // The listing and the watching report errors of the store.
    }
  }

  private func cells(
    _ pixels: Pixels, _ box: Size, _ resolution: PictureResolution, _ path: StorePath
  ) throws(StoreError) -> ShownPicture {
    do throws(ImageError) {
      return try ShownPicture(pixels, columns: box.width, rows: box.height, in: resolution)
    } catch {
      throw StoreError(.cancelled, "byteclub did not make the thumbnail of \"\(path)\".", path: path)
    }
  }

  func view(_ path: StorePath, onDisk file: String?, _ sender: Sender<PhotosAction>) async {
    // Before the photo, which then opens with the tour's view.
    let isSettled = await tour(of: path, sender)
    let kind = await kinds?.kind(await service.contentWords(of: path))
    let tries = NextTries(connection: connection, clock: clock)
    await tries.run(failed: { sender.send(.failed(.view(path, onDisk: file), $0)) }) { () async throws(StoreError) in
      let steps = Mutex(LoadingSteps())
      let read = { @Sendable (bytes: Int) in
        if steps.withLock({ $0.isNext(bytes) }) { sender.send(.loaded(path, bytes: bytes), replacing: "loaded") }
      }
      let picture = try await service.picture(path, onDisk: file, read: read) { coarse in
        guard let pyramid = self.pyramid(coarse.pixels) else { return }
        sender.send(.viewed(path, pyramid, full: coarse.header.size, header: coarse.header, isWhole: false, kind: kind))
      }
      guard let pyramid = pyramid(picture.pixels, full: picture.full) else { return }
      sender.send(.viewed(path, pyramid, full: picture.header.size, header: picture.header, isWhole: true, kind: kind))
      await caption(path, sender)
      if !isSettled { await tour(of: path, sender) }
      await tellKept([path], sender)
      await compareNames(at: path, sender)
    }
  }

  func compareNames(at path: StorePath, _ sender: Sender<PhotosAction>) async {
    if let tour = await service.comparedTour(of: path) { sender.send(.toured(path, .success(tour))) }
  }

  /// False if the store cannot be reached, which the photo reports; a copy on this machine is shown all the same. `isAgain`
  /// reports a tour that has gone, too.
  @discardableResult
  func tour(of path: StorePath, _ sender: Sender<PhotosAction>, isAgain: Bool = false) async -> Bool {
    do throws(StoreError) {
      let tour = try await service.tour(of: path) ?? (isAgain ? PhotoTour(marks: []) : nil)
      if let tour { sender.send(.toured(path, .success(tour))) }
    } catch {
      if error.isTemporary { return false }
      if error.kind != .cancelled { sender.send(.toured(path, .failure(error))) }
    }
    return true
  }

  /// The view rests this long before a part is read for it.
  private static let detailRest = Duration.milliseconds(120)

  func detail(_ path: StorePath, _ request: DetailRequest) async throws(StoreError) -> PhotosAction? {
    guard (try? await clock.sleep(for: Self.detailRest)) != nil else { return nil }
    return .detailed(path, try await service.detail(path, request))
  }

  func caption(_ path: StorePath, _ sender: Sender<PhotosAction>) async {
    do throws(StoreError) {
      sender.send(.captioned(path, try await service.caption(of: path)?.line ?? ""))
    } catch {
      if error.kind != .cancelled {
        sender.send(.captioned(path, "byteclub could not read the caption. \(error.message)"))
      }
    }
  }

  /// One after the other, so that a move cancels the rest.
  func prefetch(_ paths: [StorePath], _ sender: Sender<PhotosAction>) async {
    for path in paths where !Task.isCancelled {
      if let connection {
        guard connection.state == .online, await fetch(path, connection) else { continue }
      }
      do throws(StoreError) {
        guard let photo = try await ready(path, edge: Self.readyEdge)?.photo else { return }
        sender.send(.ready(path, photo))
      } catch {
        // The viewer reports errors of a photo that is viewed.
        continue
      }
    }
  }

  /// nil if the effect was cancelled.
  func ready(_ path: StorePath, edge: Int) async throws(StoreError) -> (photo: ReadyPhoto, entry: FileEntry)? {
    let info = try await service.info(path)
    let pixels = try await service.thumbnail(of: info.entry, maxWidth: edge, maxHeight: edge)
    guard let pyramid = pyramid(pixels) else { return nil }
    return (ReadyPhoto(pyramid, full: info.header.size, header: info.header), info.entry)
  }

  /// More pixels than most terminals show; 6 MB for a panorama of 2:1.
  static let readyEdge = 2048

  /// True if the photo is on this machine now. Runs only while the store answers at once: the first trouble or rate
  /// limit ends it.
  private func fetch(_ path: StorePath, _ connection: StoreConnection) async -> Bool {
    let (service, states) = (service, connection.states())
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask { await service.prefetch(path) }
      group.addTask {
        for await state in states where state != .online { break }
        return false
      }
      let isHere = await group.next() == true
      group.cancelAll()
      return isHere
    }
  }

  /// nil if the effect was cancelled, the only possible failure.
  private func pyramid(_ pixels: Pixels, full: PixelSize? = nil) -> Pyramid? {
    do throws(ImageError) {
      return try Pyramid(pixels, full: full, isCancelled: { Task.isCancelled })
    } catch {
      return nil
    }
  }

  func upload(_ paths: [String], to album: StorePath?, again: Bool, _ sender: Sender<PhotosAction>) async {
    var failed: [UploadFailure] = []
    var there: [(file: String, path: StorePath)] = []
    await prepare(paths, sender, { failed.append(UploadFailure($0, $1)) }) {
      (path, isCancelled) async throws(StoreError) in
      let plan = try await service.planUpload(files.resolve(path), into: album, again: again)
      guard !isCancelled() else { return nil }
      if !again, let entry = plan.existing {
        there.append((path, entry.path))
        return nil
      }
      let id = try await service.upload(plan)
      if let sentence = plan.renaming { sender.send(.files(.reported(sentence))) }
      return id
    }
    sender.send(.uploadsPrepared(paths, failed: failed))
    if !there.isEmpty { sender.send(.clubHas(there.map(\.file), there.map(\.path), into: album)) }
  }

  func download(_ paths: [StorePath], to typed: String, again: Bool, _ sender: Sender<PhotosAction>) async {
    let directory = files.resolve(typed)
    var there: [StorePath] = []
    await prepare(paths, sender, { sender.send(.files(.warned("\"\($0)\" was not downloaded. \($1)"))) }) {
      (path, _) async throws(StoreError) in
      if !again, let copy = try await service.copy(of: path, in: directory) {
        there.append(path)
        sender.send(.copied(DiskCopy(entry: copy.entry, file: copy.file)))
        return nil
      }
      return try await service.download(path, to: directory)
    }
    if !there.isEmpty { sender.send(.folderHas(there, typed)) }
  }

  /// Reports each copy, because reading a file may take a while.
  func look(_ copies: [DiskCopy], _ sender: Sender<PhotosAction>) async {
    for copy in copies where !Task.isCancelled {
      let size = copy.entry.size ?? 0
      let isThere = await files.holds(copy.file, size: size, contentHash: copy.entry.contentHash)
      if !Task.isCancelled { sender.send(.lookedOnDisk([copy.entry.path: isThere])) }
    }
  }

  /// Works until preparing is stopped. Sends `prepared` once for each file, when it is in the queue or has failed.
  private func prepare<File>(
    _ files: [File], _ sender: Sender<PhotosAction>, _ failed: (File, StoreError) -> Void,
    _ body: (File, _ isCancelled: () -> Bool) async throws(StoreError) -> String?
  ) async {
    let before = cancellations.load(ordering: .sequentiallyConsistent)
    func isCancelled() -> Bool { cancellations.load(ordering: .sequentiallyConsistent) != before }
    for file in files {
      var id: String?
      do throws(StoreError) {
        if !isCancelled() { id = try await body(file, isCancelled) }
      } catch {
        failed(file, error)
      }
      sender.send(.prepared(id))
    }
  }
}
