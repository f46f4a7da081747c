internal import CLinux
internal import FileStores
internal import Glibc

/// Finds what has changed by looking at everything, for disks that do not tell.
struct TreePoller {
  private let disk: FolderDisk
  private var known: [StorePath: Int]

  init(_ disk: FolderDisk) {
    self.disk = disk
    known = TreePoller.snapshot(disk) ?? [:]
  }

  /// What has changed since the last look; nothing while the root cannot be read (it is not taken for deleted).
  mutating func changes() -> [StorePath] {
    guard let now = TreePoller.snapshot(disk) else { return [] }
    var changed = now.filter { known[$0.key] != $0.value }.map(\.key)
    changed.append(contentsOf: known.keys.filter { now[$0] == nil })
    known = now
    return changed.sorted()
  }

  private static func snapshot(_ disk: FolderDisk) -> [StorePath: Int]? {
    guard let root = try? disk.openRoot() else { return nil }
    var found: [StorePath: Int] = [:]
    var folders = [StorePath.root]
    let reader = DirectoryReader(bytes: 64 * 1024)
    while let folder = folders.popLast() {
      guard let open = try? disk.open(folder, O_RDONLY | O_DIRECTORY, below: root, to: "look at") else {
        if folder.isRoot { return nil }
        continue
      }
      while true {
        let more = try? reader.read(open, folder) { name, _, _ in
          guard !disk.isHidden(name, in: folder), let path = folder.child(named: name),
            let stat = (try? open.stat(CName(name), path)) ?? nil
          else { return }
          if stat.kind == .folder { folders.append(path) }
          found[path] = stat.kind == .file ? stat.revision.hashValue : -1
        }
        guard let more else { return nil }
        if !more { break }
      }
    }
    return found
  }
}
