public import FileStores
internal import JSON

extension DropboxStore {
  /// One page of a folder; see `FileStore`. It is always whole: `list_folder` has no shorter answer.
  public func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    try checkCancelled("The listing", folder)
    guard let place = self.folder.apiPath(folder) else { throw missing(folder) }
    guard let cursor else { return try await firstPage(folder, place, options) }
    guard let mark = DropboxListCursor(cursor), mark.options == options else { throw cannotGoOn(folder) }
    let call = DropboxCall(.listFolderContinue, .members(["cursor": .string(mark.cursor)]), about: folder)
    switch try await client.answer(call) {
    case .result(let json): return try page(json, call, mark)
    case .refusal(let refusal):
      throw refusal.isReset ? cannotGoOn(folder) : refusal.error(folder, client.server)
    }
  }

  private func firstPage(
    _ folder: StorePath, _ place: String, _ options: ListOptions
  ) async throws(StoreError) -> ListPage {
    let known = watch.newest
    let begun = if let known { known } else { try await latestCursor() }
    let call = DropboxCall(
      .listFolder,
      .members([
        "path": .string(place), "recursive": .bool(options.recursive),
        "limit": tuning.pageEntries.map { .integer(Int64($0)) },
      ]), about: folder)
    switch try await client.answer(call) {
    case .refusal(let refusal):
      throw refusal.tags.last == "not_found" ? missing(folder) : refusal.error(folder, client.server)
    case .result(let json):
      let listing = tuning.random()
      if json["has_more"]?.boolean == true { listings.begin(listing) }
      return try page(
        json, call, DropboxListCursor(listing: listing, page: 0, options: options, changes: begun, cursor: ""))
    }
  }

  private func page(
    _ json: JSONValue, _ call: DropboxCall, _ mark: DropboxListCursor
  ) throws(StoreError) -> ListPage {
    guard let values = json["entries"]?.elements, let cursor = json["cursor"]?.text,
      let hasMore = json["has_more"]?.boolean
    else { throw client.fault.nonsense("no page of a listing", call) }
    let folder = call.path
    var entries: [FileEntry] = []
    entries.reserveCapacity(values.count)
    for value in values {
      guard let metadata = DropboxMetadata(value) else { throw client.fault.nonsense("no metadata", call) }
      guard metadata.kind != .deleted, let told = names.path(of: metadata),
        let path = try DropboxFolder.place(told, listedIn: folder, mark.options),
        let entry = metadata.entry(at: path),
        listings.belongs(metadata.lower, on: mark.page, of: mark.listing)
      else { continue }
      entries.append(entry)
    }
    guard hasMore else { return ListPage(entries: entries, isWhole: true, changes: ChangeCursor(mark.changes)) }
    let next = DropboxListCursor(
      listing: mark.listing, page: mark.page + 1, options: mark.options, changes: mark.changes, cursor: cursor)
    return ListPage(entries: entries, isWhole: true, next: next.value)
  }

  private func cannotGoOn(_ folder: StorePath) -> StoreError {
    StoreError(
      .badInput, "The listing of \"\(folder)\" cannot be continued.", remedy: "Refresh the list.", path: folder)
  }
}
