internal import Basics
internal import FileStores
internal import JSON

extension DropboxV1Store {
  func latest() async throws(StoreError) -> String {
    if let cursor = try await latestCursor() { return cursor }
    throw StoreError(
      .unsupported, "\(client.server.name) does not report changes.", remedy: "Refresh the list.", path: .root)
  }

  func longPoll(since cursor: String, seconds: Int) -> DropboxV1Call {
    var call = DropboxV1Call(.longPoll, about: .root, ["cursor": cursor, "timeout": String(seconds)])
    call.waitSeconds = seconds
    return call
  }

  func changes(since cursor: String) -> DropboxV1Call {
    DropboxV1Call(.delta, about: .root, ["cursor": cursor, "path_prefix": prefix(folder.path)])
  }

  func changesPage(_ json: JSONValue, _ call: DropboxV1Call) async throws(StoreError) -> DropboxChangePage? {
    guard let page = DropboxV1Delta(json) else { throw client.nonsense("no page of changes", call) }
    if page.isReset { return nil }
    var changes: [ChangeSet.Change] = []
    for entry in page.changes { if let change = try await change(entry) { changes.append(change) } }
    return DropboxChangePage(
      changes: changes, entries: page.changes.count, cursor: page.cursor, hasMore: page.hasMore)
  }

  func changesError(_ refusal: DropboxV1Refusal, _ call: DropboxV1Call) -> StoreError { refusal.error }

  private func change(_ entry: DropboxV1Delta.Change) async throws(StoreError) -> ChangeSet.Change? {
    if let metadata = entry.metadata {
      guard let path = path(of: metadata), !folder.isOwn(path) else { return nil }
      return metadata.entry(at: path).map { .present($0) }
    }
    let parts = PathText.parts(entry.lower)
    guard parts.count > folder.depth,
      let lower = try? StorePath(parts[folder.depth...].joined(separator: "/")), !folder.isOwn(lower)
    else { return nil }
    if let known = memory.name(entry.lower) { return .absent(known) }
    return .absent(try await formerName(entry.lower) ?? lower)
  }

  /// The original name of a deleted path. The feed has it in lower case, but the server remembers.
  private func formerName(_ lower: String) async throws(StoreError) -> StorePath? {
    let call = DropboxV1Call(.metadata, at: lower, about: .root, ["list": "false", "include_deleted": "true"])
    guard case .result(let json) = try await client.answer(call), let metadata = DropboxV1Metadata(json) else {
      return nil
    }
    return path(of: metadata)
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
