import Database
public import FileStores
import Synchronization

/// A note that is open in the member's own editor, as a copy.
public struct EditSession: Sendable {
  /// Where the copy's text stands towards the store.
  struct State: Sendable {
    var record: CopyRecord
    /// What the store says of the last text of the copy that it has (or of the note as it was opened).
    var entry: FileEntry
    /// The save of the newest text that the store does not have.
    var pending: UnsentSave.ID?
  }

  /// The mutable part, shared by all values of one session.
  final class Shared: Sendable {
    let state: Mutex<State>
    init(_ state: State) { self.state = Mutex(state) }
  }

  /// The note.
  public let path: StorePath
  /// The copy's path on this machine, for the editor.
  public let copy: String

  let directory: PrivateDirectory
  let name: String
  let shared: Shared

  /// A session over a copy called `name` in `directory`, which is its own and is made where it is not there yet. The
  /// copy has the text of `entry`, whose SHA-256 is `hash`; `owner` is the word of the process that follows it.
  /// - Throws: `notPermitted`, `quota` or `server`, naming the directory.
  public init(
    of entry: FileEntry, hash: String, club: String, owner: String, name: String, in directory: String
  ) throws(StoreError) {
    let id = directory.split(separator: "/").last.map { String($0) } ?? directory
    self.init(
      directory: try PrivateDirectory(making: directory),
      record: CopyRecord(
        id: id, club: club, path: entry.path, base: entry.revision, baseHash: hash, name: name, savedHash: hash,
        owner: owner),
      entry: entry)
  }

  init(directory: PrivateDirectory, record: CopyRecord, entry: FileEntry) {
    (path, name) = (record.path, record.name)
    copy = directory.path(of: record.name)
    self.directory = directory
    shared = Shared(State(record: record, entry: entry))
  }
}
