public import FileStores

/// What the photos' screen asks to be done.
public enum PhotosEffect: Sendable {
  /// By the list.
  case files(FileListEffect)
  /// Make thumbnails of these, in this order, to fit into a box of cells.
  case thumbnails([StorePath], columns: Int, rows: Int)
  /// Decode a photo for the viewer.
  case view(StorePath)
  /// Read a photo's header.
  case info(StorePath)
  /// Upload these files.
  case upload([String])
  /// Download these photos into a directory.
  case download([StorePath], to: String)
  /// Stop a transfer.
  case cancel(transfer: String)
  /// Stop all transfers.
  case cancelAll
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
