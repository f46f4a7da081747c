public import Basics
internal import Database
public import FileStores
internal import Synchronization

/// The texts of a copy: notes and captions up to a size, newest first up to a limit.
extension LocalCopy {
  /// Larger notes are not read ahead of the member.
  static let mostTextBytes: UInt64 = 1 << 20
  /// A text that somebody has read is kept up to this size: the next search, and the notes that link to another one, do
  /// not fetch it again.
  static let mostReadBytes = NotesService.mostSearchedBytes
  /// Texts beyond this sum are not kept.
  public static let mostBytes = 256 << 20
  private static let batch = 128
  private static let mostBatchBytes: UInt64 = 16 << 20

  /// True for notes and captions.
  func isText(_ path: StorePath) -> Bool {
    if isPart(path, of: .notes) || notes.isNote(path) { return true }
    return isPart(path, of: .photos) && path.name.count > 3 && path.name.suffix(3).elementsEqual(".md".utf8)
  }

  /// A page of a list from the copy: at once for the first list of the app, otherwise after a request.
  /// - Returns: nil if the copy does not have the list.
  /// - Throws: errors of the store other than temporary ones.
  func page(of list: CopiedList) async throws(StoreError) -> ListPage? {
    guard has(list) else { return nil }
    let isFirst = state.withLock { $0.given.insert(list).inserted }
    if freshness == .checked || !isFirst {
      do throws(StoreError) {
        try await refresh()
      } catch {
        // The app shows the failure of a server that answers, beside the list that it has.
        guard error.isTemporary, isAway || freshness == .checked else { throw error }
        noteServedOld()
      }
    }
    await reloadWaiting()
    let cursor = endCursor
    guard let entries = entries(of: list) else { return nil }
    return ListPage(entries: entries, isWhole: true, changes: cursor)
  }

  /// The place in the store's changes up to which the copy is complete.
  var storePlace: CopyPlace? {
    state.withLock { state in state.head?.cursor.map { CopyPlace(cursor: $0, setbacks: state.setbacks) } }
  }

  /// A cursor of no store: the answer to it is that all must be listed anew.
  static let lostCursor = ChangeCursor("lost-0")

  /// Entries of the store as the member sees them.
  func shown(_ entries: [FileEntry]) -> [FileEntry] {
    let names = state.withLock { $0.waiting }
    guard !names.isEmpty else { return entries }
    return entries.compactMap { entry in
      names.shown(entry.path).map { $0 == entry.path ? entry : entry.moved(to: $0) }
    }
  }

  /// For a command: one request before the copy answers. Temporary errors leave it as it is.
  func checkIfWanted() async {
    guard freshness == .checked, !isAway, !state.withLock({ $0.isRefreshed }) else { return }
    do throws(StoreError) {
      try await refresh()
    } catch {
      if !error.isTemporary, error.kind != .cancelled { onFailure(error) }
    }
  }

  func isDoubtful(_ path: StorePath) -> Bool {
    state.withLock { $0.doubtful.contains(path) || !$0.isRefreshed }
  }

  /// The error of a store that is away, from a request.
  func awayError(_ path: StorePath) async throws(StoreError) -> StoreError {
    _ = try await ask { (store) async throws(StoreError) in try await store.capabilities.changes?.start() }
    return StoreError(
      .offline, "\"\(path)\" is not back in the club yet.", remedy: "Try again in a moment.", path: path)
  }

  /// Reads a text: from the copy when it has the present revision, or when the store is away. A text that the list lacks
  /// does not exist then.
  func read(
    _ place: StorePath, as path: StorePath, _ options: ReadOptions,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    let (entry, isDoubtful) = state.withLock { ($0.base[place], $0.doubtful.contains(place)) }
    let kept = await keptText(of: place)
    let isPresent = kept != nil && entry?.revision == kept?.revision && !isDoubtful
    // Earlier versions of byteclub kept the page of a network's sign-in as a text.
    if let kept, let entry, isPresent, entry.size == UInt64(kept.text.count),
      options.revision == nil || options.revision == kept.revision
    {
      if isAway { noteServedOld() }
      return try await give(kept.text, entry.moved(to: path), options, receive)
    }
    let collected = Mutex<(bytes: [UInt8], isWhole: Bool)>(([], options.offset == 0))
    let isCheap = (kept != nil || entry == nil) && connection.state != .online
    do throws(StoreError) {
      let read = try await (isCheap ? direct : store).read(place, options) { chunk throws(StoreError) in
        collected.withLock { all in
          if all.bytes.count + chunk.count > Int(LocalCopy.mostReadBytes) { all = ([], false) }
          if all.isWhole { all.bytes += chunk }
        }
        try await receive(chunk)
      }
      let (bytes, isWhole) = collected.withLock { $0 }
      await learn(read, text: isWhole ? bytes : nil)
      return read.moved(to: path)
    } catch {
      guard error.isTemporary, collected.withLock({ $0.isWhole && $0.bytes.isEmpty }), options.revision == nil,
        entry == nil || kept != nil
      else { throw error }
      noteServedOld()
      guard let entry, let kept else { throw LocalCopyStore.missing(path) }
      let old = FileEntry(
        path: path, kind: .file, size: UInt64(kept.text.count), modified: entry.modified, revision: kept.revision,
        member: entry.member)
      return try await give(kept.text, old, options, receive)
    }
  }

  private func give(
    _ text: [UInt8], _ entry: FileEntry, _ options: ReadOptions,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    if Task.isCancelled { throw .cancelled("Reading \"\(entry.path)\"", path: entry.path) }
    guard options.offset <= UInt64(text.count) else {
      throw StoreError(
        .badInput, "\"\(entry.path)\" has only \(text.count) bytes.", remedy: "Read it from its beginning.",
        path: entry.path)
    }
    let rest = text[Int(options.offset)...]
    if !rest.isEmpty { try await receive(rest) }
    return entry
  }

  private func keptText(of place: StorePath) async -> (text: [UInt8], revision: Revision)? {
    do throws(StoreError) {
      return try await pool.run { [club, database] () throws(StoreError) in
        try database.copiedText(of: place, club: club)
      }
    } catch {
      onFailure(error)
      return nil
    }
  }

  /// The bytes of a small source; nil for a larger one, or one of unknown size.
  func smallText(of source: any ByteSource) async throws(StoreError) -> [UInt8]? {
    guard let size = source.size, size <= LocalCopy.mostTextBytes else { return nil }
    var reading = try await source.open(at: 0)
    var bytes: [UInt8] = []
    while let chunk = try await reading.next() {
      bytes += chunk
      guard bytes.count <= Int(LocalCopy.mostTextBytes) else { return nil }
    }
    return bytes
  }

  /// Keeps texts of entries behind the caller, as far as there is room for them, but for those that their entry contradicts.
  /// - Returns: nil without any to keep.
  @discardableResult
  func keep(_ texts: [(entry: FileEntry, text: [UInt8])]) -> Task<Void, Never>? {
    let right = texts.filter { $0.entry.fits($0.text) }
    let rows = right.compactMap { entry, text in entry.revision.map { (path: entry.path, revision: $0, text: text) } }
    guard !rows.isEmpty else { return nil }
    return lines.add("persist") { [self] in
      var kept = await textsKept()
      let fitting = rows.filter { row in
        // Long texts leave half of the room to those that are read ahead.
        let room = row.text.count > Int(LocalCopy.mostTextBytes) ? mostBytes / 2 : mostBytes
        let fits = kept.bytes(with: row.text.count, at: row.path) <= room
        if fits { kept.keep(row.text.count, of: row.revision, at: row.path) }
        return fits
      }
      guard !fitting.isEmpty else { return }
      do throws(StoreError) {
        try await pool.run { [club, database] () throws(StoreError) in try database.keepCopied(fitting, club: club) }
        state.withLock { state in
          for row in fitting { state.texts?.keep(row.text.count, of: row.revision, at: row.path) }
        }
      } catch {
        onFailure(error)
      }
    }
  }

  /// The kept texts, from the database at the first call.
  func textsKept() async -> KeptTexts {
    if let known = state.withLock({ $0.texts }) { return known }
    do throws(StoreError) {
      let found = try await pool.run { [club, database] () throws(StoreError) in
        KeptTexts(try database.copiedTexts(of: club))
      }
      return state.withLock { state in
        if state.texts == nil { state.texts = found }
        return state.texts ?? found
      }
    } catch {
      onFailure(error)
      return KeptTexts()
    }
  }

  /// True if a text of the file is kept, of any revision.
  func hasText(of path: StorePath) async -> Bool {
    guard case .at(let place) = origin(of: path) else { return false }
    return await textsKept()[place] != nil
  }

  /// True if the present text of the file is kept, so that reading it asks nobody.
  func hasPresentText(of path: StorePath) async -> Bool {
    guard case .at(let place) = origin(of: path) else { return false }
    let (entry, isDoubtful) = state.withLock { ($0.base[place], $0.doubtful.contains(place)) }
    guard let entry, !isDoubtful else { return false }
    return await textsKept()[place] == entry.revision
  }

  /// The files whose present text is not kept, newest first.
  func missingTexts() async -> [FileEntry] {
    let kept = await textsKept()
    let base = state.withLock { $0.base }
    return base.entries.filter { entry in
      entry.kind == .file && entry.revision != nil && (entry.size ?? 0) <= LocalCopy.mostTextBytes
        && isText(entry.path) && kept[entry.path] != entry.revision
    }.sorted { ($0.modified?.nanoseconds ?? 0) > ($1.modified?.nanoseconds ?? 0) }
  }

  /// True while a search reads texts; its end begins the reading ahead again.
  private func givesWay() -> Bool {
    state.withLock { state in
      if state.searches > 0 { state.hasGivenWay = true }
      return state.searches > 0
    }
  }

  /// A search reads texts, and keeps them: none is read ahead meanwhile, which would fetch the same ones again.
  func beginSearch() { state.withLock { $0.searches += 1 } }

  func endSearch() {
    let goesOn = state.withLock { state in
      state.searches -= 1
      guard state.searches == 0, state.hasGivenWay else { return false }
      state.hasGivenWay = false
      return true
    }
    if goesOn { rounds.fire() }
  }

  /// Reads the texts that the copy lacks, a few at a time, up to the limit or until a search reads them.
  /// - Throws: a temporary error of the store; `cancelled`. Texts that cannot be read otherwise are left out.
  public func keepTexts() async throws(StoreError) {
    await load()
    guard has(.notes) else { return }
    var rest = await missingTexts()[...]
    while !rest.isEmpty, !givesWay() {
      let kept = await textsKept()
      var (bytes, together) = (kept.bytes, UInt64(0))
      let batch = rest.prefix(LocalCopy.batch).prefix { entry in
        // The texts of a batch are in memory together; one text alone always fits.
        together += entry.size ?? 0
        guard together <= LocalCopy.mostBatchBytes else { return false }
        bytes += kept.bytes(with: Int(clamping: entry.size ?? 0), at: entry.path) - kept.bytes
        return bytes <= mostBytes
      }
      guard !batch.isEmpty else { return }
      rest = rest.dropFirst(batch.count)
      let store = store
      let found = await Array(batch).results(
        within: .usual, size: { $0.size ?? 0 }, pauses: { connection.pausesAsked }
      ) { (entry) throws(StoreError) in
        if self.givesWay() { throw .cancelled("The reading of notes") }
        return try await store.readAll(
          entry.path, ifRevision: entry.revision, limit: Int(LocalCopy.mostTextBytes), expected: entry.size)
      }
      var texts: [(FileEntry, [UInt8])] = []
      var trouble: StoreError?
      for result in found {
        switch result {
        case .success(let (bytes, entry)): texts.append((entry, bytes))
        case .failure(let error): if error.isTemporary { trouble = error }
        }
      }
      await keep(texts)?.value
      if Task.isCancelled { throw .cancelled("The reading of notes") }
      if let trouble { throw trouble }
    }
  }

  /// For the app: reads missing texts after each change of the copy, and tests an absent store every few seconds, so
  /// that what waits is sent soon after its return. Runs until the task is cancelled.
  /// - Parameter readsAhead: false to read no texts that nobody has opened.
  public func work(
    readsAhead: Bool = true, clock: any Clock<Duration> = TimerClock(), testing pause: Duration = .seconds(4)
  ) async {
    await withTaskGroup { group in
      group.addTask {
        guard readsAhead else { return }
        for await _ in self.rounds.values() {
          do throws(StoreError) {
            // Not before the store's first answer: the list comes first.
            if !self.isAway, self.state.withLock(\.isRefreshed) { try await self.keepTexts() }
          } catch {
            // The next round goes on.
            continue
          }
        }
      }
      group.addTask {
        for await state in self.connection.states() {
          if case .online = state { self.rounds.fire() }
          while case .offline = self.connection.state, !Task.isCancelled {
            do {
              try await clock.sleep(for: pause)
            } catch {
              return
            }
            await self.probe()
          }
        }
      }
    }
  }
}

extension LocalCopy {
  /// For people.
  public struct Facts: Sendable, Hashable {
    public let refreshed: Timestamp
    public let files: Int
    public let texts: Int
    public let textBytes: Int
    public let held: Int
  }

  /// The size and age of the copy; nil without one.
  public func facts() async -> Facts? {
    await load()
    let texts = await textsKept()
    return state.withLock { state in
      guard let head = state.head, !head.lists.isEmpty else { return nil }
      let files = state.base.entries.count { $0.kind == .file }
      return Facts(
        refreshed: head.refreshed, files: files, texts: texts.count, textBytes: texts.bytes,
        held: state.held.count)
    }
  }
}
