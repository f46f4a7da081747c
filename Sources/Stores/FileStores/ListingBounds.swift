internal import Basics
internal import Synchronization

/// The limits of one listing: time, pages and entries, over all its pages and tries. They end a list that never ends.
package struct ListingBounds: Sendable {
  /// At 2 KiB/s it brings 3.5 MiB, the list of several thousand files.
  package static let longest = Duration.seconds(1800)
  package static let mostPages = 100_000
  /// More than any club has: so many entries are gigabytes of answers.
  package static let mostEntries = 5_000_000

  private let folder: StorePath
  private let elapsed: @Sendable () -> Duration
  private var pages = 0
  private var entries = 0
  private var unreadable = 0

  package init(_ folder: StorePath, _ clock: any Clock<Duration>) {
    self.folder = folder
    elapsed = clock.stopwatch()
  }

  /// - Throws: `tooLarge` past the time.
  package func checkTime() throws(StoreError) {
    if elapsed() > ListingBounds.longest { throw endless("within 30 minutes") }
  }

  /// Counts a page before the last one.
  /// - Throws: `tooLarge` past the bounds.
  package mutating func add(_ count: Int) throws(StoreError) {
    pages += 1
    entries += count
    if pages > ListingBounds.mostPages { throw endless("in 100,000 pages") }
    if entries > ListingBounds.mostEntries { throw endless("in 5 million entries") }
    try checkTime()
  }

  /// Counts a page.
  /// - Throws: `tooLarge` past the bounds; `server` after the last page if no entry of the list can be read: as an empty
  ///   folder it would seem that all files are gone.
  package mutating func add(_ page: ListPage) throws(StoreError) {
    unreadable += page.unreadable
    if page.next != nil { return try add(page.entries.count) }
    guard unreadable > 0, entries + page.entries.count == 0 else { return }
    throw StoreError(
      .server,
      "The store lists \(unreadable == 1 ? "an entry" : "\(unreadable) entries") in \(what), and byteclub can read none.",
      remedy: "Check the address of the club in the config, and test the server with: byteclub doctor", path: folder,
      isWrongAnswer: true)
  }

  private var what: String { folder.isRoot ? "the club's folder" : "\"\(folder)\"" }

  private func endless(_ how: String) -> StoreError {
    return StoreError(
      .tooLarge, "The list of \(what) does not come to its end \(how); \(entries) files and folders came.",
      remedy: "Try again later. If it happens again, ask the server's owner: a folder may lead back to itself.",
      path: folder, isWrongAnswer: true)
  }
}

/// The listings that have pages left.
final class ListingsUnderWay: Sendable {
  /// A caller may forget a listing.
  private static let most = 64
  private let all = Mutex<[ListCursor: ListingBounds]>([:])

  func bounds(of folder: StorePath, after cursor: ListCursor?, _ clock: any Clock<Duration>) -> ListingBounds {
    cursor.flatMap { cursor in all.withLock { $0.removeValue(forKey: cursor) } } ?? ListingBounds(folder, clock)
  }

  func keep(_ bounds: ListingBounds, until next: ListCursor) {
    all.withLock { all in
      if all.count >= Self.most { all.removeAll() }
      all[next] = bounds
    }
  }
}
