import ArgumentParser
import ClubServices
import FileStores
import JSON

/// `byteclub search`.
struct SearchCommand: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find notes by name and text, and photos by name.",
    discussion: Examples.text([
      "byteclub search lighthouse": "name, line and text of each place",
      "byteclub search red bicycle": "lines and names that have both words",
    ])
      + "\n\nLetter case does not matter. A club behind a network is asked to search, too: what it finds by its own index "
      + "is told beside what was read. When nothing is found the exit code is 4.")

  @Argument(help: "The words.") var words: [String]
  @OptionGroup var shared: SharedOptions

  /// Notes that are read at once.
  private static let notesAtOnce = 16

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let finder = TextFinder(words)
    var answer = Answer()
    var told: Set<StorePath> = []
    let notes = try await notes(session)
    // Over a network most of the time is waiting.
    let results = await notes.results(atOnce: SearchCommand.notesAtOnce) { (entry) throws(StoreError) in
      try await search(entry, finder, session)
    }
    for (entry, result) in zip(notes, results) {
      switch result {
      case .success(let record):
        guard let record else { continue }
        answer.records.append(record)
        told.insert(entry.path)
      case .failure(let error):
        // One that was removed or changed meanwhile is not there to be found.
        guard error.kind != .notFound, error.kind != .conflict else { continue }
        answer.failures.append(error)
        if error.kind == .cancelled { return answer }
      }
    }
    try await addNotesOfStore(&answer, beside: told, session)
    for photo in try await photos(finder, &answer, session) {
      answer.records.append(Record(PhotoName.json(photo, session.open.club), line: photo.path.bytes))
    }
    if answer.records.isEmpty, answer.failures.isEmpty {
      throw StoreError(.notFound, "Nothing in the club has \"\(words.joined(separator: " "))\".")
    }
    return answer
  }

  /// What the store finds by its own index, and reading has not: a note that came meanwhile, or words on several lines.
  private func addNotesOfStore(
    _ answer: inout Answer, beside told: Set<StorePath>, _ session: Session
  ) async throws(StoreError) {
    do throws(StoreError) {
      for match in try await session.open.notes.found(by: words.joined(separator: " ")) {
        let entry = match.entry
        guard !told.contains(entry.path), case .object(let members) = JSONValue.file(entry) else { continue }
        let matches = JSONMember("matches", .array([]))
        answer.records.append(Record(.object(members + [matches]), line: Array(entry.path.name)))
      }
    } catch {
      try SearchCommand.note(error, in: &answer)
    }
  }

  /// The photos whose names have the words, and those that the store finds, by path.
  private func photos(
    _ finder: TextFinder, _ answer: inout Answer, _ session: Session
  ) async throws(StoreError) -> [FileEntry] {
    var found: [StorePath: FileEntry] = [:]
    try await session.open.photos.list { page in
      for photo in page {
        let name = PhotoName.bytes(photo.path, session.open.club)
        if finder.matches(String(decoding: name, as: UTF8.self)) { found[photo.path] = photo }
      }
    }
    do throws(StoreError) {
      for match in try await session.open.photos.found(by: words.joined(separator: " ")) {
        found[match.entry.path] = found[match.entry.path] ?? match.entry
      }
    } catch {
      try SearchCommand.note(error, in: &answer)
    }
    return found.values.sorted { $0.path < $1.path }
  }

  /// What was read is told all the same.
  private static func note(_ error: StoreError, in answer: inout Answer) throws(StoreError) {
    if error.kind == .cancelled { throw error }
    answer.failures.append(error)
  }

  private func notes(_ session: Session) async throws(StoreError) -> [FileEntry] {
    var entries: [FileEntry] = []
    try await session.open.notes.details { entries += $0 }
    return entries.sorted { $0.path < $1.path }
  }

  private func search(
    _ entry: FileEntry, _ finder: TextFinder, _ session: Session
  ) async throws(StoreError) -> Record? {
    if Task.isCancelled { throw .cancelled("The search") }
    let name = String(decoding: entry.path.name, as: UTF8.self)
    let text = try await session.store.readAll(entry.path).bytes
    let pool = session.setup.pool
    let lines = await pool.run { finder.lines(of: text) }
    guard !lines.isEmpty || finder.matches(name) else { return nil }
    guard case .object(let members) = JSONValue.file(entry) else { return nil }
    let matches = JSONValue.array(
      lines.map { .members(["line": .number($0.number), "text": .string($0.text)]) })
    return Record(
      .object(members + [JSONMember("matches", matches)]),
      lines: lines.isEmpty ? [name] : lines.map { "\(name):\($0.number): \($0.text)" })
  }
}
