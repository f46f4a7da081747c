public import FileStores
public import Imaging

/// What makes two askings for a thumbnail one.
struct ThumbnailKey: Hashable, Sendable {
  let path: StorePath
  let revision: Revision?
  let box: Int
}

extension PhotosService {
  /// A small copy of a photo that fits into the box and has its shape; never enlarged.
  ///
  /// It comes from the cache when this content has been seen, by whatever name; otherwise the store makes it or, when it
  /// makes none, the photo is read; and the cache is filled. Asked for twice at once it is made once. Cancelling stops
  /// the work, unless others wait for it.
  /// - Throws: `conflict` when the photo is not what `entry` says any more; `corrupt` when it is broken or no picture;
  ///   `tooLarge` past the limits, told by the header before anything is allocated; `unsupported`; `cancelled`; what
  ///   the store throws.
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

  /// A copy in the size that is wanted.
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
    return try await turnstile.pass { () throws(StoreError) in
      let kept = await keptPhoto(entry)
      let photo =
        if let kept { kept } else {
          try await reader.load(entry.path, ifRevision: entry.revision, size: entry.size, from: club.store)
        }
      await thumbnails.remember(photo.contentHash, of: photo.entry, club: club)
      // Known by another name, perhaps: then there is nothing to be decoded.
      if let thumbnail = await thumbnails.thumbnail(of: photo.contentHash, box: box) { return thumbnail }
      let thumbnail = try await decode(photo) { (bytes, isCancelled) throws(ImageError) in
        let made = try Thumbnail.make(bytes, maxEdge: box, isCancelled: isCancelled)
        return ThumbnailFile(pixels: made.pixels, fullSize: made.header.size)
      }
      await thumbnails.keep(thumbnail, of: photo.contentHash, box: box)
      return thumbnail
    }
  }

  /// A photo to be looked at. `progress` gets a coarse version first, where making one is much quicker.
  ///
  /// A damaged photo is shown as far as it goes (`isDamaged`).
  /// A copy of it on this machine, at `file`, is taken instead of the store's as long as it is a picture.
  /// - Throws: as `thumbnail`; `notFound`.
  public func picture(
    _ path: StorePath, onDisk file: String? = nil, _ progress: (Pixels) -> Void
  ) async throws(StoreError) -> Picture {
    let copy = if let file { await copy(of: path, at: file) } else { LoadedPhoto?.none }
    let photo = if let copy { copy } else { try await load(path) }
    let header = try await decode(photo) { (bytes, _) throws(ImageError) in try PictureHeader.read(bytes) }
    let size = header.size
    if size.width * size.height > Self.quickPixels {
      // With an embedded small picture, a box that it suffices for; else an eighth, as JPEG decodes it cheaply.
      let box =
        header.thumbnail == nil
        ? PixelSize(width: max(1, size.width / 8), height: max(1, size.height / 8)) : PixelSize(width: 160, height: 160)
      let coarse = try await decode(photo) { (bytes, isCancelled) throws(ImageError) in
        try Thumbnail.make(bytes, box: box, isCancelled: isCancelled).pixels
      }
      progress(coarse)
    }
    let atLeast = Self.shown(size)
    let decoded = try await decode(photo) { (bytes, isCancelled) throws(ImageError) in
      try Decoder.decode(bytes, atLeast: atLeast, isCancelled: isCancelled)
    }
    return Picture(header: header, pixels: decoded.pixels, isDamaged: decoded.isDamaged)
  }

  /// What is known of a photo. Reads all of it unless its content is known.
  /// - Throws: as `picture`.
  public func info(_ path: StorePath) async throws(StoreError) -> PhotoInfo {
    let photo = try await load(path)
    let header = try await decode(photo) { (bytes, _) throws(ImageError) in try PictureHeader.read(bytes) }
    return PhotoInfo(entry: photo.entry, header: header, contentHash: photo.contentHash)
  }

  /// Under so many pixels the whole picture is there at once: about 20 ms.
  private static let quickPixels = 1_000_000

  /// The size to decode to at least; nil for every pixel.
  private static func shown(_ size: PixelSize) -> PixelSize? {
    let pixels = Double(size.width) * Double(size.height)
    guard pixels > Double(maxShownPixels) else { return nil }
    let scale = (Double(maxShownPixels) / pixels).squareRoot()
    return PixelSize(
      width: max(1, Int(Double(size.width) * scale)), height: max(1, Int(Double(size.height) * scale)))
  }

  /// What was looked at before, and is still what the club has, is not fetched again.
  private func load(_ path: StorePath) async throws(StoreError) -> LoadedPhoto {
    let entry = try await trusted(path)
    if let photo = await keptPhoto(entry) { return photo }
    return try await fetched(entry)
  }

  private func decode<Value: Sendable>(
    _ photo: LoadedPhoto,
    _ body: @escaping @Sendable (_ bytes: [UInt8], _ isCancelled: () -> Bool) throws(ImageError) -> Value
  ) async throws(StoreError) -> Value {
    try await pool.runCancellable { (isCancelled) throws(StoreError) in
      do throws(ImageError) {
        return try body(photo.bytes, isCancelled)
      } catch {
        throw error.storeError(PhotoReader.name(photo.entry.path), "shown", path: photo.entry.path)
      }
    }
  }
}
