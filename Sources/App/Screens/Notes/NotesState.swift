internal import ClubServices
internal import FileStores
internal import Merge
internal import TextUI

/// The notes' tab: the list and the views over it.
struct NotesState: Sendable {
  var files = FileList(.notes)
  /// Views over the list, the topmost last.
  var views: [NotesView] = []
  /// The ways back from the list of a tag's notes, the latest last.
  var tagSteps: [TagStep] = []
  /// Conflicts and drafts to show once no text is typed and no question is open.
  var waiting: [NotesView] = []
  var question: Question<NotesAction>?
  /// All texts that are not in the club, except those of another byteclub.
  var texts: [WaitingText] = []
  /// Rows of the list for notes that the store does not have: new ones, and those that someone else deleted.
  var newRows: Set<StorePath> = []
  var resending = Resending()
  /// The reason why typing cannot be kept on this machine; nil if it can.
  var unkept: StoreError?
  /// Choices in conflicts that the member left, or that are being carried out, by save.
  var resolutions: [UnsentSave.ID: Resolution] = [:]
  /// Resolvers whose choice is being carried out.
  var resolving: [ConflictView] = []
  /// The last version that the member made by restoring an older one.
  var restored: Revision?
  /// The last merge, which a key shows.
  var merged: MergedNote?
  /// Closed editors whose text is being saved, by session.
  var departed: [Int: DepartedEditor] = [:]
  /// Files that the server no longer lists, until the member agrees to their removal.
  var held: Set<StorePath> = []
  /// True if the member should be asked about them as soon as no key can be meant for something else.
  var asksRemoval = false
  /// A photo that a link leads to; the root shows it on its tab.
  var wantedPhoto: StorePath?
  /// Remarks that are to be shown, and the place of a new one, or the draft with which the member goes on.
  var wantedTalk: (thing: StorePath, place: TalkItem.Aim, draft: Draft.ID?)?
  /// The number of saves in progress.
  var savesUnderway = 0
  /// The text that was cut, copied or killed last, in any note.
  var clipboard = Clipboard()
  /// The id of the next editing session.
  var nextSession = 1

  /// True if a waiting text could be sent now.
  var hasToSend: Bool { texts.contains { $0.kind == .toSend } }

  /// The number of saved texts that are not in the club.
  var countToSend: Int { texts.count { $0.isSaved } }

  /// Those that only the member can settle.
  var conflictCount: Int { texts.count { $0.kind == .conflict } }

  /// `2 to send, 1 conflict`; empty if the club has everything.
  var unsentWords: String {
    let conflicts = conflictCount
    let others = countToSend - conflicts
    return [
      others == 0 ? "" : "\(others) to send",
      conflicts == 0 ? "" : conflicts == 1 ? "1 conflict" : "\(conflicts) conflicts",
    ].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The number as a sentence; nil for zero.
  var waitingWords: String? {
    let hasNames = texts.contains { $0.isSaved && $0.isName }
    return switch countToSend {
    case 0: nil
    case 1: hasNames ? "1 change is not in the club yet" : "1 note is not in the club yet"
    case let count: hasNames ? "\(count) changes are not in the club yet" : "\(count) notes are not in the club yet"
    }
  }

  /// The state of a note that is not in the club; empty if it is.
  func word(of path: StorePath) -> String {
    texts.first { $0.isOf(path) }?.kind.rawValue ?? (isSaving(path) ? "saving" : "")
  }

  /// The same, or `gone` if the server no longer has the note.
  func flag(of path: StorePath) -> String { held.contains(path) ? "gone" : word(of: path) }

  /// True until the last of the saves of a note has ended.
  func isSaving(_ path: StorePath) -> Bool { departed.values.contains { $0.editor.path == path } }

  /// True if the member has saved a text of a note that is not in the club yet.
  func hasUnsent(_ path: StorePath) -> Bool {
    isSaving(path) || texts.contains { $0.isSaved && !$0.isName && $0.path == path }
  }

  /// The newest text of a note that the member has saved and the club does not have.
  func ownText(of path: StorePath) -> OwnTextName? {
    if let session = departed.filter({ $0.value.editor.path == path }).keys.max() { return .saving(session: session) }
    return texts.first { $0.isOf(path) && $0.isSaved && !$0.isName }.map { .waiting($0.id, $0.changed) }
  }

  func ownText(ofCaption photo: StorePath) -> OwnTextName? {
    let text = texts.first { $0.isSaved && !$0.isName && $0.path.flatMap(Caption.photo) == photo }
    return text.map { .waiting($0.id, $0.changed) }
  }

  /// True if the topmost view shows this merge or its note.
  func shows(_ merged: MergedNote) -> Bool {
    if case .difference(let view) = views.last { view.isMerge } else { isReading(merged.entry.path) }
  }

  func isReading(_ path: StorePath) -> Bool {
    if case .reader(let reader) = views.last { reader.note.entry.path == path } else { false }
  }

  /// The reason why the topmost view is empty, if it is.
  var problem: Problem? {
    switch views.last {
    case nil: files.table == nil ? files.problem : nil
    case .opening(let opening): opening.problem
    case .history(let history): history.problem
    default: nil
    }
  }

  /// True if a text exists only in this process.
  var mayLoseText: Bool {
    guard unkept != nil else { return false }
    func isTyped(_ view: NotesView) -> Bool {
      switch view {
      case .editor(let editor): editor.isChanged
      case .form(let form): form.hasDraft || form.saving != nil
      case .conflict(let view): view.editing?.hasDraft ?? false
      default: false
      }
    }
    return !departed.isEmpty || views.contains(where: isTyped) || waiting.contains(where: isTyped)
  }

  /// Removes views that are over, but not the one in which the member types: the rest of the word would be commands.
  mutating func removeViews(where isOver: (NotesView) -> Bool) {
    let typed = takesText ? views.popLast() : nil
    views.removeAll(where: isOver)
    if let typed { views.append(typed) }
  }

  /// A notice that stays for as long as it is so.
  func lastingNotice(_ frame: Frame) -> Notice? {
    if let unkept {
      let key = frame.keys.name(of: .editorSave)
      return Notice(
        "byteclub cannot keep your typing on this machine. \(unkept) \(key) still saves to the club.", isError: true)
    }
    // A narrow top line has no room for the number.
    guard frame.isNarrow, countToSend > 0 else { return nil }
    return Notice("\(unsentWords): type :waiting")
  }
}

extension NotesState: FileTab {
  typealias Effect = NotesEffect
  typealias Posting = NotesPosting
  typealias Action = NotesAction

  var title: String { "1 Notes" }
  var isBusy: Bool { files.isListing || savesUnderway > 0 }

  var hasPreview: Bool { !hasView && files.table != nil }

  mutating func update(_ action: NotesAction, _ frame: inout Frame) -> Commands {
    NotesScreen.update(&self, action, &frame)
  }

  func draw(_ frame: Frame, on canvas: inout Canvas) { NotesScreen.draw(self, frame, on: &canvas) }

  mutating func reconnected(_ frame: inout Frame) -> Commands { update(.reconnected, &frame) }

  var hasView: Bool { !views.isEmpty }
  var isFinding: Bool {
    hasView ? reader?.isFinding == true || opening?.ahead?.command == .find : files.find.isTyping
  }
  var canFind: Bool { !hasView || reader != nil || opening?.canFind == true }
  var isLoading: Bool { opening.map { $0.problem == nil && !$0.takesText } ?? false }

  var takesText: Bool {
    switch views.last {
    case .editor, .form: true
    case .opening(let opening): opening.takesText
    case .conflict(let view): view.editing != nil
    case .reader, .version: reader?.takesKeys == true
    case nil: files.takesText
    default: false
    }
  }

  var places: [KeyCommand.Place] {
    switch views.last {
    case nil: files.places(.notes)
    case .opening: []
    case .reader(let reader):
      reader.takesKeys ? [] : reader.page == nil ? [.openNote, .reader] : [.page, .openNote, .reader]
    case .outline: [.outline, .moves]
    case .backlinks: [.backlinks, .moves]
    case .editor(let editor): editor.bar.field == nil ? [.editor] : [.editorFind]
    case .form(let form): form.isInText ? [.form, .editor] : [.form]
    case .conflict(let view): view.editing == nil ? [.conflict, .reader] : [.editor]
    case .draft: [.draft]
    case .waiting: [.draft, .moves]
    case .history: [.history, .moves, .lists]
    case .version(let version): version.reader.isFinding ? [] : [.history, .scrub, .reader]
    case .blame: [.blame, .moves]
    case .trash: [.trash, .moves]
    case .difference(let view): view.isMerge ? [.reader] : [.history, .scrub, .reader]
    }
  }

  var footer: [CommandID] {
    switch views.last {
    case nil:
      files.footer(
        (tagSteps.isEmpty ? [] : [.notesBack]) + [
          .listOpen, .notesNew, .find, .notesExternal, .refresh, .transfers, .help, .notesTrash, .notesRename,
          .listSort,
          .quit,
        ])
    case .opening(let opening) where opening.takesText: [.pathCancel]
    case .opening(let opening): opening.problem == nil ? [.help, .quit] : [.refresh, .help, .quit]
    case .outline: [.outlineOpen, .help, .quit]
    case .backlinks: [.backlinksOpen, .help, .quit]
    case .reader(let reader): reader.footer
    case .editor(let editor) where editor.bar.field == .line: [.editorFindNext, .editorFindClose]
    case .editor(let editor) where editor.bar.field != nil:
      [.editorFindNext, .editorFindPrevious, .editorFindField, .editorFindAll, .editorFindClose]
    case .editor: [.editorSave, .editorDone, .editorCancel, .editorUndo, .editorFind, .editorRedo, .help]
    case .form: [.formSave, .formDone, .formNext, .formCancel, .help]
    case .conflict(let view):
      view.editing != nil
        ? [.editorDone, .help, .editorUndo, .editorRedo, .editorCancel]
        : view.hasParts && view.resolution.openCount == 0
          ? [
            .conflictDone, .conflictUndo, .conflictNext, .conflictEdit, .conflictMine, .conflictTheirs, .help,
            .conflictLater,
          ]
          : view.hasParts
            ? [
              .conflictMine, .conflictTheirs, .conflictDone, .conflictBoth, .conflictEdit, .conflictNext, .help,
              .conflictUndo, .conflictAllMine, .conflictAllTheirs, .conflictCopy, .conflictLater,
            ] : [.conflictMine, .conflictTheirs, .conflictCopy, .conflictLater, .help]
    case .draft: [.draftOpen, .draftDiscard, .help, .draftLater]
    case .waiting: [.draftOpen, .draftDiscard, .refresh, .help, .quit]
    case .history(let history):
      history.versions == nil
        ? [.refresh, .help, .quit] : [.listOpen, .historyDifference, .historyRestore, .help, .quit]
    case .version(let version):
      version.reader.text.search == nil
        ? [.historyDifference, .scrubOlder, .historyRestore, .readerPageDown, .find, .help, .quit]
        : [.readerFindNext, .readerFindPrevious, .historyRestore, .find, .help, .quit]
    case .blame: [.blameOpen, .help, .quit]
    case .trash: [.trashRestore, .trashMark, .refresh, .help, .quit]
    case .difference(let view):
      view.isMerge
        ? [.undo, .readerPageDown, .help, .quit]
        : [.scrubOlder, .scrubNewer, .historyRestore, .readerPageDown, .help, .quit]
    }
  }
}

extension NotesState {
  /// The keys of the topmost editor, if they are vi's and go into its text.
  var vi: ViKeys? {
    switch views.last {
    case .editor(let editor): editor.bar.field == nil ? editor.text.vi : nil
    case .form(let form): form.isInText ? form.text.vi : nil
    case .conflict(let view): view.editing?.text.vi
    default: nil
    }
  }
}

extension FileListWords {
  static let notes = FileListWords(
    one: "note", many: "notes", reading: "Reading the club's folder.", making: (.notesNew, "write"),
    text: "text", rename: .notesRename)
}
