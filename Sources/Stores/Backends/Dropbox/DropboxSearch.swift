internal import FileStores
internal import JSON

/// Searches with the server's index, which may lag behind for new files.
struct DropboxSearch: StoreSearch {
  let store: DropboxStore

  var fewestCharacters: Int { 1 }

  private static let mostMatches = 1000
  private static let mostCharacters = 1000

  func files(
    matching words: String, below folder: StorePath, limit: Int
  ) async throws(StoreError) -> [StoreMatch] {
    try store.checkCancelled("The search", folder)
    guard let place = store.folder.apiPath(folder) else { throw store.missing(folder) }
    guard words.contains(where: { !$0.isWhitespace }) else {
      throw StoreError(.badInput, "The search has no word.", remedy: "Type one or more words.", path: folder)
    }
    guard words.unicodeScalars.count <= DropboxSearch.mostCharacters else {
      throw StoreError(.badInput, "The search has too many words.", remedy: "Type fewer.", path: folder)
    }
    let count = max(1, min(limit, DropboxSearch.mostMatches))
    var call = DropboxCall(
      .search,
      .members([
        "query": .string(words),
        "options": .members([
          "path": .string(place), "max_results": .integer(Int64(count)), "file_status": "active",
          "filename_only": false,
        ]),
      ]), about: folder)
    var found: [StoreMatch] = []
    var seen: Set<String> = []
    var bounds = PageBounds("what the search found", about: folder, store.client.server.name)
    while true {
      let json = try await store.client.result(call) { $0.has("not_found") ? store.missing(folder) : nil }
      guard let matches = json["matches"]?.elements else { throw store.client.nonsense("no matches", call) }
      for value in matches {
        guard let (lower, file) = match(in: value), seen.insert(lower).inserted else { continue }
        found.append(file)
      }
      guard json["has_more"]?.boolean == true, found.count < limit, let cursor = json["cursor"]?.text else {
        return Array(found.prefix(max(0, limit)))
      }
      try bounds.add(matches.count, next: cursor)
      call = DropboxCall(.searchContinue, .members(["cursor": .string(cursor)]), about: folder)
    }
  }

  private func match(in json: JSONValue) -> (lower: String, StoreMatch)? {
    guard let value = json["metadata"]?["metadata"], let metadata = DropboxMetadata(value) else { return nil }
    guard metadata.kind == .file, let path = store.names.path(of: metadata), !store.folder.isOwn(path),
      let entry = metadata.entry(at: path, store.authors)
    else { return nil }
    let isByName: Bool
    switch json["match_type"]?[".tag"]?.text {
    case "file_content", "image_content", "metadata": isByName = false
    default: isByName = true
    }
    return (metadata.lower, StoreMatch(entry, isByName: isByName))
  }
}
