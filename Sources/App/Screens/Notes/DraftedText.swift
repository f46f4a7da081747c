internal import ClubServices
internal import FileStores
internal import TextUI

/// A text that is typed, with a draft that records each edit.
protocol DraftedText {
  /// The key of the draft until it has an id.
  var session: Int { get }
  /// False until the first edit begins the draft.
  var hasDraft: Bool { get set }
  /// The postings that begin the draft.
  var beginning: NotesPosting { get }
}

extension DraftedText {
  /// Records edits of the text.
  mutating func record(_ outcome: EditOutcome) -> NotesScreen.Commands {
    guard case .edited(let edits) = outcome else { return [] }
    return begin() + [.post(.recordEdits(session: session, edits.map(DraftEdit.init)))]
  }

  mutating func begin() -> NotesScreen.Commands {
    defer { hasDraft = true }
    return hasDraft ? [] : [.post(beginning)]
  }

  /// Ends the draft. With `isKept` it stays for a week, unless it is empty.
  func dropping(isKept: Bool) -> NotesScreen.Commands {
    hasDraft ? [.run(.dropDraft(session: session, isKept: isKept))] : []
  }
}

extension NoteEditor: DraftedText {
  var beginning: NotesPosting { .beginDraft(session: session, path: path, title: title, base: base, text: start) }

  /// Moves the draft to a new session, which begins with another text. Nothing is removed before the new draft has all.
  mutating func beginAnew(from text: [UInt8], over base: Revision?, session: Int) -> NotesScreen.Commands {
    let drops = dropping(isKept: false)
    (self.session, start, self.base, hasDraft) = (session, text, base, false)
    let edit = TextEdit(from: text, to: self.text.bytes)
    guard edit.removed > 0 || !edit.inserted.isEmpty else { return drops }
    return record(.edited([edit])) + drops
  }
}

extension NewNoteForm: DraftedText {
  var beginning: NotesPosting { .beginDraft(session: session, path: nil, title: fullName, base: nil, text: start) }

  /// Records edits of the name.
  mutating func recordName() -> NotesScreen.Commands {
    hasDraft ? [.post(.retitleDraft(session: session, fullName))] : begin()
  }
}

extension DraftEdit {
  init(_ edit: TextEdit) { self.init(offset: edit.offset, removed: edit.removed, inserted: edit.inserted) }
}
