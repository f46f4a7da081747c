internal import ClubServices
internal import FileStores
internal import Imaging
internal import Synchronization
internal import TextUI
internal import Transfers

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
  /// One after the other, in the order of the screen: a cancelled effect leaves at most one in the making.
  func thumbnails(_ paths: [StorePath], _ columns: Int, _ rows: Int, _ sender: Sender<PhotosAction>) async {
    for path in paths where !Task.isCancelled {
      do throws(StoreError) {
        let entry = try await service.entry(at: path)
        let pixels = try await service.thumbnail(of: entry, maxWidth: 320, maxHeight: 320)
        let picture = try cells(pixels, columns, rows, path)
        sender.send(.thumbnail(path, picture))
      } catch {
        if error.kind != .cancelled { sender.send(.thumbnailFailed(path, error)) }
      }
    }
  }

  private func cells(
    _ pixels: Pixels, _ columns: Int, _ rows: Int, _ path: StorePath
  ) throws(StoreError) -> HalfBlockPicture {
    do throws(ImageError) {
      return try HalfBlocks.picture(pixels, columns: columns, rows: rows)
    } catch {
      throw StoreError(.cancelled, "The thumbnail of \"\(path)\" was not made.", path: path)
    }
  }

  func view(_ path: StorePath, _ sender: Sender<PhotosAction>) async {
    do throws(StoreError) {
      let picture = try await service.picture(path) { coarse in
        guard let pyramid = self.pyramid(coarse) else { return }
        sender.send(.viewed(path, pyramid, full: coarse.size, isWhole: false))
      }
      guard let pyramid = pyramid(picture.pixels) else { return }
      sender.send(.viewed(path, pyramid, full: picture.header.size, isWhole: true))
    } catch {
      sender.send(.viewFailed(path, error))
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

  func upload(_ paths: [String], _ sender: Sender<PhotosAction>) async {
    await prepare(paths, sender, { .failed("\($1)") }) { (path, isCancelled) async throws(StoreError) in
      let plan = try await service.planUpload(files.resolve(path))
      guard !isCancelled() else { return }
      let name = String(decoding: plan.target.name, as: UTF8.self)
      let teller = TransferTeller(sender) { id in
        TransferLine(id: id, direction: .upload, name: name, renamedFrom: plan.renamedFrom, total: plan.size)
      }
      teller.begin(await service.upload(plan, delegate: teller))
    }
  }

  func download(_ paths: [StorePath], to typed: String, _ sender: Sender<PhotosAction>) async {
    let directory = files.resolve(typed)
    await prepare(paths, sender, { .failed("\"\($0)\" was not downloaded. \($1)") }) {
      (path, _) async throws(StoreError) in
      let name = String(decoding: path.name, as: UTF8.self)
      let teller = TransferTeller(sender) { id in
        TransferLine(id: id, direction: .download, name: name, place: directory)
      }
      teller.begin(try await service.download(path, to: directory, delegate: teller))
    }
  }

  /// One after the other, unless all transfers are cancelled meanwhile. Each is told as `prepared` once, when it is in
  /// the queue (and has begun) or never will be.
  private func prepare<File>(
    _ files: [File], _ sender: Sender<PhotosAction>, _ failed: (File, StoreError) -> PhotosAction,
    _ body: (File, _ isCancelled: () -> Bool) async throws(StoreError) -> Void
  ) async {
    let before = cancellations.load(ordering: .sequentiallyConsistent)
    func isCancelled() -> Bool { cancellations.load(ordering: .sequentiallyConsistent) != before }
    for file in files {
      if !isCancelled() {
        await sender.attempt({ failed(file, $0) }) { () async throws(StoreError) in
          try await body(file, isCancelled)
          return nil
        }
      }
      sender.send(.prepared)
    }
  }
}
