public import FileStores

/// What the photos' screen asks to be done.
public enum PhotosEffect: Sendable {
  /// By the list.
  case files(FileListEffect)
  /// Make thumbnails of these, in this order, to fit into a box of cells; after a pause those that `failed`, and which
  /// fail for reasons that pass by themselves, until all are made.
  case thumbnails([StorePath], failed: [StorePath] = [], columns: Int, rows: Int)
  /// Decode a photo for the viewer, from its copy on this machine if there is one.
  case view(StorePath, onDisk: String?)
  /// Fetch a photo that may be looked at next.
  case prefetch(StorePath)
  /// Look whether these copies are where they were.
  case lookOnDisk([DiskCopy])
  /// Open a copy with the desktop's program.
  case openOnDisk(String)
  /// Open a photo that is kept from an earlier look with the desktop's program.
  case openKept(StorePath)
  /// Ask the store which photos it finds for these words.
  case seek(String)
  /// Read a photo's header.
  case info(StorePath)
  /// Upload these files; what the club has already only when they are to go up `again`.
  case upload([String], again: Bool = false)
  /// Download these photos into a directory; what is there already only when they are to come `again`.
  case download([StorePath], to: String, again: Bool = false)
  /// Look at no more files for uploads and downloads that were asked for.
  case stopPreparing
  /// Look whether a typed path is a folder for downloads.
  case findFolder(String)
  /// Make the folder that was typed so, at this path.
  case makeFolder(String, String)
  /// Keep a folder that was good for the prompts of later starts.
  case remember(String, for: PathPurpose)
  /// What a typed path could become.
  case complete(String, purpose: PathPurpose)
}

/// What a path is typed for.
public enum PathPurpose: Sendable, Hashable {
  /// Pictures to upload.
  case upload
  /// A directory to download into.
  case download
}
