extension StoreWrapper {
  /// These capabilities with `call` around each of their calls. `ready` is that of the base, because its call neither
  /// waits nor fails.
  public func wrapped(_ base: Capabilities) -> Capabilities {
    Capabilities(
      uploads: base.uploads.map { Wrapped(base: $0, store: self) },
      trash: base.trash.map { Wrapped(base: $0, store: self) },
      changes: base.changes.map { Wrapped(base: $0, store: self) },
      revisions: base.revisions.map { Wrapped(base: $0, store: self) },
      search: base.search.map { Wrapped(base: $0, store: self) },
      thumbnails: base.thumbnails.map { Wrapped(base: $0, store: self) },
      batches: base.batches.map { Wrapped(base: $0, store: self) },
      folders: base.folders.map { Wrapped(base: $0, store: self) },
      links: base.links.map { Wrapped(base: $0, store: self) },
      adopting: base.adopting.map { Wrapped(base: $0, store: self) }, ready: base.ready,
      presence: base.presence.map { Wrapped(base: $0, store: self) })
  }
}

/// A capability of a store around another. Every call goes to the base, through the store's `call`; a type of its own
/// implements other members only if that is not enough.
protocol CapabilityWrapper: Sendable {
  associatedtype Base
  associatedtype Store: StoreWrapper
  var base: Base { get }
  var store: Store { get }
}

private struct Wrapped<Base: Sendable, Store: StoreWrapper>: CapabilityWrapper {
  let base: Base
  let store: Store
}

extension Wrapped: ResumableUploads where Base == any ResumableUploads {
  var piece: UploadPiece { base.piece }
  var keptFor: Duration? { base.keptFor }
  var finishesElsewhere: Bool { base.finishesElsewhere }

  func piece(of session: UploadSession) -> UploadPiece { base.piece(of: session) }

  func begin(_ path: StorePath, size: UInt64?, modified: Timestamp?) async throws(StoreError) -> UploadSession {
    try await store.forward(.begin(path), to: try await base.begin(path, size: size, modified: modified))
  }

  func append(_ bytes: ByteChunk, to session: UploadSession, at offset: UInt64) async throws(StoreError) -> UInt64 {
    try await store.forward(.append(bytes.count, at: offset), to: try await base.append(bytes, to: session, at: offset))
  }

  func append(
    _ source: any ByteSource, count: Int, to session: UploadSession, at offset: UInt64
  ) async throws(StoreError) -> UInt64 {
    try await store.forward(
      .append(count, at: offset), to: try await base.append(source, count: count, to: session, at: offset))
  }

  func offset(of session: UploadSession) async throws(StoreError) -> UInt64 {
    try await store.forward(.offset, to: try await base.offset(of: session))
  }

  func finish(
    _ session: UploadSession, size: UInt64, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try await store.forward(.finish(path, mode), to: try await base.finish(session, size: size, at: path, mode: mode))
  }

  func abandon(_ session: UploadSession) async throws(StoreError) {
    try await store.forward(.abandon, to: try await base.abandon(session))
  }

  func abandonLost(to path: StorePath) async throws(StoreError) {
    try await store.forward(.abandonLost(path), to: try await base.abandonLost(to: path))
  }
}

extension Wrapped: StoreTrash where Base == any StoreTrash {}

extension StoreTrash where Self: CapabilityWrapper, Base == any StoreTrash {
  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
    try await store.forward(.discard(path), to: try await base.discard(path, ifRevision: ifRevision))
  }

  func contents() async throws(StoreError) -> [TrashedFile] {
    try await store.forward(.contents, to: try await base.contents())
  }

  func read(_ file: TrashedFile.ID, limit: Int) async throws(StoreError) -> FileBeginning {
    try await store.forward(.readDiscarded, to: try await base.read(file, limit: limit))
  }

  func restore(_ file: TrashedFile.ID, as path: StorePath?) async throws(StoreError) -> FileEntry {
    try await store.forward(.restore(path), to: try await base.restore(file, as: path))
  }

  func delete(_ file: TrashedFile.ID) async throws(StoreError) {
    try await store.forward(.deleteDiscarded, to: try await base.delete(file))
  }

  func empty() async throws(StoreError) -> Int {
    try await store.forward(.empty, to: try await base.empty())
  }
}

extension Wrapped: ChangeFeed where Base == any ChangeFeed {}

extension ChangeFeed where Self: CapabilityWrapper, Base == any ChangeFeed {
  func start() async throws(StoreError) -> ChangeCursor {
    try await store.forward(.start, to: try await base.start())
  }

  func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    try await store.forward(.wait, to: try await base.wait(since: cursor))
  }

  func poll(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    try await store.forward(.poll, to: try await base.poll(since: cursor))
  }
}

extension Wrapped: RevisionHistory where Base == any RevisionHistory {}

extension RevisionHistory where Self: CapabilityWrapper, Base == any RevisionHistory {
  var largestKept: UInt64? { base.largestKept }

  func versions(of path: StorePath, limit: Int) async throws(StoreError) -> [FileEntry] {
    try await store.forward(.versions(path), to: try await base.versions(of: path, limit: limit))
  }

  func read(
    _ revision: Revision, of path: StorePath, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try await store.forward(.readVersion(path), to: try await base.read(revision, of: path, receive))
  }

  func restore(_ revision: Revision, of path: StorePath, over base: Revision?) async throws(StoreError) -> FileEntry {
    try await store.forward(.restoreVersion(path), to: try await self.base.restore(revision, of: path, over: base))
  }
}

extension Wrapped: StoreSearch where Base == any StoreSearch {
  var fewestCharacters: Int { base.fewestCharacters }

  func files(matching words: String, below folder: StorePath, limit: Int) async throws(StoreError) -> [StoreMatch] {
    try await store.forward(.search(folder), to: try await base.files(matching: words, below: folder, limit: limit))
  }
}

extension Wrapped: StoreThumbnails where Base == any StoreThumbnails {
  var batchFiles: Int { base.batchFiles }
  var questionsAtOnce: Int { base.questionsAtOnce }
  var largestSide: Int { base.largestSide }

  func thumbnails(of paths: [StorePath], side: Int) async throws(StoreError) -> [Result<StoreThumbnail, StoreError>] {
    try await store.callEach(.thumbnails(paths.count), paths, part: { .thumbnail($0) }) { paths throws(StoreError) in
      try await base.thumbnails(of: paths, side: side)
    }
  }
}

extension Wrapped: BatchUploads where Base == any BatchUploads {}

extension BatchUploads where Self: CapabilityWrapper, Base == any BatchUploads {
  var mostFiles: Int { base.mostFiles }
  var mostBytes: UInt64 { base.mostBytes }

  func put(_ files: [BatchFile]) async throws(StoreError) -> [Result<FileEntry, StoreError>] {
    try await store.callEach(.batch(files.count), files, part: { .batched($0) }) { files throws(StoreError) in
      try await base.put(files)
    }
  }
}

extension Wrapped: FolderReading where Base == any FolderReading {
  var mostEntries: Int { base.mostEntries }
  var mostBytes: UInt64 { base.mostBytes }

  func read(
    _ files: [FileEntry], below folder: StorePath, _ receive: ([FolderPart]) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    try await store.forward(.readFolder(files, below: folder), to: try await base.read(files, below: folder, receive))
  }
}

extension Wrapped: LinkSharing where Base == any LinkSharing {}

extension LinkSharing where Self: CapabilityWrapper, Base == any LinkSharing {
  func link(to path: StorePath, _ terms: LinkTerms) async throws(StoreError) -> SharedLink {
    try await store.forward(.link(path), to: try await base.link(to: path, terms))
  }

  func dropPage(
    into folder: StorePath, _ terms: DropTerms, expires: Timestamp?
  ) async throws(StoreError) -> SharedLink {
    try await store.forward(.dropPage(folder), to: try await base.dropPage(into: folder, terms, expires: expires))
  }

  func links(to path: StorePath?) async throws(StoreError) -> [SharedLink] {
    try await store.forward(.links(path), to: try await base.links(to: path))
  }

  func revoke(_ url: String) async throws(StoreError) {
    try await store.forward(.revokeLink, to: try await base.revoke(url))
  }
}

extension Wrapped: FileAdopting where Base == any FileAdopting {
  func put(
    adopting file: String, hash: ContentHash, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry? {
    try await store.forward(
      .adopt(path, mode), to: try await base.put(adopting: file, hash: hash, at: path, mode: mode))
  }
}

extension Wrapped: StorePresence where Base == any StorePresence {}

extension StorePresence where Self: CapabilityWrapper, Base == any StorePresence {
  func show(_ sight: Sight?) async throws(StoreError) {
    try await store.forward(.show, to: try await base.show(sight))
  }

  func watch(_ receive: ([PresentMember]) async -> Void) async throws(StoreError) {
    try await store.forward(.watch, to: try await base.watch(receive))
  }
}
