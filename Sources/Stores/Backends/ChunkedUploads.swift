internal import FileStores

/// Uploads in chunks of which the client keeps count: a service sends one chunk, and tells how many bytes there are.
protocol ChunkedUploads: ResumableUploads {
  associatedtype Known: ChunkedSession
  /// The offsets that this process knows.
  var offsets: UploadOffsets { get }
  var mostChunks: Int { get }
  var serverName: String { get }
  /// The number of bytes that the server has, without a gap from the beginning.
  func have(_ known: Known) async throws(StoreError) -> UInt64
}

/// The facts about an upload that its id has, so that any process goes on.
protocol ChunkedSession: Sendable {
  /// nil for a session of another store.
  init?(_ session: UploadSession)
  var path: StorePath { get }
  /// The size of each chunk but the last; nil for any.
  var exactBytes: Int? { get }
}

extension ChunkedUploads {
  func piece(of session: UploadSession) -> UploadPiece { Known(session)?.exactBytes.map { .exactly($0) } ?? piece }

  func parsed(_ session: UploadSession, _ path: StorePath? = nil) throws(StoreError) -> Known {
    guard let known = Known(session) else { throw .uploadGone(path ?? .root) }
    let path = path ?? known.path
    if Task.isCancelled { throw .cancelled("The upload of \"\(path)\"", path: path) }
    return known
  }

  func offset(of session: UploadSession) async throws(StoreError) -> UInt64 {
    let bytes = try await have(try parsed(session))
    offsets[session] = bytes
    return bytes
  }

  /// Sends the next chunk.
  func appending(
    _ count: Int, to session: UploadSession, at offset: UInt64, _ send: (Known) async throws(StoreError) -> Void
  ) async throws(StoreError) -> UInt64 {
    let known = try parsed(session)
    let have = if let have = offsets[session] { have } else { try await self.offset(of: session) }
    let chunk = known.exactBytes.map { UInt64($0) }
    guard have == offset, chunk.map({ offset % $0 == 0 }) ?? true else { throw .otherOffset(have, known.path) }
    guard chunk.map({ UInt64(count) <= $0 && offset / $0 < UInt64(mostChunks) }) ?? true else {
      throw .tooLarge(known.path, serverName)
    }
    if count == 0 { return have }
    offsets[session] = nil
    try await send(known)
    offsets[session] = offset + UInt64(count)
    return offset + UInt64(count)
  }

  /// The size of the chunks of a file: doubled until they suffice. nil for a file that is too large.
  static func chunkBytes(for size: UInt64, from first: Int, most: Int, longest: Int) -> Int? {
    var bytes = first
    while UInt64(bytes) * UInt64(most) < size {
      if bytes >= longest { return nil }
      bytes = min(bytes * 2, longest)
    }
    return bytes
  }
}

/// One chunk of an upload, as the server lists it.
struct UploadChunk: Sendable, Hashable {
  let number: Int
  let size: UInt64
  /// Empty where the server gives none.
  var etag = ""
}

extension ChunkedSession {
  /// The unbroken run of whole chunks from the first, whose last may be shorter.
  func run(_ chunks: [UploadChunk]) -> [UploadChunk] {
    let whole = UInt64(exactBytes ?? .max)
    var run: [UploadChunk] = []
    for chunk in chunks {
      guard chunk.number == run.count + 1, run.last.map({ $0.size == whole }) ?? true, chunk.size <= whole else {
        break
      }
      run.append(chunk)
    }
    return run
  }
}

extension [UploadChunk] {
  var bytes: UInt64 { reduce(0) { $0 + $1.size } }
}
