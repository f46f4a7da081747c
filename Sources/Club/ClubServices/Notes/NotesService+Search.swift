public import Basics
public import FileStores
import Synchronization

public struct FoundNote: Sendable {
  public let entry: FileEntry
  public let lines: [TextFinder.Line]
}

public struct NoteSearch: Sendable {
  public internal(set) var found: [FoundNote] = []
  public internal(set) var total = 0
  public internal(set) var tooLarge: [StorePath] = []
  public internal(set) var notText: [StorePath] = []
  public internal(set) var failures: [StoreError] = []
}

extension NotesService {
  /// Larger notes are found by their names alone.
  public static let mostSearchedBytes: UInt64 = 16 << 20

  /// Searches the names and texts of all notes that the filters by facts let pass, and the store's index if it has one. A
  /// note that waits to be sent is searched as its member saved it. Any thread may call `progress`, with the number of
  /// searched notes and the total, and `found` with each hit as soon as its text is there. `facts` are of a listed note.
  /// - Throws: `cancelled`; the errors of a listing.
  public func search(
    for query: NoteQuery, facts: @escaping @Sendable (FileEntry) -> NoteQuery.Facts = { NoteQuery.Facts($0) },
    progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in },
    found: @escaping @Sendable (FoundNote) -> Void = { _ in }
  ) async throws(StoreError) -> NoteSearch {
    let own = await ownTexts()
    let watch = SearchWatch(progress: progress) { entry, _, match in
      found(FoundNote(entry: entry, lines: match.lines))
    }
    guard !query.isEmpty else { return NoteSearch() }
    let sought = SoughtNotes(query: query, facts: facts)
    var (search, isCopied) = try await searched(for: sought, with: own, watch)
    // The store has nothing that the copy lacks, or cannot be asked: unread notes are in the failures.
    if isCopied || club.copy?.isAway == true || query.words.isEmpty { return search }
    try await addFoundByStore(sought, except: Set(own.texts.map(\.entry.path)), to: &search)
    return search
  }

  /// Searches the names and texts of all notes. Any task may call `progress`, and `matched` with a note whose text has
  /// the words.
  /// - Throws: `cancelled`; the errors of a listing.
  public func texts(
    with words: String, progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in },
    matched: @escaping @Sendable (FileEntry, [UInt8]) -> Void = { _, _ in }
  ) async throws(StoreError) -> NoteSearch {
    let watch = SearchWatch(progress: progress) { entry, text, match in
      if !match.lines.isEmpty { matched(entry, text) }
    }
    let sought = SoughtNotes(query: NoteQuery(plain: words), facts: { NoteQuery.Facts($0) })
    return try await searched(for: sought, with: ownTexts(), watch).search
  }

  /// Gets what a search does while it runs, on any thread.
  private struct SearchWatch: Sendable {
    let progress: @Sendable (Int, Int) -> Void
    let found: @Sendable (FileEntry, [UInt8], TextFinder.Match) -> Void
  }

  /// `own` are searched in place of the club's texts. `isCopied` if the local copy had all other texts.
  private func searched(
    for sought: SoughtNotes, with own: (texts: [OwnText], failures: [StoreError]), _ watch: SearchWatch
  ) async throws(StoreError) -> (search: NoteSearch, isCopied: Bool) {
    let mine = Set(own.texts.map(\.entry.path))
    let others = SearchWatch(progress: watch.progress) { if !mine.contains($0.path) { watch.found($0, $1, $2) } }
    var (search, isCopied) = try await searchedInClub(for: sought, except: mine, others)
    search.failures += own.failures
    search.found.removeAll { mine.contains($0.entry.path) }
    for text in own.texts {
      let look =
        sought.admits(text.entry)
        ? await look(for: sought, in: text.bytes, of: text.entry) : NoteSearch.Look(match: nil, skipped: nil)
      if let match = look.match { watch.found(text.entry, text.bytes, match) }
      search.add(text.entry, .success(look))
      // A note that the club does not have yet.
      if text.entry.revision == nil { search.total += 1 }
    }
    search.found.sort { $0.entry.path < $1.entry.path }
    return (search, isCopied)
  }

  /// Notes in `mine` count in the total; their texts in the club are not fetched. Texts that have to be fetched come
  /// newest first, and each hit is reported as soon as it is there: of a folder, while the other notes are listed.
  private func searchedInClub(
    for sought: SoughtNotes, except mine: Set<StorePath>, _ watch: SearchWatch
  ) async throws(StoreError) -> (search: NoteSearch, isCopied: Bool) {
    var notes: [(entry: FileEntry, look: NoteSearch.Look?)] = []
    var search = NoteSearch()
    let counted = Mutex<(done: Int, total: Int?)>((0, nil))
    let count: @Sendable () -> Void = {
      let (done, total) = counted.withLock { counted in
        counted.done += 1
        return counted
      }
      if let total { watch.progress(done, total) }
    }
    let copied = try await club.copy?.search(sought, found: watch.found)
    if let copied {
      search.found = copied.matches.map { FoundNote(entry: $0.entry, lines: $0.match.lines) }
      let unread = copied.unread.filter { !mine.contains($0.path) }
      search.total = copied.total
      guard !unread.isEmpty else { return (search, true) }
      let total = max(search.total, unread.count)
      // The texts of the copy are read already.
      counted.withLock { $0 = (total - unread.count, total) }
      watch.progress(total - unread.count, total)
      notes = zip(unread, await looksAtHand(for: sought, in: unread, watch, count)).map { ($0, $1) }
    } else {
      try await detailsWithTalk { page in
        search.total += page.count { !Talk.isNamed($0.path) }
        let some = page.filter { !mine.contains($0.path) && sought.admits($0) }
        notes += zip(some, await looksAtHand(for: sought, in: some, watch, count)).map { ($0, $1) }
      }
      let total = max(search.total, notes.count)
      let done = counted.withLock { counted in
        counted.total = total
        return counted.done
      }
      if total > 0 { watch.progress(done, total) }
    }
    notes.sort { $0.entry.path < $1.entry.path }
    let rest = notes.indices.filter { notes[$0].look == nil }.sorted {
      (notes[$0].entry.modified?.nanoseconds ?? 0, $1) > (notes[$1].entry.modified?.nanoseconds ?? 0, $0)
    }
    let connection = club.copy?.connection
    if !rest.isEmpty { club.copy?.beginSearch() }
    defer { if !rest.isEmpty { club.copy?.endSearch() } }
    let read = await rest.map { notes[$0].entry }.results(
      within: .usual, size: { min($0.size ?? 0, NotesService.mostSearchedBytes) },
      pauses: { connection?.pausesAsked ?? 0 }
    ) { (entry) throws(StoreError) in
      defer { count() }
      return try await self.look(for: sought, in: entry, watch)
    }
    if Task.isCancelled { throw .cancelled("The search") }
    var looks = notes.map { note in note.look.map { Result<NoteSearch.Look, StoreError>.success($0) } }
    for (place, result) in zip(rest, read) { looks[place] = result }
    for (note, look) in zip(notes, looks) { if let look { search.add(note.entry, look) } }
    return (search, false)
  }

  /// Looks at notes whose bytes are in memory, many in one piece of work: thousands of tasks would take longer than the
  /// search itself. nil for the others.
  private func looksAtHand(
    for sought: SoughtNotes, in notes: [FileEntry], _ watch: SearchWatch, _ count: @escaping @Sendable () -> Void
  ) async -> [NoteSearch.Look?] {
    guard let ready = store.capabilities.ready else { return Array(repeating: nil, count: notes.count) }
    let parts = stride(from: 0, to: notes.count, by: NotesService.atHandAtOnce).map {
      notes[$0..<min($0 + NotesService.atHandAtOnce, notes.count)]
    }
    // Each typed letter ends the search before it, and the pool's threads are free again.
    let isOver = Mutex(false)
    let looks = await withTaskCancellationHandler {
      await parts.results(atOnce: NotesService.partsAtOnce) { (part) throws(StoreError) in
        await self.pool.run {
          var looks: [NoteSearch.Look?] = []
          ready.readAtHand(part, limit: NotesService.mostAtHand) { entry, bytes in
            guard !isOver.withLock({ $0 }) else { return false }
            looks.append(bytes.map { self.lookAtHand(for: sought, in: $0, of: entry, watch, count) })
            return true
          }
          return looks + Array(repeating: nil, count: part.count - looks.count)
        }
      }
    } onCancel: {
      isOver.withLock { $0 = true }
    }
    return zip(parts, looks).flatMap { (part, looks) -> [NoteSearch.Look?] in
      guard case .success(let looks) = looks else { return part.map { _ in nil } }
      return looks
    }
  }

  private func lookAtHand(
    for sought: SoughtNotes, in bytes: [UInt8], of entry: FileEntry, _ watch: SearchWatch, _ count: () -> Void
  ) -> NoteSearch.Look {
    let text = TextEncoding.shown(bytes)
    let look = NotesService.look(for: sought, in: text, of: entry)
    if let match = look.match { watch.found(entry, text, match) }
    count()
    return look
  }

  private static let atHandAtOnce = 128
  /// Fewer than the pool has threads.
  private static let partsAtOnce = 3
  private static let mostAtHand = 1 << 20

  private func look(
    for sought: SoughtNotes, in entry: FileEntry, _ watch: SearchWatch
  ) async throws(StoreError) -> NoteSearch.Look {
    if Task.isCancelled { throw .cancelled("The search") }
    var text: [UInt8] = []
    var look: NoteSearch.Look
    do throws(StoreError) {
      // Facts of the list alone have decided.
      guard sought.query.asksTexts || !sought.query.words.isEmpty else {
        let look = NoteSearch.Look(match: sought.match(entry, []), skipped: nil)
        if let match = look.match { watch.found(entry, [], match) }
        return look
      }
      guard (entry.size ?? 0) <= NotesService.mostSearchedBytes else {
        throw StoreError(.tooLarge, "\"\(entry.path)\" is too large to be searched.", path: entry.path)
      }
      text = try await readSearched(entry)
      look = await self.look(for: sought, in: text, of: entry)
    } catch {
      guard [.tooLarge, .unsupported].contains(error.kind) else { throw error }
      look = NoteSearch.Look(
        match: sought.match(entry, []), skipped: error.kind == .tooLarge ? .tooLarge : .notText)
    }
    if let match = look.match { watch.found(entry, text, match) }
    return look
  }

  private func look(for sought: SoughtNotes, in text: [UInt8], of entry: FileEntry) async -> NoteSearch.Look {
    await pool.run { NotesService.look(for: sought, in: text, of: entry) }
  }

  private static func look(for sought: SoughtNotes, in text: [UInt8], of entry: FileEntry) -> NoteSearch.Look {
    TextFinder.isText(text)
      ? NoteSearch.Look(match: sought.match(entry, text), skipped: nil)
      : NoteSearch.Look(match: sought.match(entry, []), skipped: .notText)
  }

  /// Adds matches of the store's index that reading did not find, such as a new note. Ignores a failure of the store.
  private func addFoundByStore(
    _ sought: SoughtNotes, except mine: Set<StorePath>, to search: inout NoteSearch
  ) async throws(StoreError) {
    do throws(StoreError) {
      let known = mine.union(search.found.map(\.entry.path))
      for match in try await found(by: sought.query.words.joined(separator: " "))
      where !known.contains(match.entry.path) && sought.admits(match.entry) {
        // The store does not know what the filters ask of a text.
        if !sought.query.asksTexts {
          search.found.append(FoundNote(entry: match.entry, lines: []))
        } else if let match = try await read(match.entry, for: sought) {
          search.found.append(match)
        }
      }
    } catch {
      if error.kind == .cancelled { throw error }
      search.failures.append(error)
    }
  }

  private func read(_ entry: FileEntry, for sought: SoughtNotes) async throws(StoreError) -> FoundNote? {
    let watch = SearchWatch(progress: { _, _ in }, found: { _, _, _ in })
    return try await look(for: sought, in: entry, watch).match.map { FoundNote(entry: entry, lines: $0.lines) }
  }

  /// Notes that the store's index finds; empty if the store has no search or the words are too short.
  /// - Throws: the store's errors.
  public func found(by words: String, limit: Int = 200) async throws(StoreError) -> [StoreMatch] {
    try await club.found(by: words, below: .root, limit: limit) { club.notes.isNote($0) }
  }
}

/// A search, with the known facts of each note besides its entry.
struct SoughtNotes: Sendable {
  let query: NoteQuery
  let facts: @Sendable (FileEntry) -> NoteQuery.Facts

  /// Remarks are found by their words alone.
  func admits(_ entry: FileEntry) -> Bool {
    query.isPlain || !(query.words.isEmpty && Talk.isNamed(entry.path)) && query.admits(facts(entry))
  }

  func match(_ entry: FileEntry, _ text: [UInt8]) -> TextFinder.Match? {
    query.match(String(decoding: entry.path.name, as: UTF8.self), text: text)
  }
}

extension NoteSearch {
  struct Look: Sendable {
    enum Skipped { case tooLarge, notText }
    let match: TextFinder.Match?
    let skipped: Skipped?
  }

  fileprivate mutating func add(_ entry: FileEntry, _ result: Result<Look, StoreError>) {
    switch result {
    case .success(let look):
      switch look.skipped {
      case .tooLarge: tooLarge.append(entry.path)
      case .notText: notText.append(entry.path)
      case nil: break
      }
      if let match = look.match { found.append(FoundNote(entry: entry, lines: match.lines)) }
    case .failure(let error):
      // A note that was removed or changed meanwhile is no failure.
      if error.kind != .notFound, error.kind != .conflict { failures.append(error) }
    }
  }
}

extension Club {
  /// The store's matches below a folder that `isShown` accepts; empty if the folder does not exist.
  func found(
    by words: String, below folder: StorePath, limit: Int, _ isShown: (FileEntry) -> Bool
  ) async throws(StoreError) -> [StoreMatch] {
    guard let search = store.capabilities.search else { return [] }
    let letters = words.unicodeScalars.filter { !$0.properties.isWhitespace }.count
    guard letters > 0, words.unicodeScalars.count >= search.fewestCharacters else { return [] }
    do throws(StoreError) {
      return try await search.files(matching: words, below: folder, limit: limit).filter { isShown($0.entry) }
    } catch {
      // A server without search, or one that rejects these words, finds nothing; the club is read all the same.
      if [.unsupported, .badInput, .notFound].contains(error.kind) { return [] }
      throw error
    }
  }
}
