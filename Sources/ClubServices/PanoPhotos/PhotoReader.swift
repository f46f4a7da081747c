import FileStores
import Imaging

/// A whole photo in memory.
struct LoadedPhoto: Sendable {
  let bytes: [UInt8]
  let entry: FileEntry
  let contentHash: ContentHash
}

/// Reads photos, and stops early at what is none: the size in the header is looked at when the first bytes are there,
/// before the rest is fetched and before anything is allocated by it.
struct PhotoReader: Sendable {
  /// The largest file that is read. The largest real panoramas have about 200 MB.
  static let maxFileBytes = 512 * 1024 * 1024

  let limits: PictureLimits
  let pool: BlockingPool

  /// Reads a file of the store, at a revision when one is given.
  func load(
    _ path: StorePath, ifRevision revision: Revision?, size: UInt64?, from store: any FileStore
  ) async throws(StoreError) -> LoadedPhoto {
    var intake = try PhotoIntake(name: Self.name(path), path: path, size: size, what: "shown", limits: limits)
    let entry = try await store.read(path, from: 0, ifRevision: revision) { chunk throws(StoreError) in
      try intake.take(chunk)
    }
    let (bytes, hash) = try await finish(intake, known: entry.contentHash)
    return LoadedPhoto(bytes: bytes, entry: entry, contentHash: hash)
  }

  /// Reads the copy of a photo that a file of this machine holds.
  func load(_ source: any ByteSource, name: String) async throws(StoreError) -> (bytes: [UInt8], hash: ContentHash) {
    var intake = try PhotoIntake(name: name, path: nil, size: source.size, what: "shown", limits: limits)
    var reading = try await source.open(at: 0)
    while let chunk = try await reading.next() { try intake.take(chunk) }
    return try await finish(intake, known: nil)
  }

  private func finish(
    _ intake: PhotoIntake, known: ContentHash?
  ) async throws(StoreError) -> (bytes: [UInt8], hash: ContentHash) {
    try intake.checkHeader(isWhole: true)
    let bytes = intake.bytes
    if let known { return (bytes, known) }
    return (bytes, await pool.run { ContentHash(of: bytes) })
  }

  /// - Throws: `tooLarge` for a file above `maxFileBytes`.
  static func admit(_ count: UInt64, name: String, path: StorePath?, what: String) throws(StoreError) {
    guard count > UInt64(maxFileBytes) else { return }
    throw StoreError(
      .tooLarge, "\"\(name)\" cannot be \(what): it is larger than \(maxFileBytes >> 20) MiB.",
      remedy: "Save a smaller copy.", path: path)
  }

  static func name(_ path: StorePath) -> String { String(decoding: path.name, as: UTF8.self) }
}

/// The bytes of a photo as they come.
private struct PhotoIntake {
  let name: String
  let path: StorePath?
  let what: String
  let limits: PictureLimits
  private let size: UInt64?
  private(set) var bytes: [UInt8] = []
  private var isChecked = false

  init(name: String, path: StorePath?, size: UInt64?, what: String, limits: PictureLimits) throws(StoreError) {
    (self.name, self.path, self.what, self.limits, self.size) = (name, path, what, limits, size)
    if let size {
      try checkLength(size)
      bytes.reserveCapacity(Int(min(size, UInt64(PictureHeader.usualPrefix))))
    }
  }

  mutating func take(_ chunk: ByteChunk) throws(StoreError) {
    try checkLength(UInt64(bytes.count + chunk.count))
    bytes.append(contentsOf: chunk)
    if !isChecked, bytes.count >= PictureHeader.usualPrefix {
      isChecked = true
      try checkHeader(isWhole: false)
      // Grown by doubling, the bytes of a large picture would be in memory three times while they move.
      if let size { bytes.reserveCapacity(Int(size)) }
    }
  }

  /// With the first bytes alone, a header that is not to be found yet is no error.
  func checkHeader(isWhole: Bool) throws(StoreError) {
    do throws(ImageError) {
      let header = try PictureHeader.read(bytes)
      try limits.admit(header.storedSize)
    } catch {
      guard isWhole || error.kind != .corrupt else { return }
      throw error.storeError(name, what, path: path)
    }
  }

  private func checkLength(_ count: UInt64) throws(StoreError) {
    try PhotoReader.admit(count, name: name, path: path, what: what)
  }
}

extension PictureLimits {
  /// The part of the limits that a header alone can break.
  fileprivate func admit(_ size: PixelSize) throws(ImageError) {
    let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    guard overflow || pixels > maxPixels || size.width > maxSide || size.height > maxSide else { return }
    throw ImageError(
      .tooLarge,
      "The picture has \(size) pixels, more than the \(maxPixels / 1_000_000) megapixels (sides up to"
        + " \(maxSide)) that byteclub reads.", remedy: "Save a smaller copy.")
  }
}
