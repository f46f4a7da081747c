public import FileStores

/// A network store with a local copy in front: lists and texts come from the copy, and renames and moves to the trash
/// wait in the outbox while the store is away.
///
/// Contents are written to the store alone. `NotesService` keeps texts in its outbox first.
public struct LocalCopyStore: StoreWrapper {
  public let base: any FileStore
  let copy: LocalCopy

  public init(_ copy: LocalCopy) { (base, self.copy) = (copy.store, copy) }

  public var capabilities: Capabilities {
    let own = base.capabilities
    var all = wrapped(own)
    all.changes = own.changes.map { CopiedChanges(base: $0, copy: copy) }
    all.trash = own.trash.map { CopiedTrash(base: $0, copy: copy) }
    all.links = own.links.map { CopiedLinks(base: $0, copy: copy) }
    return all
  }

  /// Notes each result of a write in the copy.
  public func call<Answer: Sendable>(
    _ call: StoreCall<Answer>, _ body: () async throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    let since = copy.storePlace
    let answer = try await body()
    switch call.name {
    case .finish, .restoreVersion, .adopt, .batch:
      switch answer {
      case let entry as FileEntry: await copy.learn(entry, since: since)
      case let entry as FileEntry?: if let entry { await copy.learn(entry, since: since) }
      case let results as [Result<FileEntry, StoreError>]:
        for case .success(let entry) in results { await copy.learn(entry, since: since) }
      default: break
      }
    case .delete: await copy.lose(call.path)
    case .createFolder:
      await copy.learnFolder(above: call.path, since: since)
      if copy.entry(at: call.path) == nil {
        await copy.learn(FileEntry(path: call.path, kind: .folder), since: since)
      }
    default: break
    }
    return answer
  }

  public func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    guard base.capabilities.changes != nil, let list = copy.list(of: folder, options) else {
      return try await base.list(folder, options, after: cursor)
    }
    if Task.isCancelled { throw .cancelled("The listing", path: folder) }
    await copy.load()
    if cursor == nil, let page = try await copy.page(of: list) { return page }
    let before = copy.storePlace
    let page: ListPage
    do throws(StoreError) {
      page = try await base.list(folder, copy.listing(of: list).options, after: cursor)
    } catch {
      if list == .photos, error.kind == .notFound, cursor == nil, let before {
        await copy.take([], of: [.photos], readAfter: before, endingWith: before.cursor)
      }
      // The copy of an earlier version has the notes at the top.
      if list == .tree, error.isTemporary, cursor == nil, let top = copy.entries(of: .notes) {
        copy.noteServedOld(isTop: true)
        return ListPage(entries: top, isWhole: true, changes: copy.endCursor)
      }
      throw error
    }
    let changes = await copy.gather(page, of: list, isFirst: cursor == nil, since: before)
    return ListPage(
      entries: copy.shown(page.entries), isWhole: page.isWhole, next: page.next, changes: changes ?? page.changes,
      unreadable: page.unreadable)
  }

  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    await copy.load()
    guard copy.isListed(path) else { return try await base.entry(at: path) }
    if Task.isCancelled { throw .cancelled("Looking at \"\(path)\"", path: path) }
    await copy.checkIfWanted()
    let origin = copy.origin(of: path)
    guard case .at(let place) = origin, !copy.isAway, copy.freshness == .atOnce || copy.isDoubtful(path) else {
      if copy.isAway { copy.noteServedOld() }
      guard let entry = copy.entry(at: path) else { throw LocalCopyStore.missing(path) }
      return entry
    }
    do throws(StoreError) {
      let entry = try await copy.ask { (store) async throws(StoreError) in try await store.entry(at: place) }
      await copy.learn(entry)
      return place == path ? entry : entry.moved(to: path)
    } catch {
      if error.kind == .notFound { await copy.lose(place) }
      guard error.isTemporary, let entry = copy.entry(at: path) else { throw error }
      copy.noteServedOld()
      return entry
    }
  }

  public func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    await copy.load()
    guard copy.isListed(path) else { return try await base.read(path, options, receive) }
    if copy.isText(path) { await copy.checkIfWanted() }
    guard case .at(let place) = copy.origin(of: path) else {
      // A restored file is readable when the store has it.
      throw copy.entry(at: path) == nil ? LocalCopyStore.missing(path) : try await copy.awayError(path)
    }
    guard copy.isText(path) else {
      let entry = try await base.read(place, options, receive)
      return place == path ? entry : entry.moved(to: path)
    }
    return try await copy.read(place, as: path, options, receive)
  }

  public func put(
    _ source: any ByteSource, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    await copy.load()
    try await copy.settle(path)
    let text = copy.isText(path) ? try await copy.smallText(of: source) : nil
    let since = copy.storePlace
    do throws(StoreError) {
      // Without retries while the store is away: the text waits in the outbox, and the member need not.
      let entry = try await copy.ask { (store) async throws(StoreError) in
        try await store.put(source, at: path, mode: mode)
      }
      switch mode {
      case .create: await copy.learn(entry, over: nil, text: text, since: since)
      case .replace(let base): await copy.learn(entry, over: base, text: text, since: since)
      case .overwrite: await copy.learn(entry, text: text, since: since)
      }
      await copy.learnFolder(above: path, since: since)
      return entry
    } catch {
      if error.kind == .conflict || error.kind == .exists { await copy.doubt(path, current: error.current) }
      throw error
    }
  }

  public func move(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) async throws(StoreError) -> FileEntry {
    await copy.load()
    if Task.isCancelled { throw .cancelled("Renaming \"\(path)\"", path: path) }
    if copy.isMissing(path) { throw LocalCopyStore.missing(path) }
    guard let entry = copy.entry(at: path), entry.kind != .other, copy.isListed(path), copy.isListed(target) else {
      let entry = try await base.move(path, to: target, ifRevision: ifRevision)
      await copy.lose(path)
      await copy.learn(entry)
      return entry
    }
    if let ifRevision, entry.revision != ifRevision, entry.revision != nil {
      throw StoreError(
        .conflict, "\"\(path)\" has changed.", remedy: "Look at it, then try again.", path: path, current: entry)
    }
    return entry.kind == .folder
      ? try await copy.move(folder: entry, to: target) : try await copy.rename(entry, to: target)
  }

  static func missing(_ path: StorePath) -> StoreError {
    StoreError(.notFound, "\"\(path)\" does not exist.", remedy: "Refresh the list to see what there is.", path: path)
  }
}
