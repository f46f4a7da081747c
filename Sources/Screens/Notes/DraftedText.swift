internal import ClubServices
internal import TextUI

/// A text that is typed, with a draft that gets each edit.
protocol DraftedText {
  /// What the draft is called until it has an ID.
  var session: Int { get }
  /// False until the first edit begins the draft.
  var hasDraft: Bool { get set }
  /// What begins the draft.
  var beginning: NotesEffect { get }
}

extension DraftedText {
  /// Hands on what was typed into the text.
  mutating func record(_ outcome: EditOutcome) -> NotesScreen.Commands {
    guard case .edited(let edits) = outcome else { return [] }
    return begin() + [.post(.recordEdits(session: session, edits.map(DraftEdit.init)))]
  }

  mutating func begin() -> NotesScreen.Commands {
    defer { hasDraft = true }
    return hasDraft ? [] : [.post(beginning)]
  }

  /// What takes it off the drafts: for a week it is kept, unless there is nothing in it.
  func dropping(isKept: Bool) -> NotesScreen.Commands {
    hasDraft ? [.run(.dropDraft(session: session, isKept: isKept))] : []
  }
}

extension NoteEditor: DraftedText {
  var beginning: NotesEffect { .beginDraft(session: session, path: path, title: title, base: base, text: start) }
}

extension NewNoteForm: DraftedText {
  var beginning: NotesEffect { .beginDraft(session: session, path: nil, title: name.string, base: nil, text: []) }

  /// Hands on what was typed into the name.
  mutating func recordName() -> NotesScreen.Commands {
    hasDraft ? [.post(.retitleDraft(session: session, name.string))] : begin()
  }
}

extension DraftEdit {
  init(_ edit: TextEdit) { self.init(offset: edit.offset, removed: edit.removed, inserted: edit.inserted) }
}
