import ArgumentParser
import Basics
import ClubServices
import FileStores
import JSON
import Synchronization
import TextUI

struct SearchCommand: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find notes and photos by their names, texts, captions and remarks.",
    discussion: Examples.text([
      "byteclub search lighthouse": "name, line and text of each match",
      "byteclub search red bicycle": "notes that have both words, and photos whose names have both",
      "byteclub search by:ann since:7d in:trips": "ann's notes and photos of a week, below a folder named trips",
      "byteclub search -- tag:oslo '\"low tide\"' -boat": "with a tag and a phrase, and without a word",
    ])
      + "\n\nLetter case and accents do not matter: cafe finds Café. The words may stand on different lines of a note and in "
      + "its name. byteclub prints the lines that have all the words or, without such lines, those that have one of them. "
      + "Notes over 16 MiB and files that are not text are found by name only. A club behind a network is "
      + "asked to search, too. Without a match the exit code is 4.\n\n" + NoteQuery.help)

  @Argument(
    help: "Words, phrases in quotation marks, filters; a minus before one excludes it.",
    completion: NameCompletion.search)
  var words: [String]
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let text = words.joined(separator: " ")
    let query = NoteQuery(text, .local)
    if let problem = query.problem { throw problem }
    guard !query.isEmpty else {
      throw StoreError(.badInput, "The search has no word.", remedy: "Name one or more words.")
    }
    let progress = SearchProgress(session)
    defer { progress.finish() }
    let facts = try await SearchCommand.facts(query, session)
    let search = try await session.open.notes.search(for: query, facts: facts) { progress.searched($0, of: $1) }
    var answer = Answer()
    answer.query = query.json
    answer.failures = search.failures
    let columns = session.output.resultsAreShown ? TerminalSize.columns(of: 1) : nil
    answer.records = search.found.map {
      SearchCommand.record(
        .file($0.entry), String(decoding: $0.entry.path.bytes, as: UTF8.self), $0.lines, columns: columns)
    }
    let photos = try await photos(query, facts, session, &answer.failures)
    for photo in photos {
      let path = photo.entry.path
      answer.records.append(
        SearchCommand.record(
          PhotoName.json(photo.entry, session.open.photos), String(decoding: path.bytes, as: UTF8.self), photo.lines,
          columns: columns))
    }
    answer.notices += SearchCommand.skipped(search.tooLarge, "over 16 MiB")
    answer.notices += SearchCommand.skipped(search.notText, "not text")
    if answer.records.isEmpty, answer.failures.isEmpty {
      throw StoreError(
        .notFound, (["No note or photo of the club matches \"\(text)\"."] + answer.notices).joined(separator: " "))
    }
    return answer
  }

  /// Shows the hits in the notes also when the photos cannot be listed.
  private func photos(
    _ query: NoteQuery, _ facts: @escaping @Sendable (FileEntry) -> NoteQuery.Facts, _ session: Session,
    _ failures: inout [StoreError]
  ) async throws(StoreError) -> [FoundPhoto] {
    do throws(StoreError) {
      let search = try await session.open.photos.search(for: query, facts: facts)
      if let failure = search.failure { failures.append(failure) }
      return search.found
    } catch {
      if error.kind == .cancelled { throw error }
      failures.append(error)
      return []
    }
  }

  /// With `is:unread` the lists are compared with the revisions that this member has seen.
  private static func facts(
    _ query: NoteQuery, _ session: Session
  ) async throws(StoreError) -> @Sendable (FileEntry) -> NoteQuery.Facts {
    guard query.terms.contains(where: { $0.filter == .is && $0.value.lowercased() == "unread" }) else {
      return { NoteQuery.Facts($0) }
    }
    let open = session.open
    var (notes, photos): ([FileEntry], [FileEntry]) = ([], [])
    try await open.notes.details { notes += $0 }
    try await open.photos.list { photos += $0 }
    var unread = Set(await open.news.marks(ofAll: notes, in: .notes).keys)
    unread.formUnion(await open.news.marks(ofAll: photos, in: .photos).keys)
    return { [unread] entry in
      var facts = NoteQuery.Facts(entry)
      facts.isUnread = unread.contains(entry.path)
      return facts
    }
  }

  private static func skipped(_ paths: [StorePath], _ reason: String) -> [String] {
    switch paths.count {
    case 0: []
    case 1: ["Searched \"\(paths[0])\" by name only: it is \(reason)."]
    default: ["Searched \(paths.count) files by name only: they are \(reason)."]
    }
  }

  private static func record(
    _ file: JSONValue, _ name: String, _ found: [TextFinder.Line], columns: Int?
  ) -> Record {
    let matches = JSONValue.array(found.map { .members(["line": .number($0.number), "text": .string($0.text)]) })
    let lines = found.map { line in
      let place = "\(name):\(line.number): "
      return place + SearchCommand.cut(line, columns: columns.map { $0 - TerminalText.columns(place) })
    }
    return Record(file.adding([JSONMember("matches", matches)]), lines: lines.isEmpty ? [name] : lines)
  }

  static func cut(_ line: TextFinder.Line, columns: Int?) -> String {
    guard let columns, TerminalText.columns(line.text) > max(columns, narrowest) else { return line.text }
    let room = max(columns, narrowest)
    let skipped = max(0, line.start - room / 3)
    let rest = String(line.text.dropFirst(skipped))
    let isWhole = TerminalText.columns(rest) <= room - (skipped > 0 ? 1 : 0)
    let shown = isWhole ? rest : TerminalText.cut(rest, columns: room - 2).text + "…"
    return (skipped > 0 ? "…" : "") + shown
  }

  /// The least number of columns, even after a long name.
  private static let narrowest = 30
}

/// Reports a search after a second: a repainted line on a terminal, otherwise a line every ten seconds.
final class SearchProgress: Sendable {
  private struct State {
    var last: Duration?
    var painted = 0
  }

  private static let patience = Duration.seconds(1)

  private let output: Output
  private let isSilent: Bool
  private let elapsed: @Sendable () -> Duration
  private let state = Mutex(State())

  /// Silent with `--json`.
  convenience init(_ session: Session) { self.init(session.output, isSilent: session.isJSON) }

  init(_ output: Output, isSilent: Bool, clock: some Clock<Duration> = TimerClock()) {
    (self.output, self.isSilent) = (output, isSilent)
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
  }

  func searched(_ done: Int, of total: Int) {
    let now = elapsed()
    guard !isSilent, now >= SearchProgress.patience, done < total else { return }
    state.withLock { state in
      let interval = output.noticesAreShown ? Duration.milliseconds(200) : .seconds(10)
      if let last = state.last, now - last < interval { return }
      state.last = now
      let line = "Searching \(done.grouped) of \(total.grouped) notes"
      guard output.noticesAreShown else { return output.notice(line) }
      state.painted = output.paint(line, over: state.painted)
    }
  }

  func finish() {
    state.withLock { state in
      if state.painted > 0 { state.painted = output.paint("", over: state.painted) }
    }
  }
}

extension NoteQuery {
  /// The filters, for people.
  static let help = """
    Filters: by:NAME the last author; since:DAY and before:DAY the last change, where DAY is 7d, 2w, 3m, 1y, 2026-11, \
    2026-11-29, today or yesterday; in:FOLDER; tag:TAG; is:unread; has:photo. A phrase stands in quotation marks, which \
    the shell must not take. A minus before a word or filter excludes it; then put -- before the search.
    """

  /// The meaning of the search: words as they are sought, filters with the moment of a day.
  var json: JSONValue {
    .members([
      "words": .array(words.map { .string($0) }), "without": .array(without.map { .string($0) }),
      "filters": .array(
        terms.map { term in
          .members([
            "filter": .string(term.filter.rawValue), "value": .string(term.value), "not": .bool(term.isNegated),
            "moment": term.moment.map { .string(RFC3339.text($0)) },
          ])
        }),
    ])
  }
}
