import Basics
import Decoding
public import FileStores
public import Imaging

/// The store's thumbnails take some kilobytes a photo instead of whole photos.
extension PhotosService {
  /// Delivers thumbnails one by one: first cached ones, then the store's, in batches, then those made here from whole
  /// photos. Cancelling the calling task ends it; the rest is not delivered.
  public func thumbnails(
    of paths: [StorePath], maxWidth: Int, maxHeight: Int,
    _ receive: (StorePath, Result<Pixels, StoreError>) -> Void
  ) async {
    let wanted = PixelSize(width: max(1, maxWidth), height: max(1, maxHeight))
    let box = ThumbnailCache.box(for: wanted)
    guard let copies = copies(box: box) else {
      return await making(paths, wanted, receive)
    }
    var missing: [StorePath] = []
    for (path, entry) in zip(paths, await entries(at: paths)) where !Task.isCancelled {
      do throws(StoreError) {
        if let thumbnail = await cached(try entry.get(), box: box) {
          receive(path, await .catching { () throws(StoreError) in try await shown(thumbnail, path, wanted) })
        } else {
          missing.append(path)
        }
      } catch {
        receive(path, .failure(error))
      }
    }
    await asking(copies, for: missing, box) { path, copy in
      switch copy {
      case .success(let thumbnail):
        receive(path, await .catching { () throws(StoreError) in try await shown(thumbnail, path, wanted) })
      case .failure(let error) where error.kind == .unsupported: await receive(path, made(path, wanted))
      case .failure(let error): receive(path, .failure(error))
      }
    }
  }

  /// Makes as many at once as the decoder takes, begun in the order of the paths.
  private func making(
    _ paths: [StorePath], _ wanted: PixelSize, _ receive: (StorePath, Result<Pixels, StoreError>) -> Void
  ) async {
    await withTaskGroup(of: (StorePath, Result<Pixels, StoreError>).self) { group in
      var rest = paths[...]
      func begin() {
        guard !Task.isCancelled, let path = rest.popFirst() else { return }
        group.addTask { (path, await self.made(path, wanted)) }
      }
      for _ in 0..<decoder.atOnce { begin() }
      for await (path, result) in group {
        begin()
        if !Task.isCancelled { receive(path, result) }
      }
    }
  }

  /// Requests batches, as many at once as the store takes, and delivers each answer as it arrives.
  private func asking(
    _ copies: any StoreThumbnails, for paths: [StorePath], _ box: Int,
    _ receive: (StorePath, Result<ThumbnailFile, StoreError>) async -> Void
  ) async {
    let batch = max(1, copies.batchFiles)
    var questions = stride(from: 0, to: paths.count, by: batch).map { paths[$0..<min($0 + batch, paths.count)] }[...]
    await withTaskGroup(of: (asked: ArraySlice<StorePath>, answers: [Result<ThumbnailFile, StoreError>]).self) {
      group in
      func ask() {
        guard !Task.isCancelled, let asked = questions.popFirst() else { return }
        group.addTask { (asked, await self.answers(copies, Array(asked), box)) }
      }
      for _ in 0..<max(1, copies.questionsAtOnce) { ask() }
      for await (asked, answers) in group {
        ask()
        for (path, answer) in zip(asked, answers) where !Task.isCancelled { await receive(path, answer) }
      }
    }
  }

  func storeCopy(of entry: FileEntry, box: Int) async throws(StoreError) -> ThumbnailFile? {
    guard let copies = copies(box: box) else { return nil }
    do throws(StoreError) {
      return try await answers(copies, [entry.path], box).first?.get()
    } catch {
      if error.kind == .unsupported { return nil }
      throw error
    }
  }

  func cached(_ entry: FileEntry, box: Int) async -> ThumbnailFile? {
    if let hash = await thumbnails.contentHash(of: entry, club: club) {
      return await thumbnails.thumbnail(of: hash, box: box, decoder)
    }
    guard club.store.capabilities.thumbnails != nil, let word = ThumbnailCache.word(for: entry, club: club) else {
      return nil
    }
    return await thumbnails.thumbnail(of: word, box: box, decoder)
  }

  /// nil if the store makes no thumbnails, or none of this size.
  private func copies(box: Int) -> (any StoreThumbnails)? {
    guard let copies = club.store.capabilities.thumbnails, copies.largestSide >= box, !thumbnails.storeMakesNone else {
      return nil
    }
    return copies
  }

  private func answers(
    _ copies: any StoreThumbnails, _ paths: [StorePath], _ box: Int
  ) async -> [Result<ThumbnailFile, StoreError>] {
    let answers: [Result<StoreThumbnail, StoreError>]
    do throws(StoreError) {
      answers = try await copies.thumbnails(of: paths, side: box)
    } catch {
      // A server without this call: from now on the photos are read.
      if error.kind == .unsupported { thumbnails.storeMakesNone = true }
      return paths.map { _ in .failure(error) }
    }
    var made: [Result<ThumbnailFile, StoreError>] = []
    for answer in answers {
      made.append(await .catching { () throws(StoreError) in try await keep(try answer.get(), box: box) })
    }
    return made
  }

  private func keep(_ copy: StoreThumbnail, box: Int) async throws(StoreError) -> ThumbnailFile {
    let (name, path) = (PhotoReader.name(copy.entry.path), copy.entry.path)
    let thumbnail: ThumbnailFile
    do throws(ImageError) {
      let content = try PictureContent(copy.bytes)
      thumbnail = try await self.thumbnail(of: content, try content.header(), box: box)
    } catch {
      let error = error.storeError(name, "shown", path: path)
      // The store sent no valid picture, which says nothing about the photo itself.
      throw error.kind == .cancelled || error.kind == .server
        ? error : StoreError(.unsupported, error.message, path: path)
    }
    // A store without content hashes has revisions.
    let known = await thumbnails.contentHash(of: copy.entry, club: club)
    if let word = known ?? ThumbnailCache.word(for: copy.entry, club: club) {
      await thumbnails.keep(thumbnail, of: word, box: box)
    }
    return thumbnail
  }

  private func made(_ path: StorePath, _ wanted: PixelSize) async -> Result<Pixels, StoreError> {
    await .catching { () throws(StoreError) in
      do throws(StoreError) {
        return try await thumbnail(
          of: try await listed(path), maxWidth: wanted.width, maxHeight: wanted.height)
      } catch {
        // The photo has changed since it was listed.
        guard error.kind == .conflict else { throw error }
        return try await thumbnail(
          of: try await self.entry(at: path), maxWidth: wanted.width, maxHeight: wanted.height)
      }
    }
  }

  private func entries(at paths: [StorePath]) async -> [Result<FileEntry, StoreError>] {
    await paths.results(atOnce: 8) { (path) throws(StoreError) in try await self.listed(path) }
  }

  /// The entry of the list's row that needs the thumbnail. Asks the store only for photos that were never listed.
  private func listed(_ path: StorePath) async throws(StoreError) -> FileEntry {
    if let entry = known.entry(at: path) { return entry }
    return try await self.entry(at: path)
  }
}
