public import FileStores
public import Imaging

/// Small copies that the store makes: a screenful costs some kilobytes a photo, not the photos.
extension PhotosService {
  /// Small copies of photos as `thumbnail` makes them, handed out one by one as they come: those that are in the cache
  /// first, then those that the store makes, asked for many at a time, then those that are made here of the photo.
  /// Cancelling the calling task ends it; what is missing then is not handed out.
  public func thumbnails(
    of paths: [StorePath], maxWidth: Int, maxHeight: Int,
    _ receive: (StorePath, Result<Pixels, StoreError>) -> Void
  ) async {
    let wanted = PixelSize(width: max(1, maxWidth), height: max(1, maxHeight))
    let box = ThumbnailCache.box(for: wanted)
    guard let copies = copies(box: box) else {
      for path in paths where !Task.isCancelled { await receive(path, made(path, wanted)) }
      return
    }
    var missing: [StorePath] = []
    for (path, entry) in zip(paths, await entries(at: paths)) where !Task.isCancelled {
      do throws(StoreError) {
        if let thumbnail = await cached(try entry.get(), box: box) {
          receive(path, await result { () throws(StoreError) in try await shown(thumbnail, path, wanted) })
        } else {
          missing.append(path)
        }
      } catch {
        receive(path, .failure(error))
      }
    }
    while !missing.isEmpty, !Task.isCancelled {
      let asked = Array(missing.prefix(max(1, copies.batchFiles)))
      missing.removeFirst(asked.count)
      for (path, copy) in zip(asked, await answers(copies, asked, box)) where !Task.isCancelled {
        switch copy {
        case .success(let thumbnail):
          receive(path, await result { () throws(StoreError) in try await shown(thumbnail, path, wanted) })
        case .failure(let error) where error.kind == .unsupported: await receive(path, made(path, wanted))
        case .failure(let error): receive(path, .failure(error))
        }
      }
    }
  }

  /// A small copy that the store makes; nil when it makes none of this photo.
  func storeCopy(of entry: FileEntry, box: Int) async throws(StoreError) -> ThumbnailFile? {
    guard let copies = copies(box: box) else { return nil }
    do throws(StoreError) {
      return try await answers(copies, [entry.path], box).first?.get()
    } catch {
      if error.kind == .unsupported { return nil }
      throw error
    }
  }

  /// What is in the cache of a photo's content.
  func cached(_ entry: FileEntry, box: Int) async -> ThumbnailFile? {
    if let hash = await thumbnails.contentHash(of: entry, club: club) {
      return await thumbnails.thumbnail(of: hash, box: box)
    }
    guard club.store.thumbnails != nil, let word = ThumbnailCache.word(for: entry, club: club) else { return nil }
    return await thumbnails.thumbnail(of: word, box: box)
  }

  /// Nil when the store makes no copies, or none as large.
  private func copies(box: Int) -> (any StoreThumbnails)? {
    guard let copies = club.store.thumbnails, copies.largestSide >= box, !thumbnails.storeMakesNone else { return nil }
    return copies
  }

  private func answers(
    _ copies: any StoreThumbnails, _ paths: [StorePath], _ box: Int
  ) async -> [Result<ThumbnailFile, StoreError>] {
    let answers: [Result<StoreThumbnail, StoreError>]
    do throws(StoreError) {
      answers = try await copies.thumbnails(of: paths, side: box)
    } catch {
      // A server without that call: the photos are read from now on.
      if error.kind == .unsupported { thumbnails.storeMakesNone = true }
      return paths.map { _ in .failure(error) }
    }
    var made: [Result<ThumbnailFile, StoreError>] = []
    for answer in answers {
      made.append(await result { () throws(StoreError) in try await keep(try answer.get(), box: box) })
    }
    return made
  }

  private func keep(_ copy: StoreThumbnail, box: Int) async throws(StoreError) -> ThumbnailFile {
    let (name, path) = (PhotoReader.name(copy.entry.path), copy.entry.path)
    let thumbnail = try await pool.runCancellable { (isCancelled) throws(StoreError) in
      do throws(ImageError) {
        let made = try Thumbnail.make(copy.bytes, maxEdge: box, isCancelled: isCancelled)
        return ThumbnailFile(pixels: made.pixels, fullSize: made.header.size)
      } catch {
        let error = error.storeError(name, "shown", path: path)
        // What the store sent is no picture, which says nothing of the photo itself.
        throw error.kind == .cancelled ? error : StoreError(.unsupported, error.message, path: path)
      }
    }
    // A store that tells no content hash tells a revision.
    let known = await thumbnails.contentHash(of: copy.entry, club: club)
    if let word = known ?? ThumbnailCache.word(for: copy.entry, club: club) {
      await thumbnails.keep(thumbnail, of: word, box: box)
    }
    return thumbnail
  }

  private func made(_ path: StorePath, _ wanted: PixelSize) async -> Result<Pixels, StoreError> {
    await result { () throws(StoreError) in
      let entry = try await self.entry(at: path)
      return try await thumbnail(of: entry, maxWidth: wanted.width, maxHeight: wanted.height)
    }
  }

  /// Several at a time: each is a question to a store behind a network.
  private func entries(at paths: [StorePath]) async -> [Result<FileEntry, StoreError>] {
    await paths.results(atOnce: 8) { (path) throws(StoreError) in try await self.entry(at: path) }
  }
}

private func result<Value>(_ body: () async throws(StoreError) -> Value) async -> Result<Value, StoreError> {
  do throws(StoreError) {
    return .success(try await body())
  } catch {
    return .failure(error)
  }
}
