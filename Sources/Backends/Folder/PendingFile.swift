internal import FileStores

/// A file that has its bytes, but not yet its name.
struct PendingFile: Sendable {
  let root: Descriptor
  /// The folder where it lies under its temporary name.
  let folder: Descriptor
  let name: CName
  let file: Descriptor
  /// The folder where it shall go.
  let parent: Descriptor
  /// Folders that were made for it.
  let made: [StorePath]
}
