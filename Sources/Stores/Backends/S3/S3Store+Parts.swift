internal import Basics
internal import FileStores
internal import Synchronization

/// Files of known size that go in parts, some at once: a connection of a distant server does not use the whole line.
extension S3Store {
  private static let partsAtOnce = 4

  /// The parts of all files that are on their way; each is held in memory.
  final class PartCount: Sendable {
    private let count = Mutex(0)
    var isFull: Bool { count.withLock { $0 >= S3Store.partsAtOnce } }
    func add(_ number: Int) { count.withLock { $0 += number } }
  }

  /// True for a large new file. Another one is a single request, in which the server compares and replaces in one step.
  func goesTogether(_ size: UInt64, _ mode: WriteMode, _ features: S3Features) -> Bool {
    guard mode == .create, features.create == .kept, let part = tuning.partBytes(for: size) else { return false }
    return part <= tuning.heldBytes && size > UInt64(S3Store.partsAtOnce * part)
  }

  /// A file of known size in parts that suffice for it.
  func upload(
    _ source: any ByteSource, size: UInt64, at path: StorePath, _ mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    let uploads = S3Uploads(store: self)
    let session = try await uploads.begin(path, size: size, modified: source.modified)
    return try await orAbandoning(session, uploads) { () throws(StoreError) in
      let part = uploads.piece(of: session).bytes
      if part <= tuning.heldBytes {
        try await sendTogether(source, partBytes: part, session, uploads, at: path)
      } else {
        let checked = CheckedSource(source, size: size, for: path)
        var offset: UInt64 = 0
        while offset < size {
          let count = Int(clamping: min(UInt64(part), size - offset))
          offset = try await uploads.append(checked, count: count, to: session, at: offset)
        }
      }
      return try await uploads.finish(session, size: size, at: path, mode: mode)
    }
  }

  /// Reads a source once, and sends its parts while it reads on.
  private func sendTogether(
    _ source: any ByteSource, partBytes: Int, _ session: UploadSession, _ uploads: S3Uploads, at path: StorePath
  ) async throws(StoreError) {
    var pieces = try await SourcePieces(source, for: path, pieceBytes: partBytes)
    let failure: StoreError? = await withTaskGroup(of: (count: Int, failure: StoreError?).self) { group in
      var (offset, delivered, underway) = (UInt64(0), UInt64(0), 0)
      var failure: StoreError?
      func note(_ sent: (count: Int, failure: StoreError?)) {
        underway -= 1
        parts.add(-1)
        failure = failure ?? sent.failure
        guard failure == nil else { return }
        delivered += UInt64(sent.count)
        source.delivered(delivered)
      }
      while failure == nil {
        do throws(StoreError) {
          let piece = try await pieces.next()
          let (from, bytes) = (offset, piece.bytes)
          offset += UInt64(bytes.count)
          // A file that has no part on its way may always send one.
          while underway > 0, parts.isFull, let sent = await group.next() { note(sent) }
          if failure != nil { break }
          underway += 1
          parts.add(1)
          group.addTask {
            do throws(StoreError) {
              try await self.steadily { () throws(StoreError) in try await uploads.send(bytes, of: session, at: from) }
              return (bytes.count, nil)
            } catch {
              return (0, error)
            }
          }
          if piece.isLast { break }
        } catch {
          failure = error
        }
      }
      if failure != nil { group.cancelAll() }
      for await sent in group { note(sent) }
      return failure
    }
    if let failure { throw failure }
  }

  /// Abandons the upload if `body` fails.
  func orAbandoning(
    _ session: UploadSession, _ uploads: S3Uploads, _ body: () async throws(StoreError) -> FileEntry
  ) async throws(StoreError) -> FileEntry {
    do throws(StoreError) {
      return try await body()
    } catch {
      // Parts that cannot be removed cost space until the bucket's rules remove them.
      _ = try? await pool.finishing { () throws(StoreError) in try await uploads.abandon(session) }
      throw error
    }
  }
}
