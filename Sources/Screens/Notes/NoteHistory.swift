internal import ClubServices
internal import FileStores
internal import TextUI

/// The versions of a note, newest first, of which one is chosen.
struct NoteHistory: Sendable {
  let path: StorePath
  /// Nil until the store has told them.
  private(set) var versions: [FileEntry]?
  /// Why they could not be told, when that may pass by itself.
  var problem: Problem?
  var rows = ListState()

  init(_ path: StorePath, height: Int) {
    self.path = path
    resize(height: height)
  }

  /// The chosen version.
  var chosen: FileEntry? { rows.selected.flatMap { row in versions.flatMap { row < $0.count ? $0[row] : nil } } }

  /// What is there now, as the member sees it: a restoring is on this condition.
  var newest: Revision? { versions?.first?.revision }

  /// Takes in what the store told; the choice stays on its version.
  mutating func tell(_ versions: [FileEntry]) {
    let before = chosen?.revision
    problem = nil
    self.versions = versions
    rows.setCount(versions.count)
    if let before, let row = versions.firstIndex(where: { $0.revision == before }) { rows.select(row) }
  }

  /// The list is drawn below a heading.
  mutating func resize(height: Int) { rows.resize(height: max(1, height - 1)) }
}

/// An old version of a note, which is read and cannot be changed.
struct NoteVersion: Sendable {
  var reader: NoteReader
  /// What was there when the history was told.
  let newest: Revision?

  var path: StorePath { reader.note.entry.path }
}
