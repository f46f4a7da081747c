internal import FileStores

/// The revisions that others have written over since changes wait, each with the one after it. A waiting rename follows
/// its note by them: another file that has come to the note's path is not one of its revisions.
///
/// The store contract has no other identity of a file. So a path that has another revision is taken for the same note
/// only if neither the old content has come to another path nor the new one from there, and no new file elsewhere has
/// the note's name, as one in a moved folder.
struct WrittenRevisions: Sendable {
  private var next: [Revision: Revision] = [:]

  var isEmpty: Bool { next.isEmpty }

  /// Takes files as the store has them now, before `all` has them.
  mutating func take(_ present: [FileEntry], over all: some FileTree) {
    // A revision that is somewhere has not been written over.
    for revision in present.compactMap(\.revision) { next[revision] = nil }
    let written = present.compactMap { now -> (before: FileEntry, now: FileEntry)? in
      guard let before = all[now.path], before.kind == .file, now.kind == .file, before.revision != now.revision
      else { return nil }
      return (before, now)
    }
    guard !written.isEmpty else { return }
    let revisions = Set(written.flatMap { [$0.before.revision, $0.now.revision] })
    let hashes = Set(written.compactMap(\.now.contentHash))
    // Few of the club's files are concerned.
    let known = Places(
      all.entries.filter { revisions.contains($0.revision) || $0.contentHash.map(hashes.contains) ?? false })
    let arrived = Places(present.filter { all[$0.path]?.contentHash != $0.contentHash })
    let names = Set(present.filter { $0.kind == .file && all[$0.path] == nil }.map(\.path.name))
    for (before, now) in written {
      let path = now.path
      guard let old = before.revision, let new = now.revision, !names.contains(path.name),
        !known.revisions.has(old, besides: path), !arrived.revisions.has(old, besides: path),
        !known.revisions.has(new, besides: path),
        before.contentHash.map({ !arrived.hashes.has($0, besides: path) }) ?? true,
        now.contentHash.map({ !known.hashes.has($0, besides: path) }) ?? true
      else { continue }
      next[old] = new
    }
  }

  /// Takes the files of a moved folder. `before` are those that the copy saw at the old paths, under their new ones: a file
  /// with other content can be one that came into the folder, and not an edit.
  mutating func take(_ present: [FileEntry], movedFrom before: [FileEntry]) {
    let there = Dictionary(present.map { ($0.path, $0) }) { _, last in last }
    for before in before where before.kind == .file {
      guard let old = before.revision, let now = there[before.path], let new = now.revision, new != old,
        now.contentHash == before.contentHash, now.contentHash != nil || now.size == before.size
      else { continue }
      next[old] = new
    }
  }

  /// The newest known revision of the note that had this one.
  func latest(of revision: Revision) -> Revision {
    var (latest, seen) = (revision, Set([revision]))
    while let later = next[latest], seen.insert(later).inserted { latest = later }
    return latest
  }

  /// The paths of some files by revision and by content.
  private struct Places {
    var revisions: [Revision: [StorePath]] = [:]
    var hashes: [ContentHash: [StorePath]] = [:]

    init(_ files: [FileEntry]) {
      for file in files {
        if let revision = file.revision { revisions[revision, default: []].append(file.path) }
        if let hash = file.contentHash { hashes[hash, default: []].append(file.path) }
      }
    }
  }
}

extension Dictionary where Value == [StorePath] {
  fileprivate func has(_ key: Key, besides path: StorePath) -> Bool {
    self[key]?.contains { $0 != path } ?? false
  }
}
