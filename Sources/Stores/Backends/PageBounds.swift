internal import FileStores

/// The bounds of a paged answer. A server whose pages never end exceeds them.
struct PageBounds {
  static let mostEmptyPages = 1000

  private let what: String
  private let path: StorePath
  private let server: String
  private var entries = 0
  private var pages = 0
  private var emptyPages = 0
  /// Hashes, because a server may choose long cursors.
  private var cursors: Set<Int> = []

  init(_ what: String, about path: StorePath, _ server: String) {
    (self.what, self.path, self.server) = (what, path, server)
  }

  /// Counts a page before the last one.
  /// - Parameters:
  ///   - count: the new entries on the page.
  ///   - cursor: the server's cursor of the next page.
  /// - Throws: `corrupt` if the cursor was used before; `tooLarge` past the bounds.
  mutating func add(_ count: Int, next cursor: String) throws(StoreError) {
    guard cursors.insert(cursor.hashValue).inserted else { throw PageBounds.repeated(what, about: path, server) }
    entries += count
    pages += 1
    emptyPages = count == 0 ? emptyPages + 1 : 0
    if entries > ListingBounds.mostEntries { throw endless("in 5 million entries") }
    if pages > ListingBounds.mostPages { throw endless("in 100,000 pages") }
    if emptyPages > PageBounds.mostEmptyPages { throw endless("and sends only empty pages") }
  }

  static func repeated(_ what: String, about path: StorePath, _ server: String) -> StoreError {
    StoreError(
      .corrupt, "\(server) sends the same pages of \(what) again and again.", remedy: StoreError.askOwner,
      path: path, isWrongAnswer: true)
  }

  func endless(_ how: String) -> StoreError {
    StoreError(
      .tooLarge, "\(server) does not come to the end of \(what) \(how).", remedy: StoreError.askOwner, path: path,
      isWrongAnswer: true)
  }
}
