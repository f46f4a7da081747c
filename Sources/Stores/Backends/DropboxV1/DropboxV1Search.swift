internal import FileStores
internal import JSON

/// Searches for file names, ignoring case as the server does.
struct DropboxV1Search: StoreSearch {
  let store: DropboxV1Store

  var fewestCharacters: Int { 3 }

  private static let mostMatches = 1000

  func files(
    matching words: String, below folder: StorePath, limit: Int
  ) async throws(StoreError) -> [StoreMatch] {
    try store.checkCancelled("The search", folder)
    guard let place = store.folder.apiPath(folder) else { throw store.missing(folder) }
    guard words.unicodeScalars.count >= fewestCharacters, words.contains(where: { !$0.isWhitespace }) else {
      throw StoreError(
        .badInput, "The server needs three characters or more to search.", remedy: "Search for a longer word.",
        path: folder)
    }
    // Folders count, so the request asks for the maximum.
    let call = DropboxV1Call(
      .search, at: place, about: folder, ["query": words, "file_limit": String(DropboxV1Search.mostMatches)])
    let json = try await store.client.result(call) { $0.isMissing ? store.missing(folder) : $0.error }
    guard let values = json.elements else { throw store.client.nonsense("no list", call) }
    var found: [StoreMatch] = []
    for value in values where found.count < limit {
      guard let metadata = DropboxV1Metadata(value) else { throw store.client.nonsense("no metadata", call) }
      guard !metadata.isFolder, let path = store.path(of: metadata), !store.folder.isOwn(path),
        let entry = metadata.entry(at: path)
      else { continue }
      found.append(StoreMatch(entry))
    }
    return found
  }
}
