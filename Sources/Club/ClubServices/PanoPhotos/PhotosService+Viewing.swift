import Basics
import Decoding
public import FileStores
public import Imaging
import Synchronization

struct ThumbnailKey: Hashable, Sendable {
  let path: StorePath
  let revision: Revision?
  let box: Int
}

struct ViewedPhoto: Sendable {
  let path: StorePath
  let content: PictureContent
  let header: PictureHeader
}

extension PhotosService {
  /// A thumbnail that fits into the box in the photo's shape, never enlarged. It comes from the cache, from the store,
  /// or from the whole photo. Simultaneous calls share the work; cancelling stops it unless others wait for it.
  /// - Throws: `conflict` if the photo has changed since `entry`; `corrupt` if it is damaged or no picture; `tooLarge`
  ///   beyond the limits, by the header, before any allocation; `unsupported`; `cancelled`; the store's errors.
  public func thumbnail(
    of entry: FileEntry, maxWidth: Int, maxHeight: Int
  ) async throws(StoreError) -> Pixels {
    let wanted = PixelSize(width: max(1, maxWidth), height: max(1, maxHeight))
    let box = ThumbnailCache.box(for: wanted)
    let key = ThumbnailKey(path: entry.path, revision: entry.revision, box: box)
    let thumbnail = try await making.value(for: key) { [self] () async throws(StoreError) in
      try await makeThumbnail(of: entry, box: box)
    }
    return try await shown(thumbnail, entry.path, wanted)
  }

  func shown(
    _ thumbnail: ThumbnailFile, _ path: StorePath, _ wanted: PixelSize
  ) async throws(StoreError) -> Pixels {
    let name = PhotoReader.name(path)
    return try await pool.runCancellable { (isCancelled) throws(StoreError) in
      do throws(ImageError) {
        let size = thumbnail.pixels.size.fitted(into: wanted)
        return try Resampler.resize(thumbnail.pixels, to: size, isCancelled: isCancelled)
      } catch {
        throw error.storeError(name, "shown", path: path)
      }
    }
  }

  private func makeThumbnail(of entry: FileEntry, box: Int) async throws(StoreError) -> ThumbnailFile {
    if let thumbnail = await cached(entry, box: box) { return thumbnail }
    if let thumbnail = try await storeCopy(of: entry, box: box) { return thumbnail }
    return try await admitted { () throws(StoreError) in
      let kept = await keptPhoto(entry)
      let photo =
        if let kept { kept } else {
          try await reader.load(entry.path, ifRevision: entry.revision, size: entry.size, from: club.store)
        }
      await thumbnails.remember(photo.contentHash, of: photo.entry, club: club)
      // The same content may be cached under another name; then nothing is decoded.
      if let thumbnail = await thumbnails.thumbnail(of: photo.contentHash, box: box, decoder) { return thumbnail }
      let thumbnail = try await decode(photo) { (content, header) async throws(ImageError) in
        try await self.thumbnail(of: content, header, box: box)
      }
      await thumbnails.keep(thumbnail, of: photo.contentHash, box: box)
      return thumbnail
    }
  }

  func thumbnail(
    of content: PictureContent, _ header: PictureHeader, box: Int
  ) async throws(ImageError) -> ThumbnailFile {
    let made = try await decoder.pixels(
      .thumbnail(box: PixelSize(width: box, height: box)), of: content, orientation: header.orientation)
    return ThumbnailFile(pixels: made.pixels, fullSize: header.size)
  }

  /// Reads a photo for viewing: from its copy on this machine at `file`, if that is a picture, or from the store.
  /// `read` gets the number of bytes that have come, `progress` a coarse version first, if that is much quicker. A damaged
  /// photo is shown as far as it goes.
  /// - Throws: as `thumbnail`; `notFound`.
  public func picture(
    _ path: StorePath, onDisk file: String? = nil, read: @escaping @Sendable (Int) -> Void = { _ in },
    _ progress: (Picture) -> Void
  ) async throws(StoreError) -> Picture {
    let copy = if let file { await copy(of: path, at: file) } else { LoadedPhoto?.none }
    let photo = if let copy { copy } else { try await load(path, read) }
    let header = try await decode(photo) { (_, header) in header }
    let size = header.size
    if size.width * size.height > Self.quickPixels, let box = Self.quickBox(header) {
      let coarse = try await decode(photo) { (content, header) async throws(ImageError) in
        try await self.decoder.pixels(
          .thumbnail(box: box), of: content, orientation: header.orientation, isUrgent: true
        ).pixels
      }
      progress(Picture(header: header, pixels: coarse, isDamaged: false))
    }
    let hasParts = header.hasAreas && size.width * size.height > mostShownPixels
    let atLeast = hasParts ? base(of: header) : shown(size)
    let decoded = try await decode(photo) { (content, header) async throws(ImageError) in
      try await self.decoder.pixels(
        .decode(atLeast: atLeast), of: content, orientation: header.orientation, isUrgent: true)
    }
    viewed.withLock { $0 = hasParts ? ViewedPhoto(path: path, content: photo.content, header: header) : nil }
    return Picture(
      header: header, pixels: decoded.pixels, isDamaged: decoded.isDamaged, full: hasParts ? size : nil)
  }

  /// Reads a part of the photo that `picture` has given last; see `Picture.full`. Nothing is fetched.
  /// - Throws: as `picture`; `notFound` if another photo has been viewed since.
  public func detail(_ path: StorePath, _ request: DetailRequest) async throws(StoreError) -> PictureDetail {
    let name = PhotoReader.name(path)
    guard let viewed = viewed.withLock({ $0 }), viewed.path == path else {
      throw StoreError(.notFound, "\"\(name)\" is no longer in memory.", remedy: "View it again.", path: path)
    }
    let (area, width) = (request.area, viewed.header.size(eighths: request.eighths).width)
    var pixels = Pixels(width: area.width, height: area.height)
    var done = 0
    do throws(ImageError) {
      // In a full turn, the part may go on at the other edge.
      while done < area.width {
        let from = ((area.x + done) % width + width) % width
        let piece = PixelRect(x: from, y: area.y, width: min(area.width - done, width - from), height: area.height)
        let read = try await decoder.pixels(
          .area(piece, eighths: request.eighths), of: viewed.content, orientation: viewed.header.orientation,
          isUrgent: true
        ).pixels
        if piece.width == area.width { pixels = read } else { pixels.paste(read, x: done, y: 0) }
        done += piece.width
      }
      guard let detail = PictureDetail(request, pixels) else { throw ImageError.cancelled }
      return detail
    } catch {
      throw error.storeError(name, "shown", path: path)
    }
  }

  /// The largest halving that is small enough to be held whole; an eighth at least.
  private func base(of header: PictureHeader) -> PixelSize {
    let sizes = [4, 2, 1].map { header.size(eighths: $0) }
    return sizes.first { $0.width * $0.height <= mostShownPixels / 10 * 3 } ?? sizes[2]
  }

  /// Metadata of a photo. Reads all of it unless it is cached.
  /// - Throws: as `picture`.
  public func info(_ path: StorePath) async throws(StoreError) -> PhotoInfo {
    let photo = try await load(path)
    let header = try await decode(photo) { (_, header) in header }
    return PhotoInfo(entry: photo.entry, header: header, contentHash: photo.contentHash)
  }

  /// The header of a photo, from the file's first bytes. Behind a network it is fetched once: this machine keeps it.
  /// - Throws: as `FileStore.read`; `conflict` if the photo has changed since it was listed; `unsupported` if the file is no
  ///   picture or its header is longer than usual.
  public func header(of path: StorePath) async throws(StoreError) -> PictureHeader {
    let entry = known.entry(at: path)
    let header = try await readHeader(path, entry)
    if let entry, let word = await word(for: entry) { await note(header, of: word) }
    return header
  }

  private func readHeader(_ path: StorePath, _ entry: FileEntry?) async throws(StoreError) -> PictureHeader {
    let unread = StoreError(.unsupported, "\"\(path)\" has no picture's header at its beginning.", path: path)
    if let entry, let kept = await keptHeader(entry) {
      guard let kept else { throw unread }
      return kept
    }
    let bytes = try await club.store.readBeginning(
      path, ifRevision: entry?.revision, limit: PhotosService.headerBytes
    ).bytes
    let header = try? PictureHeader.read(bytes)
    if cache != nil, let entry, let word = await word(for: entry) {
      await thumbnails.keep(header, from: bytes, of: word)
    }
    guard let header else { throw unread }
    return header
  }

  /// From the photo's beginning or the whole photo on this machine. No header is known if the beginning has none.
  private func keptHeader(_ entry: FileEntry) async -> PictureHeader?? {
    guard cache != nil, let word = await word(for: entry) else { return nil }
    let kept = await thumbnails.header(of: word)
    if let header = kept ?? nil { return header }
    guard let photo = await keptPhoto(entry) else { return kept }
    do throws(StoreError) {
      return try await decode(photo) { (_, header) in header }
    } catch {
      // The store's own file may be better.
      return kept
    }
  }

  private func word(for entry: FileEntry) async -> ContentHash? {
    await thumbnails.contentHash(of: entry, club: club) ?? ThumbnailCache.word(for: entry, club: club)
  }

  /// Metadata and an embedded preview fit in.
  private static let headerBytes = 256 << 10

  /// Smaller pictures are decoded in about 20 ms, without a coarse version.
  private static let quickPixels = 1_000_000

  /// A box that an embedded picture can fill; otherwise an eighth, which JPEG decodes cheaply. Other formats would be
  /// decoded as a whole for it.
  private static func quickBox(_ header: PictureHeader) -> PixelSize? {
    if header.thumbnail != nil { return PixelSize(width: 160, height: 160) }
    guard header.format == .jpeg else { return header.embeddedSize }
    return PixelSize(width: max(1, header.size.width / 8), height: max(1, header.size.height / 8))
  }

  /// The least size to decode to; nil for every pixel.
  private func shown(_ size: PixelSize) -> PixelSize? {
    let pixels = Double(size.width) * Double(size.height)
    guard pixels > Double(mostShownPixels) else { return nil }
    let scale = (Double(mostShownPixels) / pixels).squareRoot()
    return PixelSize(
      width: max(1, Int(Double(size.width) * scale)), height: max(1, Int(Double(size.height) * scale)))
  }

  /// A viewed photo is not fetched again while the club has the same content.
  private func load(
    _ path: StorePath, _ progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(StoreError) -> LoadedPhoto {
    let entry = try await trusted(path)
    if let photo = await keptPhoto(entry) { return photo }
    return try await fetched(entry, progress: progress)
  }

  /// Errors name the photo.
  private func decode<Value: Sendable>(
    _ photo: LoadedPhoto,
    _ body: (_ content: PictureContent, _ header: PictureHeader) async throws(ImageError) -> Value
  ) async throws(StoreError) -> Value {
    let content = photo.content
    do throws(ImageError) {
      let header = try await pool.run { () throws(ImageError) in try content.header() }
      await note(header, of: photo.contentHash)
      return try await body(content, header)
    } catch {
      throw error.storeError(PhotoReader.name(photo.entry.path), "shown", path: photo.entry.path)
    }
  }
}
