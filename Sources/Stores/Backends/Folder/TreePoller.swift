internal import CPlatform
internal import FileStores
internal import POSIX
internal import Synchronization

struct TreePoller {
  private let disk: FolderDisk
  private var known: [StorePath: Int]

  init(_ disk: FolderDisk) {
    self.disk = disk
    known = TreePoller.snapshot(disk) ?? [:]
  }

  /// Empty while the root cannot be read, so a missing disk does not look like deletions.
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

/// Changed paths, held back until a burst of events is over. An editor's save is a handful of events.
struct PendingChanges {
  private var paths: [StorePath] = []
  private var seen: Set<StorePath> = []
  private var since: ContinuousClock.Instant?
  private let quiet: Duration
  private let atMost: Duration

  init(quiet: Duration, atMost: Duration) {
    self.quiet = quiet
    self.atMost = atMost
  }

  var milliseconds: Int32 { paths.isEmpty ? -1 : Int32(clamping: max(1, quiet.milliseconds)) }

  mutating func add(_ path: StorePath) {
    if since == nil { since = .now }
    if seen.insert(path).inserted { paths.append(path) }
  }

  mutating func clear() {
    paths = []
    seen = []
    since = nil
  }

  func isDue(sawEvent: Bool) -> Bool {
    guard let since, !paths.isEmpty else { return false }
    return !sawEvent || since.duration(to: .now) >= atMost
  }

  mutating func take() -> [StorePath] {
    defer { clear() }
    return paths
  }
}

struct PendingFile: Sendable {
  let root: Descriptor
  let folder: Descriptor
  let name: CName
  let file: Descriptor
  let parent: Descriptor
  let made: [StorePath]
  let loss = VersionLoss()
}

final class VersionLoss: Sendable {
  private let state = Mutex<StoreError?>(nil)
  var error: StoreError? { state.withLock { $0 } }
  func note(_ error: StoreError) { state.withLock { $0 = error } }
}
