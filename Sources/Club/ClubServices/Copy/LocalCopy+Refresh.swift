internal import Basics
internal import Database
public import FileStores
internal import Synchronization

/// Takes listings and changes of the store.
extension LocalCopy {
  /// The list of a listing; nil for any other folder.
  func list(of folder: StorePath, _ options: ListOptions) -> CopiedList? {
    if folder.isRoot, !options.recursive { return .notes }
    if folder.isRoot, options == notes.listing(options.detail) { return .tree }
    return folder == photosFolder && options.recursive ? .photos : nil
  }

  func isPart(_ path: StorePath, of list: CopiedList) -> Bool {
    switch list {
    case .notes: !path.isRoot && path.parent.isRoot
    case .tree: isPart(path, of: .notes) || notes.holds(path)
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

  /// True if the store is away and the copy, which lists this path, has no file there. The store is not asked then.
  func isMissing(_ path: StorePath) -> Bool { isAway && isListed(path) && entry(at: path) == nil }

  /// The store's path of a file that the member sees.
  func origin(of path: StorePath) -> WaitingNames.Origin { state.withLock { $0.waiting.origin(of: path) } }

  /// Keeps a page of a listing, and the whole listing with its last page.
  /// - Returns: a cursor for the copy's feed with the last page; nil before, and without a feed.
  func gather(
    _ page: ListPage, of list: CopiedList, isFirst: Bool, since before: CopyPlace?
  ) async -> ChangeCursor? {
    let whole = state.withLock { state -> (entries: [FileEntry], since: CopyPlace?)? in
      if isFirst { state.gathered[list.rawValue] = ([], before) }
      state.gathered[list.rawValue]?.entries += page.entries
      return page.next == nil ? state.gathered.removeValue(forKey: list.rawValue) : nil
    }
    guard let whole, let cursor = page.changes, page.isWhole else { return nil }
    let lists: Set<CopiedList> = list == .tree && hasPhotos(whole.entries) ? [.tree, .photos] : [list]
    // Changes that came during the listing are missing in it, and are asked for again.
    let taken = await take(whole.entries, of: lists, readAfter: whole.since, endingWith: cursor)
    if taken == nil { readAgain(list) }
    return taken
  }

  /// True if a listing of the top that may leave out the photos has them. It then has all of them.
  private func hasPhotos(_ entries: [FileEntry]) -> Bool { entries.contains { isPart($0.path, of: .photos) } }

  /// Takes whole listings, and nothing else of the copy counts as listed if `isAll`.
  /// - Parameters:
  ///   - before: the copy's place before the first request; nil if it had none.
  ///   - cursor: the listings' own.
  /// - Returns: a cursor for the copy's feed; nil if other lists were read meanwhile, with a cursor that may be an earlier
  ///   one or a later one than these listings'.
  @discardableResult
  func take(
    _ listing: [FileEntry], of lists: Set<CopiedList>, readAfter before: CopyPlace?,
    endingWith cursor: ChangeCursor, isAll: Bool = false
  ) async -> ChangeCursor? {
    let (account, time) = (await account(), now())
    let names = Set(lists.map(\.rawValue))
    let done = apply { state in
      if before == nil, !isAll, state.head?.cursor != nil { return nil }
      if let before, before.setbacks != state.setbacks { return nil }
      var head = state.head ?? CopyHead(account: account, lists: [], cursor: nil, refreshed: time)
      head.lists = isAll ? names : head.lists.union(names)
      (head.cursor, head.refreshed) = (before?.cursor ?? cursor, time)
      if lists.contains(.tree) { head.lists.insert(CopiedList.notes.rawValue) }
      let isPart = { (path: StorePath) in lists.contains { self.isPart(path, of: $0) } }
      var files = SyncPlanner.plan(listing: listing, of: isPart, base: state.base, held: state.held)
      if !state.unsure.isEmpty { files.present += listing.filter { state.unsure[$0.path] == $0 } }
      return CopyPlan(
        files: files, head: head,
        isSetBack: before.map { $0.cursor != state.head?.cursor } ?? false, isAnswer: true)
    }
    guard let done else { return nil }
    // The next list of this process follows a request.
    state.withLock { $0.given.formUnion(lists) }
    return LocalCopy.cursor(done.end)
  }

  /// Takes an answer about the changes since `cursor`: with the changes, unless the copy has moved on meanwhile, or with
  /// all lists. `unsure` are the copy's when it asked.
  func take(
    answer set: ChangeSet, since cursor: ChangeCursor, _ unsure: [StorePath: FileEntry]
  ) async throws(StoreError) {
    if set.mustRelist { return try await relist(set.cursor) }
    let time = now()
    apply { state in
      guard var head = state.head, head.cursor == cursor else { return nil }
      (head.cursor, head.refreshed) = (set.cursor, time)
      let isPart = inLists(head.lists)
      var files = SyncPlanner.plan(changes: set.changes, of: isPart, base: state.base, held: state.held)
      SyncPlanner.settle(state.unsure, asked: unsure, by: set.changes, base: state.base, &files)
      let held = state.held.union(files.held)
      // A file of the lists is reported as the member sees it.
      let others = set.changes.filter { change in
        switch change {
        case .present(let entry): !isPart(entry.path)
        case .absent(let path): !isPart(path) && !held.contains(path)
        }
      }
      return CopyPlan(
        files: files, head: head, others: others.map { .other($0) }, lateness: .some(set.lateness), isAnswer: true)
    }
  }

  /// Brings the copy up to date with one request. Cancelling ends the wait, not the request.
  /// - Throws: the store's errors; nothing then changes.
  public func refresh() async throws(StoreError) {
    await load()
    let refreshing = lines.add("refresh") { [self] in
      await Result.catching { () throws(StoreError) in try await refreshNow() }
    }
    guard let result = await refreshing.valueUnlessCancelled(on: pool.tasks) else { throw .cancelled("The refreshing") }
    try result.get()
  }

  private func refreshNow() async throws(StoreError) {
    let (cursor, unsure) = state.withLock { ($0.head?.cursor, $0.unsure) }
    guard let cursor else {
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
    if let set { try await take(answer: set, since: cursor, unsure) }
  }

  /// Reads the known lists anew, because the cursor was lost or the account is another one, and takes them when all are
  /// there: the new cursor is not true of a list that was not read.
  func relist(_ cursor: ChangeCursor) async throws(StoreError) {
    let lists = CopiedList.allCases.filter { $0 == noteList || $0 == .photos && has($0) }
    var entries: [FileEntry] = []
    for list in lists where list != .photos || !hasPhotos(entries) { entries += try await wholeListing(of: list) }
    await take(entries, of: Set(lists), readAfter: nil, endingWith: cursor, isAll: true)
  }

  /// Reads a list behind the caller.
  private func readAgain(_ list: CopiedList) {
    _ = lines.add("refresh") { [self] in
      guard let before = storePlace, !has(list) else { return }
      do throws(StoreError) {
        let entries = try await wholeListing(of: list)
        await take(entries, of: [list], readAfter: before, endingWith: before.cursor)
      } catch {
        // The store is away, or the next listing says what is wrong. The list is read then.
        if !error.isTemporary { onFailure(error) }
      }
    }
  }

  /// The listing that gives a list.
  func listing(of list: CopiedList) -> (folder: StorePath, options: ListOptions) {
    switch list {
    case .notes: (.root, ListOptions(.full))
    case .tree: (.root, notes.listing(.full))
    case .photos: (photosFolder, ListOptions(.full, recursive: true))
    }
  }

  private func wholeListing(of list: CopiedList) async throws(StoreError) -> [FileEntry] {
    var entries: [FileEntry] = []
    var page: ListCursor?
    repeat {
      let (folder, options) = listing(of: list)
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
    return entries
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

  /// Notes the result of a write of this member. Readers of changes hear of it, too.
  func learn(_ entry: FileEntry, text: [UInt8]? = nil, since: CopyPlace? = nil) async {
    await load()
    // Lists do not have it, so that an unchanged file stays unchanged.
    let entry = entry.withoutOwnTime
    let path = entry.path
    guard isListed(path) else { return }
    apply { state in
      guard state.base[path] != entry || state.held.contains(path) || state.doubtful.contains(path) else { return nil }
      return CopyPlan(files: SyncPlanner.Plan(present: [entry]), since: since)
    }
    if let text { keep([(entry, text)]) }
  }

  /// Takes the answer of a write over `base` (nil: over nothing). The answer of a repeated write can be a version that
  /// another write has replaced since, or of a note that is gone since. If the copy may know that already, the next reader
  /// asks the store. `since` is the copy's place before the request.
  func learn(_ entry: FileEntry, over base: Revision?, text: [UInt8]?, since: CopyPlace?) async {
    await load()
    var isNewest = true
    apply { state in
      let known = state.base[entry.path]?.revision
      guard known != base, known != entry.revision else { return nil }
      isNewest = false
      return CopyPlan(doubtful: [entry.path])
    }
    if isNewest { await learn(entry, text: text, since: since) }
  }

  /// Notes the folders that a write below them has made, perhaps.
  func learnFolder(above path: StorePath, since: CopyPlace?) async {
    for folder in path.withFolders.dropFirst() where entry(at: folder) == nil {
      await learn(FileEntry(path: folder, kind: .folder), since: since)
    }
  }

  /// Notes that a file, or a folder with its files, is gone from the store.
  func lose(_ path: StorePath) async {
    guard isListed(path) else { return }
    apply { CopyPlan(files: SyncPlanner.plan(losing: path, base: $0.base)) }
  }

  /// Notes that a write met another revision than the copy's.
  func doubt(_ path: StorePath, current: FileEntry?) async {
    if let current, current.path == path { return await learn(current) }
    apply { _ in CopyPlan(doubtful: [path]) }
  }

  /// True if the copy gave an answer because the store is away.
  func noteServedOld(isTop: Bool = false) {
    state.withLock { ($0.hasServedOld, $0.hasServedTop) = (true, $0.hasServedTop || isTop) }
  }

  /// Reads the folders that a list of this process lacks, as soon as the store answers.
  func readMissingFolders() {
    if needsTree { readAgain(.tree) }
  }
}
