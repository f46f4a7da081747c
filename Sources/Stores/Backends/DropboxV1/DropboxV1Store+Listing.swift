internal import Basics
public import FileStores
internal import JSON

extension DropboxV1Store {
  /// A whole folder on one page, with whole entries. Folders with more than 25,000 entries and recursive listings come
  /// from the change feed.
  public func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    try checkCancelled("The listing", folder)
    guard let place = self.folder.apiPath(folder) else { throw missing(folder) }
    guard cursor == nil else { throw .listingLost(folder) }
    // Before the listing, to report changes during it.
    let changes = try await feedCursor()
    let (all, unreadable): ([DropboxV1Metadata], Int)
    if options.recursive {
      _ = try await head(place, about: folder)
      (all, unreadable) = try await tree(place, about: folder)
    } else {
      let listed = try await listed(place, about: folder)
      if let contents = listed.contents {
        (all, unreadable) = (contents, listed.unreadable)
      } else {
        (all, unreadable) = try await tree(place, about: folder)
      }
    }
    var entries: [FileEntry] = []
    entries.reserveCapacity(all.count)
    for metadata in all {
      guard !metadata.isDeleted, let stated = path(of: metadata),
        let path = try self.folder.place(stated, listedIn: folder, options),
        let entry = metadata.entry(at: path)
      else { continue }
      entries.append(entry)
    }
    return ListPage(entries: entries, isWhole: true, changes: changes, unreadable: unreadable)
  }

  private func feedCursor() async throws(StoreError) -> ChangeCursor? {
    if let newest = watch.newest { return ChangeCursor(newest) }
    return try await latestCursor().map { ChangeCursor($0) }
  }

  func latestCursor() async throws(StoreError) -> String? {
    if memory.hasNoFeed { return nil }
    let call = DropboxV1Call(.latestCursor, about: .root, ["path_prefix": prefix(self.folder.path)])
    switch try await client.answer(call) {
    case .result(let json):
      guard let cursor = json["cursor"]?.text else { throw client.nonsense("no cursor", call) }
      watch.newest = cursor
      return cursor
    case .refusal(let refusal) where refusal.isUnknownRoute || refusal.isMissing:
      // 404 can also mean that the club's folder does not exist yet.
      memory.hasNoFeed = refusal.isUnknownRoute || self.folder.path.isEmpty
      return nil
    case .refusal(let refusal): throw refusal.error
    }
  }

  /// A folder with its content. `contents` is nil if it is too large for one response.
  func listed(_ place: String, about path: StorePath) async throws(StoreError) -> DropboxV1Metadata {
    let key = DropboxFolder.fold(place.utf8)
    var known = memory.folder(key)
    while true {
      let call = DropboxV1Call(
        .metadata, at: place, about: path, ["list": "true", "file_limit": "25000", "hash": known?.hash])
      switch try await client.answer(call) {
      case .refusal(let refusal):
        if refusal.status == 304, let known { return known.metadata }
        // The server cannot read the hash, so the cache is invalid.
        if refusal.status == 400, known != nil {
          known = nil
          continue
        }
        if refusal.status == 406 { return try await head(place, about: path) }
        throw refusal.isMissing ? missing(path) : refusal.error
      case .result(let json):
        let metadata = try checked(json, call)
        guard metadata.contents != nil else { throw client.nonsense("no contents", call) }
        if let hash = metadata.hash { memory.note(key, DropboxV1Memory.Folder(hash: hash, metadata: metadata)) }
        return metadata
      }
    }
  }

  private func head(_ place: String, about path: StorePath) async throws(StoreError) -> DropboxV1Metadata {
    let call = DropboxV1Call(.metadata, at: place, about: path, ["list": "false"])
    do throws(StoreError) {
      return try checked(try await client.result(call), call)
    } catch {
      throw error.kind == .notFound ? missing(path) : error
    }
  }

  private func checked(_ json: JSONValue, _ call: DropboxV1Call) throws(StoreError) -> DropboxV1Metadata {
    guard let metadata = DropboxV1Metadata(json) else { throw client.nonsense("no metadata", call) }
    if metadata.isDeleted { throw missing(call.path) }
    guard metadata.isFolder else { throw .notFolder(call.path) }
    return metadata
  }

  /// Everything below a folder, unordered, from the change feed or else folder by folder; and the number of unreadable
  /// entries.
  func tree(
    _ place: String, about path: StorePath
  ) async throws(StoreError) -> ([DropboxV1Metadata], unreadable: Int) {
    if !memory.hasNoFeed, let all = try await allSinceTheBeginning(place, about: path) { return all }
    var all: [DropboxV1Metadata] = []
    var unreadable = 0
    var folders = [place]
    var bounds = PageBounds("the list of \"\(path)\"", about: path, client.server.name)
    while let next = folders.popLast() {
      try checkCancelled("The listing", path)
      let folder: DropboxV1Metadata
      do throws(StoreError) {
        folder = try await listed(next, about: path)
      } catch {
        if error.kind == .notFound, next != place { continue }
        throw error
      }
      guard let contents = folder.contents else {
        throw StoreError(
          .tooLarge, "\"\(path)\" holds more files than \(client.server.name) lists.",
          remedy: "Spread them over more folders.", path: path)
      }
      all += contents
      unreadable += folder.unreadable
      folders += contents.filter { $0.isFolder && !$0.isDeleted }.map(\.path)
      // A folder that is named twice would be listed forever.
      try bounds.add(contents.count, next: next)
    }
    return (all, unreadable)
  }

  private func allSinceTheBeginning(
    _ place: String, about path: StorePath
  ) async throws(StoreError) -> ([DropboxV1Metadata], unreadable: Int)? {
    var all: [String: DropboxV1Metadata] = [:]
    var unreadable = 0
    var cursor: String?
    var bounds = PageBounds("the list of \"\(path)\"", about: path, client.server.name)
    while true {
      let call = DropboxV1Call(.delta, about: path, ["cursor": cursor, "path_prefix": prefix(place)])
      switch try await client.answer(call) {
      case .refusal(let refusal) where refusal.isUnknownRoute || refusal.isMissing: return nil
      case .refusal(let refusal): throw refusal.error
      case .result(let json):
        guard let page = DropboxV1Delta(json) else { throw client.nonsense("no page of changes", call) }
        if page.isReset { all = [:] }
        for change in page.changes {
          if let metadata = change.metadata {
            all[change.lower] = metadata
          } else {
            all[change.lower] = nil
            all = all.filter { !PathText.isBelow($0.key, change.lower) }
          }
        }
        unreadable += page.unreadable
        cursor = page.cursor
        if !page.hasMore { return (Array(all.values), unreadable) }
        try bounds.add(page.changes.count, next: page.cursor)
      }
    }
  }

  func prefix(_ place: String) -> String? { place.isEmpty ? nil : place }
}
