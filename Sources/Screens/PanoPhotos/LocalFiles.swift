/// The member's own files, for completing typed paths.
public protocol LocalFiles: Sendable {
  /// What a typed path could become: directories, and for uploads pictures. Runs outside the loop's thread.
  func complete(_ typed: String, for purpose: PathPurpose) async -> PathCompletion
  /// A typed path with `~` and relative parts made whole.
  func resolve(_ typed: String) -> String
}
