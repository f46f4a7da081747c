public import FileStores
import Synchronization

/// A note that a search found.
public struct FoundNote: Sendable {
  /// The note.
  public let entry: FileEntry
  /// Where in its text; none when its name alone has the words, or when the store found it by its own index.
  public let lines: [TextFinder.Line]
}

/// What a search through names and texts brought to light.
public struct NoteSearch: Sendable {
  /// The notes that have all the words, by name.
  public internal(set) var found: [FoundNote] = []
  /// How many notes there are.
  public internal(set) var total = 0
  /// Notes that are larger than `NotesService.mostSearchedBytes`: only their names were searched.
  public internal(set) var tooLarge: [StorePath] = []
  /// Files that are not text: only their names were searched.
  public internal(set) var notText: [StorePath] = []
  /// Why notes could not be read.
  public internal(set) var failures: [StoreError] = []
}

extension NotesService {
  /// Larger notes are found by their names alone.
  public static let mostSearchedBytes: UInt64 = 16 << 20

  /// Searches the names and texts of all notes; a store that has an index is asked, too. `progress` is called from any
  /// thread with the number of notes that were searched, and of all.
  /// - Throws: `cancelled`; what a listing throws.
  public func search(
    for words: String, progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) async throws(StoreError) -> NoteSearch {
    let finder = TextFinder(words)
    var notes: [FileEntry] = []
    try await details { notes += $0 }
    notes.sort { $0.path < $1.path }
    var search = NoteSearch()
    search.total = notes.count
    let total = notes.count
    let done = Mutex(0)
    // Over a network most of the time is waiting.
    let results = await notes.results(atOnce: NotesService.searchedAtOnce) { (entry) throws(StoreError) in
      defer {
        progress(
          done.withLock { done in
            done += 1
            return done
          }, total)
      }
      return try await self.look(for: finder, in: entry)
    }
    if Task.isCancelled { throw .cancelled("The search") }
    for (entry, result) in zip(notes, results) { search.add(entry, result) }
    try await addFoundByStore(words, to: &search)
    return search
  }

  private static let searchedAtOnce = 16

  private func look(for finder: TextFinder, in entry: FileEntry) async throws(StoreError) -> NoteSearch.Look {
    if Task.isCancelled { throw .cancelled("The search") }
    let name = String(decoding: entry.path.name, as: UTF8.self)
    guard (entry.size ?? 0) <= NotesService.mostSearchedBytes else {
      return NoteSearch.Look(match: finder.match(name: name, text: []), skipped: .tooLarge)
    }
    let text: [UInt8]
    do throws(StoreError) {
      text = try await readSearched(entry.path)
    } catch {
      guard [.tooLarge, .unsupported].contains(error.kind) else { throw error }
      return NoteSearch.Look(
        match: finder.match(name: name, text: []), skipped: error.kind == .tooLarge ? .tooLarge : .notText)
    }
    return await pool.run {
      TextFinder.isText(text)
        ? NoteSearch.Look(match: finder.match(name: name, text: text), skipped: nil)
        : NoteSearch.Look(match: finder.match(name: name, text: []), skipped: .notText)
    }
  }

  /// What the store finds by its own index and reading did not, such as a note that came meanwhile. What was read
  /// counts when the store fails.
  private func addFoundByStore(_ words: String, to search: inout NoteSearch) async throws(StoreError) {
    do throws(StoreError) {
      let known = Set(search.found.map(\.entry.path))
      for match in try await found(by: words) where !known.contains(match.entry.path) {
        search.found.append(FoundNote(entry: match.entry, lines: []))
      }
    } catch {
      if error.kind == .cancelled { throw error }
      search.failures.append(error)
    }
  }

  /// Notes that the store finds for words, by its own index; none when it has no search, or finds these words too few.
  /// Only what the club lists is told.
  /// - Throws: what the store throws.
  public func found(by words: String, limit: Int = 200) async throws(StoreError) -> [StoreMatch] {
    try await club.found(by: words, below: .root, limit: limit) { NotesService.isNote($0) }
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
      // A note that was removed or changed meanwhile is not there to be found.
      if error.kind != .notFound, error.kind != .conflict { failures.append(error) }
    }
  }
}

extension Club {
  /// What the store finds below a folder and `isShown` lets through. A folder that is not there has nothing in it.
  func found(
    by words: String, below folder: StorePath, limit: Int, _ isShown: (FileEntry) -> Bool
  ) async throws(StoreError) -> [StoreMatch] {
    guard let search = store.search else { return [] }
    let letters = words.unicodeScalars.filter { !$0.properties.isWhitespace }.count
    guard letters > 0, words.unicodeScalars.count >= search.fewestCharacters else { return [] }
    do throws(StoreError) {
      return try await search.files(matching: words, below: folder, limit: limit).filter { isShown($0.entry) }
    } catch {
      // A server that has no such call, or takes no such words, finds nothing; the club is read all the same.
      if [.unsupported, .badInput, .notFound].contains(error.kind) { return [] }
      throw error
    }
  }
}
