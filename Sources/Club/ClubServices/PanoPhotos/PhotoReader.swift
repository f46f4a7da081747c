internal import Basics
import Decoding
public import FileStores
public import Imaging

struct LoadedPhoto: Sendable {
  let content: PictureContent
  let entry: FileEntry
  let contentHash: ContentHash
}

/// Reads photos. The first bytes show the picture's size, which is checked before the rest is fetched or allocated.
struct PhotoReader: Sendable {
  /// The largest file that is read. The largest real panoramas have about 200 MB.
  static let maxFileBytes = 512 * 1024 * 1024

  let limits: PictureLimits
  let pool: BlockingPool

  func load(
    _ path: StorePath, ifRevision revision: Revision?, size: UInt64?, from store: any FileStore,
    progress: @Sendable (Int) -> Void = { _ in }
  ) async throws(StoreError) -> LoadedPhoto {
    var intake = try PhotoIntake(name: Self.name(path), path: path, size: size, what: "shown", limits: limits)
    var count = 0
    let entry = try await store.read(path, from: 0, ifRevision: revision) { chunk throws(StoreError) in
      try intake.take(chunk)
      count += chunk.count
      progress(count)
    }
    let (content, hash) = try await finish(intake, known: entry.contentHash)
    return LoadedPhoto(content: content, entry: entry, contentHash: hash)
  }

  func load(
    _ source: any ByteSource, name: String
  ) async throws(StoreError) -> (content: PictureContent, hash: ContentHash) {
    var intake = try PhotoIntake(name: name, path: nil, size: source.size, what: "shown", limits: limits)
    var reading = try await source.open(at: 0)
    while let chunk = try await reading.next() { try intake.take(chunk) }
    return try await finish(intake, known: nil)
  }

  private func finish(
    _ intake: PhotoIntake, known: ContentHash?
  ) async throws(StoreError) -> (content: PictureContent, hash: ContentHash) {
    let (writer, name, path, what, limits) = (intake.writer, intake.name, intake.path, intake.what, limits)
    let content: PictureContent
    do throws(ImageError) {
      content = try writer.finish()
    } catch {
      throw error.storeError(name, what, path: path)
    }
    return try await pool.run { () throws(StoreError) in
      do throws(ImageError) {
        try limits.admit(try content.header().storedSize)
      } catch {
        throw error.storeError(name, what, path: path)
      }
      return (content, known ?? content.contentHash)
    }
  }

  /// - Throws: `tooLarge` above `maxFileBytes`.
  static func admit(_ count: UInt64, name: String, path: StorePath?, what: String) throws(StoreError) {
    guard count > UInt64(maxFileBytes) else { return }
    throw StoreError(
      .tooLarge, "\"\(name)\" cannot be \(what): it is larger than \(maxFileBytes >> 20) MiB.",
      remedy: "Save a smaller copy.", path: path)
  }

  static func name(_ path: StorePath) -> String { String(decoding: path.name, as: UTF8.self) }
}

private struct PhotoIntake {
  let name: String
  let path: StorePath?
  let what: String
  let writer: PictureContent.Writer
  private let limits: PictureLimits
  /// The first bytes, until they are checked.
  private var beginning: [UInt8] = []
  private var isChecked = false

  init(name: String, path: StorePath?, size: UInt64?, what: String, limits: PictureLimits) throws(StoreError) {
    (self.name, self.path, self.what, self.limits) = (name, path, what, limits)
    do throws(ImageError) {
      writer = try PictureContent.Writer()
    } catch {
      throw error.storeError(name, what, path: path)
    }
    if let size { try checkLength(size) }
  }

  mutating func take(_ chunk: ByteChunk) throws(StoreError) {
    try checkLength(UInt64(writer.count + chunk.count))
    do throws(ImageError) {
      try writer.append(chunk)
    } catch {
      throw error.storeError(name, what, path: path)
    }
    guard !isChecked else { return }
    beginning += chunk.prefix(PictureHeader.usualPrefix - beginning.count)
    guard beginning.count >= PictureHeader.usualPrefix else { return }
    isChecked = true
    defer { beginning = [] }
    do throws(ImageError) {
      try limits.admit(try PictureHeader.read(beginning).storedSize)
    } catch {
      // A header that is not found among the first bytes is no error yet.
      guard error.kind != .corrupt else { return }
      throw error.storeError(name, what, path: path)
    }
  }

  private func checkLength(_ count: UInt64) throws(StoreError) {
    try PhotoReader.admit(count, name: name, path: path, what: what)
  }
}

extension PictureContent {
  /// Reads all bytes. Blocks.
  var contentHash: ContentHash {
    let hasher = ContentHasher()
    input().forEachPiece { piece in
      hasher.update(Array(piece)[...])
      return true
    }
    return hasher.finish()
  }
}

extension PictureLimits {
  func admit(_ size: PixelSize) throws(ImageError) {
    let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    guard overflow || pixels > maxPixels || size.width > maxSide || size.height > maxSide else { return }
    throw ImageError(
      .tooLarge,
      "The picture has \(size) pixels, more than the \(maxPixels / 1_000_000) megapixels (sides up to"
        + " \(maxSide)) that byteclub reads.", remedy: "Save a smaller copy.")
  }
}

public struct Picture: Sendable {
  /// The file's own metadata; `header.size` is the full size.
  public let header: PictureHeader
  /// The pixels to show; fewer than the full size if that is very large.
  public let pixels: Pixels
  /// True if the file is damaged or ends early; a part of the pixels is then made up.
  public let isDamaged: Bool
  /// The full size, if the pixels are fewer and `PhotosService.detail` can read the rest.
  public var full: PixelSize?
}

public struct PhotoInfo: Sendable {
  public let entry: FileEntry
  public let header: PictureHeader
  public let contentHash: ContentHash
}

extension ImageError {
  /// The error with the picture's name; `what` is the failed action, such as "shown". `corrupt` for a damaged file or
  /// no picture, `tooLarge` beyond the limits.
  func storeError(_ name: String, _ what: String, path: StorePath? = nil) -> StoreError {
    let kind: StoreError.Kind =
      switch kind {
      case .notAPicture, .corrupt, .crashed: .corrupt
      case .unsupported: .unsupported
      case .tooLarge, .memory, .slow: .tooLarge
      case .cancelled: .cancelled
      case .unavailable: .server
      }
    if kind == .cancelled { return .cancelled("Reading \"\(name)\"", path: path) }
    // "The picture is damaged." continues a sentence here.
    let reason = message.prefix(1).lowercased() + message.dropFirst()
    return StoreError(kind, "\"\(name)\" cannot be \(what): \(reason)", remedy: remedy, path: path)
  }
}
