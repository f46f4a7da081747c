import Backends
import FileStores
import TestKit
import Testing

/// A store around another hands on each of its powers: one that is forgotten would be nil, and nobody would miss it.
@Suite struct WrappedPowersTests {
  private static func powers(_ store: any FileStore) -> [String] {
    [
      store.resumableUploads.map { _ in "resumableUploads" }, store.trash.map { _ in "trash" },
      store.changes.map { _ in "changes" }, store.revisions.map { _ in "revisions" },
      store.search.map { _ in "search" }, store.thumbnails.map { _ in "thumbnails" },
      store.batchUploads.map { _ in "batchUploads" }, store.folderReading.map { _ in "folderReading" },
    ].compactMap { $0 }
  }

  private static let all = [
    "resumableUploads", "trash", "changes", "revisions", "search", "thumbnails", "batchUploads", "folderReading",
  ]

  @Test("The wrappers have each power of a store that has all, and none of one that has none") func forwarding() {
    let wrappers: [(any FileStore) -> any FileStore] = [
      { RetryingStore($0) }, { LoggingStore($0) { _ in } }, { FaultyStore($0, seed: 1) },
      { RetryingStore(LoggingStore($0) { _ in }) },
    ]
    for wrap in wrappers {
      #expect(Self.powers(wrap(AblePowers(isAble: true))) == Self.all)
      #expect(Self.powers(wrap(AblePowers(isAble: false))) == [])
    }
  }

  @Test("What failed for a while is asked for again, and nothing else") func onlyTheFailed() async throws {
    let store = AblePowers(isAble: true)
    let thumbnails = try #require(
      RetryingStore(store, clock: ManualClock(advancesOnSleep: true), draw: { 0.5 }).thumbnails)
    let paths = try ["good", "offline", "never", "notFound"].map { try StorePath($0) }
    let kinds = try await thumbnails.thumbnails(of: paths, side: 32).map { result -> StoreError.Kind? in
      if case .failure(let error) = result { error.kind } else { nil }
    }
    #expect(kinds == [nil, nil, .offline, .notFound])
    let asked = await store.asked.all
    #expect(asked.first == ["good", "offline", "never", "notFound"])
    #expect(asked.dropFirst().first == ["offline", "never"])
    #expect(asked.dropFirst(2).allSatisfy { $0 == ["never"] } && asked.count == RetryPolicy().attempts)
  }
}

/// A store in memory with all powers, or none.
private struct AblePowers: StoreAround {
  let base: any FileStore = MemoryStore()
  let isAble: Bool
  let asked = Asked()

  init(isAble: Bool) { self.isAble = isAble }

  actor Asked {
    private(set) var all: [[String]] = []
    func add(_ names: [String]) -> Int {
      all.append(names)
      return all.count
    }
  }

  var resumableUploads: (any ResumableUploads)? { isAble ? base.resumableUploads : nil }
  var trash: (any StoreTrash)? { isAble ? base.trash : nil }
  var changes: (any ChangeFeed)? { isAble ? base.changes : nil }
  var revisions: (any RevisionHistory)? { isAble ? base.revisions : nil }
  var search: (any StoreSearch)? { isAble ? base.search : nil }
  var thumbnails: (any StoreThumbnails)? { isAble ? Copies(asked: asked) : nil }
  var batchUploads: (any BatchUploads)? { isAble ? Batches() : nil }
  var folderReading: (any FolderReading)? { isAble ? Folders() : nil }

  /// Fails as the name of the file says; "offline" only the first time.
  struct Copies: StoreThumbnails {
    let asked: Asked
    var batchFiles: Int { 25 }
    var largestSide: Int { 128 }
    func thumbnails(
      of paths: [StorePath], side: Int
    ) async throws(StoreError) -> [Result<StoreThumbnail, StoreError>] {
      let time = await asked.add(paths.map(\.description))
      return paths.map { path in
        switch path.description {
        case "offline" where time == 1, "never": .failure(StoreError(.offline, "The line broke.", path: path))
        case "notFound": .failure(StoreError(.notFound, "There is no such file.", path: path))
        default: .success(StoreThumbnail(of: FileEntry(path: path, kind: .file), bytes: []))
        }
      }
    }
  }

  struct Batches: BatchUploads {
    var mostFiles: Int { 1 }
    var mostBytes: UInt64 { 1 }
    func put(_ files: [BatchFile]) async throws(StoreError) -> [Result<FileEntry, StoreError>] { [] }
  }

  struct Folders: FolderReading {
    var mostEntries: Int { 1 }
    var mostBytes: UInt64 { 1 }
    func read(
      _ files: [FileEntry], below folder: StorePath, _ receive: ([FolderPart]) async throws(StoreError) -> Void
    ) async throws(StoreError) {}
  }
}
