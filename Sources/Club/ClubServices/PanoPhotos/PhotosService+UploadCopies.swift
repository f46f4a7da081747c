import Basics
import Decoding
public import FileStores
import POSIX
import Imaging
import Transfers

/// Changes to a picture before its upload. Without any, the file is sent byte by byte.
public struct UploadChanges: Sendable, Equatable {
  /// Of JPEG and lossy WebP, 1 to 100.
  public var quality: Int?
  /// The longest side in pixels.
  public var maxEdge: Int?
  public var dropsPlace: Bool
  /// Pictures of other formats become JPEGs.
  public var asJPEG: Bool

  public init(quality: Int? = nil, maxEdge: Int? = nil, dropsPlace: Bool = false, asJPEG: Bool = false) {
    (self.quality, self.maxEdge, self.dropsPlace, self.asJPEG) = (quality, maxEdge, dropsPlace, asJPEG)
  }

  public var isEmpty: Bool { self == UploadChanges() }
}

extension PhotosService {
  /// The quality of a smaller JPEG or WebP for which none was asked.
  private static let usualQuality = 90
  /// That of a JPEG made of a picture that was none.
  private static let convertedQuality = 92

  /// Writes a changed copy of a file of this machine below `folder`, under the file's own name, with the ending .jpg for a
  /// picture that became a JPEG. Returns its path, or the given one if nothing has to change.
  /// - Throws: as `planUpload`; `unsupported` if the copy would lose more than was asked, or if the place cannot be
  ///   removed for sure.
  public func uploadCopy(
    of localPath: String, _ changes: UploadChanges, in folder: String
  ) async throws(StoreError) -> String {
    let localPath = Folders.absolute(localPath)
    let name = PathText.name(localPath)
    let source = try await FileSource(path: localPath, pool: pool)
    try PhotoReader.admit(source.size ?? 0, name: name, path: nil, what: "uploaded")
    var bytes: [UInt8] = []
    var reading = try await source.open(at: 0)
    while let chunk = try await reading.next() { bytes += chunk }
    let made: [UInt8]?
    do throws(ImageError) {
      made = try await changed(bytes, changes)
    } catch {
      throw error.storeError(name, "uploaded")
    }
    guard let made else { return localPath }
    let place = Self.newPlace(in: folder)
    let path = "\(place)/\(changes.asJPEG ? PhotoName.ofJPEG(name) : name)"
    return try await pool.run { () throws(StoreError) in
      try Self.write(made, to: path, in: place)
      // Without it the copy has the time of its making.
      if let time = source.modified?.parts {
        let times = timespec(tv_sec: Int(time.seconds), tv_nsec: Int(time.nanoseconds))
        utimensat(AT_FDCWD, path, [times, times], 0)
      }
      return path
    }
  }

  /// Writes a picture that has no file to one below `folder`, from which it is uploaded under this name, which has no
  /// slash. Returns its path.
  /// - Throws: errors of writing the file.
  public func uploadFile(of bytes: [UInt8], named name: String, in folder: String) async throws(StoreError) -> String {
    let place = Self.newPlace(in: folder)
    let path = "\(place)/\(name)"
    return try await pool.run { () throws(StoreError) in
      try Self.write(bytes, to: path, in: place)
      return path
    }
  }

  private static func newPlace(in folder: String) -> String {
    "\(folder)/\(String(UInt64.random(in: .min ... .max), radix: 36))"
  }

  private static func write(_ bytes: [UInt8], to path: String, in place: String) throws(StoreError) {
    do throws(SystemError) {
      try Folders.make(place, mode: 0o700)
      try WholeFile.write(bytes, to: path)
    } catch {
      throw StoreError.system(error.code, "written", path)
    }
  }

  /// nil if the file may be sent as it is.
  private func changed(_ bytes: [UInt8], _ changes: UploadChanges) async throws(ImageError) -> [UInt8]? {
    let header = try PictureHeader.read(bytes)
    let isLarge = changes.maxEdge.map { max(header.size.width, header.size.height) > $0 } ?? false
    let becomesJPEG = changes.asJPEG && header.format != .jpeg
    guard isLarge || changes.quality != nil || becomesJPEG else {
      guard changes.dropsPlace else { return nil }
      return try await pool.run { () throws(ImageError) in try UploadCopy.withoutPlace(bytes) }
    }
    let quality = try UploadCopy.quality(
      of: header, asJPEG: becomesJPEG, changes.quality, usual: becomesJPEG ? Self.convertedQuality : Self.usualQuality)
    let copy = try await decoder.file(
      .copy(maxEdge: changes.maxEdge, format: becomesJPEG ? .jpeg : header.format, quality: quality),
      of: try PictureContent(bytes), orientation: header.orientation
    ).bytes
    return try await pool.run { () throws(ImageError) in
      try UploadCopy.describing(copy, as: bytes, withPlace: !changes.dropsPlace)
    }
  }

  /// Removes copies that no upload needs any more: those of `done`, and forgotten ones that are more than a day old; but
  /// none of `needed`, the files of the unfinished uploads of all accounts.
  public func removeUploadCopies(_ done: [String], needed: Set<String>, in folder: String) async {
    await pool.run {
      let old = time(nil) - 86_400
      for name in (try? Folders.names(in: folder)) ?? [] {
        let place = "\(folder)/\(name)"
        let files = ((try? Folders.names(in: place)) ?? []).map { "\(place)/\($0)" }
        var facts = stat()
        guard lstat(place, &facts) == 0, files.allSatisfy({ !needed.contains($0) }),
          facts.st_mtim.tv_sec < old || files.contains(where: done.contains)
        else { continue }
        for file in files { unlink(file) }
        rmdir(place)
      }
    }
  }
}
