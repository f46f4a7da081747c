internal import FileStores

/// Files by their paths, each path once.
protocol FileTree {
  subscript(path: StorePath) -> FileEntry? { get }
  /// In the order of their paths.
  var entries: [FileEntry] { get }
}

/// The files of a copy. The database lists them in the order of their paths, and the first list of the app needs no
/// more: they stay in that order, with later changes beside them.
struct CopiedFiles: FileTree, Sendable {
  /// More changes are merged into the order.
  private static let most = 256

  /// In the order of their paths.
  private var ordered: [FileEntry]
  /// Later than `ordered`; nil for a path without a file.
  private var changed: [StorePath: FileEntry?] = [:]

  /// - Parameter ordered: in the order of their paths, each path once.
  init(ordered: [FileEntry] = []) { self.ordered = ordered }

  subscript(path: StorePath) -> FileEntry? {
    get {
      if let change = changed[path] { return change }
      let place = place(of: path)
      return place < ordered.count && ordered[place].path == path ? ordered[place] : nil
    }
    set { change(present: newValue.map { [$0] } ?? [], lost: newValue == nil ? [path] : []) }
  }

  /// Adds or replaces files, and removes those at `lost`.
  mutating func change(present: [FileEntry], lost: [StorePath]) {
    for path in lost { changed.updateValue(nil, forKey: path) }
    for entry in present { changed.updateValue(entry, forKey: entry.path) }
    guard changed.count > CopiedFiles.most else { return }
    ordered = entries
    changed = [:]
  }

  var entries: [FileEntry] {
    guard !changed.isEmpty else { return ordered }
    var merged: [FileEntry] = []
    merged.reserveCapacity(ordered.count + changed.count)
    var next = 0
    for (path, entry) in changed.sorted(by: { $0.key < $1.key }) {
      let place = place(of: path, from: next)
      merged += ordered[next..<place]
      next = place < ordered.count && ordered[place].path == path ? place + 1 : place
      if let entry { merged.append(entry) }
    }
    return merged + ordered[next...]
  }

  /// The first place whose path is not before this one.
  private func place(of path: StorePath, from start: Int = 0) -> Int {
    var (low, high) = (start, ordered.count)
    while low < high {
      let middle = (low + high) / 2
      if ordered[middle].path < path { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
