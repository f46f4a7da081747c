internal import ClubServices
internal import FileStores
internal import Imaging
internal import Synchronization
internal import TextUI
internal import Transfers

extension PhotosPerformer {
  func list(_ sender: Sender<PhotosAction>) async {
    do throws(StoreError) {
      var builder = EntryTable.Builder(folder: photosFolder)
      var entries: [FileEntry] = []
      try await service.list {
        builder.add($0)
        entries += $0
      }
      var table = builder.finish()
      table.merge(entries)
      sender.send(.listed(table))
    } catch {
      if error.kind != .cancelled { sender.send(.listFailed(error)) }
    }
  }

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

  func upload(_ typed: String, after cancellations: Int, _ sender: Sender<PhotosAction>) async {
    func isCancelled() -> Bool { self.cancellations.load(ordering: .sequentiallyConsistent) != cancellations }
    guard !isCancelled() else { return }
    do throws(StoreError) {
      let plan = try await service.planUpload(files.resolve(typed))
      guard !isCancelled() else { return }
      let name = String(decoding: plan.target.name, as: UTF8.self)
      let teller = TransferTeller(sender) { id in
        TransferLine(id: id, direction: .upload, name: name, renamedFrom: plan.renamedFrom, total: plan.size)
      }
      _ = await service.upload(plan, delegate: teller)
    } catch {
      sender.send(.failed("\(error)"))
    }
  }

  func download(_ paths: [StorePath], to typed: String, _ sender: Sender<PhotosAction>) async {
    let directory = files.resolve(typed)
    for path in paths {
      do throws(StoreError) {
        let name = String(decoding: path.name, as: UTF8.self)
        let teller = TransferTeller(sender) { id in
          TransferLine(id: id, direction: .download, name: name, place: directory)
        }
        _ = try await service.download(path, to: directory, delegate: teller)
      } catch {
        sender.send(.failed("\"\(path)\" was not downloaded. \(error)"))
      }
    }
  }

  func trash(_ paths: [StorePath], _ sender: Sender<PhotosAction>) async {
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
