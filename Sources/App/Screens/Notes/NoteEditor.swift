internal import ClubServices
internal import FileStores
internal import Markdown
internal import TextUI

/// A note that is edited. Each save that leaves the editor open ends its session: the text goes on in a new one, as if
/// the member had opened the saved text again.
struct NoteEditor: Sendable {
  var session: Int
  /// Nil for a note that never had a file.
  let path: StorePath?
  let title: String
  /// The revision that the member has seen.
  var base: Revision?
  /// The text of that revision, with all that came in since where both changed a place. nil if only the journal has it.
  var baseText: [UInt8]?
  var newer = NewerTexts()
  /// The first text of the session, to which the draft's log of edits applies.
  var start: [UInt8]
  var text: TextEditor
  /// True for an earlier draft, which is saved even without a further edit.
  var isChangedFromStart: Bool
  var hasDraft = false
  /// The sessions that this editor's saves have ended, the latest last.
  var saved: [Int] = []
  /// True from a save that the outbox keeps until the next one that reaches the club.
  var isKept = false
  /// The first row in view when the editor was opened.
  private(set) var openedAt = 0
  /// True if the text is drawn as Markdown.
  let isMarkdown: Bool
  var bar = EditorBar()
  /// The names that fit the link at the cursor.
  var completion: LinkCompletion?
  /// The last edit and the last click, in seconds since 1970.
  var editedAt: Int64 = 0
  var clicked: (point: Point, at: Int64)?

  var isChanged: Bool { isChangedFromStart || text.isModified }

  /// The text has a column of margin to its left, as the reader's has.
  static func textSize(_ size: Size) -> Size { Size(max(1, size.width - 1), size.height) }

  /// The caption of a photo, if it fits on one line.
  var captionField: TextField? {
    guard let path, Caption.photo(of: path) != nil, text.vi == nil else { return nil }
    var line = text.bytes
    if line.last == 0x0A { line.removeLast() }
    guard !line.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return nil }
    var field = TextField(bytes: line)
    field.move(to: text.text.cursor)
    return field
  }

  init(_ note: OpenNote, session: Int, size: Size) {
    self.init(session: session, path: note.entry.path, base: note.entry.revision, bytes: note.bytes, size: size)
  }

  /// Edits the reader's note from the first visible row.
  init(_ reader: NoteReader, session: Int) {
    self.init(reader.note, session: session, size: reader.size)
    text.open(at: reader.topOffset)
    openedAt = text.topOffset
  }

  /// Continues the form of a note that is in the club or in the outbox now.
  init(_ form: NewNoteForm, path: StorePath, base: Revision?, size: Size) {
    self.init(session: form.session, path: path, base: base, bytes: form.start, size: size)
    text = form.text
    text.resize(Self.textSize(size))
    hasDraft = form.hasDraft
    saved = form.saving.map { [$0.session] } ?? []
  }

  /// Continues a draft of an earlier run.
  init(_ draft: Draft, bytes: [UInt8], session: Int, size: Size) {
    self.init(
      session: session, path: draft.path, title: draft.title, base: draft.base, bytes: bytes, size: size,
      isChanged: true)
    hasDraft = true
    baseText = nil
  }

  private init(
    session: Int, path: StorePath?, title: String? = nil, base: Revision?, bytes: [UInt8], size: Size,
    isChanged: Bool = false
  ) {
    self.session = session
    self.path = path
    self.title = title ?? path.map { "\($0)" } ?? ""
    (self.base, baseText) = (base, bytes)
    start = bytes
    isMarkdown = path.map { MarkdownDocument.isMarkdown(named: $0.name, beginning: bytes) } ?? true
    text = TextEditor(bytes)
    text.resize(Self.textSize(size))
    isChangedFromStart = isChanged
  }
}

/// The form for a new note: name and text.
struct NewNoteForm: Sendable {
  var session: Int
  var name = TextField(placeholder: "title")
  var text = TextEditor()
  /// It fills the text as soon as the text has the focus, because it may need the name.
  var template: NoteTemplate?
  var isInText = false
  /// The names that fit the link at the cursor of the text, or the folders that fit the name.
  var completion: LinkCompletion?
  var hasDraft = false
  /// The text at the beginning of the session, to which the draft's log of edits applies.
  private(set) var start: [UInt8] = []
  /// The save underway; typing goes on in a new session.
  private(set) var saving: Saving?

  /// The session that a save has ended.
  struct Saving: Sendable {
    let session: Int
    let hasDraft: Bool
    let start: [UInt8]
    /// Done: the form closes with the save, unless more was typed.
    let closes: Bool
  }

  /// A typed name is below it.
  private(set) var folder = StorePath.root

  /// The folders that a typed name can go on with.
  private var folders = FolderNames()

  init(session: Int, folder: StorePath = .root) { (self.session, self.folder) = (session, folder) }

  /// Lists the folders that go on with the name, after it has changed.
  mutating func completeFolder(among table: EntryTable? = nil) {
    if folders.isEmpty, let table { folders = FolderNames(table.allAlbums) }
    let typed = String(fullName.drop { $0 == "/" })
    folders.find(typed)
    // A folder beside this one may differ from it in letter case alone.
    let choices = folders.choices.filter {
      $0.utf8.starts(with: top.utf8) && $0.lowercased() != typed.lowercased()
    }
    completion = LinkCompletion(folder: name.string, of: name.isEmpty ? [] : choices, as: completion)
  }

  /// Puts the chosen folder in place of the typed one.
  mutating func takeFolder() -> NotesScreen.Commands {
    guard saving == nil, case .folder(let path)? = completion?.chosen else { return [] }
    let isRooted = name.bytes.first == UInt8(ascii: "/")
    let bytes = (isRooted ? [UInt8(ascii: "/")] : []) + path.utf8.dropFirst(top.utf8.count)
    _ = name.replace(0..<name.bytes.count, with: bytes)
    completeFolder()
    return recordName()
  }

  /// The folder, with a slash, in which the typed name is. Empty at the club's top.
  private var top: String { folder.isRoot || name.string.hasPrefix("/") ? "" : "\(folder)/" }

  /// The typed name with its folder, from the club's top.
  var fullName: String { name.isEmpty ? "" : top + name.string }

  /// The path that the note would have, without a typed name a made-up one.
  var notePath: StorePath {
    let full = name.isEmpty ? "\(folder)/new" : fullName
    return StorePath.root.descending(Array(full.utf8.drop { $0 == UInt8(ascii: "/") })[...])
  }

  /// Returns the text to save.
  mutating func beginSaving(closes: Bool, next session: Int) -> [UInt8] {
    let bytes = text.bytes
    saving = Saving(session: self.session, hasDraft: hasDraft, start: start, closes: closes)
    (self.session, hasDraft, start) = (session, false, bytes)
    text.markSaved()
    return bytes
  }

  /// After a save that failed. Its session goes on, with all that was typed since.
  mutating func endSaving() -> NotesScreen.Commands {
    guard let saving else { return [] }
    self.saving = nil
    let drops = dropping(isKept: false)
    let edit = TextEdit(from: saving.hasDraft ? start : saving.start, to: text.bytes)
    (session, hasDraft, start) = (saving.session, saving.hasDraft, saving.start)
    return drops.isEmpty ? [] : recordName() + record(.edited([edit])) + drops
  }

  /// A draft of an earlier run without a file. The name has the focus, because it may be missing.
  init(_ draft: Draft, bytes: [UInt8], session: Int) {
    self.session = session
    name = TextField(draft.title, placeholder: name.placeholder)
    text = TextEditor(bytes)
    hasDraft = true
  }
}
