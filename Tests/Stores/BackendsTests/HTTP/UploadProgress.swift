import Backends
import Basics
import FileStores
import Synchronization
import TestKit
import Testing

/// A store that uploads to a server which reads slowly tells its source no more than the server can have.
@Suite("Upload progress", .timeLimit(.minutes(5)))
struct UploadProgress {
  /// One way to send a file: the route that carries its bytes, and the calls around it.
  enum Way: String, CaseIterable, Sendable {
    case upload, streamed, session, piece
    case filesPut, form, largeForm, chunk

    var isVersion1: Bool { [.filesPut, .form, .largeForm, .chunk].contains(self) }
    var total: Int { self == .streamed || self == .largeForm ? 12_000_000 : 3_800_000 }

    /// The content route that is answered; others are refused.
    var route: String {
      switch self {
      case .upload, .streamed: "/2/files/upload"
      case .session: "/2/files/upload_session/"
      case .piece: "/2/files/upload_session/append_v2"
      case .filesPut: "/1/files_put/"
      case .form, .largeForm: "/1/files/"
      case .chunk: "/1/chunked_upload"
      }
    }
  }

  /// The bytes of the body that the server has read, and where it stops for a while.
  private final class Reader: Sendable {
    static let stop = 1_500_000
    private let bytes = Atomic(0)
    /// Opens when the reading of the request that counts stops.
    let hasStopped = Gate()
    let goOn = Latch()

    var count: Int { bytes.load(ordering: .sequentiallyConsistent) }

    /// Reads a body whose first bytes are already counted.
    func read(_ head: RawRequest, _ connection: RawConnection, stopping: Bool) {
      if head.headers["Expect"] != nil { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
      var left = head.headers["Content-Length"].flatMap { Int($0) } ?? 0
      while left > 0 {
        let step = min(10_000, left)
        guard connection.bytes(step).count == step else { return }
        left -= step
        let before = bytes.add(step, ordering: .sequentiallyConsistent).oldValue
        if stopping, before < Self.stop, before + step >= Self.stop {
          hasStopped.open()
          goOn.wait()
        }
      }
    }

    /// The same bytes come once more.
    func startOver() { bytes.store(0, ordering: .sequentiallyConsistent) }
  }

  /// A source that writes down how much of it the store can have.
  private struct Telling: ByteSource {
    let bytes: [UInt8]
    let heard: @Sendable (UInt64) -> Void
    var size: UInt64? { UInt64(bytes.count) }
    func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
      try await DataSource(bytes).open(at: offset)
    }
    func delivered(_ count: UInt64) { heard(count) }
  }

  @Test(arguments: Way.allCases)
  func `counts only what the server can have`(way: Way) async throws {
    let (reader, told) = (Reader(), Notes<UInt64>())
    // Of the wanted request from its first byte on, which may be reported before the server has read its head.
    let steps = Notes<UInt64>()
    let bytes = pattern(way.total)
    let slack = max(65_536, way.total / 10)
    let hash = ContentHash(of: bytes)
    try await withServer(
      receiveBuffer: 16_384,
      { connection in
        while let head = connection.head() {
          let isWanted = head.target.hasPrefix(way.route)
          // Its body counts from its own beginning.
          if !isWanted, head.method == "PUT" { reader.startOver() }
          if isWanted, way != .session {
            reader.startOver()
            told.removeAll()
          }
          reader.read(head, connection, stopping: isWanted)
          if !isWanted, head.method == "PUT" { steps.removeAll() }
          connection.send(Self.answer(head, way, hash, isWanted: isWanted))
        }
      }
    ) { server in
      let source = Telling(bytes: bytes) { count in
        told.add(count)
        steps.add(count)
        #expect(count <= reader.count + slack, "told \(count), read \(reader.count)")
      }
      let task = Task { try await send(source, way, server.url) }
      await reader.hasStopped.wait()
      // The bar moves: it stands at the stop before it comes to the end. An earlier request may have reported more.
      func isAtStop() -> Bool { steps.all.contains { $0 >= Reader.stop && $0 < Reader.stop + slack } }
      while !isAtStop() {
        try Task.checkCancellation()
        await Task.yield()
      }
      #expect(Int(told.all.last ?? 0) < Reader.stop + slack)
      reader.goOn.open()
      try await task.value
      #expect(told.all.last == UInt64(way.total))
    }
  }

  private func send(_ source: Telling, _ way: Way, _ url: String) async throws {
    let net = transport(url)
    let server = try DropboxServer(origin: url)
    let pool = BlockingPool(threads: 1)
    var tuning = DropboxTuning()
    if way == .session { tuning.pieceBytes = 2_000_000 }
    let path = try StorePath("a.jpg")
    let store: any FileStore =
      way.isVersion1
      ? try DropboxV1Store(
        server: server, folder: "/club", transport: net, signIn: .bearer(StaticToken("t")), pool: pool, tuning: tuning)
      : try DropboxStore(
        server: server, folder: "/club", transport: net, tokens: StaticToken("t"), pool: pool, tuning: tuning)
    guard way == .piece || way == .chunk else {
      _ = try await store.put(source, at: path, mode: .create)
      return
    }
    let uploads = try #require(store.capabilities.uploads)
    let session = try await uploads.begin(path, size: nil)
    let end = try await uploads.append(source, count: way.total, to: session, at: 0)
    #expect(end == UInt64(way.total))
  }

  /// As the protocol has it; of a file there is nothing before.
  private static func answer(_ head: RawRequest, _ way: Way, _ hash: ContentHash, isWanted: Bool) -> RawAnswer {
    let total = way.total
    func json(_ status: Int, _ text: String) -> RawAnswer {
      RawAnswer(status, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
    }
    guard way.isVersion1 else {
      switch head.target {
      case "/2/files/upload", "/2/files/upload_session/finish":
        return json(200, Dropbox.file("/club/a.jpg", size: total, hash: hash, tagged: false))
      case "/2/files/upload_session/start": return json(200, #"{"session_id":"s1"}"#)
      case "/2/files/upload_session/append_v2": return json(200, "null")
      default:
        return json(
          409, #"{"error_summary":"path/not_found/..","error":{".tag":"path","path":{".tag":"not_found"}}}"#)
      }
    }
    if isWanted, way == .chunk {
      let offset = head.target.contains("upload_id") ? total : 0
      return json(200, #"{"upload_id":"u1","offset":\#(offset)}"#)
    }
    return isWanted ? json(200, DropboxV1.file("/club/a.jpg", size: total)) : json(404, #"{"error":"not found"}"#)
  }
}
