import ArgumentParser
import ClubServices
import FileStores
import JSON

/// `byteclub search`.
struct SearchCommand: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find notes by name and text, and photos by name.",
    discussion: Examples.text([
      "byteclub search lighthouse": "name, line and text of each match",
      "byteclub search red bicycle": "notes that have both words, and photos whose names have both",
    ])
      + "\n\nLetter case and accents do not matter: cafe finds Café. The words may stand on different lines of a note and in "
      + "its name. byteclub prints the lines that have all the words or, without such lines, those that have one of them. "
      + "Notes over 16 MiB and files that are not text are found by name only. A club behind a network is "
      + "asked to search, too. Without a match the exit code is 4.")

  @Argument(help: "The words.") var words: [String]
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let text = words.joined(separator: " ")
    guard !TextFinder(text).isEmpty else {
      throw StoreError(.badInput, "The search has no word.", remedy: "Name one or more words.")
    }
    let progress = SearchProgress(session)
    defer { progress.finish() }
    let search = try await session.open.notes.search(for: text) { progress.searched($0, of: $1) }
    var answer = Answer()
    answer.failures = search.failures
    let columns = session.output.resultsAreShown ? TerminalSize.columns(of: 1) : nil
    answer.records = search.found.compactMap { SearchCommand.record($0, columns: columns) }
    for photo in try await photos(text, &answer, session) {
      answer.records.append(Record(PhotoName.json(photo, session.open.club), line: photo.path.bytes))
    }
    answer.notices += SearchCommand.skipped(search.tooLarge, "over 16 MiB")
    answer.notices += SearchCommand.skipped(search.notText, "not text")
    if answer.records.isEmpty, answer.failures.isEmpty {
      throw StoreError(
        .notFound, (["No note or photo of the club matches \"\(text)\"."] + answer.notices).joined(separator: "\n"))
    }
    return answer
  }

  /// The photos whose names have the words, and those that the store finds, by path.
  private func photos(
    _ text: String, _ answer: inout Answer, _ session: Session
  ) async throws(StoreError) -> [FileEntry] {
    let finder = TextFinder(text)
    var found: [StorePath: FileEntry] = [:]
    try await session.open.photos.list { page in
      for photo in page {
        let name = PhotoName.bytes(photo.path, session.open.club)
        if finder.matches(String(decoding: name, as: UTF8.self)) { found[photo.path] = photo }
      }
    }
    do throws(StoreError) {
      for match in try await session.open.photos.found(by: text) {
        found[match.entry.path] = found[match.entry.path] ?? match.entry
      }
    } catch {
      if error.kind == .cancelled { throw error }
      // What was read counts.
      answer.failures.append(error)
    }
    return found.values.sorted { $0.path < $1.path }
  }

  /// What was found by names alone, in a sentence; none when there is nothing.
  private static func skipped(_ paths: [StorePath], _ reason: String) -> [String] {
    switch paths.count {
    case 0: []
    case 1: ["Searched \"\(paths[0])\" by name only: it is \(reason)."]
    default: ["Searched \(paths.count) files by name only: they are \(reason)."]
    }
  }

  private static func record(_ note: FoundNote, columns: Int?) -> Record? {
    guard case .object(let members) = JSONValue.file(note.entry) else { return nil }
    let matches = JSONValue.array(
      note.lines.map { .members(["line": .number($0.number), "text": .string($0.text)]) })
    let name = String(decoding: note.entry.path.name, as: UTF8.self)
    let lines = note.lines.map { line in
      let place = "\(name):\(line.number): "
      return place + SearchCommand.cut(line, columns: columns.map { $0 - TerminalText.columns(place) })
    }
    return Record(
      .object(members + [JSONMember("matches", matches)]), lines: lines.isEmpty ? [name] : lines)
  }

  /// The line, or as much of it around the first word as is worth showing on a terminal of this width.
  static func cut(_ line: TextFinder.Line, columns: Int?) -> String {
    guard let columns, TerminalText.columns(line.text) > max(columns, narrowest) else { return line.text }
    let room = max(columns, narrowest)
    let skipped = max(0, line.start - room / 3)
    let rest = String(line.text.dropFirst(skipped))
    let isWhole = TerminalText.columns(rest) <= room - (skipped > 0 ? 1 : 0)
    let shown = isWhole ? rest : TerminalText.cut(rest, columns: room - 2).text + "…"
    return (skipped > 0 ? "…" : "") + shown
  }

  /// Columns that are worth showing of a line even where a long name leaves none.
  private static let narrowest = 30
}
