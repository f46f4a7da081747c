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
  /// Notes with a save that has not been answered.
  var unsent: Set<StorePath> = []
  /// All texts that are not in the club, but for those that another byteclub has.
  var texts: [WaitingText] = []
  /// Rows of the list for notes that the store does not have yet.
  var newRows: Set<StorePath> = []
  /// When what waits is sent again.
  var resending = Resending()
  /// Why what is typed cannot be kept on this machine; nil while it can.
  var unkept: StoreError?
  /// Editors whose text is on its way, by session.
  var departed: [Int: DepartedEditor] = [:]
  /// Saves that have not been answered.
  var savesUnderway = 0
  /// The number of the next editing session.
  var nextSession = 1

  init(frame: Frame) { self.frame = frame }

  /// Whether there is something that a store might take now.
  var hasToSend: Bool { texts.contains { $0.kind == .toSend } }

  /// Notes that were saved and are not in the club.
  var countToSend: Int { texts.count { $0.isSaved } }

  /// Them in a sentence; nil when there are none.
  var waitingWords: String? {
    switch countToSend {
    case 0: nil
    case 1: "1 note is not in the club yet"
    case let count: "\(count) notes are not in the club yet"
    }
  }

  /// What a note waits for; empty when it is in the club.
  func word(of path: StorePath) -> String {
    texts.first { $0.isOf(path) }?.kind.rawValue ?? (unsent.contains(path) ? "saving" : "")
  }

  /// Why the topmost view shows nothing, if it does not.
  var problem: Problem? {
    switch views.last {
    case nil: files.table == nil ? files.problem : nil
    case .opening(let opening): opening.problem
    case .history(let history): history.problem
    default: nil
    }
  }

  /// Whether a text is in no place but this process.
  var mayLoseText: Bool {
    guard unkept != nil else { return false }
    func isTyped(_ view: NotesView) -> Bool {
      switch view {
      case .editor(let editor): editor.isChanged
      case .form(let form): form.hasDraft
      default: false
      }
    }
    return !departed.isEmpty || views.contains(where: isTyped) || waiting.contains(where: isTyped)
  }

  /// A notice that stays for as long as it is so.
  var lastingNotice: Notice? {
    if let unkept {
      let key = frame.keys.name(of: .editorDone)
      return Notice(
        "byteclub cannot keep your typing on this machine. \(unkept) \(key) still saves to the club.", isError: true)
    }
    // The top line has no room for it.
    guard frame.isNarrow, countToSend > 0 else { return nil }
    return Notice("\(countToSend) to send. :waiting shows more.")
  }
}

extension NotesState: FileTab {
  var hasView: Bool { !views.isEmpty }
  var isFinding: Bool { hasView ? reader?.isFinding == true : files.find.isTyping }
  var canFind: Bool { !hasView || reader != nil }
  var isLoading: Bool { if case .opening(let opening) = views.last { opening.problem == nil } else { false } }

  var takesText: Bool {
    switch views.last {
    case .editor, .form: true
    case .reader, .version: reader?.isFinding == true
    case nil: files.takesText
    default: false
    }
  }

  var places: [KeyCommand.Place] {
    switch views.last {
    case nil: files.places(.notes)
    case .opening: []
    case .reader(let reader): reader.isFinding ? [] : [.reader]
    case .editor: [.editor]
    case .form: [.form]
    case .conflict: [.conflict, .reader]
    case .draft: [.draft]
    case .waiting: [.draft, .lists]
    case .history: [.history, .lists]
    case .version(let version): version.reader.isFinding ? [] : [.history, .reader]
    }
  }

  var footer: [CommandID] {
    switch views.last {
    case nil:
      files.footer([
        .listOpen, .notesNew, .find, .notesExternal, .refresh, .transfers, .help, .notesTrash, .notesRename, .listSort,
        .quit,
      ])
    case .opening(let opening): opening.problem == nil ? [.quit] : [.refresh, .help, .quit]
    case .reader(let reader):
      reader.text.search != nil
        ? [.readerFindNext, .readerFindPrevious, .readerEdit, .find, .help, .quit]
        : reader.note.content == .text
          ? [.readerEdit, .readerExternal, .readerPageDown, .find, .help, .quit]
          : [.readerPageDown, .find, .help, .quit]
    case .editor: [.editorDone, .help, .editorUndo, .editorRedo, .editorCancel]
    case .form: [.formDone, .formNext, .help, .formCancel]
    case .conflict: [.conflictMine, .conflictTheirs, .conflictBoth, .conflictEdit, .conflictLater]
    case .draft: [.draftOpen, .draftDiscard, .draftLater]
    case .waiting: [.draftOpen, .draftDiscard, .refresh, .help, .quit]
    case .history(let history):
      history.versions == nil ? [.refresh, .help, .quit] : [.listOpen, .historyRestore, .help, .quit]
    case .version(let version):
      version.reader.text.search == nil
        ? [.historyRestore, .readerPageDown, .find, .help, .quit]
        : [.readerFindNext, .readerFindPrevious, .historyRestore, .find, .help, .quit]
    }
  }
}

extension FileListWords {
  static let notes = FileListWords(
    one: "note", many: "notes", reading: "Reading the club's folder.", making: (.notesNew, "write"),
    haveTexts: true, rename: .notesRename)
}
