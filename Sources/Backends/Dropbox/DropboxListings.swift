internal import FileStores
internal import Synchronization

/// The listings that are under way, so that an entry that changes meanwhile, and is told again, is on one page alone.
final class DropboxListings: Sendable {
  private static let most = 4
  private let running = Mutex<[(id: UInt64, told: [String: Int])]>([])

  /// Whether an entry belongs on a page: no page before has it.
  func belongs(_ lower: String, on page: Int, of listing: UInt64) -> Bool {
    running.withLock { running in
      guard let index = running.firstIndex(where: { $0.id == listing }) else { return true }
      if let before = running[index].told[lower], before < page { return false }
      running[index].told[lower] = page
      return true
    }
  }

  /// Begins to remember a listing; the oldest of too many is forgotten.
  func begin(_ listing: UInt64) {
    running.withLock { running in
      if running.count >= DropboxListings.most { running.removeFirst() }
      running.append((listing, [:]))
    }
  }
}

/// Where a listing goes on: which page of which listing that is, from where its changes are told, and the API's cursor.
struct DropboxListCursor {
  let listing: UInt64
  let page: Int
  let options: ListOptions
  let changes: String
  let cursor: String

  init(listing: UInt64, page: Int, options: ListOptions, changes: String, cursor: String) {
    (self.listing, self.page, self.options) = (listing, page, options)
    (self.changes, self.cursor) = (changes, cursor)
  }

  init?(_ cursor: ListCursor) {
    let parts = cursor.value.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 5, let listing = UInt64(parts[0], radix: 16), let page = Int(parts[1]) else { return nil }
    let options = ListOptions(parts[2].contains("f") ? .full : .names, recursive: parts[2].contains("r"))
    self.init(listing: listing, page: page, options: options, changes: parts[3], cursor: parts[4])
  }

  var value: ListCursor {
    let flags = (options.detail == .full ? "f" : "n") + (options.recursive ? "r" : "")
    return ListCursor([String(listing, radix: 16), String(page), flags, changes, cursor].joined(separator: "\n"))
  }
}
