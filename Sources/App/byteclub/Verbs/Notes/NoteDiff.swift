import ArgumentParser
import ClubServices
import FileStores
import JSON
import Merge
import TextUI

struct NoteDiff: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show the lines and words that differ between two versions of a note.",
    discussion: Examples.text([
      "byteclub note diff Welcome": "the last change",
      "byteclub note diff Welcome REV": "the changes since a version",
      "byteclub note diff Welcome REV REV": "from one version to another",
    ])
      + "\n\n\"byteclub note history\" shows the revisions. A text of yours that waits to be sent is the newest version, "
      + "compared with the club's. On a terminal the differing words are marked. Elsewhere, and with "
      + "--color never, the lines are in the unified format of diff and patch.")

  @Argument(help: "The note.", completion: NameCompletion.notes) var name: String
  @Argument(help: ArgumentHelp("The older version, as `note history` shows it.", valueName: "rev")) var from: String?
  @Argument(help: ArgumentHelp("The newer version; without it, the note as it is.", valueName: "rev")) var to: String?
  @Option(name: .long, help: "Colours: on a terminal (auto), always or never.") var color = NoteShow.Color.auto
  @OptionGroup var shared: SharedOptions

  private static let context = 3

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    if to == nil, let own = try await NoteDiff.own(name, notes) {
      session.notice(own.sentence)
      let path = own.entry.path
      let (text, entry) = try await older(than: own, notes)
      let mine = FileEntry(path: path, kind: .file, size: own.entry.size, modified: own.entry.modified)
      return try answer(TextDiff(from: text, to: own.bytes), entry, mine, path, session)
    }
    let found = try await NoteName.withHistory(name, notes) { (path) async throws(StoreError) in
      try await notes.history(of: path)
    }
    let (path, versions) = (found.path, found.value)
    let newer = try to.map { (word) throws(StoreError) in try NoteDiff.version(word, versions, path) } ?? versions.first
    let older: FileEntry?
    if let from {
      older = try NoteDiff.version(from, versions, path)
    } else {
      older = versions.dropFirst().first(where: \.isKept)
    }
    let texts = (try await NoteDiff.text(older, path, notes), try await NoteDiff.text(newer, path, notes))
    return try answer(TextDiff(from: texts.0, to: texts.1), older, newer, path, session)
  }

  private func answer(
    _ diff: TextDiff, _ older: FileEntry?, _ newer: FileEntry?, _ path: StorePath, _ session: Session
  ) throws(StoreError) -> Answer {
    if session.isJSON { return Answer([Record(try NoteDiff.json(diff, older, newer, path), line: nil)]) }
    if diff.isEmpty { return Answer([], notice: "The two versions of \"\(path)\" have the same text.") }
    let theme = Theme(session.setup.environment, isTerminal: session.output.resultsAreShown, color)
    session.output.drawing(
      theme.colors == .none && !session.output.resultsAreShown
        ? NoteDiff.unified(diff, path) : NoteDiff.shown(diff, older, newer, theme))
    return Answer()
  }

  /// The member's text of the note that waits to be sent; nil without one.
  private static func own(_ name: String, _ notes: NotesService) async throws(StoreError) -> OwnText? {
    try await ifThere { () throws(StoreError) in try await notes.own(try await NoteName.path(name, notes)) }
  }

  /// The version that a text of the member is compared with: the named one, or the club's text, if it has one.
  private func older(
    than own: OwnText, _ notes: NotesService
  ) async throws(StoreError) -> (text: [UInt8], entry: FileEntry?) {
    let path = own.entry.path
    if let from {
      let version = try NoteDiff.version(from, try await notes.history(of: path), path)
      return (try await NoteDiff.text(version, path, notes), version)
    }
    return try await ifThere { () throws(StoreError) -> (text: [UInt8], entry: FileEntry?)? in
      let (text, entry) = try await notes.bytes(of: path)
      return (text, entry)
    } ?? ([], nil)
  }

  private static func version(
    _ word: String, _ versions: [FileEntry], _ path: StorePath
  ) throws(StoreError) -> FileEntry {
    let wanted = NoteName.revision(word, in: versions)
    if let version = versions.first(where: { $0.revision == wanted }) { return version }
    throw StoreError(
      .notFound, "\"\(path)\" has no version \(word).", remedy: "See the versions with: byteclub note history NAME",
      path: path)
  }

  /// No version is an empty text.
  private static func text(
    _ version: FileEntry?, _ path: StorePath, _ notes: NotesService
  ) async throws(StoreError) -> [UInt8] {
    guard let revision = version?.revision else { return [] }
    return try await notes.version(revision, of: path).bytes
  }
}

// MARK: Forms

extension NoteDiff {
  /// The format of `diff -u`.
  static func unified(_ diff: TextDiff, _ path: StorePath) -> [UInt8] {
    var bytes = Array("--- a/".utf8) + path.bytes + Array("\n+++ b/".utf8) + path.bytes + [0x0A]
    for hunk in diff.hunks(context: context) {
      bytes += Array("@@ -\(range(hunk.old)) +\(range(hunk.new)) @@\n".utf8)
      for (sign, line) in lines(hunk, diff) {
        bytes += Array(sign.utf8) + line
        if line.last != 0x0A { bytes += Array("\n\\ No newline at end of file\n".utf8) }
      }
    }
    return bytes
  }

  private static func range(_ lines: Range<Int>) -> String {
    let start = lines.isEmpty ? lines.lowerBound : lines.lowerBound + 1
    return lines.count == 1 ? "\(start)" : "\(start),\(lines.count)"
  }

  private static func lines(_ hunk: TextDiff.Hunk, _ diff: TextDiff) -> [(sign: String, line: ArraySlice<UInt8>)] {
    hunk.blocks.flatMap { block -> [(String, ArraySlice<UInt8>)] in
      if block.isSame { return block.old.map { (" ", diff.oldText(of: $0..<($0 + 1))) } }
      return block.old.map { ("-", diff.oldText(of: $0..<($0 + 1))) }
        + block.new.map { ("+", diff.newText(of: $0..<($0 + 1))) }
    }
  }

  /// For people: who and when, and the differing words marked.
  static func shown(_ diff: TextDiff, _ older: FileEntry?, _ newer: FileEntry?, _ theme: Theme) -> [UInt8] {
    func line(_ runs: [RenderedLine.Run]) -> [UInt8] { RenderedLine.bytes(runs, theme) }
    func words(_ entry: FileEntry?) -> String {
      guard let entry else { return "nothing" }
      return [entry.modified.map(RFC3339.text) ?? "an unknown time", entry.member, entry.revision?.value]
        .compactMap { $0 }.joined(separator: "  ")
    }
    var bytes =
      line([RenderedLine.Run("- \(words(older))", .removed)]) + line([RenderedLine.Run("+ \(words(newer))", .added)])
    for hunk in diff.hunks(context: context) {
      bytes += line([RenderedLine.Run("line \(hunk.new.lowerBound + 1)", .columnHead)])
      for block in hunk.blocks {
        let (old, new) = (diff.oldText(of: block.old), diff.newText(of: block.new))
        if block.isSame {
          bytes += marked(new, [], "  ", .dim, line)
          continue
        }
        let places = old.isEmpty || new.isEmpty ? ([], []) : TextDiff.words(from: old, to: new)
        bytes += marked(old, places.0, "- ", .removed, line) + marked(new, places.1, "+ ", .added, line)
      }
    }
    return bytes
  }

  private static func marked(
    _ text: ArraySlice<UInt8>, _ places: [Range<Int>], _ sign: String, _ role: Role,
    _ line: ([RenderedLine.Run]) -> [UInt8]
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
      let row = rest[..<end]
      var runs = [RenderedLine.Run(sign, role)]
      var done = row.startIndex
      for place in places {
        let part = (place.lowerBound + text.startIndex)..<(place.upperBound + text.startIndex)
        let here = part.clamped(to: row.startIndex..<row.endIndex)
        guard !here.isEmpty else { continue }
        runs.append(RenderedLine.Run(Array(row[done..<here.lowerBound]), role))
        runs.append(RenderedLine.Run(Array(row[here]), role, [.bold, .underline]))
        done = here.upperBound
      }
      runs.append(RenderedLine.Run(Array(row[done...]), role))
      bytes += line(runs)
      rest = end < rest.endIndex ? rest[(end + 1)...] : rest[rest.endIndex...]
    }
    return bytes
  }

  /// - Throws: `badInput` for a text that JSON cannot hold.
  private static func json(
    _ diff: TextDiff, _ older: FileEntry?, _ newer: FileEntry?, _ path: StorePath
  ) throws(StoreError) -> JSONValue {
    guard [diff.old, diff.new].allSatisfy({ String(validating: $0, as: UTF8.self) != nil }) else {
      throw StoreError(
        .badInput, "\"\(path)\" is not UTF-8, so JSON cannot hold it.", remedy: "Leave out --json.", path: path)
    }
    let kinds = [" ": "same", "-": "removed", "+": "added"]
    return .members([
      "path": .string("\(path)"),
      "from": older?.revision.map { .string($0.value) } ?? .null,
      "to": newer?.revision.map { .string($0.value) } ?? .null,
      "hunks": .array(
        diff.hunks(context: context).map { hunk in
          .members([
            "oldLine": .number(UInt64(hunk.old.lowerBound + 1)), "newLine": .number(UInt64(hunk.new.lowerBound + 1)),
            "lines": .array(
              lines(hunk, diff).map { sign, line in
                .members([
                  "kind": .string(kinds[sign] ?? "same"),
                  "text": .string(String(decoding: line.last == 0x0A ? line.dropLast() : line, as: UTF8.self)),
                ])
              }),
          ])
        }),
    ])
  }
}
