public import FileStores

/// The member's own files: for completing typed paths, and for what is on disk already.
public protocol LocalFiles: Sendable {
  /// What a typed path could become: directories, and for uploads pictures. Runs outside the loop's thread.
  func complete(_ typed: String, for purpose: PathPurpose) async -> PathCompletion
  /// A typed path with `~` and relative parts made whole.
  func resolve(_ typed: String) -> String
  /// Whether a file is there and holds this content; without a hash its size decides. Reads all of it where there is
  /// one. Runs outside the loop's thread.
  func holds(_ file: String, size: UInt64, contentHash: ContentHash?) async -> Bool
}
