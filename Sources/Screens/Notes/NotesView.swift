internal import ClubServices
internal import FileStores
internal import TextUI

/// A view over the list of notes.
enum NotesView: Sendable {
  case opening(OpeningText)
  case reader(NoteReader)
  case editor(NoteEditor)
  case form(NewNoteForm)
  case conflict(ConflictView)
  case draft(DraftOffer)
  case waiting(WaitingList)
  case history(NoteHistory)
  case version(NoteVersion)
}

/// A text that is being opened: a note, a version of one, or my own text of one that is not in the club.
struct OpeningText: Sendable {
  let path: StorePath
  /// What opens it, and the key that cancels that.
  let effect: NotesEffect
  let key: String
  /// What was there of the note when its history was told; nil for what is no version.
  var newest: Revision?
  /// What is shown of it, when a search found it.
  var sought: SoughtPlace?
  /// Why it could not be opened.
  var problem: Problem?

  /// What the view waits for.
  var command: NotesScreen.Commands.Element { .run(effect, key: key) }
}

/// A note that is read.
struct NoteReader: Sendable {
  var note: OpenNote
  var text: TextReader
  /// What is to be found in the text, while it is typed or shown.
  var find = TextField()
  var isFinding = false
  /// The row that was on top before find; nil since the member has scrolled.
  var before: Int?
  /// Whether a newer text could not be read, which is tried again.
  var isBehind = false
  /// Columns and rows below the heading, of which find takes one.
  private(set) var size: Size

  init(_ note: OpenNote, size: Size) {
    self.note = note
    self.size = size
    text = TextReader(note.bytes)
    text.resize(size)
  }

  mutating func resize(_ size: Size) {
    self.size = size
    text.resize(Size(size.width, max(1, size.height - (isFinding ? 1 : 0))))
  }
}

/// A note that is edited.
struct NoteEditor: Sendable {
  let session: Int
  /// Nil for a note that never had a file.
  let path: StorePath?
  /// What the note is called.
  let title: String
  /// The revision that the member has seen.
  let base: Revision?
  /// The text at the beginning, which the draft's log of edits starts from.
  let start: [UInt8]
  /// Set when this is my text of a conflict.
  let conflict: SaveConflict?
  var text: TextEditor
  /// A draft of an earlier run, or text of a conflict: to be saved even when no key was pressed.
  var isChangedFromStart: Bool
  var hasDraft = false

  var isChanged: Bool { isChangedFromStart || text.isModified }

  init(_ note: OpenNote, session: Int, size: Size) {
    self.init(session: session, path: note.entry.path, base: note.entry.revision, bytes: note.bytes, size: size)
  }

  /// What is read, from the first row in view on.
  init(_ reader: NoteReader, session: Int) {
    self.init(reader.note, session: session, size: reader.size)
    text.open(at: reader.text.topOffset)
  }

  /// My text of a conflict, over their revision.
  init(_ conflict: SaveConflict, session: Int, size: Size) {
    self.init(
      session: session, path: conflict.path, base: conflict.theirEntry?.revision, bytes: conflict.mine, size: size,
      conflict: conflict, isChanged: true)
  }

  /// A draft of an earlier run.
  init(_ draft: Draft, bytes: [UInt8], session: Int, size: Size) {
    self.init(
      session: session, path: draft.path, title: draft.title, base: draft.base, bytes: bytes, size: size,
      isChanged: true)
    hasDraft = true
  }

  private init(
    session: Int, path: StorePath?, title: String? = nil, base: Revision?, bytes: [UInt8], size: Size,
    conflict: SaveConflict? = nil, isChanged: Bool = false
  ) {
    self.session = session
    self.path = path
    self.title = title ?? path.map { "\($0)" } ?? ""
    self.base = base
    self.conflict = conflict
    start = bytes
    text = TextEditor(bytes)
    text.resize(size)
    isChangedFromStart = isChanged
  }
}

/// The two fields of a new note.
struct NewNoteForm: Sendable {
  let session: Int
  var name = TextField(placeholder: "title")
  var text = TextEditor()
  var isInText = false
  var hasDraft = false
  var isSaving = false

  init(session: Int) { self.session = session }

  /// A draft of an earlier run that never had a file. The name comes first: it may be what is missing.
  init(_ draft: Draft, bytes: [UInt8], session: Int) {
    self.session = session
    name = TextField(draft.title, placeholder: name.placeholder)
    text = TextEditor(bytes)
    hasDraft = true
  }
}

/// Two texts of one note, side by side.
struct ConflictView: Sendable {
  let conflict: SaveConflict
  let session: Int?
  var mine: TextReader
  var theirs: TextReader

  init(_ conflict: SaveConflict, session: Int?, frame: Frame) {
    self.conflict = conflict
    self.session = session
    mine = TextReader(conflict.mine)
    theirs = TextReader(conflict.theirs ?? [])
    resize(frame)
  }

  mutating func resize(_ frame: Frame) {
    let half = Size(max(1, frame.size.width / 2 - 1), max(1, frame.bodyHeight - 2))
    mine.resize(half)
    theirs.resize(half)
  }
}

/// Drafts that an earlier run left, or that are there of a note, one after the other.
struct DraftOffer: Sendable {
  var drafts: [WaitingText]
}
