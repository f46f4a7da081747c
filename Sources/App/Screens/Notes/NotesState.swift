internal import ClubServices
internal import FileStores
internal import Merge
internal import TextUI

/// The notes' tab: the list and the views over it.
struct NotesState: Sendable {
  var files = FileList(.notes, album: [])
  /// The paths that are notes.
  let scope: NoteScope
  /// Views over the list, the topmost last.
  var views: [any TabView<NotesState>] = []
  /// The ways back from the list of a tag's notes, the latest last.
  var tagSteps: [TagStep] = []
  /// Conflicts and drafts to show once no text is typed and no question is open.
  var waiting: [any TabView<NotesState>] = []
  var question: Question<NotesAction>?
  /// Questions to ask once no text is typed and no other is open.
  var questions: [Question<NotesAction>] = []
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
  var wantedPhoto: LinkedPhoto?
  /// Remarks that are to be shown, and the place of a new one, or the draft with which the member goes on.
  var wantedTalk: (thing: StorePath, place: TalkItem.Aim, draft: Draft.ID?)?
  /// The day's note and its template, while its editor opens.
  var day: (path: StorePath, template: NoteTemplate)?
  /// Pictures of this machine whose links are written once the club has them.
  var pictures: [PictureOnItsWay] = []
  /// The tags of the club, for those that are typed; nil until one is.
  var tags: [String]?
  /// The photos, for links that are written; nil while no text is, and until they are listed.
  var photos: EntryTable?
  /// A help, a question, a field or another tab lies over the views.
  var isBelow = false
  /// The number of saves in progress.
  var savesUnderway = 0
  /// The text that was cut, copied or killed last, in any note.
  var clipboard = Clipboard()
  /// The id of the next editing session.
  var nextSession = 1

  init(_ scope: NoteScope) { self.scope = scope }

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
    (views.last as? DifferenceView)?.isMerge ?? isReading(merged.entry.path)
  }

  func isReading(_ path: StorePath) -> Bool {
    (views.last as? NoteReader)?.note.entry.path == path
  }

  /// True if a text exists only in this process.
  var mayLoseText: Bool {
    guard unkept != nil else { return false }
    return !departed.isEmpty || (views + waiting).contains { $0.hasUnsavedText }
  }

  /// Removes views that are over, but not the one in which the member types: the rest of the word would be commands.
  mutating func removeViews(where isOver: (any TabView<NotesState>) -> Bool) {
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

  var takesText: Bool { views.last.map { $0.takesText } ?? files.takesText }
  var places: [KeyCommand.Place] { views.last?.places ?? files.places(.notes) }

  var footer: [CommandID] {
    views.last?.footer
      ?? files.footer(
        (tagSteps.isEmpty ? [] : [.notesBack]) + [.listOpen] + (files.isInAlbum ? [.albumsLeave] : []) + [
          .notesNew, .find, .notesExternal, .refresh, .transfers, .help, .notesTrash, .notesRename,
        ] + (files.hasAlbums ? [.notesMove, .notesFlat] : []) + [
          .listSort, .quit,
        ])
  }

  func reason(against command: CommandID, _ frame: Frame) -> String? {
    guard let view = views.last else {
      return files.reasonWithAlbums(against: command, frame) ?? files.reason(against: command, frame)
    }
    if let reason = view.reason(against: command, frame) { return reason }
    switch command {
    case .refresh where !view.refreshes: return "This view has nothing to refresh."
    case .readerNextChange where !(view is NoteReader), .readerPreviousChange where !(view is NoteReader):
      return "Changed lines are marked in the note itself."
    default: return nil
    }
  }
}

extension FileListWords {
  static let notes = FileListWords(
    one: "note", many: "notes", reading: "Reading the club's folder.", making: (.notesNew, "write"),
    text: "text", rename: .notesRename, move: .notesMove, flat: .notesFlat, folders: .folder)
}

protocol NotesView: TabView where Tab == NotesState {
  typealias Commands = NotesScreen.Commands
}
typealias NotesListView = NotesView & ListView
