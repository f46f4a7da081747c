internal import FileStores

/// Which watch belongs to which folder.
struct WatchMap {
  private var paths: [Int32: StorePath] = [:]
  private var ids: [StorePath: Int32] = [:]

  subscript(id: Int32) -> StorePath? { paths[id] }

  func contains(_ path: StorePath) -> Bool { ids[path] != nil }

  /// Notes a watch; a folder that was watched under another path has moved here.
  mutating func set(_ id: Int32, _ path: StorePath) {
    if let old = paths[id], old != path { ids[old] = nil }
    if let old = ids[path], old != id { paths[old] = nil }
    paths[id] = path
    ids[path] = id
  }

  /// Forgets one watch.
  mutating func remove(_ id: Int32) {
    guard let path = paths.removeValue(forKey: id) else { return }
    if ids[path] == id { ids[path] = nil }
  }

  /// Forgets a folder and all below it. Returns their watches.
  mutating func removeAll(below folder: StorePath) -> [Int32] {
    let gone = paths.filter { $0.value == folder || $0.value.relative(to: folder) != nil }.map(\.key)
    for id in gone { remove(id) }
    return gone
  }
}
