internal import Basics
public import FileStores

/// A text with places for the facts of a new note: `{date}`, `{time}`, `{member}`, `{title}` and `{cursor}`, and as Obsidian
/// writes them `{{date}}`, `{{date:YYYY-MM-DD}}`, `{{time}}` and `{{title}}`.
///
/// Everything else stays as it is: other words in braces, and the names of other templates. A fact that contains braces is
/// not filled again.
public struct NoteTemplate: Sendable, Hashable {
  public let text: [UInt8]
  public let member: String
  private let time: CivilTime

  /// `offset` are the seconds of the member's time from UTC at that moment.
  public init(_ text: [UInt8], at moment: Timestamp, offset: Int, member: String) {
    (self.text, self.member) = (text, member)
    time = CivilTime(secondsSince1970: Int(moment.seconds) + offset)
  }

  /// The text of a new note, and the offset for the cursor: the first place for it, else the end.
  public func filled(title: String) -> (text: [UInt8], cursor: Int) {
    var cursor: Int?
    let doubled = { (words: Substring) in fact(doubled: words, title: title) }
    let filled = fill(text, ["date", "time", "member", "title", "cursor"], doubled: doubled) { word, before in
      guard word == "cursor" else { return word == "title" ? title : fact(word) }
      cursor = cursor ?? before
      return ""
    }
    return (filled, cursor ?? filled.count)
  }

  /// The typed path of a day's note: `{date}`, `{year}`, `{month}`, `{day}` and `{member}` in a pattern such as
  /// `daily/{year}/{date}`. Slashes of a member's name become hyphens.
  public func path(ofDay pattern: String) -> String {
    let filled = fill(Array(pattern.utf8), ["date", "year", "month", "day", "member"]) { word, _ in
      String(fact(word).map { $0 == "/" ? "-" : $0 })
    }
    return String(decoding: filled, as: UTF8.self)
  }

  private func fact(_ word: String) -> String {
    let moment = time.utc
    return switch word {
    case "date": String(moment.prefix(10))
    case "time": String(moment.dropFirst(11).prefix(5))
    case "year": String(moment.prefix(4))
    case "month": String(moment.dropFirst(5).prefix(2))
    case "day": String(moment.dropFirst(8).prefix(2))
    default: member
    }
  }

  /// The fact that Obsidian's words between doubled braces mean; nil for others.
  private func fact(doubled words: Substring, title: String) -> String? {
    let parts = words.split(separator: ":", maxSplits: 1)
    switch (parts.first, parts.count) {
    case ("title", 1): return title
    case ("date", 1), ("time", 1): return fact(String(parts[0]))
    case ("date", 2), ("time", 2): return formatted(parts[1])
    default: return nil
    }
  }

  /// The moment by a format such as `YYYY-MM-DD HH:mm`; nil for one with other letters.
  private func formatted(_ format: Substring) -> String? {
    let moment = time.utc
    let starts = ["YYYY": 0, "MM": 5, "DD": 8, "HH": 11, "mm": 14, "ss": 17]
    var (text, rest) = ("", format)
    while let first = rest.first {
      let run = rest.prefix { $0 == first }
      rest = rest.dropFirst(run.count)
      if let start = starts[String(run)] {
        text += moment.dropFirst(start).prefix(run.count)
      } else if first.isLetter {
        return nil
      } else {
        text += run
      }
    }
    return text
  }

  private static let longestWord = 6
  private static let longestDoubled = 40

  /// `take` gets each of these words in braces and the number of bytes before it, `takeDoubled` what doubled braces hold.
  private func fill(
    _ text: [UInt8], _ words: Set<String>, doubled takeDoubled: (Substring) -> String? = { _ in nil },
    _ take: (String, Int) -> String
  ) -> [UInt8] {
    var filled: [UInt8] = []
    var done = 0
    for open in text.indices where text[open] == UInt8(ascii: "{") && open >= done {
      let inner = text[(open + 1)...].prefix(Self.longestDoubled)
      if inner.first == UInt8(ascii: "{"), let close = inner.firstIndex(of: UInt8(ascii: "}")),
        close + 1 < text.count, text[close + 1] == UInt8(ascii: "}"),
        let fact = takeDoubled(String(decoding: text[(open + 2)..<close], as: UTF8.self)[...])
      {
        filled += text[done..<open] + fact.utf8
        done = close + 2
        continue
      }
      let end = min(text.count, open + Self.longestWord + 2)
      guard let close = text[open..<end].firstIndex(of: UInt8(ascii: "}")) else { continue }
      let word = String(decoding: text[(open + 1)..<close], as: UTF8.self)
      let isDoubled =
        open > 0 && text[open - 1] == UInt8(ascii: "{")
        || close + 1 < text.count && text[close + 1] == UInt8(ascii: "}")
      guard words.contains(word), !isDoubled else { continue }
      filled += text[done..<open]
      filled += take(word, filled.count).utf8
      done = close + 1
    }
    return filled + text[done...]
  }
}

extension NoteTemplate {
  /// The folder of the templates, at the top of the club. Another letter case is the same folder, as in `Templates`.
  public static let folder = "templates"

  /// True for a path below the folder of the templates.
  public static func isTemplate(_ path: some Collection<UInt8>) -> Bool {
    String(decoding: path.prefix(folder.utf8.count + 1), as: UTF8.self).lowercased() == "\(folder)/"
  }
}

/// The settings of the day's note.
public struct DayNote: Sendable, Hashable {
  /// The path, as `NoteTemplate.path(ofDay:)` fills it.
  public let pattern: String
  /// The path of its template.
  public let template: String

  public init(pattern: String = "{date}.md", template: String = "\(NoteTemplate.folder)/today.md") {
    (self.pattern, self.template) = (pattern, template)
  }
}

extension NotesService {
  /// More templates are not listed.
  private static let mostTemplates = 200

  /// The notes of the folder of templates by name; none without the folder.
  /// - Throws: the errors of a listing.
  public func templates() async throws(StoreError) -> [StorePath] {
    let written = try StorePath.root.appending(NoteTemplate.folder)
    let found = try await templates(in: written)
    guard found.isEmpty else { return found }
    let other = try await club.contents(of: .root, isDeep: false).first { entry in
      entry.kind == .folder && entry.path != written && NoteTemplate.isTemplate(entry.path.bytes + [UInt8(ascii: "/")])
    }
    guard let other else { return [] }
    return try await templates(in: other.path)
  }

  private func templates(in folder: StorePath) async throws(StoreError) -> [StorePath] {
    let all = try await ifThere { () throws(StoreError) in try await club.contents(of: folder, isDeep: false) } ?? []
    let found = all.filter { $0.kind == .file && Self.isTemplate($0.path) }.map(\.path)
    return Array(found.sorted().prefix(Self.mostTemplates))
  }

  private static func isTemplate(_ path: StorePath) -> Bool {
    let name = String(decoding: path.name, as: UTF8.self).lowercased()
    return !name.hasPrefix(".") && !Talk.isNamed(path)
      && (!name.contains(".") || [".md", ".markdown", ".txt"].contains { name.hasSuffix($0) })
  }

  /// A template of that name, with or without its ending, or the one at a path.
  /// - Throws: `notFound` with the names that there are; the errors of a listing.
  public func template(named name: String) async throws(StoreError) -> StorePath {
    let all = try await templates()
    let wanted = NotesService.spellings(of: name)
    for same in [{ $0 }, { $0.lowercased() }] as [(String) -> String] {
      if let path = all.first(where: { path in
        let known = [same("\(path)"), same(String(decoding: path.name, as: UTF8.self))]
        return wanted.contains { known.contains(same($0)) }
      }) {
        return path
      }
    }
    let names = all.map { "\"\(String(decoding: $0.name, as: UTF8.self))\"" }.joined(separator: ", ")
    throw StoreError(
      .notFound, "The club has no template \"\(name)\".",
      remedy: all.isEmpty
        ? "Make the folder \"\(NoteTemplate.folder)\" with notes in it." : "The templates are \(names).")
  }

  /// Reads a template, for a note that begins now. Without a path it is empty.
  /// - Throws: as `bytes`; `unsupported` for a file that is not text.
  public func template(at path: StorePath?, offset: (Timestamp) -> Int = { $0.localOffset }) async throws(StoreError)
    -> NoteTemplate
  {
    var text: [UInt8] = []
    if let path {
      text = try await bytes(of: path).bytes
      guard OpenNote.kind(of: text) == .text else {
        throw StoreError(.unsupported, "The template \"\(path)\" is not UTF-8 text.", path: path)
      }
    }
    let moment = now()
    return NoteTemplate(text, at: moment, offset: offset(moment), member: await club.spokenName())
  }

  /// The day's note, and its filled template unless the club has the note already.
  /// - Throws: `badName` for a path that no note can have; errors of the store.
  public func dayNote(
    _ settings: DayNote, offset: (Timestamp) -> Int = { $0.localOffset }
  ) async throws(StoreError) -> (path: StorePath, template: NoteTemplate?) {
    let empty = try await template(at: nil, offset: offset)
    let path = try newPath(empty.path(ofDay: settings.pattern))
    if try await hasNote(at: path) { return (path, nil) }
    do throws(StoreError) {
      return (path, try await template(at: try StorePath(Array(settings.template.utf8)), offset: offset))
    } catch {
      guard error.kind == .notFound else { throw error }
      let other = try await templates().first { "\($0)".lowercased() == settings.template.lowercased() }
      return (path, try await template(at: other, offset: offset))
    }
  }

  private func hasNote(at path: StorePath) async throws(StoreError) -> Bool {
    if try await own(path) != nil { return true }
    return try await store.entryIfAny(path)?.kind == .file
  }
}
