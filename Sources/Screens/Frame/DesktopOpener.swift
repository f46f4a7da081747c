public import FileStores

/// Opens a file of the club with the desktop's program. Runs outside the loop's thread.
public protocol DesktopOpener: Sendable {
  /// Opens it; returns a sentence for the member.
  func open(_ path: StorePath) async throws(StoreError) -> String
}
