import FileStores

struct FaultyUploads: ResumableUploads {
  let base: any ResumableUploads
  let faults: Faults

  var pieceBytes: Int { base.pieceBytes }

  func begin(_ path: StorePath) async throws(StoreError) -> UploadSession {
    try await faults.call("begin", path) { () throws(StoreError) in try await base.begin(path) }
  }
  func append(_ bytes: ByteChunk, to session: UploadSession, at offset: UInt64) async throws(StoreError) -> UInt64 {
    try await faults.call("append", .root) { () throws(StoreError) in
      try await base.append(bytes, to: session, at: offset)
    }
  }
  func offset(of session: UploadSession) async throws(StoreError) -> UInt64 {
    try await faults.call("offset", .root) { () throws(StoreError) in try await base.offset(of: session) }
  }
  func finish(
    _ session: UploadSession, size: UInt64, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try await faults.call("finish", path) { () throws(StoreError) in
      try await base.finish(session, size: size, at: path, mode: mode)
    }
  }
  func abandon(_ session: UploadSession) async throws(StoreError) {
    try await faults.call("abandon", .root) { () throws(StoreError) in try await base.abandon(session) }
  }
}

struct FaultyTrash: StoreTrash {
  let base: any StoreTrash
  let faults: Faults

  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
    try await faults.call("discard", path) { () throws(StoreError) in
      try await base.discard(path, ifRevision: ifRevision)
    }
  }
  func contents() async throws(StoreError) -> [TrashedFile] {
    try await faults.call("contents", .root) { () throws(StoreError) in try await base.contents() }
  }
  func restore(_ file: TrashedFile.ID, as path: StorePath?) async throws(StoreError) -> FileEntry {
    try await faults.call("restore", .root) { () throws(StoreError) in try await base.restore(file, as: path) }
  }
  func delete(_ file: TrashedFile.ID) async throws(StoreError) {
    try await faults.call("delete", .root) { () throws(StoreError) in try await base.delete(file) }
  }
  func empty() async throws(StoreError) -> Int {
    try await faults.call("empty", .root) { () throws(StoreError) in try await base.empty() }
  }
}

struct FaultyChanges: ChangeFeed {
  let base: any ChangeFeed
  let faults: Faults

  func start() async throws(StoreError) -> ChangeCursor {
    try await faults.call("start", .root) { () throws(StoreError) in try await base.start() }
  }
  func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
    try await faults.call("wait", .root) { () throws(StoreError) in try await base.wait(since: cursor) }
  }
}
