internal import Basics
internal import Database
public import FileStores
internal import Synchronization

/// Takes listings and changes of the store.
extension LocalCopy {
  /// The list of a listing; nil for any other folder.
  func list(of folder: StorePath, _ options: ListOptions) -> CopiedList? {
    if folder.isRoot, !options.recursive { return .notes }
    return folder == photosFolder && options.recursive ? .photos : nil
  }

  func isPart(_ path: StorePath, of list: CopiedList) -> Bool {
    switch list {
    case .notes: !path.isRoot && path.parent.isRoot
    case .photos: path.relative(to: photosFolder) != nil && !photosFolder.isRoot
    }
  }

  /// True for files that the copy's lists hold.
  func isListed(_ path: StorePath) -> Bool {
    let lists = state.withLock { $0.head?.lists ?? [] }
    return CopiedList.allCases.contains { lists.contains($0.rawValue) && isPart(path, of: $0) }
  }

  private func inLists(_ lists: Set<String>) -> (StorePath) -> Bool {
    let known = CopiedList.allCases.filter { lists.contains($0.rawValue) }
    return { path in known.contains { self.isPart(path, of: $0) } }
  }

  /// A list of the copy, as the member sees it; nil if the copy does not have it.
  func entries(of list: CopiedList) -> [FileEntry]? {
    state.withLock { state in
      guard let head = state.head, head.lists.contains(list.rawValue) else { return nil }
      return state.waiting.local(state.base) { isPart($0, of: list) }
    }
  }

  /// The file that the member sees at a path; nil without one.
  func entry(at path: StorePath) -> FileEntry? {
    state.withLock { $0.waiting.entry(at: path, base: $0.base) }
  }

  /// The store's path of a file that the member sees.
  func origin(of path: StorePath) -> WaitingNames.Origin { state.withLock { $0.waiting.origin(of: path) } }

  /// Keeps a page of a listing, and the whole listing with its last page.
  /// - Returns: a cursor for the copy's feed with the last page; nil before, and without a feed.
  func gather(
    _ page: ListPage, of list: CopiedList, isFirst: Bool, since before: ChangeCursor?
  ) async -> ChangeCursor? {
    let whole = state.withLock { state -> (entries: [FileEntry], since: ChangeCursor?)? in
      if isFirst { state.gathered[list.rawValue] = ([], before) }
      state.gathered[list.rawValue]?.entries += page.entries
      return page.next == nil ? state.gathered.removeValue(forKey: list.rawValue) : nil
    }
    guard let whole, let cursor = page.changes, page.isWhole else { return nil }
    // Changes that came during the listing are missing in it, and are asked for again.
    return await take(whole.entries, of: list, cursor: whole.since ?? cursor, replacesCursor: true)
  }

  /// Takes a whole listing. With `replacesCursor` the lists were read because the old cursor was lost.
  @discardableResult
  func take(
    _ listing: [FileEntry], of list: CopiedList, cursor: ChangeCursor, replacesCursor: Bool
  ) async -> ChangeCursor {
    let (account, time) = (await account(), now())
    let (plan, end) = state.withLock { state in
      var head = state.head ?? CopyHead(account: account, lists: [], cursor: nil, refreshed: time)
      let plan = SyncPlanner.plan(
        listing: listing, of: { isPart($0, of: list) }, base: state.base, held: state.held)
      head.lists.insert(list.rawValue)
      // The next list of this process follows a request.
      state.given.insert(list)
      head.refreshed = time
      if replacesCursor || head.cursor == nil { head.cursor = cursor }
      state.head = head
      (state.isRefreshed, state.hasServedOld) = (true, false)
      apply(plan, to: &state)
      return (plan, state.log.end)
    }
    finish(plan)
    return LocalCopy.cursor(end)
  }

  /// Takes a set of changes since `cursor`, unless the copy has moved on meanwhile.
  func take(_ set: ChangeSet, since cursor: ChangeCursor) async {
    let time = now()
    let taken = state.withLock { state -> SyncPlanner.Plan? in
      guard var head = state.head, head.cursor == cursor else { return nil }
      let isPart = inLists(head.lists)
      let plan = SyncPlanner.plan(changes: set.changes, of: isPart, base: state.base, held: state.held)
      (head.cursor, head.refreshed) = (set.cursor, time)
      state.head = head
      (state.isRefreshed, state.hasServedOld) = (true, false)
      if state.lateness != set.lateness { state.log.add([.lateness]) }
      state.lateness = set.lateness
      apply(plan, to: &state)
      state.log.add(
        set.changes.compactMap { change in
          switch change {
          case .present(let entry): isPart(entry.path) ? nil : .other(change)
          case .absent(let path): state.held.contains(path) ? nil : .other(.absent(path))
          }
        }.filter { item in
          // A file of the lists is reported as the member sees it.
          if case .other(.absent(let path)) = item { !isPart(path) } else { true }
        })
      return plan
    }
    guard let plan = taken else { return }
    finish(plan)
  }

  private func apply(_ plan: SyncPlanner.Plan, to state: inout State) {
    state.base.change(present: plan.present, lost: plan.lost)
    for path in plan.lost { state.held.remove(path) }
    for entry in plan.present {
      state.held.remove(entry.path)
      state.doubtful.remove(entry.path)
    }
    state.held.formUnion(plan.held)
    // Renamed files of the member are reported at their new place, too.
    let touched = plan.lost + plan.present.map(\.path)
    let moved = touched.compactMap { path in state.waiting.shown(path).flatMap { $0 == path ? nil : $0 } }
    state.log.add(touched: touched + moved)
  }

  private func finish(_ plan: SyncPlanner.Plan) {
    // Under the lock, so that the order on the disk is that of the changes. Others may have come since the plan was made.
    state.withLock { state in
      guard let head = state.head else { return }
      let held = plan.held.compactMap { path in state.base[path].map { ($0, state.held.contains(path)) } }
      let present = plan.present.compactMap { entry in state.base[entry.path].map { ($0, false) } } + held
      persist(head, present: present, lost: plan.lost.filter { state.base[$0] == nil })
    }
    tellHeld()
    wake()
    rounds.change { $0 + 1 }
  }

  /// Brings the copy up to date with one request.
  /// - Throws: the store's errors; nothing then changes.
  public func refresh() async throws(StoreError) {
    await load()
    try await lines.add("refresh") { [self] () -> Result<Void, StoreError> in
      do throws(StoreError) {
        try await refreshNow()
        return .success(())
      } catch {
        return .failure(error)
      }
    }.value.get()
  }

  private func refreshNow() async throws(StoreError) {
    guard let cursor = state.withLock({ $0.head?.cursor }) else {
      guard
        let start = try await ask({ (store) async throws(StoreError) in
          try await store.capabilities.changes?.start()
        })
      else { return }
      return try await relist(start)
    }
    let set = try await ask { (store) async throws(StoreError) in
      try await store.capabilities.changes?.poll(since: cursor)
    }
    guard let set else { return }
    if set.mustRelist { return try await relist(set.cursor) }
    await take(set, since: cursor)
  }

  /// Reads the known lists anew, because the cursor was lost or the account is another one; compares them.
  func relist(_ cursor: ChangeCursor) async throws(StoreError) {
    for list in CopiedList.allCases where list == .notes || has(list) {
      var entries: [FileEntry] = []
      var page: ListCursor?
      repeat {
        let folder = list == .notes ? StorePath.root : photosFolder
        let options = ListOptions(.full, recursive: list == .photos)
        let after = page
        do throws(StoreError) {
          let next = try await ask { (store) async throws(StoreError) in
            try await store.list(folder, options, after: after)
          }
          entries += next.entries
          page = next.next
        } catch {
          // A club without a photos folder has no photos.
          guard list == .photos, error.kind == .notFound, after == nil else { throw error }
        }
      } while page != nil
      await take(entries, of: list, cursor: cursor, replacesCursor: true)
    }
  }

  /// Asks the store: with retries while it is known to answer, otherwise once, because the copy can answer.
  func ask<Answer: Sendable>(
    _ body: (any FileStore) async throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    guard connection.state != .online, has(.notes) else { return try await body(store) }
    do throws(StoreError) {
      return try await body(direct)
    } catch {
      guard error.isTemporary, error.kind != .offline, !isAway else { throw error }
      return try await body(store)
    }
  }

  /// Tests with a short request if the store answers; the connection gets the outcome.
  public func probe() async {
    do throws(StoreError) {
      _ = try await direct.capabilities.changes?.start()
    } catch {
      // The connection has it.
      return
    }
  }

  /// Notes the result of a write of this member.
  func learn(_ entry: FileEntry, text: [UInt8]? = nil) async {
    await load()
    let path = entry.path
    guard isListed(path) else { return }
    let isKept = state.withLock { state in
      // Readers of changes hear of this member's writes, too.
      if state.base[path] != entry { state.log.add(touched: [path]) }
      state.base[path] = entry
      state.held.remove(path)
      state.doubtful.remove(path)
      guard let head = state.head else { return false }
      persist(head, present: [(entry, false)], lost: [])
      return true
    }
    guard isKept else { return }
    wake()
    if let text { keep([(entry, text)]) }
  }

  /// Takes the answer of a write over `base` (nil: over nothing). The answer of a repeated write can be a version that
  /// another write has replaced since. If the copy may have got that one already, the next reader asks the store.
  func learn(_ entry: FileEntry, over base: Revision?, text: [UInt8]?) async {
    await load()
    let isNewest = state.withLock { state in
      guard let known = state.base[entry.path]?.revision, known != base, known != entry.revision else { return true }
      state.doubtful.insert(entry.path)
      return false
    }
    if isNewest { await learn(entry, text: text) }
  }

  /// Notes the folder at the top of the club that a write below it has made, perhaps.
  func learnFolder(above path: StorePath) async {
    guard let name = path.components.first, path.components.count > 1 else { return }
    do throws(StoreError) {
      let folder = try StorePath.root.appending(name)
      if entry(at: folder) == nil { await learn(FileEntry(path: folder, kind: .folder)) }
    } catch {
      // The path has been written: its parts are names.
      onFailure(error)
    }
  }

  /// Notes that a file is gone from the store.
  func lose(_ path: StorePath) async {
    guard isListed(path) else { return }
    let isKept = state.withLock { state in
      let lost = state.base.entries.map(\.path).filter { $0 == path || $0.relative(to: path) != nil }
      state.base.change(present: [], lost: lost)
      state.held.subtract(lost)
      state.log.add(touched: lost)
      guard let head = state.head, !lost.isEmpty else { return false }
      persist(head, present: [], lost: lost)
      return true
    }
    if isKept { wake() }
  }

  /// Notes that a write met another revision than the copy's.
  func doubt(_ path: StorePath, current: FileEntry?) async {
    if let current, current.path == path { return await learn(current) }
    _ = state.withLock { $0.doubtful.insert(path) }
  }

  /// True if the copy gave an answer because the store is away.
  func noteServedOld() { state.withLock { $0.hasServedOld = true } }
}
