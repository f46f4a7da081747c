internal import Database
internal import FileStores

/// The names of files on both sides of the changes that wait to be sent.
struct WaitingNames: Sendable {
  private(set) var changes: [ChangeRecord]

  init(_ changes: [ChangeRecord]) { self.changes = changes.filter { !$0.isDamaged } }

  /// Takes out a change.
  mutating func end(_ id: Int64) -> ChangeRecord? {
    changes.firstIndex { $0.id == id }.map { changes.remove(at: $0) }
  }

  var isEmpty: Bool { changes.isEmpty }

  /// The path at which the member sees a file of the store; nil if the member has moved it to the trash, or another
  /// file over it.
  func shown(_ path: StorePath) -> StorePath? {
    var path = path
    for change in changes {
      switch change.kind {
      case .rename:
        if path == change.path, let target = change.target {
          path = target
        } else if path == change.target {
          return nil
        }
      case .trash: if path == change.path { return nil }
      case .restore: if path == change.path { return nil }
      case .moveFolder:
        if let moved = change.takes(path) {
          path = moved
        } else if change.source(of: path) != nil {
          return nil
        }
      }
    }
    return path
  }

  /// The store's path of a file that the member sees.
  enum Origin: Sendable, Equatable {
    case at(StorePath)
    /// A restoration that the store does not have yet.
    case restored(ChangeRecord)
    case none
  }

  func origin(of path: StorePath) -> Origin {
    var path = path
    for change in changes.reversed() {
      switch change.kind {
      case .rename:
        if path == change.target { path = change.path } else if path == change.path { return .none }
      case .trash: if path == change.path { return .none }
      case .restore: if path == change.path { return .restored(change) }
      case .moveFolder:
        if let before = change.source(of: path) { path = before } else if change.takes(path) != nil { return .none }
      }
    }
    return .at(path)
  }

  /// The file that the member sees at a path.
  func entry(at path: StorePath, base: some FileTree) -> FileEntry? {
    switch origin(of: path) {
    case .none: nil
    case .at(let origin):
      base[origin].map { origin == path ? $0 : $0.moved(to: path) } ?? arrived(at: path, base: base)
    case .restored(let change):
      FileEntry(
        path: path, kind: .file, size: change.size.map { UInt64(clamping: $0) }, modified: change.created,
        revision: change.base, contentHash: change.baseHash.flatMap { ContentHash(hex: $0) })
    }
  }

  /// The file of a rename that the store has made and not yet answered: it is at a later one of its names.
  private func arrived(at path: StorePath, base: some FileTree) -> FileEntry? {
    var (name, found): (StorePath, FileEntry?) = (path, nil)
    for change in changes.reversed() {
      let before = change.target == name ? change.path : change.source(of: name)
      guard let before else { continue }
      // Only the first one can be made. Another member may have made a folder of the new name, while this one is there.
      let mayBe = change.kind != .moveFolder || change.id == changes.first?.id && base[change.path] == nil
      if mayBe, let entry = base[name] {
        found = entry.moved(to: path)
      }
      name = before
    }
    return found
  }

  /// All files of a part of the club as the member sees them, in the order of their paths.
  func local(_ base: some FileTree, of isPart: (StorePath) -> Bool = { _ in true }) -> [FileEntry] {
    let entries = base.entries
    var touched: Set<StorePath> = []
    let folders = changes.filter { $0.kind == .moveFolder }
    if !folders.isEmpty {
      for path in entries.lazy.map(\.path)
      where folders.contains(where: { $0.takes(path) != nil || $0.source(of: path) != nil }) {
        touched.insert(path)
      }
    }
    for change in changes {
      touched.insert(change.path)
      if let target = change.target { touched.insert(target) }
      if change.kind == .moveFolder { touched.formUnion(touched.compactMap { change.takes($0) }) }
    }
    if touched.isEmpty, entries.allSatisfy({ isPart($0.path) }) { return entries }
    var local = CopiedFiles(ordered: entries.filter { isPart($0.path) && !touched.contains($0.path) })
    local.change(present: touched.filter(isPart).compactMap { entry(at: $0, base: base) }, lost: [])
    return local.entries
  }
}

extension FileEntry {
  func moved(to path: StorePath) -> FileEntry {
    FileEntry(
      path: path, kind: kind, size: size, modified: modified, revision: revision, contentHash: contentHash,
      member: member, isKept: isKept)
  }
}
