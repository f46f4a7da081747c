import Basics
import Database
import FileStores
import ServiceLifecycle

extension ClubIndex {
  private static let forbiddenNames: Set<String> = [
    "desktop.ini", "thumbs.db", ".ds_store", "icon\r", ".dropbox", ".dropbox.attr",
  ]

  /// False for byteclub's own names and for names that the API forbids, in any letter case.
  static func mayBeCalled(_ name: String) -> Bool {
    let name = name.lowercased()
    return !forbiddenNames.contains(name) && !name.hasPrefix(".byteclub")
  }

  /// False for byteclub's own files, names that the API forbids, and names that are not UTF-8, in any folder.
  static func isShown(_ path: StorePath) -> Bool {
    path.components.allSatisfy { String(validating: $0, as: UTF8.self).map(mayBeCalled) ?? false }
  }

  /// Updates the row of an entry and the rows of its parent folders. A new version of a file is recorded with its checksum
  /// only: without one the version before stays.
  static func admit(_ entry: FileEntry, in writing: ServerIndexWriting, now: Int64) throws -> ServerNode? {
    guard entry.kind != .other, !entry.path.isRoot else { return entry.path.isRoot ? root : nil }
    guard var known = try writing.node(path: entry.path) else { return try insert(entry, in: writing, now: now) }
    guard known.isFolder == (entry.kind == .folder) else {
      try writing.remove(known)
      return try insert(entry, in: writing, now: now)
    }
    guard !known.isFolder, let hash = entry.contentHash else { return known }
    let isSame = known.storeRevision == entry.revision
    if isSame, known.hash == hash { return known }
    let wasThere = known.hash == hash
    (known.storeRevision, known.size, known.hash) = (entry.revision, entry.size ?? 0, hash)
    if wasThere {
      // A new time stamp alone is no new version.
      try writing.keep(known)
      return known
    }
    // An index of an earlier byteclub may have a row without a checksum, and clients may have seen it so.
    known.rev = try writing.nextNumber()
    if !isSame {
      known.author = nil
      (known.clientModified, known.serverModified) = times(of: entry, now)
    }
    return try writing.save(known)
  }

  private static func insert(_ entry: FileEntry, in writing: ServerIndexWriting, now: Int64) throws -> ServerNode? {
    guard let name = String(validating: entry.path.name, as: UTF8.self), mayBeCalled(name),
      entry.kind == .folder || entry.contentHash != nil,
      let parent = try admit(FileEntry(path: entry.path.parent, kind: .folder), in: writing, now: now)
    else { return nil }
    let display = try freeName(parent.display, Folding.composed(name), in: writing)
    let (clientModified, serverModified) = times(of: entry, now)
    let isFolder = entry.kind == .folder
    return try writing.save(
      ServerNode(
        key: Folding.key(display), id: FreshID.file(), display: display, path: entry.path, isFolder: isFolder,
        size: isFolder ? 0 : entry.size ?? 0, storeRevision: entry.revision,
        rev: isFolder ? 0 : try writing.nextNumber(), hash: entry.contentHash, clientModified: clientModified,
        serverModified: serverModified))
  }

  /// The times of a file that another program wrote. The server's own is never later than now: some clients leave out of a
  /// listing all that is newer than the `Date` of the answer.
  private static func times(of entry: FileEntry, _ now: Int64) -> (client: Int64, server: Int64) {
    let modified = entry.modified?.seconds ?? now
    return (modified, min(modified, now))
  }

  /// The later of two twins gets another name.
  private static func freeName(_ parent: String, _ name: String, in writing: ServerIndexWriting) throws -> String {
    for candidate in candidates(parent, name) where try writing.node(key: Folding.key(candidate)) == nil {
      return candidate
    }
    return parent + "/" + name
  }

  /// The possible shown paths of a file, the plain one first. Infinite.
  static func candidates(_ parent: String, _ name: String) -> some Sequence<String> {
    sequence(first: 0) { $0 + 1 }.lazy.map { number in
      switch number {
      case 0: parent + "/" + name
      case 1: parent + "/" + NumberedName.marked(name, " (case conflict)")
      default: parent + "/" + NumberedName.marked(name, " (case conflict \(number))")
      }
    }
  }
}

extension ClubIndex {
  /// Waits at most this many seconds until `isThere` returns true; calls it at once and after each change. A graceful
  /// shutdown ends the wait.
  func wait(seconds: Int64, until isThere: @escaping @Sendable () async throws -> Bool) async throws -> Bool {
    try await cancelWhenGracefulShutdown {
      try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
          while !Task.isCancelled {
            let seen = self.signal.number
            if try await isThere() { return true }
            await self.signal.wait(past: seen)
          }
          return false
        }
        group.addTask {
          // A cancelled sleep ends here, too; the other task has answered, or nobody waits.
          try? await Task.sleep(for: .seconds(seconds))
          return false
        }
        defer { group.cancelAll() }
        return try await group.next() ?? false
      }
    }
  }
}
