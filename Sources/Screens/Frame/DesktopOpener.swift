public import FileStores

/// Opens a file of the club with the desktop's program. Runs outside the loop's thread.
public protocol DesktopOpener: Sendable {
  /// Opens it; returns a sentence for the member.
  func open(_ path: StorePath) async throws(StoreError) -> String
  /// Opens a file of this machine; returns a sentence for the member.
  func open(file: String) async throws(StoreError) -> String
}
