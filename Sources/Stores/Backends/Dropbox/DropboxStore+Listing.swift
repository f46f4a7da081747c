public import FileStores
internal import JSON
internal import Synchronization

extension DropboxStore {
  /// Entries are always whole: `list_folder` has no shorter form.
  public func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    try checkCancelled("The listing", folder)
    guard let place = self.folder.apiPath(folder) else { throw missing(folder) }
    guard let cursor else { return try await firstPage(folder, place, options) }
    guard let mark = DropboxListCursor(cursor), mark.options == options.plain else { throw .listingLost(folder) }
    let call = DropboxCall(.listFolderContinue, .members(["cursor": .string(mark.cursor)]), about: folder)
    return try await page(try await client.result(call) { $0.isReset ? .listingLost(folder) : nil }, call, mark)
  }

  private func firstPage(
    _ folder: StorePath, _ place: String, _ options: ListOptions
  ) async throws(StoreError) -> ListPage {
    let known = watch.newest
    let begun = if let known { known } else { try await latest() }
    let call = DropboxCall(
      .listFolder,
      .members([
        "path": .string(place), "recursive": .bool(options.recursive),
        "limit": tuning.pageEntries.map { .integer(Int64($0)) },
      ]), about: folder)
    let json = try await client.result(call) { $0.tags.last == "not_found" ? missing(folder) : nil }
    let listing = tuning.random()
    if json["has_more"]?.boolean == true {
      listings.begin(listing, PageBounds("the list of \"\(folder)\"", about: folder, client.server.name))
    }
    return try await page(
      json, call, DropboxListCursor(listing: listing, page: 0, options: options, changes: begun, cursor: ""))
  }

  private func page(
    _ json: JSONValue, _ call: DropboxCall, _ mark: DropboxListCursor
  ) async throws(StoreError) -> ListPage {
    guard let values = json["entries"]?.elements, let cursor = json["cursor"]?.text,
      let hasMore = json["has_more"]?.boolean
    else { throw client.nonsense("no page of a listing", call) }
    let folder = call.path
    var entries: [FileEntry] = []
    var unreadable = 0
    entries.reserveCapacity(values.count)
    let listed = values.map { DropboxMetadata($0, isListed: true) }
    await authors.learn(listed.lazy.compactMap { $0 }, client)
    for metadata in listed {
      guard let metadata else {
        unreadable += 1
        continue
      }
      guard metadata.kind != .deleted, let stated = names.path(of: metadata),
        let path = try self.folder.place(stated, listedIn: folder, mark.options),
        let entry = metadata.entry(at: path, authors),
        listings.belongs(metadata.lower, on: mark.page, of: mark.listing)
      else { continue }
      entries.append(entry)
    }
    guard hasMore else {
      return ListPage(
        entries: entries, isWhole: true, changes: ChangeCursor(mark.changes), unreadable: unreadable)
    }
    try listings.count(entries.count, on: mark.page, of: mark.listing, next: cursor)
    let next = DropboxListCursor(
      listing: mark.listing, page: mark.page + 1, options: mark.options, changes: mark.changes, cursor: cursor)
    return ListPage(entries: entries, isWhole: true, next: next.value, unreadable: unreadable)
  }
}

/// The running listings. Reports each entry on one page only, and ends a listing that has no end.
final class DropboxListings: Sendable {
  private static let most = 4

  private struct Running {
    let id: UInt64
    /// The page of each entry.
    var stated: [String: Int] = [:]
    var page = -1
    var bounds: PageBounds
  }

  private let running = Mutex<[Running]>([])

  func belongs(_ lower: String, on page: Int, of listing: UInt64) -> Bool {
    running.withLock { running in
      guard let index = running.firstIndex(where: { $0.id == listing }) else { return true }
      if let before = running[index].stated[lower], before < page { return false }
      running[index].stated[lower] = page
      return true
    }
  }

  func begin(_ listing: UInt64, _ bounds: PageBounds) {
    running.withLock { running in
      if running.count >= DropboxListings.most { running.removeFirst() }
      running.append(Running(id: listing, bounds: bounds))
    }
  }

  /// Counts a page's new entries, once for each page.
  /// - Throws: as `PageBounds`.
  func count(_ entries: Int, on page: Int, of listing: UInt64, next cursor: String) throws(StoreError) {
    try running.withLock { (running) throws(StoreError) in
      guard let index = running.firstIndex(where: { $0.id == listing }), page > running[index].page else { return }
      running[index].page = page
      try running[index].bounds.add(entries, next: cursor)
    }
  }
}

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
