import ArgumentParser
import ClubServices
import FileStores
import Markdown

struct NoteNew: ChangingVerb {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Make a note, empty or from a template.",
    discussion: Examples.text([
      "byteclub note new Rome --template trip": "from templates/trip.md",
      "byteclub note new Rome --template trip --edit": "and write on in $VISUAL or $EDITOR",
      "byteclub note new Rome": "an empty note",
    ])
      + "\n\nIt prints the new note's path. A note that is there already is never replaced. Templates are the notes of the "
      + "folder \(NoteTemplate.folder). {date}, {time}, {member} and {title} in them are filled, and {cursor} is "
      + "left out; everything else stays as it is.")

  @Argument(help: "The new note.") var name: String
  @Option(name: .long, help: ArgumentHelp("The template, by its name or path.", valueName: "name"))
  var template: String?
  @Flag(name: .long, help: "Open the new note with $VISUAL or $EDITOR.") var edit = false
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    var path: StorePath?
    if let template { path = try await notes.template(named: template) }
    return try await Self.make(name, try await notes.template(at: path), edits: edit, shared, session)
  }

  /// Makes a note, and prints its path or opens it in the member's editor.
  /// - Throws: `exists`; as a save.
  static func make(
    _ name: String, _ template: NoteTemplate, edits: Bool, _ shared: SharedOptions, _ session: Session
  ) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    let target = try await NoteTarget.find(name, session)
    let text = template.filled(title: MarkdownDocument.stem(of: target.path.name)).text
    if let there = target.entry { throw exists(there.path, there) }
    if case .unknown(let there, let error) = target {
      try await notes.keep(text, for: there.path, base: nil, after: error)
      throw session.kept(there.path, error)
    }
    switch try await notes.save(target.path, base: nil, text: text, draft: nil, isOnlyCopy: true) {
    case .saved(let entry):
      return try await show(entry, edits: edits, "Made \"\(entry.path)\".\(entry.lossSentence)", shared, session)
    case .merged(let merged): return try await show(merged.entry, edits: edits, merged.sentence, shared, session)
    case .kept(_, let error): throw session.kept(target.path, error)
    case .conflict(let conflict):
      try await notes.keepAsDraft(conflict.save)
      throw exists(target.path, conflict.theirEntry)
    case .deleted: throw exists(target.path, nil)
    }
  }

  /// Prints the path of a note, or opens it in the member's editor.
  static func show(
    _ entry: FileEntry, edits: Bool, _ notice: String?, _ shared: SharedOptions, _ session: Session
  ) async throws(StoreError) -> Answer {
    guard edits else {
      return Answer([Record(.file(entry), line: entry.path.bytes)], notice: notice)
    }
    var edit = NoteEdit()
    (edit.name, edit.shared) = ("\(entry.path)", shared)
    return try await edit.perform(session)
  }

  private static func exists(_ path: StorePath, _ there: FileEntry?) -> StoreError {
    StoreError(
      .exists, "\"\(path)\" already exists, and was not replaced.", remedy: "Choose another name.", path: path,
      current: there)
  }
}

struct NoteToday: ChangingVerb {
  static let configuration = CommandConfiguration(
    commandName: "today", abstract: "Print the path of the day's note, which is made if it is missing.",
    discussion: Examples.text([
      "byteclub note today --edit": "write in it with $VISUAL or $EDITOR",
      "date | byteclub note append \"$(byteclub note today)\"": "add a line to it",
    ])
      + "\n\nThe setting notes.today says where it is, and notes.todayTemplate with which text it begins.")

  @Flag(name: .long, help: "Open it with $VISUAL or $EDITOR.") var edit = false
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    let (path, template) = try await notes.dayNote(session.setup.config.dayNote)
    if let template { return try await NoteNew.make("\(path)", template, edits: edit, shared, session) }
    let own = try await notes.own(path)?.entry
    let entry = own ?? FileEntry(path: path, kind: .file)
    return try await NoteNew.show(
      own == nil ? try await notes.entry(named: "\(path)") ?? entry : entry, edits: edit, nil, shared, session)
  }
}
