internal import FileStores
internal import JSON

/// One page of the list of changes.
struct DropboxV1Delta: Sendable {
  /// What is at a path now; nil when nothing is, with all that was below.
  struct Change: Sendable {
    /// Folded.
    let lower: String
    let metadata: DropboxV1Metadata?
  }

  let changes: [Change]
  let cursor: String
  /// All that was known before does not count any more.
  let isReset: Bool
  let hasMore: Bool

  /// Reads a page; nil when something is missing that must be there.
  init?(_ json: JSONValue) {
    guard let entries = json["entries"]?.elements, let cursor = json["cursor"]?.text,
      let hasMore = json["has_more"]?.boolean
    else { return nil }
    var changes: [Change] = []
    changes.reserveCapacity(entries.count)
    for entry in entries {
      guard let pair = entry.elements, pair.count == 2, let path = pair[0].text else { return nil }
      let lower = DropboxFolder.fold(path.utf8)
      if pair[1] == .null {
        changes.append(Change(lower: lower, metadata: nil))
      } else {
        guard let metadata = DropboxV1Metadata(pair[1]) else { return nil }
        changes.append(Change(lower: lower, metadata: metadata.isDeleted ? nil : metadata))
      }
    }
    (self.changes, self.cursor, self.hasMore) = (changes, cursor, hasMore)
    isReset = json["reset"]?.boolean == true
  }
}
