internal import Basics
public import FileStores
public import Imaging

/// A walk with the photos that it leads through; nil for one that is gone or no photo of the club.
public struct OpenWalk: Sendable {
  public let walk: Walk
  public let photos: [StorePath?]
  /// The author of the file's version, if it is another one than the walk claims.
  public let bringer: String?

  public init(_ walk: Walk, photos: [StorePath?], author: String? = nil) {
    (self.walk, self.photos, bringer) = (walk, photos, author == walk.member ? nil : author)
  }

  /// As the walk's file has the photo, for messages.
  public func name(ofPhoto place: Int) -> String {
    PercentEncoding.decoded(walk.photos[place], plusIsSpace: false) ?? walk.photos[place]
  }
}

/// Walks are files beside the photos: `Around the pier.walk.json`. No tour has such a name.
extension PhotosService {
  private static let walkEnding = ".walk.json"
  private static let mostNames = 100

  /// The title of a walk by its file's name; nil for other files.
  static func walkTitle(of path: StorePath) -> String? {
    guard path.name.count > walkEnding.utf8.count,
      path.name.suffix(walkEnding.utf8.count).elementsEqual(walkEnding.utf8)
    else { return nil }
    return String(decoding: path.name.dropLast(walkEnding.utf8.count), as: UTF8.self)
  }

  /// In the file of a walk.
  public static func address(of photo: StorePath, photosFolder: StorePath) -> String? {
    Door.address(of: photo, from: photosFolder)
  }

  /// Keeps a recorded walk: durable before the store is asked, under the first free name.
  /// - Returns: its path, and the reason why it waits on this machine; nil if the club has it.
  /// - Throws: `badName` for a title that no file can have; `badInput` if nothing was recorded; as `NotesService.save`.
  public func keep(
    _ recorder: WalkRecorder, title: String
  ) async throws(StoreError) -> (path: StorePath, waiting: StoreError?) {
    let fault =
      title.isEmpty
      ? "is empty" : title.hasPrefix(".") ? "begins with a dot" : title.contains("/") ? "contains a slash" : nil
    if let fault = fault ?? NameText.fault(in: title) {
      throw StoreError(.badName, "The title \"\(title)\" \(fault).", remedy: "Choose another title.")
    }
    guard let notes, let walk = recorder.walk(title: title, member: await club.spokenName()) else {
      throw StoreError(.badInput, "Nothing of the walk was recorded.", remedy: "Look around in a panorama first.")
    }
    for number in 1...PhotosService.mostNames {
      let name = number == 1 ? title : "\(title) (\(number))"
      let path = try club.photosFolder.appending(name + PhotosService.walkEnding)
      guard try await isFree(path) else { continue }
      switch try await notes.save(path, base: nil, text: walk.bytes, draft: nil, isOnlyCopy: true) {
      case .saved(let entry): return (entry.path, nil)
      case .merged(let merged): return (merged.entry.path, nil)
      case .kept(_, let error): return (path, error)
      case .conflict(let conflict): try await notes.discardUnsent(conflict.save)
      case .deleted: break
      }
    }
    throw StoreError(.exists, "Too many walks are called \"\(title)\".", remedy: "Choose another title.")
  }

  private func isFree(_ path: StorePath) async throws(StoreError) -> Bool {
    if try await notes?.own(path) != nil { return false }
    do throws(StoreError) {
      _ = try await club.store.entry(at: path)
      return false
    } catch {
      guard error.kind == .notFound || error.isTemporary else { throw error }
      return true
    }
  }

  /// - Throws: `corrupt` for a file that is no walk; `tooLarge`; errors of the store.
  public func walk(at path: StorePath) async throws(StoreError) -> OpenWalk {
    var (bytes, author): ([UInt8]?, String?) = (try await notes?.own(path)?.bytes, nil)
    if bytes == nil {
      let read = try await club.store.readAll(path, limit: Walk.mostBytes)
      (bytes, author) = (read.bytes, read.entry.member)
    }
    do throws(TourReader.Fault) {
      let walk = try Walk(reading: bytes ?? [])
      return OpenWalk(walk, photos: walk.photos.map { photo(inWalk: $0, path.parent) }, author: author)
    } catch {
      throw StoreError(
        .corrupt, "\"\(path)\" is not a walk that byteclub can play: \(error.reason).",
        remedy: "Correct or remove the file.", path: path)
    }
  }

  private func photo(inWalk address: String, _ folder: StorePath) -> StorePath? {
    guard let path = Self.resolved(address, in: folder), isPhoto(path) else { return nil }
    return known.place(of: path)
  }
}
