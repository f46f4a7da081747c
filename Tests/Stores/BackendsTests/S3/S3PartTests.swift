import FileStores
import Synchronization
import TestKit
import Testing

@testable import Backends

/// The size of the parts of an upload.
struct S3PartTests {
  @Test(
    arguments: [
      (0, 8 << 20), (10_000 * (8 << 20), 8 << 20), (10_000 * (8 << 20) + 1, 16 << 20), (5 << 40, 1 << 30),
      (10_000 * (5 << 30), 5 << 30),
      (10_000 * (5 << 30) + 1, nil),
    ] as [(UInt64, Int?)])
  func `parts double until ten thousand suffice, up to 5 GiB`(_ row: (size: UInt64, part: Int?)) {
    #expect(S3Tuning().partBytes(for: row.size) == row.part)
  }

  @Test func `an upload keeps its parts in another process with other settings`() async throws {
    let begun = "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>"
    let store = try S3Scene.store(ScriptedTransport([S3Scene.xml(200, begun)]))
    let session = try await S3Uploads(store: store).begin(StorePath("a"), size: 100 << 30)
    let other = try S3Scene.store(ScriptedTransport([])) { $0.partBytes = 5 << 20 }
    #expect(S3Uploads(store: other).piece(of: UploadSession(session.id)) == .exactly(16 << 20))
  }

  @Test(
    arguments: [
      ("1000000000", 1_000_000_000_000_000_000), ("0", 0), ("1.5", 1_500_000_000), ("-1.5", -1_500_000_000),
      ("1700000000.123456789", 1_700_000_000_123_456_789), ("-0.000000001", -1),
    ] as [(String, Int64)])
  func `a file's own time goes as rclone writes it, in the signature, and comes back`(row: (text: String, time: Int64))
    async throws
  {
    let time = Timestamp(nanoseconds: row.time)
    let transport = ScriptedTransport { asked in
      switch asked.request.method {
      case .post: S3Scene.xml(200, "<R><UploadId>u</UploadId></R>")
      case .head where asked.target == "/b/p/a":
        S3Scene.xml(200, "", ["ETag": "\"e\"", "Content-Length": "3", "x-amz-meta-mtime": row.text])
      case .put: S3Scene.xml(200, "", ["ETag": "\"e\""])
      case .get: S3Scene.xml(200, S3Scene.page("", token: nil))
      default: S3Scene.xml(404, "")
      }
    }
    let store = try S3Scene.store(transport)
    _ = try await store.put(DataSource("abc".utf8, modified: time), at: StorePath("new"), mode: .create)
    _ = try await S3Uploads(store: store).begin(StorePath("b"), size: nil, modified: time)
    let sent = transport.recorded.map(\.request).filter { $0.method == .put || $0.method == .post }
    #expect(sent.count == 2 && sent.allSatisfy { $0.headers["x-amz-meta-mtime"] == row.text })
    #expect(sent.allSatisfy { $0.headers["Authorization"]?.contains(";x-amz-meta-mtime,") == true })
    #expect(try await store.entry(at: StorePath("a")).ownTime == time)
    _ = try await store.put(DataSource("abc".utf8), at: StorePath("c"), mode: .create)
    #expect(transport.recorded.last { $0.request.method == .put }?.request.headers["x-amz-meta-mtime"] == nil)
  }

  @Test(arguments: ["", "-", "x", "1.", "1.x", "1.2.3", "1e9", " 1", "9223372036", "1700000000000", "--1", "+1"])
  func `a time that is none leaves the time of the write`(text: String) {
    #expect(S3Store.ownTime(text) == (text == "1." ? Timestamp(seconds: 1) : nil))
  }

  @Test func `a file that is larger than all parts is refused before anything is sent`() async throws {
    let store = try S3Scene.store(ScriptedTransport([]))
    let size = UInt64(50 << 40)
    let error = await #expect(throws: StoreError.self) {
      try await S3Uploads(store: store).begin(StorePath("a"), size: size)
    }
    #expect(error?.kind == .tooLarge && store.limits.fileBytes == 10_000 * (5 << 30))
  }
}

/// Files of more than one part at a real server, with two parts of 5 to 10 MiB instead of 10,000.
@Suite(.serialized, .enabled(if: S3Server.isThere, Comment(rawValue: PythonPackages.reason))) struct S3LongPartTests {
  private let bytes = (0..<56).flatMap { [UInt8](repeating: $0, count: 256 << 10) }

  private func store(_ change: (inout S3Tuning) -> Void = { _ in }) async throws -> S3Store {
    let server = try S3Server.shared.get()
    return try server.store(try await server.bucket("plain"), S3Server.newClub()) { tuning in
      (tuning.mostParts, tuning.longestPart, tuning.heldBytes) = (2, 10 << 20, 16 << 20)
      change(&tuning)
    }
  }

  @Test(arguments: [16 << 20, 6 << 20]) func `a file of known size goes in longer parts, held or streamed`(held: Int)
    async throws
  {
    let store = try await store { $0.heldBytes = held }
    let path = try StorePath("long")
    let put = try await store.put(DataSource(bytes, chunkSize: 300_000), at: path, mode: .create)
    #expect(put.etag?.hasSuffix("-2") == true)
    #expect(try await store.readAll(path, limit: 20 << 20).bytes == bytes)
  }

  @Test func `a file of unknown size that the parts cannot hold is tooLarge and leaves nothing`() async throws {
    let store = try await store()
    let path = try StorePath("long")
    let error = await #expect(throws: StoreError.self) {
      try await store.put(OddSource(bytes, size: nil), at: path, mode: .create)
    }
    #expect(error?.kind == .tooLarge)
    #expect(try await store.entryIfAny(path) == nil)
  }

  @Test(arguments: [6 << 20, 16 << 20], [UInt64(13 << 20), 15 << 20])
  func `a source of another length than it says leaves nothing`(held: Int, said: UInt64) async throws {
    let store = try await store { $0.heldBytes = held }
    let path = try StorePath("long")
    let error = await #expect(throws: StoreError.self) {
      try await store.put(OddSource(bytes, size: said), at: path, mode: .create)
    }
    #expect(error?.kind == .badInput, "\(String(describing: error))")
    #expect(try await store.entryIfAny(path) == nil)
  }

  @Test func `a large new file goes in parts, some at once, and its progress only grows`() async throws {
    let store = try await store { ($0.mostParts, $0.longestPart) = (100, 1 << 30) }
    let path = try StorePath("large")
    let source = PacedSource((0..<112).flatMap { [UInt8](repeating: $0, count: 256 << 10) })
    let put = try await store.put(source, at: path, mode: .create)
    #expect(put.etag?.hasSuffix("-6") == true && put.size == 28 << 20)
    #expect(try await store.readAll(path, limit: 40 << 20).bytes == source.bytes)
    let delivered = source.delivered
    #expect(delivered == delivered.sorted() && delivered.count == 6 && delivered.last == 28 << 20)
    #expect(source.mostReadings == 1)
    // Another member's save over it is one request, in which the server compares.
    let newer = try await store.put(source, at: path, mode: .replace(try #require(put.revision)))
    #expect(newer.etag?.contains("-") == false)
    let error = await #expect(throws: StoreError.self) { try await store.put(source, at: path, mode: .create) }
    #expect(error?.kind == .exists)
  }

  @Test func `a large file whose source breaks leaves neither a file nor parts`() async throws {
    let store = try await store { ($0.mostParts, $0.longestPart) = (100, 1 << 30) }
    let path = try StorePath("large")
    let source = PacedSource([UInt8](repeating: 7, count: 28 << 20), breaksAt: 17 << 20)
    let error = await #expect(throws: StoreError.self) { try await store.put(source, at: path, mode: .create) }
    #expect(error?.kind == .server, "\(String(describing: error))")
    #expect(try await store.entryIfAny(path) == nil)
    let call = S3Call(
      .get, nil, about: path, query: [("uploads", ""), ("prefix", try #require(store.place.key(path)))])
    let answer = try await store.client.answer(call)
    #expect(answer.isSuccess)
    #expect(!String(decoding: answer.body, as: UTF8.self).contains("<UploadId>"))
  }
}

/// A source that notes how it is read and how much is delivered.
private final class PacedSource: ByteSource {
  private struct Seen {
    var delivered: [UInt64] = []
    var (readings, mostReadings) = (0, 0)
  }

  let bytes: [UInt8]
  private let breaksAt: Int?
  private let seen = Mutex(Seen())

  init(_ bytes: [UInt8], breaksAt: Int? = nil) { (self.bytes, self.breaksAt) = (bytes, breaksAt) }

  var size: UInt64? { UInt64(bytes.count) }
  var delivered: [UInt64] { seen.withLock { $0.delivered } }
  var mostReadings: Int { seen.withLock { $0.mostReadings } }

  func delivered(_ count: UInt64) { seen.withLock { $0.delivered.append(count) } }

  func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    seen.withLock { seen in
      seen.readings += 1
      seen.mostReadings = max(seen.mostReadings, seen.readings)
    }
    return Reading(source: self, at: Int(offset))
  }

  private struct Reading: ByteReading {
    let source: PacedSource
    var at: Int

    init(source: PacedSource, at: Int) { (self.source, self.at) = (source, at) }

    mutating func next() async throws(StoreError) -> ByteChunk? {
      if let end = source.breaksAt, at >= end { throw StoreError(.server, "The source broke.") }
      guard at < source.bytes.count else {
        source.seen.withLock { $0.readings -= 1 }
        return nil
      }
      let end = min(at + 1 << 20, source.bytes.count)
      defer { at = end }
      return source.bytes[at..<end]
    }
  }
}
