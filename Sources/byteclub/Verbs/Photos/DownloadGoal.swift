import CLinux
import ClubServices
import FileStores
import Glibc

/// Where `photo get` saves: a directory or, for one photo, a file that is not there yet.
struct DownloadGoal: Sendable {
  /// The directory that the download goes to.
  let folder: String
  /// The file, in full; nil when the photo keeps its name.
  private let file: String?
  /// What was typed.
  private let typed: String

  /// - Throws: `notFound` when the directory is not there; `badInput` when several photos are to be one file.
  init(_ typed: String, photos: Int) throws(StoreError) {
    self.typed = typed
    guard !LocalDirectory.exists(typed) else {
      (folder, file) = (typed, nil)
      return
    }
    guard !typed.hasSuffix("/") else { throw Self.missing(typed) }
    guard photos == 1 else {
      throw StoreError(
        .badInput, "\"\(typed)\" is not a directory, and \(photos) photos need one.",
        remedy: "Make the directory first, or download one photo.")
    }
    let above = typed.lastIndex(of: "/").map { $0 == typed.startIndex ? "/" : String(typed[..<$0]) } ?? "."
    guard LocalDirectory.exists(above) else { throw Self.missing(above) }
    folder = LocalDirectory.absolute(above)
    let name = typed.lastIndex(of: "/").map { typed[typed.index(after: $0)...] } ?? typed[...]
    file = (folder == "/" ? "/" : folder + "/") + name
  }

  private static func missing(_ folder: String) -> StoreError {
    StoreError(.notFound, "The directory \"\(folder)\" does not exist.", remedy: "Make it with: mkdir -p '\(folder)'")
  }

  /// The file that holds the photo already; nil when there is none.
  func copy(of path: StorePath, _ photos: PhotosService) async throws(StoreError) -> String? {
    guard let file else { return try await photos.copy(of: path, in: folder)?.file }
    return LocalDirectory.holdsAnything(file) ? try await photos.isCopy(file, of: path) ? file : nil : nil
  }

  /// - Throws: `exists` when the file is there.
  func checkIsFree() throws(StoreError) {
    if let file, LocalDirectory.holdsAnything(file) { throw taken }
  }

  /// Gives what was downloaded its name; where it then is.
  /// - Throws: `exists` when that name was taken meanwhile, `server` when the disk refuses.
  func name(_ place: String) throws(StoreError) -> String {
    guard let file, place != file else { return place }
    var error = -cl_rename(AT_FDCWD, place, AT_FDCWD, file, 1)
    if error == EINVAL || error == ENOSYS {
      // A file system without that call: a second name is not given either where one is taken.
      error = link(place, file) == 0 ? 0 : errno
      if error == 0 { unlink(place) }
    }
    guard error != 0 else { return file }
    throw StoreError(
      error == EEXIST ? .exists : .server,
      "The photo is saved as \"\(place)\", not as \"\(typed)\": \(SystemError.sentence(error)).",
      remedy: "Move the file yourself.")
  }

  private var taken: StoreError {
    StoreError(.exists, "\"\(typed)\" already exists and was not replaced.", remedy: "Choose another name.")
  }
}
