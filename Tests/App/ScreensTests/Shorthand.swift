import FileStores

@testable import Screens

/// Actions of both tabs, without `input` and `files` around them.
extension FileTabAction {
  static func command(_ id: CommandID) -> Self { .input(.command(id)) }
  static func listed(_ table: EntryTable) -> Self { .files(.listed(table)) }
  static func listFailed(_ error: StoreError) -> Self { .files(.failed(.list, error)) }
  static func detailed(_ entries: [FileEntry], isLast: Bool = false) -> Self {
    .files(.detailed(entries, isLast: isLast))
  }
  static func remarks(_ remarks: [StorePath: ListedRemarks], isListed: Bool = false) -> Self {
    .files(.remarks(remarks, isListed: isListed))
  }
  static func changed(_ set: ChangeSet) -> Self { .files(.changed(set)) }
  static func watchEnded(_ error: StoreError) -> Self { .files(.failed(.watch, error)) }
  static func renamed(from old: StorePath, _ entry: FileEntry) -> Self { .files(.renamed(from: old, entry)) }
  static func trashed(_ files: [TrashedFile]) -> Self { .files(.trashed(files)) }
  static func undone(_ step: UndoStep, _ back: FileEntry...) -> Self { .files(.undone(UndoOutcome(step, back: back))) }
  static func warned(_ sentence: String) -> Self { .files(.warned(sentence)) }
  static func reported(_ sentence: String) -> Self { .files(.reported(sentence)) }
}
