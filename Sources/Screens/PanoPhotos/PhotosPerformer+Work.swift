internal import ClubServices
internal import FileStores
internal import Imaging
internal import Synchronization
internal import TextUI

extension PhotosService: ListedFiles {
  /// All photos with their sizes and ages: what lists folders tells them anyway.
  func table(of folder: StorePath) async throws(StoreError) -> EntryTable {
    var builder = EntryTable.Builder(folder: folder)
    var entries: [FileEntry] = []
    try await list {
      builder.add($0)
      entries += $0
    }
    var table = builder.finish()
    table.merge(entries)
    return table
  }
}

extension PhotosPerformer {
  /// In the order of the screen: a cancelled effect leaves at most one in the making. Those that failed are tried again
  /// together.
  func thumbnails(
    _ paths: [StorePath], failed: [StorePath], _ columns: Int, _ rows: Int, _ sender: Sender<PhotosAction>
  ) async {
    await tellKept(paths, sender)
    var tries = NextTries(connection: connection, clock: clock)
    var (wanted, failed) = (paths, failed)
    while true {
      var wish: Duration?
      await service.thumbnails(of: wanted, maxWidth: 320, maxHeight: 320) { path, result in
        do throws(StoreError) {
          let picture = try cells(try result.get(), columns, rows, path)
          sender.send(.thumbnail(path, picture))
        } catch {
          if error.kind != .cancelled { sender.send(.thumbnailFailed(path, error)) }
          guard error.isTemporary else { return }
          failed.append(path)
          wish = [wish, error.retryAfter].compactMap { $0 }.max()
        }
      }
      guard !failed.isEmpty, !Task.isCancelled, await tries.pause(atLeast: wish) else { return }
      (wanted, failed) = (failed, [])
    }
  }

  private func tellKept(_ paths: [StorePath], _ sender: Sender<PhotosAction>) async {
    guard service.keepsPhotos else { return }
    sender.send(.kept(await service.keptPhotos(paths), of: paths))
  }

  /// The list is sought through by itself; a store that cannot be asked adds nothing to it.
  func seek(_ words: String, _ sender: Sender<PhotosAction>) async {
    do throws(StoreError) {
      let found = try await service.found(by: words)
      if !found.isEmpty { sender.send(.found(found.map(\.entry))) }
    } catch {
      // What keeps the store from answering is told by the listing and the watching.
    }
  }

  private func cells(
    _ pixels: Pixels, _ columns: Int, _ rows: Int, _ path: StorePath
  ) throws(StoreError) -> HalfBlockPicture {
    do throws(ImageError) {
      return try HalfBlocks.picture(pixels, columns: columns, rows: rows)
    } catch {
      throw StoreError(.cancelled, "byteclub did not make the thumbnail of \"\(path)\".", path: path)
    }
  }

  func view(_ path: StorePath, onDisk file: String?, _ sender: Sender<PhotosAction>) async {
    await sender.attemptAgain(connection, clock, { .viewFailed(path, $0) }) { () async throws(StoreError) in
      let picture = try await service.picture(path, onDisk: file) { coarse in
        guard let pyramid = self.pyramid(coarse) else { return }
        sender.send(.viewed(path, pyramid, full: coarse.size, isWhole: false))
      }
      guard let pyramid = pyramid(picture.pixels) else { return nil }
      sender.send(.viewed(path, pyramid, full: picture.header.size, isWhole: true))
      await tellKept([path], sender)
      return nil
    }
  }

  /// Only while the store answers at once: the first sign that it is slow or asks for fewer requests ends it.
  func prefetch(_ path: StorePath) async {
    guard let connection, connection.state == .online else { return }
    let (service, states) = (service, connection.states())
    await withTaskGroup { group in
      group.addTask { _ = await service.prefetch(path) }
      group.addTask { for await state in states where state != .online { return } }
      await group.next()
      group.cancelAll()
    }
  }

  /// Nil when the effect was cancelled, the only way to fail.
  private func pyramid(_ pixels: Pixels) -> Pyramid? {
    do throws(ImageError) {
      return try Pyramid(pixels, isCancelled: { Task.isCancelled })
    } catch {
      return nil
    }
  }

  func upload(_ paths: [String], again: Bool, _ sender: Sender<PhotosAction>) async {
    var failed: [UploadFailure] = []
    var there: [(file: String, path: StorePath)] = []
    await prepare(paths, sender, { failed.append(UploadFailure($0, $1)) }) {
      (path, isCancelled) async throws(StoreError) in
      let plan = try await service.planUpload(files.resolve(path))
      guard !isCancelled() else { return nil }
      if !again, let entry = plan.existing {
        there.append((path, entry.path))
        return nil
      }
      let id = try await service.upload(plan)
      if let sentence = plan.renaming { sender.send(.files(.told(sentence))) }
      return id
    }
    sender.send(.uploadsPrepared(paths, failed: failed))
    if !there.isEmpty { sender.send(.clubHas(there.map(\.file), there.map(\.path))) }
  }

  func download(_ paths: [StorePath], to typed: String, again: Bool, _ sender: Sender<PhotosAction>) async {
    let directory = files.resolve(typed)
    var there: [StorePath] = []
    await prepare(paths, sender, { sender.send(.failed("\"\($0)\" was not downloaded. \($1)")) }) {
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

  /// Looks for copies one after the other, and tells of each: reading one may take a while.
  func look(_ copies: [DiskCopy], _ sender: Sender<PhotosAction>) async {
    for copy in copies where !Task.isCancelled {
      let size = copy.entry.size ?? 0
      let isThere = await files.holds(copy.file, size: size, contentHash: copy.entry.contentHash)
      if !Task.isCancelled { sender.send(.lookedOnDisk([copy.entry.path: isThere])) }
    }
  }

  /// One after the other, unless preparing is stopped meanwhile. Each is told as `prepared` once, when it is in
  /// the queue (and has begun) or never will be.
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
