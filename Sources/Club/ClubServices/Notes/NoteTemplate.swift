internal import Basics
public import FileStores

/// A text with places for the facts of a new note: `{date}`, `{time}`, `{member}`, `{title}` and `{cursor}`.
///
/// Everything else stays as it is: other words in braces, `{{date}}`, and the names of other templates. A fact that contains
/// braces is not filled again.
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
    let filled = fill(text, ["date", "time", "member", "title", "cursor"]) { word, before in
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

  private static let longestWord = 6

  /// `take` gets each of these words in braces and the number of bytes before it. Doubled braces are those of other
  /// programs.
  private func fill(_ text: [UInt8], _ words: Set<String>, _ take: (String, Int) -> String) -> [UInt8] {
    var filled: [UInt8] = []
    var done = 0
    for open in text.indices where text[open] == UInt8(ascii: "{") && open >= done {
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
  /// The folder of the templates, at the top of the club.
  public static let folder = "templates"
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
    let folder = try StorePath.root.appending(NoteTemplate.folder)
    var found: [StorePath] = []
    do throws(StoreError) {
      var page = try await store.list(folder, ListOptions(.names), after: nil)
      while true {
        found += page.entries.filter { $0.kind == .file && Self.isTemplate($0.path) }.map(\.path)
        guard let next = page.next, found.count < Self.mostTemplates else { break }
        page = try await store.list(folder, ListOptions(.names), after: next)
      }
    } catch {
      guard error.kind == .notFound else { throw error }
    }
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
    if let path = all.first(where: { path in
      wanted.contains { $0 == "\(path)" || Array($0.utf8) == Array(path.name) }
    }) {
      return path
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
      return (path, empty)
    }
  }

  private func hasNote(at path: StorePath) async throws(StoreError) -> Bool {
    if try await own(path) != nil { return true }
    do throws(StoreError) {
      return try await store.entry(at: path).kind == .file
    } catch {
      guard error.kind == .notFound else { throw error }
      return false
    }
  }
}
