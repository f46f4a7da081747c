public import FileStores

/// A folder of notes, or an album, at its new place.
public struct FolderMoved: Sendable, Hashable {
  public let from: StorePath
  public let to: StorePath
  /// Of the files in it, at any depth, also those that no list shows.
  public let count: Int
  /// The reason why something outside of the folder does not lead to its new place; the folder is there.
  public var unmended: StoreError?

  public init(from: StorePath, to: StorePath, count: Int, unmended: StoreError? = nil) {
    (self.from, self.to, self.count, self.unmended) = (from, to, count, unmended)
  }
}

/// A folder whose files are in the trash, each of its own.
public struct TrashedFolder: Sendable, Hashable {
  public let folder: StorePath
  public internal(set) var files: [TrashedFile] = []
  /// The folders that had no file, which no file brings back.
  public internal(set) var emptyFolders: [StorePath] = []
  /// The reason why files stay in the folder, with their number; nil if all went.
  public internal(set) var failure: StoreError?
  public internal(set) var progress: FolderProgress
  /// True if the folder is still there, perhaps empty: it goes while the store answers.
  public internal(set) var isLeft = false

  public init(
    folder: StorePath, files: [TrashedFile] = [], emptyFolders: [StorePath] = [], failure: StoreError? = nil,
    isLeft: Bool = false
  ) {
    (self.folder, self.files, self.emptyFolders) = (folder, files, emptyFolders)
    (self.failure, self.isLeft) = (failure, isLeft)
    progress = FolderProgress(folder, isBack: false, files.map { .success($0.origin) }, waiting: [])
  }
}

/// A folder that came back from the trash.
public struct FolderRestored: Sendable, Hashable {
  public let folder: StorePath
  public let files: [FileEntry]
  /// The reason why files stay in the trash, with their number; nil if all came back.
  public let failure: StoreError?
  public internal(set) var progress: FolderProgress

  public init(folder: StorePath, files: [FileEntry], failure: StoreError? = nil) {
    (self.folder, self.files, self.failure) = (folder, files, failure)
    progress = FolderProgress(folder, isBack: true, files.map { .success($0.path) }, waiting: [])
  }
}

/// The files of a folder that goes into the trash or comes back. Each is done, waits to be sent, or stays where it was.
public struct FolderProgress: Sendable, Hashable {
  public let folder: StorePath
  private let isBack: Bool
  public private(set) var done: Set<StorePath> = []
  public private(set) var waiting: Set<StorePath> = []
  private(set) var failed = 0
  /// The first failure.
  private(set) var reason: StoreError?

  /// - Parameter waiting: the paths of all changes of this kind that wait.
  init(_ folder: StorePath, isBack: Bool, _ files: [Result<StorePath, StoreError>], waiting: Set<StorePath>) {
    (self.folder, self.isBack) = (folder, isBack)
    for file in files {
      switch file {
      case .success(let path) where waiting.contains(path): self.waiting.insert(path)
      case .success(let path): done.insert(path)
      case .failure(let error): (failed, reason) = (failed + 1, reason ?? error)
      }
    }
  }

  private var count: Int { done.count + waiting.count + failed }

  /// One sentence about all files.
  public var sentence: String {
    let place = isBack ? " in the trash" : ""
    let parts = [
      (done.count, "is", "are", isBack ? " back" : " in the trash"), (waiting.count, "waits", "wait", " to be sent"),
      (failed, "stays", "stay", place),
    ].filter { $0.0 > 0 }
    let clauses = parts.enumerated().map { index, part in
      let (some, one, many, rest) = part
      if count == 1 { return "The one file of \"\(folder)\" \(one)\(rest)" }
      if some == count { return "All \(count) files of \"\(folder)\" \(many)\(rest)" }
      if index == 0 { return "\(some) of \(count) files of \"\(folder)\" \(many)\(rest)" }
      return some == 1 ? "1 file \(one)\(rest)" : "\(some) files \(many)\(rest)"
    }
    guard let last = clauses.last, clauses.count > 1 else { return clauses.joined() + "." }
    return clauses.dropLast().joined(separator: ", ") + ", and \(last)."
  }

  /// The error about all files.
  /// - Parameter remedy: nil for that of the reason.
  func failure(_ reason: StoreError, remedy: String? = nil) -> StoreError {
    StoreError(
      reason.kind, count == 0 ? reason.message : "\(sentence) \(reason.message)",
      remedy: remedy ?? reason.remedy, path: reason.path ?? folder, retryAfter: reason.retryAfter)
  }
}
