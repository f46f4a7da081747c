internal import Basics
internal import FileStores
internal import JSON

struct DropboxV1Changes: DropboxFeed {
  let store: DropboxV1Store
  var watch: DropboxWatch { store.watch }
  var clock: any Clock<Duration> { store.tuning.clock }
  var longPollSeconds: Int { store.tuning.longPollSeconds }

  func latest() async throws(StoreError) -> String {
    guard let cursor = try await store.latestCursor() else { throw cannotTell }
    return cursor
  }

  private var cannotTell: StoreError {
    StoreError(
      .unsupported, "\(store.client.server.name) does not report changes.", remedy: "Refresh the list.",
      path: .root)
  }

  func hasChanged(since cursor: String, seconds: Int) async throws(StoreError) -> Bool? {
    var call = DropboxV1Call(.longPoll, about: .root, ["cursor": cursor, "timeout": String(seconds)])
    call.waitSeconds = seconds
    switch try await store.client.answer(call) {
    case .result(let json):
      guard let changes = json["changes"]?.boolean else {
        throw store.client.fault.nonsense("no field about changes", call)
      }
      if let backoff = json["backoff"]?.seconds { watch.beQuiet(for: backoff) }
      return changes
    case .refusal(let refusal):
      if refusal.status == 400 { return nil }
      throw refusal.error
    }
  }

  func news(since cursor: String) async throws(StoreError) -> ChangeSet? {
    var cursor = cursor
    var changes: [ChangeSet.Change] = []
    var bounds = PageBounds("the list of changes", about: .root, store.client.server.name)
    while true {
      let call = DropboxV1Call(
        .delta, about: .root, ["cursor": cursor, "path_prefix": store.prefix(store.folder.path)])
      switch try await store.client.answer(call) {
      case .refusal(let refusal):
        if refusal.status == 400 { return nil }
        throw refusal.error
      case .result(let json):
        guard let page = DropboxV1Delta(json) else { throw store.client.fault.nonsense("no page of changes", call) }
        if page.isReset { return nil }
        for entry in page.changes { if let change = try await change(entry) { changes.append(change) } }
        cursor = page.cursor
        if !page.hasMore { return ChangeSet(changes: changes, cursor: ChangeCursor(cursor)) }
        try bounds.add(page.changes.count, next: cursor)
      }
    }
  }

  private func change(_ entry: DropboxV1Delta.Change) async throws(StoreError) -> ChangeSet.Change? {
    if let metadata = entry.metadata {
      guard let path = store.path(of: metadata), !store.folder.isOwn(path) else { return nil }
      return metadata.entry(at: path).map { .present($0) }
    }
    let parts = PathText.parts(entry.lower)
    guard parts.count > store.folder.depth,
      let lower = try? StorePath(parts[store.folder.depth...].joined(separator: "/")), !store.folder.isOwn(lower)
    else { return nil }
    if let known = store.memory.name(entry.lower) { return .absent(known) }
    return .absent(try await formerName(entry.lower) ?? lower)
  }

  /// The original name of a deleted path. The feed has it in lower case, but the server remembers.
  private func formerName(_ lower: String) async throws(StoreError) -> StorePath? {
    let call = DropboxV1Call(.metadata, at: lower, about: .root, ["list": "false", "include_deleted": "true"])
    guard case .result(let json) = try await store.client.answer(call), let metadata = DropboxV1Metadata(json) else {
      return nil
    }
    return store.path(of: metadata)
  }
}

struct DropboxV1Delta: Sendable {
  /// `metadata` is nil if the path and everything below it is gone.
  struct Change: Sendable {
    let lower: String
    let metadata: DropboxV1Metadata?
  }

  let changes: [Change]
  let unreadable: Int
  let cursor: String
  let isReset: Bool
  let hasMore: Bool

  init?(_ json: JSONValue) {
    guard let entries = json["entries"]?.elements, let cursor = json["cursor"]?.text,
      let hasMore = json["has_more"]?.boolean
    else { return nil }
    var changes: [Change] = []
    var unreadable = 0
    changes.reserveCapacity(entries.count)
    for entry in entries {
      guard let pair = entry.elements, pair.count == 2, let path = pair[0].text else {
        unreadable += 1
        continue
      }
      let lower = DropboxFolder.fold(path.utf8)
      if pair[1] == .null {
        changes.append(Change(lower: lower, metadata: nil))
      } else {
        guard let metadata = DropboxV1Metadata(pair[1], isListed: true) else {
          unreadable += 1
          continue
        }
        changes.append(Change(lower: lower, metadata: metadata.isDeleted ? nil : metadata))
      }
    }
    (self.changes, self.unreadable, self.cursor, self.hasMore) = (changes, unreadable, cursor, hasMore)
    isReset = json["reset"]?.boolean == true
  }
}
