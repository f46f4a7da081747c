import FileStores

/// A `FileEntry` as it is told to other processes.
struct EntryForm: Codable, Sendable, Hashable {
  let path: BytesForm
  var isFolder: Bool?
  var size: UInt64?
  var modified: Int64?
  var revision: String?
  var hash: String?
  var member: String?

  init(_ entry: FileEntry) {
    path = BytesForm(entry.path)
    isFolder = entry.kind == .folder ? true : nil
    size = entry.size
    modified = entry.modified?.nanoseconds
    revision = entry.revision?.value
    hash = entry.contentHash?.hex
    member = entry.member
  }

  var entry: FileEntry {
    get throws(StoreError) {
      FileEntry(
        path: try path.path, kind: isFolder == true ? .folder : .file, size: size,
        modified: modified.map { Timestamp(nanoseconds: $0) }, revision: revision.map { Revision($0) },
        contentHash: hash.flatMap { ContentHash(hex: $0) }, member: member)
    }
  }
}
