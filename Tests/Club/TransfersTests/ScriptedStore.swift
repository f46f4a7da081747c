import Basics
import FileStores
import Synchronization

/// A store in memory that tells a script of each step, which may wait, fail, or do something else in between.
final class ScriptedStore: FileStore {
  enum Step: Hashable {
    case begin
    /// The session is there, the answer not yet given.
    case begun
    case append(at: UInt64)
    /// The piece is accepted, the answer not yet given.
    case appended(to: UInt64)
    /// Before the file is there.
    case finish
    /// The file is there, the answer not yet given.
    case finished
    case offset
    case abandon
    case abandonLost
    case putOpened
    case put(at: UInt64)
    case entry
    case read(at: UInt64)
  }

  typealias Script = @Sendable (Step) async throws(StoreError) -> Void

  struct State {
    var files: [StorePath: [UInt8]] = [:]
    var sessions: [String: [UInt8]] = [:]
    var sessionPaths: [String: StorePath] = [:]
    var sessionsMade = 0
    /// The sizes that the beginnings of uploads said.
    var sizes: [UInt64?] = []
    var steps: [Step] = []
    var wrongHash = false
    var script: Script = { _ in }
  }

  let state = Mutex(State())
  let isResumable: Bool
  let piece: UploadPiece
  /// The piece of uploads that have begun.
  let sessionPiece: UploadPiece
  let keptFor: Duration?
  /// False for a store whose uploads are bound to the path of their beginning.
  let finishesElsewhere: Bool
  let chunkBytes: Int

  init(resumable: Bool = true, pieceBytes: Int = 4, chunkBytes: Int = 4) {
    isResumable = resumable
    (piece, sessionPiece) = (.upTo(pieceBytes), .upTo(pieceBytes))
    (keptFor, finishesElsewhere) = (.seconds(7 * 86_400), true)
    self.chunkBytes = chunkBytes
  }

  /// Like an object store: parts of one size, bound to their name, kept until they are abandoned.
  /// - Parameter longer: the size of the parts of uploads that have begun.
  init(partBytes: Int, longer: Int? = nil) {
    (isResumable, sessionPiece) = (true, .exactly(longer ?? partBytes))
    (piece, keptFor, finishesElsewhere, chunkBytes) = (.exactly(partBytes), nil, false, 4)
  }

  func run(_ script: @escaping Script) { state.withLock { $0.script = script } }
  func file(_ path: StorePath) -> [UInt8]? { state.withLock { $0.files[path] } }
  func set(_ path: StorePath, _ bytes: [UInt8]) { state.withLock { $0.files[path] = bytes } }
  var steps: [Step] { state.withLock { $0.steps } }
  var openSessions: Int { state.withLock { $0.sessions.count } }
  func loseSessions() { state.withLock { $0.sessions = [:] } }
  func tellWrongHashes() { state.withLock { $0.wrongHash = true } }
  var paths: [StorePath] { state.withLock { $0.files.keys.sorted() } }

  fileprivate func step(_ step: Step) async throws(StoreError) {
    let script = state.withLock { state in
      state.steps.append(step)
      return state.script
    }
    try await script(step)
  }

  fileprivate func checkCancelled() throws(StoreError) {
    if Task.isCancelled { throw .cancelled("The call") }
  }

  fileprivate func entry(_ path: StorePath, _ bytes: [UInt8]) -> FileEntry {
    let wrong = state.withLock { $0.wrongHash }
    return FileEntry(
      path: path, kind: .file, size: UInt64(bytes.count), revision: Revision(SHA256.hexadecimal(of: bytes)),
      contentHash: ContentHash(of: wrong ? [1, 2, 3] : bytes))
  }

  fileprivate func commit(_ bytes: [UInt8], _ path: StorePath, _ mode: WriteMode) throws(StoreError) -> FileEntry {
    let isTaken = state.withLock { state in
      if mode == .create, state.files[path] != nil { return true }
      state.files[path] = bytes
      return false
    }
    if isTaken { throw StoreError(.exists, "\"\(path)\" exists.", path: path) }
    return entry(path, bytes)
  }

  var limits: StoreLimits {
    StoreLimits(nameBytes: 255, fileBytes: nil, caseSensitive: true, unicodeNamesOnly: false)
  }
  var capabilities: Capabilities {
    Capabilities(uploads: isResumable ? Uploads(store: self) : nil)
  }

  func list(_ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?) async throws(StoreError) -> ListPage
  {
    ListPage(entries: paths.map { FileEntry(path: $0, kind: .file) }, isWhole: false)
  }

  func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    try await step(.entry)
    try checkCancelled()
    guard let bytes = file(path) else { throw StoreError(.notFound, "\"\(path)\" is not there.", path: path) }
    return entry(path, bytes)
  }

  func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    guard let bytes = file(path) else { throw StoreError(.notFound, "\"\(path)\" is not there.", path: path) }
    let read = entry(path, bytes)
    var rest = bytes.dropFirst(Int(options.offset))
    repeat {
      try await step(.read(at: UInt64(rest.startIndex)))
      try checkCancelled()
      guard file(path) == bytes, options.revision == nil || options.revision == read.revision else {
        throw StoreError(.conflict, "\"\(path)\" was changed.", path: path)
      }
      if rest.isEmpty { break }
      try await receive(rest.prefix(chunkBytes))
      rest = rest.dropFirst(chunkBytes)
    } while true
    return read
  }

  func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry {
    var bytes: [UInt8] = []
    var reading = try await source.open(at: 0)
    try await step(.putOpened)
    while let chunk = try await reading.next() {
      try await step(.put(at: UInt64(bytes.count)))
      try checkCancelled()
      bytes.append(contentsOf: chunk)
      source.delivered(UInt64(bytes.count))
    }
    if let size = source.size, size != UInt64(bytes.count) { throw StoreError(.badInput, "Another length.") }
    try await step(.finish)
    try checkCancelled()
    let entry = try commit(bytes, path, mode)
    try await step(.finished)
    return entry
  }

  func move(_ path: StorePath, to target: StorePath, ifRevision: Revision?) async throws(StoreError) -> FileEntry {
    throw StoreError(.unsupported, "No moves here.")
  }
  func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    state.withLock { $0.files[path] = nil }
  }
  func createFolder(_ path: StorePath) async throws(StoreError) {}

  private struct Uploads: ResumableUploads {
    let store: ScriptedStore
    var piece: UploadPiece { store.piece }
    func piece(of session: UploadSession) -> UploadPiece { store.sessionPiece }
    var keptFor: Duration? { store.keptFor }
    var finishesElsewhere: Bool { store.finishesElsewhere }

    func begin(_ path: StorePath, size: UInt64?, modified: Timestamp?) async throws(StoreError) -> UploadSession {
      try await store.step(.begin)
      try store.checkCancelled()
      let session = store.state.withLock { state in
        state.sessionsMade += 1
        state.sizes.append(size)
        state.sessions["s\(state.sessionsMade)"] = []
        state.sessionPaths["s\(state.sessionsMade)"] = path
        return UploadSession("s\(state.sessionsMade)")
      }
      try await store.step(.begun)
      return session
    }

    func append(
      _ bytes: ByteChunk, to session: UploadSession, at offset: UInt64
    ) async throws(StoreError) -> UInt64 {
      try await store.step(.append(at: offset))
      try store.checkCancelled()
      guard store.state.withLock({ $0.sessions[session.id] }) != nil else { throw gone }
      let end: UInt64? = store.state.withLock { state in
        guard state.sessions[session.id]?.count == Int(offset) else { return nil }
        // A short part ends an upload of exact parts.
        if case .exactly(let part) = store.sessionPiece, bytes.count > part || Int(offset) % part > 0 { return nil }
        state.sessions[session.id]?.append(contentsOf: bytes)
        return offset + UInt64(bytes.count)
      }
      guard let end else { throw StoreError(.conflict, "Another offset.") }
      try await store.step(.appended(to: end))
      return end
    }

    func offset(of session: UploadSession) async throws(StoreError) -> UInt64 {
      try await store.step(.offset)
      guard let bytes = store.state.withLock({ $0.sessions[session.id] }) else { throw gone }
      return UInt64(bytes.count)
    }

    func finish(
      _ session: UploadSession, size: UInt64, at path: StorePath, mode: WriteMode
    ) async throws(StoreError) -> FileEntry {
      try await store.step(.finish)
      try store.checkCancelled()
      guard let bytes = store.state.withLock({ $0.sessions[session.id] }) else { throw gone }
      guard UInt64(bytes.count) == size else { throw StoreError(.badInput, "Another length.") }
      guard finishesElsewhere || store.state.withLock({ $0.sessionPaths[session.id] }) == path else {
        throw StoreError(.badInput, "The upload has another name.")
      }
      let entry = try store.commit(bytes, path, mode)
      store.state.withLock { $0.sessions[session.id] = nil }
      try await store.step(.finished)
      return entry
    }

    private var gone: StoreError { StoreError(.notFound, "The store no longer has this upload.") }

    func abandon(_ session: UploadSession) async throws(StoreError) {
      try await store.step(.abandon)
      try store.checkCancelled()
      store.state.withLock { $0.sessions[session.id] = nil }
    }

    func abandonLost(to path: StorePath) async throws(StoreError) {
      try await store.step(.abandonLost)
      store.state.withLock { state in
        for (id, bytes) in state.sessions where bytes.isEmpty && state.sessionPaths[id] == path {
          state.sessions[id] = nil
        }
      }
    }
  }
}
