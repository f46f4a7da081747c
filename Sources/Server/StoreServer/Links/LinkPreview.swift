import Basics
import Database
import Decoding
import FileStores
import Imaging
import Logging

/// The reduced copy of a picture that a link's page shows: upright, and without the file's metadata, such as the place
/// where it was taken.
struct LinkPreview: Sendable {
  static let type = "image/jpeg"
  private static let quality = 85
  private static let limits = PictureLimits(maxMemoryBytes: 320 << 20, maxScanWork: 1_500_000_000, maxSeconds: 5)

  /// True for a picture that is shown as high as the window and scrolled sideways.
  static func isWide(_ size: PixelSize) -> Bool { size.width >= 2 * size.height }

  private static func box(for size: PixelSize, isSmall: Bool) -> PixelSize {
    if isSmall { return isWide(size) ? PixelSize(width: 1200, height: 320) : PixelSize(width: 480, height: 480) }
    return isWide(size) ? PixelSize(width: 8192, height: 1200) : PixelSize(width: 2048, height: 2048)
  }

  /// The header of a file that can be shown; nil for any other.
  static func header(of file: ServerNode, in club: ServedClub) async throws -> PictureHeader? {
    guard ThumbnailOrder.isSupported(file.key), file.size <= ThumbnailOrder.largestFile else { return nil }
    var bytes: [UInt8] = []
    try await club.send(file, from: 0) { chunk throws(StoreError) in
      bytes += chunk.prefix(PictureHeader.usualPrefix - bytes.count)
      return bytes.count < PictureHeader.usualPrefix
    }
    do throws(ImageError) {
      return try PictureHeader.read(bytes)
    } catch {
      // Not a picture, whatever its name says: the page offers the download.
      return nil
    }
  }

  /// A JPEG; nil for a file that cannot be shown.
  /// - Parameter isSmall: true for a cell of a grid.
  static func make(of file: ServerNode, isSmall: Bool = false, in club: ServedClub) async throws -> Made? {
    guard ThumbnailOrder.isSupported(file.key), file.size <= ThumbnailOrder.largestFile else { return nil }
    let name = MadeCache.Name(file: file.id + (isSmall ? " small" : ""), rev: file.rev)
    if let known = club.previews[name] { return known.bytes.isEmpty ? nil : known }
    return try await club.inPictureLane(of: file) {
      // The one before in the lane may have made it.
      if let known = club.previews[name] { return known.bytes.isEmpty ? nil : known }
      let bytes = try await club.index.store.readAll(
        file.path, ifRevision: file.storeRevision, limit: Int(ThumbnailOrder.largestFile)
      ).bytes
      do throws(ImageError) {
        let header = try PictureHeader.read(bytes)
        let made = try await club.decoder.file(
          .thumbnailFile(box: box(for: header.size, isSmall: isSmall), format: .jpeg, quality: quality),
          of: try PictureContent(bytes),
          orientation: header.orientation, limits: limits
        ).bytes
        return club.previews.keep(made, as: name)
      } catch {
        // A decoder that was not there may come back; the picture stays as it is.
        if error.kind != .cancelled, error.kind != .unavailable { _ = club.previews.keep([], as: name) }
        if error.kind != .cancelled {
          club.files.logger.warning("A link cannot show the picture \"\(file.display)\": \(error.message)")
        }
        return nil
      }
    }
  }

  /// True for a picture that could not be made before.
  static func isKnownToFail(_ file: ServerNode, in club: ServedClub) -> Bool {
    club.previews[MadeCache.Name(file)]?.bytes.isEmpty == true
  }
}

extension ServedClub {
  /// Makes as many pictures at a time as there are decoders, because each may briefly need much memory.
  func inPictureLane<Value>(of file: ServerNode, _ body: () async throws -> Value) async throws -> Value {
    let lane = UInt(bitPattern: file.key.hashValue) % UInt(max(1, decoder.atOnce))
    return try await index.locks.reading("thumbnail \(lane)") { try await body() }
  }
}
