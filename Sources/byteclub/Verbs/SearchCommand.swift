import ArgumentParser
import ClubServices
import FileStores

/// `byteclub search`.
struct SearchCommand: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find notes by name and text, and photos by name.",
    discussion: Examples.text([
      "byteclub search lighthouse": "name, line and text of each place",
      "byteclub search red bicycle": "lines and names that have both words",
    ])
      + "\n\nLetter case does not matter. When nothing is found the exit code is 4.")

  @Argument(help: "The words.") var words: [String]
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let finder = TextFinder(words)
    var answer = Answer()
    for entry in try await notes(session) {
      do throws(StoreError) {
        if let record = try await search(entry, finder, session) { answer.records.append(record) }
      } catch {
        // One that was removed or changed meanwhile is not there to be found.
        guard error.kind == .notFound || error.kind == .conflict else {
          answer.failures.append(error)
          if error.kind == .cancelled { return answer }
          continue
        }
      }
    }
    var photos: [FileEntry] = []
    try await session.open.photos.list { photos += $0 }
    for photo in photos.sorted(by: { $0.path < $1.path }) {
      let name = PhotoName.bytes(photo.path, session.open.club)
      guard finder.matches(String(decoding: name, as: UTF8.self)) else { continue }
      answer.records.append(Record(PhotoName.json(photo, session.open.club), line: photo.path.bytes))
    }
    if answer.records.isEmpty, answer.failures.isEmpty {
      throw StoreError(.notFound, "Nothing in the club has \"\(words.joined(separator: " "))\".")
    }
    return answer
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
    let matches = JSONValue.list(
      lines.map { .members(["line": .number($0.number), "text": .string($0.text)]) })
    return Record(
      .object(members + [JSONMember(key: "matches", node: JSONNode(value: matches))]),
      lines: lines.isEmpty ? [name] : lines.map { "\(name):\($0.number): \($0.text)" })
  }
}
