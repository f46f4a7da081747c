internal import FileStores

/// The bounds of a paged answer. A server whose pages never end exceeds them.
struct PageBounds {
  /// More than any club has: so many entries are gigabytes of answers.
  static let mostEntries = 5_000_000
  static let mostPages = 100_000
  static let mostEmptyPages = 1000

  private let what: String
  private let path: StorePath
  private let server: DropboxServer
  private var entries = 0
  private var pages = 0
  private var emptyPages = 0
  /// Hashes, because a server may choose long cursors.
  private var cursors: Set<Int> = []

  init(_ what: String, about path: StorePath, _ server: DropboxServer) {
    (self.what, self.path, self.server) = (what, path, server)
  }

  /// Counts a page before the last one.
  /// - Parameters:
  ///   - count: the new entries on the page.
  ///   - cursor: the server's cursor of the next page.
  /// - Throws: `corrupt` if the cursor was used before; `tooLarge` past the bounds.
  mutating func add(_ count: Int, next cursor: String) throws(StoreError) {
    guard cursors.insert(cursor.hashValue).inserted else { throw repeated }
    entries += count
    pages += 1
    emptyPages = count == 0 ? emptyPages + 1 : 0
    if entries > PageBounds.mostEntries { throw endless("in 5 million entries") }
    if pages > PageBounds.mostPages { throw endless("in 100,000 pages") }
    if emptyPages > PageBounds.mostEmptyPages { throw endless("and sends only empty pages") }
  }

  private var repeated: StoreError {
    StoreError(
      .corrupt, "\(server.name) sends the same pages of \(what) again and again.", remedy: PageBounds.remedy,
      path: path, isWrongAnswer: true)
  }

  private func endless(_ how: String) -> StoreError {
    StoreError(
      .tooLarge, "\(server.name) does not come to the end of \(what) \(how).", remedy: PageBounds.remedy, path: path,
      isWrongAnswer: true)
  }

  private static let remedy = "Try again later. If it happens again, ask the server's owner."
}
