internal import Backends
internal import FileStores

struct MemoryTree: Sendable {
  private struct Node: Sendable {
    var entry: FileEntry
    var bytes: [UInt8] = []
  }

  struct Discarded: Sendable {
    var file: TrashedFile
    var bytes: [UInt8]
    var entry: FileEntry
  }

  private var nodes: [StorePath: Node] = [:]
  private var counter: UInt64 = 0
  /// The previous files of each path, oldest first.
  private var former: [StorePath: [Node]] = [:]
  var trash: [Discarded] = []
  var uploads: [UploadSession: [UInt8]] = [:]

  mutating func nextWord(_ prefix: String) -> String {
    counter += 1
    return prefix + String(counter)
  }

  func entry(_ path: StorePath) throws(StoreError) -> FileEntry {
    if path.isRoot { return FileEntry(path: .root, kind: .folder) }
    guard let node = nodes[path] else { throw .missing(path) }
    return node.entry
  }

  func entries(
    in folder: StorePath, _ options: ListOptions, after last: StorePath?, limit: Int
  ) throws(StoreError) -> [FileEntry] {
    guard try entry(folder).kind == .folder else { throw .notFolder(folder) }
    let below = nodes.values.lazy.map(\.entry).filter { entry in
      if let last, entry.path <= last { return false }
      guard options.recursive else { return entry.path.parent == folder }
      return entry.path.relative(to: folder) != nil && !options.leavesOut(entry.path, below: folder)
    }
    return Array(below.sorted { $0.path < $1.path }.prefix(limit))
  }

  func content(
    _ path: StorePath, from offset: UInt64, ifRevision: Revision?
  ) throws(StoreError) -> ([UInt8], FileEntry) {
    let entry = try entry(path)
    guard entry.kind == .file, let bytes = nodes[path]?.bytes else { throw .isFolder(path) }
    try check(ifRevision, entry)
    guard offset <= UInt64(bytes.count) else { throw .pastTheEnd(path, offset, UInt64(bytes.count)) }
    return (bytes, entry)
  }

  func checkCondition(_ mode: WriteMode, _ path: StorePath) throws(StoreError) {
    try mode.check(nodes[path]?.entry, at: path)
  }

  mutating func write(_ bytes: [UInt8], _ hash: ContentHash, _ path: StorePath, _ time: Timestamp) -> FileEntry {
    let entry = FileEntry(
      path: path, kind: .file, size: UInt64(bytes.count), modified: time, revision: Revision(nextWord("r")),
      contentHash: hash)
    keep(path)
    nodes[path] = Node(entry: entry, bytes: bytes)
    return entry
  }

  private mutating func keep(_ path: StorePath) {
    guard let node = nodes[path], node.entry.kind == .file else { return }
    former[path, default: []].append(node)
  }

  func versions(_ path: StorePath) throws(StoreError) -> [(entry: FileEntry, bytes: [UInt8])] {
    let there = nodes[path]
    if path.isRoot || there?.entry.kind == .folder { throw .isFolder(path) }
    let all = (former[path] ?? []) + (there.map { [$0] } ?? [])
    // A file that was moved away and back is one version.
    var seen: Set<Revision> = []
    let versions = all.reversed().filter { node in node.entry.revision.map { seen.insert($0).inserted } ?? false }
    if versions.isEmpty { throw .missing(path) }
    return versions.map { ($0.entry, $0.bytes) }
  }

  func version(_ revision: Revision, of path: StorePath) throws(StoreError) -> (entry: FileEntry, bytes: [UInt8]) {
    guard let version = try versions(path).first(where: { $0.entry.revision == revision }) else {
      throw StoreError(.notFound, "\"\(path)\" has no version \(revision).", path: path)
    }
    return version
  }

  mutating func makeFolders(_ path: StorePath) throws(StoreError) -> [StorePath] {
    var missing: [StorePath] = []
    var at = path
    while !at.isRoot {
      if let there = nodes[at] {
        guard there.entry.kind == .folder else { throw .exists(there.entry) }
        break
      }
      missing.append(at)
      at = at.parent
    }
    for folder in missing { nodes[folder] = Node(entry: FileEntry(path: folder, kind: .folder)) }
    return missing.reversed()
  }

  mutating func move(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) throws(StoreError) -> (FileEntry, [StorePath]) {
    if path.isRoot { throw .clubItself("moved") }
    let moved = try entry(path)
    try target.checkWritable()
    try check(ifRevision, moved)
    if path == target { return (moved, []) }
    if target.relative(to: path) != nil { throw .intoItself(path) }
    if let there = nodes[target]?.entry { throw .exists(there) }
    let made = try makeFolders(target.parent)
    // Each old path is told of: another folder may soon have the old name, and hide that this one left it.
    var (left, changed) = ([path], made + [target])
    for old in all(in: path) {
      guard let node = nodes[old] else { continue }
      var new = target
      if let rest = old.relative(to: path), old != path { new = try StorePath(target.bytes + [47] + rest) }
      keep(old)
      nodes[old] = nil
      nodes[new] = Node(entry: node.entry.at(new), bytes: node.bytes)
      guard new != target else { continue }
      left.append(old)
      changed.append(new)
    }
    return (try entry(target), left + changed)
  }

  mutating func remove(
    _ path: StorePath, ifRevision: Revision?
  ) throws(StoreError) -> (entry: FileEntry, bytes: [UInt8], left: [StorePath]) {
    if path.isRoot { throw .clubItself("deleted") }
    guard let node = nodes[path] else { throw .missing(path) }
    try check(ifRevision, node.entry)
    let left = all(in: path)
    for old in left {
      keep(old)
      nodes[old] = nil
    }
    return (node.entry, node.bytes, left)
  }

  /// A file, or a folder with all that is in it.
  private func all(in path: StorePath) -> [StorePath] {
    nodes.keys.filter { $0 == path || $0.relative(to: path) != nil }.sorted()
  }

  mutating func putBack(_ item: Discarded, at target: StorePath?) throws(StoreError) -> (FileEntry, [StorePath]) {
    let path = target ?? item.file.origin
    try path.checkWritable()
    if let there = nodes[path]?.entry { throw .exists(there) }
    let made = try makeFolders(path.parent)
    let old = item.entry
    let entry = FileEntry(
      path: path, kind: .file, size: old.size, modified: old.modified, revision: old.revision,
      contentHash: old.contentHash)
    nodes[path] = Node(entry: entry, bytes: item.bytes)
    return (entry, made + [path])
  }

  private func check(_ revision: Revision?, _ entry: FileEntry) throws(StoreError) {
    if let revision, entry.revision != revision { throw .conflict(entry.path, entry) }
  }
}

extension FileEntry {
  fileprivate func at(_ path: StorePath) -> FileEntry {
    FileEntry(
      path: path, kind: kind, size: size, modified: modified, revision: revision, contentHash: contentHash,
      member: member)
  }
}
