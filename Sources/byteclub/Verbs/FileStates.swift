import ClubServices
import FileStores

struct FileStates: Sendable {
  private var drafts: Set<StorePath> = []
  private var unsent: Set<StorePath> = []

  init() {}

  init(_ open: OpenClub) async throws(StoreError) {
    drafts = Set(try await open.drafts.all().compactMap(\.path))
    unsent = Set(try await open.notes.unsent().map(\.path))
  }

  func state(of path: StorePath) -> FileState {
    unsent.contains(path) ? .unsent : drafts.contains(path) ? .draft : .stored
  }
}
