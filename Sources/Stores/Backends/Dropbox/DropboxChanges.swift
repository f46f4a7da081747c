internal import FileStores
internal import JSON

extension DropboxStore {
  func latestCursor() async throws(StoreError) -> String {
    let call = DropboxCall(
      .latestCursor, .members(["path": .string(folder.path), "recursive": true]), about: .root)
    let json = try await client.result(call) { $0.has("not_found") ? missing(.root) : nil }
    guard let cursor = json["cursor"]?.text else { throw client.fault.nonsense("no cursor", call) }
    watch.newest = cursor
    return cursor
  }
}

struct DropboxChanges: DropboxFeed {
  let store: DropboxStore
  var watch: DropboxWatch { store.watch }
  var clock: any Clock<Duration> { store.tuning.clock }
  var longPollSeconds: Int { store.tuning.longPollSeconds }

  func latest() async throws(StoreError) -> String { try await store.latestCursor() }

  func hasChanged(since cursor: String, seconds: Int) async throws(StoreError) -> Bool? {
    let call = DropboxCall(
      .longPoll, .members(["cursor": .string(cursor), "timeout": .integer(Int64(seconds))]), about: .root)
    switch try await store.client.answer(call) {
    case .result(let json):
      guard let changes = json["changes"]?.boolean else {
        throw store.client.fault.nonsense("no field about changes", call)
      }
      if let backoff = json["backoff"]?.seconds { watch.beQuiet(for: backoff) }
      return changes
    case .refusal(let refusal):
      if refusal.isReset { return nil }
      throw refusal.error(.root, store.client.server)
    }
  }

  func news(since cursor: String) async throws(StoreError) -> ChangeSet? {
    var cursor = cursor
    var changes: [ChangeSet.Change] = []
    var bounds = PageBounds("the list of changes", about: .root, store.client.server.name)
    while true {
      let call = DropboxCall(.listFolderContinue, .members(["cursor": .string(cursor)]), about: .root)
      switch try await store.client.answer(call) {
      case .refusal(let refusal):
        if refusal.isReset { return nil }
        throw refusal.has("not_found") ? store.missing(.root) : refusal.error(.root, store.client.server)
      case .result(let json):
        guard let values = json["entries"]?.elements, let next = json["cursor"]?.text else {
          throw store.client.fault.nonsense("no page of changes", call)
        }
        let read = values.compactMap { DropboxMetadata($0, isListed: true) }
        await store.authors.learn(read, store.client)
        changes += read.compactMap(change)
        cursor = next
        if json["has_more"]?.boolean != true { return ChangeSet(changes: changes, cursor: ChangeCursor(cursor)) }
        try bounds.add(values.count, next: cursor)
      }
    }
  }

  private func change(_ metadata: DropboxMetadata) -> ChangeSet.Change? {
    guard let path = store.names.path(of: metadata), !store.folder.isOwn(path) else { return nil }
    return metadata.entry(at: path, store.authors).map { .present($0) } ?? .absent(path)
  }
}
