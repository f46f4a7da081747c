internal import Basics
internal import CPlatform
internal import FileStores
internal import POSIX
internal import Synchronization

/// The thread that waits in poll(2) for inotify events and logs them, until `stop`. Any thread may call `watch…`.
final class WatchThread: Sendable {
  private struct State {
    var map = WatchMap()
    var coverage = WatchCoverage()
    var polls: Bool
    var stopped = false
    var isRunning = false
  }

  private let disk: FolderDisk
  private let log: ChangeLog
  private let watch: Int32
  /// nil if the system has no free descriptor: `stop` then counts with the next change or look.
  private let signal: WakeSignal?
  private let state: Mutex<State>
  /// Held while all folders are looked for: a second look at the same time would find the same.
  private let looking = Mutex(())

  init(disk: FolderDisk, log: ChangeLog) {
    self.disk = disk
    self.log = log
    watch = cp_watch_open()
    do throws(SystemError) {
      signal = try WakeSignal()
    } catch {
      signal = nil
    }
    state = Mutex(State(polls: disk.tuning.polls ?? (disk.isOnNetwork || watch < 0)))
    _ = start()
  }

  deinit { if watch >= 0 { close(watch) } }

  /// Starts the thread, unless it runs.
  /// - Returns: false if the system has no free thread.
  private func start() -> Bool {
    state.withLock { state in
      state.isRunning = state.isRunning || DetachedThread.start { [self] in run() }
      return state.isRunning
    }
  }

  func stop() {
    state.withLock { $0.stopped = true }
    signal?.send()
  }

  func watch(_ folder: StorePath, _ descriptor: Descriptor) {
    state.withLock { state in
      guard !state.polls, !state.map.contains(folder) else { return }
      // By descriptor, so the name cannot lead to another folder meanwhile.
      let id = cp_watch_add(watch, OpenFile.path(to: descriptor.raw))
      if id >= 0 {
        state.map.set(id, folder)
      } else if id == -ENOSPC || id == -ENOMEM || folder.isRoot {
        // The system has no watches left, or no paths to descriptors.
        state.polls = true
        signal?.send()
      }
    }
  }

  func watchEverything() throws(StoreError) {
    guard start() else {
      throw StoreError(
        .server, "byteclub cannot watch the club for changes: the system has no free thread.", remedy: "Try again.")
    }
    try looking.withLock { _ throws(StoreError) in
      let root = try disk.openRoot()
      let (isNeeded, begun) = state.withLock { (!$0.coverage.isComplete && !$0.polls, $0.coverage.losses) }
      guard isNeeded else { return }
      watch(.root, root)
      scan(.root, root, telling: false)
      state.withLock { $0.coverage.finish(begunAt: begun) }
    }
  }

  /// Watches the folders below an open folder. Returns the paths it finds if `telling`.
  @discardableResult
  private func scan(_ folder: StorePath, _ descriptor: Descriptor, telling: Bool) -> [StorePath] {
    // A link count of 2 means no subfolders, on file systems that count them.
    if !telling, let stat = try? descriptor.stat(folder), stat.raw.links == 2 { return [] }
    let raw = cp_open_beneath(descriptor.raw, ".", O_RDONLY | O_DIRECTORY, 0)
    guard raw >= 0 else { return [] }
    let own = Descriptor(raw)
    let reader = DirectoryReader(bytes: 64 * 1024)
    var folders: [StorePath] = []
    var found: [StorePath] = []
    while true {
      let more = try? reader.read(own, folder) { name, type, _ in
        guard !disk.isHidden(name, in: folder), let path = folder.child(named: name) else { return }
        if telling { found.append(path) }
        if Int(type) == CP_TYPE_FOLDER || Int(type) == CP_TYPE_UNKNOWN { folders.append(path) }
      }
      if more != true { break }
    }
    for path in folders {
      let raw = cp_open_beneath(own.raw, CName(path.name).bytes, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0)
      guard raw >= 0 else { continue }
      let below = Descriptor(raw)
      watch(path, below)
      found += scan(path, below, telling: telling)
    }
    return found
  }

  private func run() {
    var changed = PendingChanges(quiet: disk.tuning.quiet, atMost: disk.tuning.atMost)
    var poller: TreePoller?
    while true {
      let (stopped, polls) = state.withLock { ($0.stopped, $0.polls) }
      if stopped { return }
      if polls {
        if poller == nil {
          // Changes before the first scan are unknown.
          poller = TreePoller(disk)
          log.loseTrack()
        }
        if wait(or: -1, Int32(disk.tuning.pollInterval.milliseconds)).signal { signal?.clear() }
        guard !state.withLock({ $0.stopped }) else { return }
        switch poller?.changes() {
        case .some(let paths): log.note(paths)
        case nil: continue
        }
        continue
      }
      let ready = wait(or: watch, changed.milliseconds)
      if ready.signal { signal?.clear() }
      if ready.other { readEvents(&changed) }
      if changed.isDue(sawEvent: ready.other) { log.note(changed.take()) }
    }
  }

  /// - Parameter milliseconds: -1 to wait without a limit.
  private func wait(or other: Int32, _ milliseconds: Int32) -> WakeSignal.Ready {
    guard let signal else { return .init(other: cp_wait(other, -1, milliseconds) & 1 != 0, signal: false) }
    return signal.wait(or: other, milliseconds: milliseconds < 0 ? nil : Int(milliseconds))
  }

  private func readEvents(_ changed: inout PendingChanges) {
    withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 8) { buffer in
      let got = cp_read_events(watch, buffer.baseAddress, buffer.count)
      var position = 0
      var event = cp_event()
      while got > 0, cp_next_event(buffer.baseAddress, got, &position, &event) != 0 {
        handle(event, &changed)
      }
    }
  }

  private func handle(_ event: cp_event, _ changed: inout PendingChanges) {
    func has(_ bit: Int) -> Bool { Int(event.mask) & bit != 0 }
    if has(CP_EVENT_LOST_TRACK) {
      // Folders may have come and gone unnoticed. The next listing or wait watches everything again.
      return startOver(&changed)
    }
    guard let folder = state.withLock({ $0.map[event.id] }) else { return }
    if has(CP_EVENT_UNWATCHED) { state.withLock { $0.map.remove(event.id) } }
    if event.length == 0 {
      if folder.isRoot, has(CP_EVENT_SELF_GONE) || has(CP_EVENT_UNWATCHED) { startOver(&changed) }
      return
    }
    let name = UnsafeRawBufferPointer(start: event.name, count: event.length)
    guard !disk.isHidden(name, in: folder), let path = folder.child(named: name) else { return }
    changed.add(path)
    guard has(CP_EVENT_FOLDER) else { return }
    if has(CP_EVENT_LEFT) { forget(path) }
    if has(CP_EVENT_ARRIVED) {
      // Watch first, then scan, to report files that arrived before the watch.
      guard let root = try? disk.openRoot(),
        let arrived = try? disk.open(path, O_RDONLY | O_DIRECTORY, below: root, to: "watch")
      else { return }
      watch(path, arrived)
      for found in scan(path, arrived, telling: true) { changed.add(found) }
    }
  }

  private func forget(_ folder: StorePath) {
    state.withLock { state in
      for id in state.map.removeAll(below: folder) { _ = cp_watch_remove(watch, id) }
    }
  }

  private func startOver(_ changed: inout PendingChanges) {
    // At once: a look that begins between the two would take forgotten folders for watched ones.
    state.withLock { state in
      for id in state.map.removeAll(below: .root) { _ = cp_watch_remove(watch, id) }
      state.coverage.lose()
    }
    changed.clear()
    log.loseTrack()
  }
}

/// Tells if all folders are watched. A look at them that loses track on its way has to be made again.
struct WatchCoverage {
  private(set) var isComplete = false
  private(set) var losses = 0

  mutating func lose() {
    losses += 1
    isComplete = false
  }

  /// Takes the end of a look that began after so many losses.
  mutating func finish(begunAt begun: Int) { isComplete = losses == begun }
}

struct WatchMap {
  private var paths: [Int32: StorePath] = [:]
  private var ids: [StorePath: Int32] = [:]

  subscript(id: Int32) -> StorePath? { paths[id] }

  func contains(_ path: StorePath) -> Bool { ids[path] != nil }

  /// Records a watch. A folder that was watched under another path has moved here.
  mutating func set(_ id: Int32, _ path: StorePath) {
    if let old = paths[id], old != path { ids[old] = nil }
    if let old = ids[path], old != id { paths[old] = nil }
    paths[id] = path
    ids[path] = id
  }

  mutating func remove(_ id: Int32) {
    guard let path = paths.removeValue(forKey: id) else { return }
    if ids[path] == id { ids[path] = nil }
  }

  mutating func removeAll(below folder: StorePath) -> [Int32] {
    let gone = paths.filter { $0.value == folder || $0.value.relative(to: folder) != nil }.map(\.key)
    for id in gone { remove(id) }
    return gone
  }
}
