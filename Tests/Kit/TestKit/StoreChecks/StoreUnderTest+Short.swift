import FileStores

/// Short forms of frequent calls.
extension StoreUnderTest {
  @discardableResult
  func write(_ path: String, _ text: String = "text", mode: WriteMode = .create) async throws -> FileEntry {
    try await store.put(DataSource(Array(text.utf8)), at: StorePath(path), mode: mode)
  }

  /// Writes through the other store, like another program.
  @discardableResult
  func writeElsewhere(_ path: String, _ text: String) async throws -> FileEntry {
    try await other.put(DataSource(Array(text.utf8)), at: StorePath(path), mode: .overwrite)
  }

  func text(_ path: String) async throws -> String {
    String(decoding: try await store.readAll(StorePath(path)).bytes, as: UTF8.self)
  }

  func entry(_ path: String) async throws -> FileEntry { try await store.entry(at: StorePath(path)) }

  func isThere(_ path: String) async throws -> Bool {
    do {
      _ = try await entry(path)
      return true
    } catch let error as StoreError where error.kind == .notFound {
      return false
    }
  }

  func list(
    _ folder: String = "", _ detail: ListOptions.Detail = .names, recursive: Bool = false
  ) async throws -> [FileEntry] {
    try await pages(folder, ListOptions(detail, recursive: recursive)).flatMap(\.entries)
  }

  func pages(_ folder: String, _ options: ListOptions) async throws -> [ListPage] {
    var pages = [try await store.list(StorePath(folder), options, after: nil)]
    while let next = pages.last?.next {
      pages.append(try await store.list(StorePath(folder), options, after: next))
      try expect(pages.count < 10_000, "the listing never ends")
    }
    return pages
  }

  /// The listed paths as text, sorted.
  func names(_ folder: String = "", recursive: Bool = false) async throws -> [String] {
    try await list(folder, recursive: recursive).map(\.path.description).sorted()
  }
}
