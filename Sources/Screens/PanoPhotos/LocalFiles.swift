public import FileStores

/// The member's own files: for completing typed paths, and for what is on disk already.
public protocol LocalFiles: Sendable {
  /// What a typed path means and could become: directories, and for uploads pictures. Runs outside the loop's thread.
  func complete(_ typed: String, for purpose: PathPurpose) async -> PathCompletion
  /// A typed path with `~` and relative parts made whole.
  func resolve(_ typed: String) -> String
  /// Whether a typed path is a folder that files can be put into. Runs outside the loop's thread.
  func folder(_ typed: String) async -> FolderFinding
  /// Makes a folder and those above it. Runs outside the loop's thread.
  func makeFolder(_ path: String) async -> FolderFinding
  /// Keeps a folder, as it was typed, for the prompts of later starts. Runs outside the loop's thread.
  func remember(_ folder: String, for purpose: PathPurpose) async throws(StoreError)
  /// Whether a file is there and holds this content; without a hash its size decides. Reads all of it where there is
  /// one. Runs outside the loop's thread.
  func holds(_ file: String, size: UInt64, contentHash: ContentHash?) async -> Bool
}

/// What a typed folder is.
public enum FolderFinding: Sendable, Hashable {
  /// A folder that files can be put into. The path has `~` where it was typed so.
  case isThere(String)
  /// Nothing: it could be made.
  case missing(String)
  /// Nothing that files can be put into; the reason is a sentence.
  case unusable(String)
}
