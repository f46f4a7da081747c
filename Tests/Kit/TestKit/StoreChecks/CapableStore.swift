public import FileStores
import Synchronization

/// A store with every capability that has one empty file at every path, and records the calls that reach it.
public final class CapableStore: FileStore, ResumableUploads, StoreTrash, ChangeFeed, RevisionHistory, StoreSearch,
  StoreThumbnails, BatchUploads, FolderReading, LinkSharing, FileAdopting, ReadyReading, StorePresence
{
  private let notes = Mutex<[StoreCallName]>([])

  public init() {}

  /// Returns the recorded calls and forgets them.
  public func takeCalls() -> [StoreCallName] {
    notes.withLock { notes in
      defer { notes = [] }
      return notes
    }
  }

  private func note(_ name: StoreCallName) { notes.withLock { $0.append(name) } }

  private func file(_ path: StorePath) -> FileEntry {
    FileEntry(path: path, kind: .file, size: 0, revision: Revision("1"), contentHash: ContentHash(of: []))
  }

  private func trashed(_ path: StorePath) -> TrashedFile {
    TrashedFile(id: "t", origin: path, discarded: Timestamp(seconds: 0), size: 0)
  }

  public var limits: StoreLimits {
    StoreLimits(
      nameBytes: 1, fileBytes: 2, caseSensitive: true, unicodeNamesOnly: true, comparesBytes: true, keepsTimes: true)
  }
  public var capabilities: Capabilities {
    Capabilities(
      uploads: self, trash: self, changes: self, revisions: self, search: self, thumbnails: self, batches: self,
      folders: self, links: self, adopting: self, ready: self, presence: self)
  }
  public var piece: UploadPiece { .exactly(3) }
  public func piece(of session: UploadSession) -> UploadPiece { .exactly(4) }
  public var keptFor: Duration? { .seconds(13) }
  public var finishesElsewhere: Bool { false }
  public var largestKept: UInt64? { 4 }
  public var fewestCharacters: Int { 5 }
  public var batchFiles: Int { 6 }
  public var questionsAtOnce: Int { 7 }
  public var largestSide: Int { 8 }
  public var mostFiles: Int { 9 }
  public var mostBytes: UInt64 { 10 }
  public var mostEntries: Int { 11 }
  public func readAtHand(_ path: StorePath, ifRevision: Revision, limit: Int) -> [UInt8]? { [12] }

  // MARK: - LinkSharing

  public func link(to path: StorePath, _ terms: LinkTerms) -> SharedLink {
    note(.link)
    return SharedLink(url: "https://club.example/s/word", path: path)
  }
  public func dropPage(into folder: StorePath, _ terms: DropTerms, expires: Timestamp?) -> SharedLink {
    note(.dropPage)
    return SharedLink(url: "https://club.example/d/code", path: folder, expires: expires, drop: terms)
  }
  public func links(to path: StorePath?) -> [SharedLink] {
    note(.links)
    return []
  }
  public func revoke(_ url: String) { note(.revokeLink) }

  // MARK: - StorePresence

  public func show(_ sight: Sight?) { note(.show) }
  public func watch(_ receive: ([PresentMember]) async -> Void) { note(.watch) }

  // MARK: - FileStore

  public func list(_ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?) -> ListPage {
    note(.list)
    return ListPage(entries: [], isWhole: true)
  }
  public func entry(at path: StorePath) -> FileEntry {
    note(.entry)
    return file(path)
  }
  public func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) -> FileEntry {
    note(.read)
    return file(path)
  }
  public func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) -> FileEntry {
    note(.put)
    return file(path)
  }
  public func move(_ path: StorePath, to target: StorePath, ifRevision: Revision?) -> FileEntry {
    note(.move)
    return file(target)
  }
  public func delete(_ path: StorePath, ifRevision: Revision?) { note(.delete) }
  public func createFolder(_ path: StorePath) { note(.createFolder) }

  // MARK: - Capabilities

  public func begin(_ path: StorePath, size: UInt64?, modified: Timestamp?) -> UploadSession {
    note(.begin)
    return UploadSession("s")
  }
  public func append(_ bytes: ByteChunk, to session: UploadSession, at offset: UInt64) -> UInt64 {
    note(.append)
    return offset + UInt64(bytes.count)
  }
  public func append(_ source: any ByteSource, count: Int, to session: UploadSession, at offset: UInt64) -> UInt64 {
    note(.append)
    return offset + UInt64(count)
  }
  public func offset(of session: UploadSession) -> UInt64 {
    note(.offset)
    return 0
  }
  public func finish(_ session: UploadSession, size: UInt64, at path: StorePath, mode: WriteMode) -> FileEntry {
    note(.finish)
    return file(path)
  }
  public func abandon(_ session: UploadSession) { note(.abandon) }
  public func abandonLost(to path: StorePath) { note(.abandonLost) }

  public func discard(_ path: StorePath, ifRevision: Revision?) -> TrashedFile {
    note(.discard)
    return trashed(path)
  }
  public func contents() -> [TrashedFile] {
    note(.contents)
    return [trashed(.root)]
  }
  public func read(_ file: TrashedFile.ID, limit: Int) -> FileBeginning {
    note(.readDiscarded)
    return FileBeginning(of: [], limit: limit)
  }
  public func restore(_ file: TrashedFile.ID, as path: StorePath?) -> FileEntry {
    note(.restore)
    return self.file(path ?? .root)
  }
  public func delete(_ file: TrashedFile.ID) { note(.deleteDiscarded) }
  public func empty() -> Int {
    note(.empty)
    return 1
  }

  public func start() -> ChangeCursor {
    note(.start)
    return ChangeCursor("c")
  }
  public func wait(since cursor: ChangeCursor) -> ChangeSet {
    note(.wait)
    return ChangeSet(changes: [], cursor: cursor)
  }

  public func poll(since cursor: ChangeCursor) -> ChangeSet {
    note(.poll)
    return ChangeSet(changes: [], cursor: cursor)
  }

  public func versions(of path: StorePath, limit: Int) -> [FileEntry] {
    note(.versions)
    return [file(path)]
  }
  public func read(
    _ revision: Revision, of path: StorePath, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) -> FileEntry {
    note(.readVersion)
    return file(path)
  }
  public func restore(_ revision: Revision, of path: StorePath, over base: Revision?) -> FileEntry {
    note(.restoreVersion)
    return file(path)
  }

  public func files(matching words: String, below folder: StorePath, limit: Int) -> [StoreMatch] {
    note(.search)
    return []
  }
  public func thumbnails(of paths: [StorePath], side: Int) -> [Result<StoreThumbnail, StoreError>] {
    note(.thumbnails)
    return paths.map { .success(StoreThumbnail(of: file($0), bytes: [])) }
  }
  public func put(_ files: [BatchFile]) -> [Result<FileEntry, StoreError>] {
    note(.batch)
    return files.map { .success(file($0.path)) }
  }
  public func read(
    _ files: [FileEntry], below folder: StorePath, _ receive: ([FolderPart]) async throws(StoreError) -> Void
  ) { note(.readFolder) }
  public func put(adopting file: String, hash: ContentHash, at path: StorePath, mode: WriteMode) -> FileEntry? {
    note(.adopt)
    return self.file(path)
  }
}
