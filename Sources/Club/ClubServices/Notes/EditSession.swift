import Database
public import FileStores
import POSIX
import Synchronization

public struct EditSession: Sendable {
  struct State: Sendable {
    var record: CopyRecord
    /// The entry of the copy's newest text in the store, or of the note at opening.
    var entry: FileEntry
    /// The save of the newest text that the store does not have; nil if it has all.
    var pending: UnsentSave.ID?
    /// True once the editor has written another text.
    var isTouched = false
  }

  final class Shared: Sendable {
    let state: Mutex<State>
    init(_ state: State) { self.state = Mutex(state) }
  }

  public let path: StorePath
  public let copy: String

  /// True while the editor has left the text as it was.
  public var isUntouched: Bool { !shared.state.withLock(\.isTouched) }

  let directory: PrivateDirectory
  let name: String
  let shared: Shared

  /// Makes a session over a copy called `name` in `directory`, which it alone uses and makes if missing. `hash` is the
  /// SHA-256 of the copy's text; `owner` identifies the process that follows it.
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

/// A file's inode, size and modification time. Equal tokens mean that the file was not written between them.
struct CopyToken: Sendable, Equatable {
  private let inode: UInt64
  private let size: Int64
  private let modified: Int64

  init?(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    (inode, size) = (UInt64(facts.st_ino), Int64(facts.st_size))
    modified = Int64(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_mtim.tv_nsec)
  }

  var isEmpty: Bool { size == 0 }
}
