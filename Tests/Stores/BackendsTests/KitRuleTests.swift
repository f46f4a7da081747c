import Basics
import FileStores
import Synchronization
import TestKit
import Testing

@testable import Backends

/// Rules of the kit that all stores over HTTP share, without a store.
@Suite struct `The kit of HTTP stores` {
  @Test func `counts empty pages that follow one another`() throws {
    var bounds = PageBounds("the trash", about: .root, "The server")
    for round in 0..<3 {
      for page in 0..<PageBounds.mostEmptyPages { try bounds.add(0, next: "\(round) \(page)") }
      try bounds.add(1, next: "\(round)")
    }
    for page in 0..<PageBounds.mostEmptyPages { try bounds.add(0, next: "last \(page)") }
    #expect(throws: StoreError.self) { try bounds.add(0, next: "one more") }
  }

  @Test func `doubles the pause of a watch up to the longest`() async throws {
    let (clock, watch) = (ManualClock(advancesOnSleep: true), PolledWatch())
    let looks = Mutex(0)
    let cursor = watch.begin(with: [])
    let path = try StorePath("a.md")
    let feed = PolledFeed(
      watch: watch, pool: BlockingPool(threads: 1), clock: clock, pauses: (.seconds(2), .seconds(15)),
      look: {
        let count = looks.withLock { looks in
          looks += 1
          return looks
        }
        watch.take(count < 6 ? [] : [FileEntry(path: path, kind: .file, size: 1, revision: Revision("r"))])
      })
    let news = try await feed.wait(since: cursor)
    #expect(clock.slept == [2, 4, 8, 15, 15, 15].map { .seconds($0) })
    #expect(news.changes.count == 1 && !news.mustRelist)
  }

  @Test func `asks how much has come after a chunk that failed`() async throws {
    let uploads = LossyUploads()
    let session = UploadSession("a")
    #expect(try await uploads.append([1, 2], to: session, at: 0) == 2)
    #expect(uploads.asked.withLock { $0 } == 1)
    uploads.breaks.withLock { $0 = true }
    await #expect(throws: StoreError.self) { _ = try await uploads.append([3], to: session, at: 2) }
    uploads.breaks.withLock { $0 = false }
    // The chunk had come all the same.
    let error = await #expect(throws: StoreError.self) { _ = try await uploads.append([3], to: session, at: 2) }
    #expect(error?.kind == .conflict && uploads.asked.withLock { $0 } == 2)
    #expect(try await uploads.append([4], to: session, at: 3) == 4)
  }

  @Test func `says of each answer that no server may give that it is wrong`() throws {
    let path = try StorePath("a.md")
    let errors = [
      StoreError.nonsense("The server sends nonsense", path), .tooManyBytes(path, "The server", size: 3),
      .tooFewBytes(path, "The server", sent: 1, size: 3), .foreignPage(path, "The server"),
      .wrongPart(path, "The server", from: 2), PageBounds.repeated("the trash", about: path, "The server"),
    ]
    for error in errors {
      #expect(error.isWrongAnswer && !error.remedy.isEmpty && error.message.hasPrefix("The server"), "\(error.message)")
    }
    #expect(errors[2].message == "The server sends only 1 of the 3 bytes that it says \"a.md\" has.")
  }
}

/// Uploads to a server that takes each chunk; with `breaks` its answer is lost.
private final class LossyUploads: ChunkedUploads {
  struct Known: ChunkedSession {
    let path = StorePath.root
    let exactBytes: Int? = nil
    init?(_ session: UploadSession) {}
  }

  let offsets = UploadOffsets()
  let mostChunks = 100
  let serverName = "The server"
  let piece = UploadPiece.upTo(10)
  let keptFor: Duration? = nil
  let finishesElsewhere = true
  let asked = Mutex(0)
  let breaks = Mutex(false)
  private let bytes = Mutex<UInt64>(0)

  func have(_ known: Known) async throws(StoreError) -> UInt64 {
    asked.withLock { $0 += 1 }
    return bytes.withLock { $0 }
  }

  func append(_ chunk: ByteChunk, to session: UploadSession, at offset: UInt64) async throws(StoreError) -> UInt64 {
    try await appending(chunk.count, to: session, at: offset) { _ throws(StoreError) in
      bytes.withLock { $0 += UInt64(chunk.count) }
      if breaks.withLock({ $0 }) { throw StoreError(.offline, "The answer is lost.") }
    }
  }

  func append(
    _ source: any ByteSource, count: Int, to session: UploadSession, at offset: UInt64
  ) async throws(StoreError) -> UInt64 { throw .uploadGone(.root) }

  func begin(_ path: StorePath, size: UInt64?, modified: Timestamp?) async throws(StoreError) -> UploadSession {
    UploadSession("a")
  }

  func finish(
    _ session: UploadSession, size: UInt64, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry { throw .uploadGone(path) }

  func abandon(_ session: UploadSession) async throws(StoreError) {}
  func abandonLost(to path: StorePath) async throws(StoreError) {}
}
