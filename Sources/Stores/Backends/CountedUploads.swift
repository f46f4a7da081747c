internal import FileStores
internal import Synchronization

/// Uploads of which the server keeps count, and which cannot be ended early: an abandoned one is not used again. A
/// version of the API adds three calls, and what `finish` checks.
protocol CountedUploads: ResumableUploads {
  associatedtype Store: DropboxAccount
  var store: Store { get }
  /// - Throws: `quota` if a file cannot fit.
  func checkSpace(for size: UInt64?, at path: StorePath) async throws(StoreError)
  func start(
    _ path: StorePath, _ bytes: [UInt8], sent: (@Sendable (UInt64) -> Void)?
  ) async throws(StoreError) -> UploadSession
  func send(
    _ body: HTTPBody, to session: UploadSession, at offset: UInt64, _ path: StorePath, telling source: (any ByteSource)?
  ) async throws(StoreError) -> UInt64
  /// The number of bytes that the server has.
  func have(_ session: UploadSession, _ path: StorePath) async throws(StoreError) -> UInt64
}

final class AbandonedUploads: Sendable {
  fileprivate let all = Mutex<Set<UploadSession>>([])
}

extension CountedUploads {
  /// 4 MiB: the API's own block, and the piece of its own programs.
  var piece: UploadPiece { .upTo(ContentHasher.blockBytes) }
  var keptFor: Duration? { .seconds(7 * 86_400) }

  func checkSpace(for size: UInt64?, at path: StorePath) {}

  func begin(_ path: StorePath, size: UInt64?, modified: Timestamp?) async throws(StoreError) -> UploadSession {
    try store.checkCancelled("The upload", path)
    try store.folder.checkWritable(path)
    try await checkSpace(for: size, at: path)
    return try await start(path, [], sent: nil)
  }

  func append(
    _ bytes: ByteChunk, to session: UploadSession, at offset: UInt64
  ) async throws(StoreError) -> UInt64 {
    try store.checkCancelled("The upload", .root)
    return try await send(.bytes(Array(bytes)), to: session, at: offset, .root, telling: nil)
  }

  func append(
    _ source: any ByteSource, count: Int, to session: UploadSession, at offset: UInt64
  ) async throws(StoreError) -> UInt64 {
    try store.checkCancelled("The upload", .root)
    let body = HTTPBody.source(source, from: offset, length: UInt64(count))
    return try await send(body, to: session, at: offset, .root, telling: source)
  }

  func offset(of session: UploadSession) async throws(StoreError) -> UInt64 {
    try store.checkCancelled("The upload", .root)
    return try await have(session, .root)
  }

  func abandon(_ session: UploadSession) async throws(StoreError) {
    store.abandoned.all.withLock { _ = $0.insert(session) }
  }

  /// - Throws: `notFound` for an abandoned upload, and for an id that no header could hold.
  func check(_ session: UploadSession, _ path: StorePath) throws(StoreError) {
    let isWord = 1...1000 ~= session.id.utf8.count && session.id.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != 0x2F }
    if !isWord || store.abandoned.all.withLock({ $0.contains(session) }) { throw .uploadGone(path) }
  }
}
