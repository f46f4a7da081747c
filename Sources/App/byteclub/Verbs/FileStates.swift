import ClubServices
import FileStores

struct FileStates: Sendable {
  private var drafts: Set<StorePath> = []
  private var unsent: Set<StorePath> = []
  private var gone: Set<StorePath> = []

  /// What the local copy knows.
  init(copyOf open: OpenClub) { gone = Set(open.copy?.heldPaths ?? []) }

  init(_ open: OpenClub) async throws(StoreError) {
    self.init(copyOf: open)
    drafts = Set(try await open.drafts.all().compactMap(\.path))
    unsent = Set(try await open.notes.unsent().map(\.path))
  }

  func state(of path: StorePath) -> FileState {
    if unsent.contains(path) { return .unsent }
    return drafts.contains(path) ? .draft : gone.contains(path) ? .gone : .stored
  }
}
