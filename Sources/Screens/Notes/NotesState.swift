internal import ClubServices
internal import FileStores
internal import TextUI

/// The notes' tab: the list and the views over it.
public struct NotesState: Sendable {
  /// What all screens share.
  public var frame: Frame
  /// The notes; nil until they have been listed.
  var table: EntryTable?
  /// Which row is chosen.
  var list = ListState()
  /// What is typed into find, while it is typed or in force.
  var find = FindField()
  /// The marked notes.
  var marks: Set<StorePath> = []
  /// Views over the list, the topmost last.
  var views: [NotesView] = []
  /// Conflicts and drafts that are to be shown when no text is typed and nothing is asked.
  var waiting: [NotesView] = []
  /// A question that must be answered first.
  var question: Question<NotesAction>?
  /// Why the list could not be read, when that is all there is.
  var listError: StoreError?
  var isListing = false
  /// Whether what follows the first listing has been asked for.
  var hasBegun = false
  /// Notes whose text is not in the store yet.
  var unsent: Set<StorePath> = []
  /// Saves that have not been answered.
  var savesUnderway = 0
  /// The number of the next editing session.
  var nextSession = 1
  /// Marks and selection wait for this name to appear in the list.
  var wanted: StorePath?

  init(frame: Frame) { self.frame = frame }

  /// The chosen note.
  var selected: StorePath? {
    guard let table, let row = list.selected, row < table.count else { return nil }
    return table.path(at: row)
  }

  /// The marked notes, or else the chosen one.
  var targets: [StorePath] { marks.isEmpty ? selected.map { [$0] } ?? [] : marks.sorted() }
}
