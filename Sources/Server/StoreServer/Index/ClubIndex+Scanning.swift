import Basics
import Database
import FileStores
import Synchronization

extension ClubIndex {
  /// - Parameter allowance: the files that it leaves out are recorded later.
  /// - Throws: `notFound` if the folder is gone, which is recorded too.
  func scan(
    _ folder: ServerNode, recursive: Bool, _ allowance: HashAllowance = .quick
  ) async throws(StoreError) {
    // A listing does not wait for one that reads large files, too.
    try await locks.with((allowance.persists ? "whole scan " : "scan ") + folder.key) { () throws(StoreError) in
      do throws(StoreError) {
        try await scanNow(folder, recursive, allowance)
      } catch {
        if error.kind == .notFound || error.kind == .badInput { _ = try await refreshed(folder, .quick) }
        throw error
      }
    }
  }

  private func scanNow(
    _ folder: ServerNode, _ recursive: Bool, _ allowance: HashAllowance
  ) async throws(StoreError) {
    var allowance = allowance
    let start = try await read { try $0.newestNumber() }
    var seen: Set<StorePath> = []
    var newest = start
    var cursor: ListCursor?
    repeat {
      let page = try await store.list(folder.path, ListOptions(.full, recursive: recursive), after: cursor)
      for entry in page.entries { seen.insert(entry.path) }
      newest = try await admit(page.entries, since: start, newest: newest, &allowance)
      cursor = page.next
    } while cursor != nil
    try await removeUnseen(in: recursive ? .subtree(folder.key) : .children(folder.key), seen)
  }

  /// Records a page of entries that were listed at index number `number` or later; writes nothing if nothing is new.
  /// `newest` is the newest number then, or later if only this listing has written since. Returns that for the next
  /// page.
  @discardableResult
  func admit(
    _ entries: [FileEntry], since number: Int64, newest: Int64, _ allowance: inout HashAllowance
  ) async throws(StoreError) -> Int64 {
    let paths = entries.map(\.path)
    let known = try await read { try $0.nodes(at: paths) }
    let (settled, unsettled) = try await settled(entries, known, &allowance)
    let news = settled.filter { ClubIndex.isNews($0, known[$0.path]) }
    var again = unsettled
    var next = newest
    if !news.isEmpty {
      let now = now()
      let (outdated, after) = try await write { writing -> ([StorePath], Int64) in
        let isQuiet = try writing.newestNumber() == newest
        var outdated: [StorePath] = []
        for entry in news {
          if try !isQuiet && ClubIndex.isOutdated(entry, since: number, in: writing) {
            outdated.append(entry.path)
          } else {
            _ = try ClubIndex.admit(entry, in: writing, now: now)
          }
        }
        return (outdated, isQuiet ? try writing.newestNumber() : newest)
      }
      again += outdated
      next = after
    }
    for path in again { _ = try await look(at: path, allowance.again) }
    return next
  }

  /// True if the entry changes its row. A new version of a file without its checksum does not yet.
  private static func isNews(_ entry: FileEntry, _ known: ServerNode?) -> Bool {
    guard entry.kind != .other else { return false }
    if let known, known.isFolder != (entry.kind == .folder) { return true }
    return known?.holds(entry) != true && (entry.kind == .folder || entry.contentHash != nil)
  }

  private func removeUnseen(in scope: ServerIndexReading.Scope, _ seen: Set<StorePath>) async throws(StoreError) {
    var after = ""
    while true {
      let last = after
      let page = try await read { try $0.nodes(in: scope, after: last, limit: 1000) }
      guard let end = page.last else { return }
      after = end.key
      for node in page where !seen.contains(node.path) {
        // A file that is newer than the listing may be missing from it. One more call for each missing file is cheap
        // compared with a wrong deletion.
        _ = try await refreshed(node, .quick)
      }
    }
  }

  /// True if a full scan is done and the change feed reports every change since.
  var isFollowing: Bool { caughtUp.load(ordering: .acquiring) }

  /// Follows other programs' changes in the store until cancelled.
  func follow(_ report: @Sendable (StoreError) -> Void) async {
    while !Task.isCancelled {
      do throws(StoreError) {
        try await followOnce()
      } catch {
        if error.kind == .cancelled { return }
        report(error)
        try? await Task.sleep(for: .seconds(2))
      }
    }
  }

  private func followOnce() async throws(StoreError) {
    guard let feed = store.capabilities.changes else {
      try await scan(ClubIndex.root, recursive: true)
      try? await Task.sleep(for: .seconds(10))
      return
    }
    var cursor = try await feed.start()
    try await scan(ClubIndex.root, recursive: true)
    caughtUp.store(true, ordering: .releasing)
    defer { caughtUp.store(false, ordering: .releasing) }
    while true {
      let number = try await read { try $0.newestNumber() }
      let news = try await feed.wait(since: cursor)
      cursor = news.cursor
      if news.mustRelist {
        caughtUp.store(false, ordering: .releasing)
        try await scan(ClubIndex.root, recursive: true)
        caughtUp.store(true, ordering: .releasing)
      } else {
        try await take(news.changes, since: number)
      }
    }
  }

  private func take(_ changes: [ChangeSet.Change], since number: Int64) async throws(StoreError) {
    var present: [FileEntry] = []
    for change in changes {
      switch change {
      case .present(let entry): present.append(entry)
      case .absent(let path):
        if let node = try await read({ try $0.node(path: path) }) { _ = try await refreshed(node, .quick) }
      }
    }
    let folders = present.filter { $0.kind == .folder }.map(\.path)
    let new = try await read { reading in try folders.filter { try reading.node(path: $0) == nil } }
    var allowance = HashAllowance.quick
    try await admit(present, since: number, newest: number, &allowance)
    for path in new {
      // A folder that was moved in brings its content along.
      if let node = try await read({ try $0.node(path: path) }) { try? await scan(node, recursive: true) }
    }
  }
}
