internal import Synchronization

/// Uploads in pieces, which can continue after a break, in another process, or after a reboot. The order is begin,
/// append (any number, at growing offsets), finish; or abandon.
public protocol ResumableUploads: Sendable {
  /// The number of bytes of each append but the last, in a new upload; a very large file may need longer ones.
  var piece: UploadPiece { get }
  /// The number of bytes of each append but the last, in this upload.
  func piece(of session: UploadSession) -> UploadPiece
  /// The time for which the store keeps an unfinished upload; nil if it keeps it until it is abandoned.
  var keptFor: Duration? { get }
  /// True if an upload may be finished at another path than that of `begin`. False if `finish` throws `badInput` for
  /// another path: a client whose name was taken meanwhile begins anew.
  var finishesElsewhere: Bool { get }
  /// Begins an upload. Nothing is visible at `path` before `finish`.
  /// - Parameters:
  ///   - size: the number of bytes of the whole file; nil if the caller does not know it. `finish` decides.
  ///   - modified: the file's own time, as that of the session that `finish` gets: some stores take it now, others then.
  /// - Throws: `tooLarge` for more than the store can take.
  func begin(_ path: StorePath, size: UInt64?, modified: Timestamp?) async throws(StoreError) -> UploadSession
  /// Appends bytes at an offset, durably. With `.exactly`, an append that is not as long as the rule says is the last.
  /// - Returns: the number of bytes that the store has now.
  /// - Throws: `conflict` if the store does not have exactly `offset` bytes (ask `offset(of:)`, then continue from
  ///   there); `notFound` if the session is gone.
  func append(_ bytes: ByteChunk, to session: UploadSession, at offset: UInt64) async throws(StoreError) -> UInt64
  /// Appends `count` bytes of a source from `offset`, if possible without holding them all in memory.
  /// - Throws: as `append` of bytes; errors of the source; `badInput` if the source ends early.
  func append(
    _ source: any ByteSource, count: Int, to session: UploadSession, at offset: UInt64
  ) async throws(StoreError) -> UInt64
  /// The number of bytes that the store has, without a gap from the beginning.
  func offset(of session: UploadSession) async throws(StoreError) -> UInt64
  /// Makes the bytes the file at `path`. The conditions are those of `put`.
  func finish(
    _ session: UploadSession, size: UInt64, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry
  /// Discards the upload. A session that is gone is no error.
  func abandon(_ session: UploadSession) async throws(StoreError)
  /// Discards uploads to `path` without a byte. For a caller that was killed between the beginning of an upload and its
  /// note of the session; only stores that keep an upload for ever have work to do.
  func abandonLost(to path: StorePath) async throws(StoreError)
}

extension ResumableUploads {
  public var finishesElsewhere: Bool { true }
  public func piece(of session: UploadSession) -> UploadPiece { piece }
  public func abandonLost(to path: StorePath) async throws(StoreError) {}

  public func begin(_ path: StorePath, size: UInt64?) async throws(StoreError) -> UploadSession {
    try await begin(path, size: size, modified: nil)
  }

  public func append(
    _ source: any ByteSource, count: Int, to session: UploadSession, at offset: UInt64
  ) async throws(StoreError) -> UInt64 {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var reading = try await source.open(at: offset)
    while bytes.count < count {
      guard let chunk = try await reading.next() else {
        throw StoreError(.badInput, "The source ended after \(offset + UInt64(bytes.count)) bytes.")
      }
      bytes.append(contentsOf: chunk.prefix(count - bytes.count))
    }
    let reached = try await append(bytes[...], to: session, at: offset)
    source.delivered(reached)
    return reached
  }
}

/// The number of bytes that a store takes in one append.
public enum UploadPiece: Sendable, Hashable {
  /// Any number; more than this costs too much when it has to be sent again.
  case upTo(Int)
  /// This number in each append but the last, which may have fewer.
  case exactly(Int)

  public var bytes: Int {
    switch self {
    case .upTo(let bytes), .exactly(let bytes): bytes
    }
  }
}

public struct UploadSession: Hashable, Sendable {
  /// Printable ASCII. Sessions with the same id are equal.
  public let id: String
  /// The file's own time, which `finish` gives it where the store keeps such times; nil for the time of `finish`.
  public var modified: Timestamp?

  public init(_ id: String) { self.id = id }

  public static func == (left: UploadSession, right: UploadSession) -> Bool { left.id == right.id }
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

public protocol BatchUploads: Sendable {
  /// The number of files that one call takes.
  var mostFiles: Int { get }
  /// The number of bytes that each file may have.
  var mostBytes: UInt64 { get }

  /// Writes files, each with the conditions and promises of `FileStore.put`: one result for each, in their order.
  ///
  /// - A file that fails affects no other. One with more than `mostBytes` is `tooLarge`.
  /// - Of two files with one path, either may be written first; the other meets its result.
  /// - Throws: `badInput` for more than `mostFiles`, before anything is sent; otherwise an error that concerns all
  ///   files, any of which may have been written.
  func put(_ files: [BatchFile]) async throws(StoreError) -> [Result<FileEntry, StoreError>]
}

public struct BatchFile: Sendable {
  public let path: StorePath
  public let source: any ByteSource
  public let mode: WriteMode

  public init(_ source: any ByteSource, at path: StorePath, mode: WriteMode) {
    (self.source, self.path, self.mode) = (source, path, mode)
  }
}

/// The offsets of unfinished uploads that a process knows; it asks the store for others.
package final class UploadOffsets: Sendable {
  /// More than run at once. A forgotten offset costs a question to the server.
  private static let most = 256
  private let offsets = Mutex<[UploadSession: UInt64]>([:])

  package init() {}

  package subscript(session: UploadSession) -> UInt64? {
    get { offsets.withLock { $0[session] } }
    set {
      offsets.withLock { offsets in
        if newValue != nil, offsets[session] == nil, offsets.count >= UploadOffsets.most { offsets.removeAll() }
        offsets[session] = newValue
      }
    }
  }
}
