// The powers of a `LoggingStore`, each around the wrapped store's own.

struct LoggingTrash: StoreTrash {
  let base: any StoreTrash
  let log: CallLog

  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
    try await log("discard \(CallLog.quoted(path))", { "\($0.size) bytes" }) { () throws(StoreError) in
      try await base.discard(path, ifRevision: ifRevision)
    }
  }

  func contents() async throws(StoreError) -> [TrashedFile] {
    try await log("trash", { "\($0.count) files" }) { () throws(StoreError) in try await base.contents() }
  }

  func restore(_ file: TrashedFile.ID, as path: StorePath?) async throws(StoreError) -> FileEntry {
    try await log("restore from the trash", { "\(CallLog.quoted($0.path))" }) { () throws(StoreError) in
      try await base.restore(file, as: path)
    }
  }

  func delete(_ file: TrashedFile.ID) async throws(StoreError) {
    try await log("delete from the trash", { _ in "done" }) { () throws(StoreError) in try await base.delete(file) }
  }

  func empty() async throws(StoreError) -> Int {
    try await log("empty the trash", { "\($0) files" }) { () throws(StoreError) in try await base.empty() }
  }
}

struct LoggingUploads: ResumableUploads {
  let base: any ResumableUploads
  let log: CallLog

  var pieceBytes: Int { base.pieceBytes }

  func begin(_ path: StorePath) async throws(StoreError) -> UploadSession {
    try await log("begin upload of \(CallLog.quoted(path))", { _ in "done" }) { () throws(StoreError) in
      try await base.begin(path)
    }
  }

  func append(_ bytes: ByteChunk, to session: UploadSession, at offset: UInt64) async throws(StoreError) -> UInt64 {
    try await piece(bytes.count, offset) { () throws(StoreError) in
      try await base.append(bytes, to: session, at: offset)
    }
  }

  func append(
    _ source: any ByteSource, count: Int, to session: UploadSession, at offset: UInt64
  ) async throws(StoreError) -> UInt64 {
    try await piece(count, offset) { () throws(StoreError) in
      try await base.append(source, count: count, to: session, at: offset)
    }
  }

  func offset(of session: UploadSession) async throws(StoreError) -> UInt64 {
    try await log("ask for the upload's offset", { "\($0)" }) { () throws(StoreError) in
      try await base.offset(of: session)
    }
  }

  func finish(
    _ session: UploadSession, size: UInt64, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try await log("finish upload of \(CallLog.quoted(path)) \(mode.word)", CallLog.size) { () throws(StoreError) in
      try await base.finish(session, size: size, at: path, mode: mode)
    }
  }

  func abandon(_ session: UploadSession) async throws(StoreError) {
    try await log("abandon upload", { "done" }) { () throws(StoreError) in try await base.abandon(session) }
  }

  private func piece(
    _ count: Int, _ offset: UInt64, _ call: () async throws(StoreError) -> UInt64
  ) async throws(StoreError) -> UInt64 {
    try await log("append \(count) bytes at \(offset)", { "now \($0)" }, call)
  }
}

struct LoggingBatches: BatchUploads {
  let base: any BatchUploads
  let log: CallLog

  var mostFiles: Int { base.mostFiles }
  var mostBytes: UInt64 { base.mostBytes }

  func put(_ files: [BatchFile]) async throws(StoreError) -> [Result<FileEntry, StoreError>] {
    let results = try await log("put \(files.count) files", { _ in "done" }) { () throws(StoreError) in
      try await base.put(files)
    }
    for case (let file, .failure(let error)) in zip(files, results) {
      log.tell("put \(CallLog.quoted(file.path)) \(file.mode.word) among them: \(CallLog.words(error))")
    }
    return results
  }
}

struct LoggingHistory: RevisionHistory {
  let base: any RevisionHistory
  let log: CallLog

  var largestKept: UInt64? { base.largestKept }

  func versions(of path: StorePath, limit: Int) async throws(StoreError) -> [FileEntry] {
    try await log("versions of \(CallLog.quoted(path))", { "\($0.count)" }) { () throws(StoreError) in
      try await base.versions(of: path, limit: limit)
    }
  }

  func read(
    _ revision: Revision, of path: StorePath, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try await log("read a version of \(CallLog.quoted(path))", CallLog.size) { () throws(StoreError) in
      try await base.read(revision, of: path, receive)
    }
  }

  func restore(_ revision: Revision, of path: StorePath, over current: Revision?) async throws(StoreError) -> FileEntry
  {
    try await log("restore a version of \(CallLog.quoted(path))", CallLog.size) { () throws(StoreError) in
      try await base.restore(revision, of: path, over: current)
    }
  }
}

struct LoggingSearch: StoreSearch {
  let base: any StoreSearch
  let log: CallLog

  var fewestCharacters: Int { base.fewestCharacters }

  // What is looked for is the member's own affair.
  func files(
    matching words: String, below folder: StorePath, limit: Int
  ) async throws(StoreError) -> [StoreMatch] {
    try await log("search below \(CallLog.quoted(folder))", { "\($0.count) files" }) { () throws(StoreError) in
      try await base.files(matching: words, below: folder, limit: limit)
    }
  }
}

struct LoggingThumbnails: StoreThumbnails {
  let base: any StoreThumbnails
  let log: CallLog

  var batchFiles: Int { base.batchFiles }
  var questionsAtOnce: Int { base.questionsAtOnce }
  var largestSide: Int { base.largestSide }

  func thumbnails(
    of paths: [StorePath], side: Int
  ) async throws(StoreError) -> [Result<StoreThumbnail, StoreError>] {
    let results = try await log("thumbnails of \(paths.count) files", { _ in "done" }) { () throws(StoreError) in
      try await base.thumbnails(of: paths, side: side)
    }
    for case (let path, .failure(let error)) in zip(paths, results) {
      log.tell("thumbnail of \(CallLog.quoted(path)) among them: \(CallLog.words(error))")
    }
    return results
  }
}

struct LoggingFolders: FolderReading {
  let base: any FolderReading
  let log: CallLog

  var mostEntries: Int { base.mostEntries }
  var mostBytes: UInt64 { base.mostBytes }

  func read(
    _ files: [FileEntry], below folder: StorePath, _ receive: ([FolderPart]) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    let what = "read \(files.count) files below \(CallLog.quoted(folder))"
    try await log(what, { "done" }) { () throws(StoreError) in try await base.read(files, below: folder, receive) }
  }
}

struct LoggingChanges: ChangeFeed {
  let base: any ChangeFeed
  let log: CallLog

  func start() async throws(StoreError) -> ChangeCursor {
    try await log("begin to wait for changes", { _ in "done" }) { () throws(StoreError) in try await base.start() }
  }

  func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    try await log("wait for changes", { $0.mustRelist ? "list anew" : "\($0.changes.count)" }) {
      () throws(StoreError) in try await base.wait(since: cursor)
    }
  }
}
