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
  /// True if the folder is still there, perhaps empty: it goes while the store answers.
  public internal(set) var isLeft = false

  public init(
    folder: StorePath, files: [TrashedFile] = [], emptyFolders: [StorePath] = [], failure: StoreError? = nil,
    isLeft: Bool = false
  ) {
    (self.folder, self.files, self.emptyFolders) = (folder, files, emptyFolders)
    (self.failure, self.isLeft) = (failure, isLeft)
  }
}

/// A folder that came back from the trash.
public struct FolderRestored: Sendable, Hashable {
  public let folder: StorePath
  public let files: [FileEntry]
  /// The reason why files stay in the trash, with their number; nil if all came back.
  public let failure: StoreError?

  public init(folder: StorePath, files: [FileEntry], failure: StoreError? = nil) {
    (self.folder, self.files, self.failure) = (folder, files, failure)
  }
}
