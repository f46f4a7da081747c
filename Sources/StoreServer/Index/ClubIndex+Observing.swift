import Database
import FileStores

extension ClubIndex {
  private static let forbiddenNames: Set<String> = [
    "desktop.ini", "thumbs.db", ".ds_store", "icon\r", ".dropbox", ".dropbox.attr",
  ]

  /// False for names that the API knows and forbids, and for byteclub's own.
  static func mayBeCalled(_ name: String) -> Bool {
    !forbiddenNames.contains(name.lowercased()) && !name.hasPrefix(".byteclub")
  }

  /// Takes over what the store says of a path. Nil for what is not shown.
  func observe(_ entry: FileEntry) async throws(StoreError) -> ServerNode? {
    let entry = try await withHashIfChanged([entry])[0]
    let now = now()
    return try await write { try ClubIndex.admit(entry, in: $0, now: now) }
  }

  /// The same entries, with the checksum where a known one may have changed: another time stamp alone is no new version.
  func withHashIfChanged(_ entries: [FileEntry]) async throws(StoreError) -> [FileEntry] {
    let doubtful = try await read { reading in
      try entries.indices.filter { index in
        let entry = entries[index]
        guard entry.kind == .file, entry.contentHash == nil, let known = try reading.node(path: entry.path) else {
          return false
        }
        return known.hash != nil && known.storeRevision != entry.revision && known.size == entry.size
      }
    }
    var entries = entries
    for index in doubtful {
      let entry = entries[index]
      do throws(StoreError) {
        let hash = try await contentHash(of: entry.path, entry.revision)
        entries[index] = FileEntry(
          path: entry.path, kind: entry.kind, size: entry.size, modified: entry.modified, revision: entry.revision,
          contentHash: hash)
      } catch {
        // Changed again, or gone: the next look will tell.
        if error.kind == .cancelled || error.kind == .offline { throw error }
      }
    }
    return entries
  }

  /// Brings the row of what is at a path up to date, with the rows of the folders above.
  static func admit(_ entry: FileEntry, in writing: ServerIndexWriting, now: Int64) throws -> ServerNode? {
    guard entry.kind != .other, !entry.path.isRoot else { return entry.path.isRoot ? root : nil }
    if var known = try writing.node(path: entry.path) {
      if known.isFolder == (entry.kind == .folder) {
        if known.isFolder { return known }
        let isSame = known.storeRevision == entry.revision
        if isSame, entry.contentHash == nil || entry.contentHash == known.hash { return known }
        known.storeRevision = entry.revision
        known.size = entry.size ?? 0
        if isSame || (known.hash != nil && known.hash == entry.contentHash) {
          known.hash = entry.contentHash
          try writing.keep(known)
          return known
        }
        known.hash = entry.contentHash
        known.rev = try writing.nextNumber()
        known.serverModified = entry.modified?.seconds ?? now
        known.clientModified = known.serverModified
        return try writing.save(known)
      }
      try writing.remove(known)
    }
    return try insert(entry, in: writing, now: now)
  }

  private static func insert(_ entry: FileEntry, in writing: ServerIndexWriting, now: Int64) throws -> ServerNode? {
    guard let name = String(validating: entry.path.name, as: UTF8.self), mayBeCalled(name),
      let parent = try admit(FileEntry(path: entry.path.parent, kind: .folder), in: writing, now: now)
    else { return nil }
    let display = try freeName(parent.display, Folding.composed(name), in: writing)
    let modified = entry.modified?.seconds ?? now
    let isFolder = entry.kind == .folder
    return try writing.save(
      ServerNode(
        key: Folding.key(display), id: FreshID.file(), display: display, path: entry.path, isFolder: isFolder,
        size: isFolder ? 0 : entry.size ?? 0, storeRevision: entry.revision,
        rev: isFolder ? 0 : try writing.nextNumber(), hash: entry.contentHash, clientModified: modified,
        serverModified: modified))
  }

  /// A shown path that no other file has: of twins, the later gets another name.
  private static func freeName(_ parent: String, _ name: String, in writing: ServerIndexWriting) throws -> String {
    var display = parent + "/" + name
    var number = 1
    while try writing.node(key: Folding.key(display)) != nil {
      let mark = number == 1 ? "case conflict" : "case conflict \(number)"
      display = parent + "/" + NumberedName.marked(name, mark)
      number += 1
    }
    return display
  }
}
