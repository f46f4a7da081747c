internal import FileStores
internal import JSON

extension DropboxStore {
  func latest() async throws(StoreError) -> String {
    let call = DropboxCall(
      .latestCursor, .members(["path": .string(folder.path), "recursive": true]), about: .root)
    let json = try await client.result(call) { $0.has("not_found") ? missing(.root) : nil }
    guard let cursor = json["cursor"]?.text else { throw client.nonsense("no cursor", call) }
    watch.newest = cursor
    return cursor
  }

  func longPoll(since cursor: String, seconds: Int) -> DropboxCall {
    DropboxCall(
      .longPoll, .members(["cursor": .string(cursor), "timeout": .integer(Int64(seconds))]), about: .root)
  }

  func changes(since cursor: String) -> DropboxCall {
    DropboxCall(.listFolderContinue, .members(["cursor": .string(cursor)]), about: .root)
  }

  func changesPage(_ json: JSONValue, _ call: DropboxCall) async throws(StoreError) -> DropboxChangePage? {
    guard let values = json["entries"]?.elements, let next = json["cursor"]?.text else {
      throw client.nonsense("no page of changes", call)
    }
    let read = values.compactMap { DropboxMetadata($0, isListed: true) }
    await authors.learn(read, client)
    return DropboxChangePage(
      changes: read.compactMap(change), entries: values.count, cursor: next, hasMore: json["has_more"]?.boolean == true)
  }

  func changesError(_ refusal: DropboxRefusal, _ call: DropboxCall) -> StoreError {
    refusal.has("not_found") ? missing(.root) : client.error(of: refusal, call)
  }

  private func change(_ metadata: DropboxMetadata) -> ChangeSet.Change? {
    guard let path = names.path(of: metadata), !folder.isOwn(path) else { return nil }
    return metadata.entry(at: path, authors).map { .present($0) } ?? .absent(path)
  }
}
