internal import ClubServices
internal import FileStores
internal import TextUI

/// The notes' tab: the list and the views over it.
public struct NotesState: Sendable {
  /// What all screens share.
  public var frame: Frame
  var files = FileList(.notes)
  /// Views over the list, the topmost last.
  var views: [NotesView] = []
  /// Conflicts and drafts that are to be shown when no text is typed and nothing is asked.
  var waiting: [NotesView] = []
  var question: Question<NotesAction>?
  /// Notes whose text is not in the store yet.
  var unsent: Set<StorePath> = []
  /// Saves that have not been answered.
  var savesUnderway = 0
  /// The number of the next editing session.
  var nextSession = 1

  init(frame: Frame) { self.frame = frame }
}

extension NotesState: FileTab {
  var hasView: Bool { !views.isEmpty }

  var takesText: Bool {
    switch views.last {
    case .editor, .form: true
    case nil: files.takesText
    default: false
    }
  }

  var places: [KeyCommand.Place] {
    switch views.last {
    case nil: files.places(.notes)
    case .opening: []
    case .reader: [.reader]
    case .editor: [.editor]
    case .form: [.form]
    case .conflict: [.conflict, .reader]
    case .draft: [.draft]
    case .history: [.history, .lists]
    case .version: [.history, .reader]
    }
  }

  var footer: [CommandID] {
    switch views.last {
    case nil:
      files.footer([
        .listOpen, .notesNew, .find, .notesExternal, .refresh, .transfers, .help, .notesTrash, .notesRename, .listSort,
        .quit,
      ])
    case .opening: [.quit]
    case .reader(let reader):
      reader.note.content == .text
        ? [.readerEdit, .readerExternal, .readerPageDown, .help, .quit] : [.readerPageDown, .help, .quit]
    case .editor: [.editorDone, .editorCancel, .editorUndo]
    case .form: [.formDone, .formNext, .formCancel]
    case .conflict: [.conflictMine, .conflictTheirs, .conflictBoth, .conflictEdit, .conflictLater]
    case .draft(let offer):
      offer.drafts.isEmpty ? [.draftOpen, .draftLater] : [.draftOpen, .draftDiscard, .draftLater]
    case .history: [.listOpen, .historyRestore, .help, .quit]
    case .version: [.historyRestore, .readerPageDown, .help, .quit]
    }
  }
}

extension FileListWords {
  static let notes = FileListWords(
    one: "note", many: "notes", reading: "Reading the club's folder.", making: (.notesNew, "write"),
    haveTexts: true, rename: .notesRename)
}
