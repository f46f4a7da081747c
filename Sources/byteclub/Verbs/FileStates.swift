import ClubServices
import FileStores

/// What this machine still holds of the club's files.
struct FileStates: Sendable {
  private var drafts: Set<StorePath> = []
  private var unsent: Set<StorePath> = []

  /// Nothing.
  init() {}

  /// Asks the services.
  init(_ open: OpenClub) async throws(StoreError) {
    drafts = Set(try await open.drafts.all().compactMap(\.path))
    unsent = Set(try await open.notes.unsent().map(\.path))
  }

  /// The state of a file.
  func state(of path: StorePath) -> FileState {
    unsent.contains(path) ? .unsent : drafts.contains(path) ? .draft : .stored
  }
}
