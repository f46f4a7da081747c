import Backends
import FileStores
import Synchronization
import TestKit
import Testing
import Transfers

/// Downloads from a server whose answers contradict themselves. None waits for it for ever.
@Suite(.timeLimit(.minutes(5))) struct `A download from a server that lies` {
  /// The server's answer to each request for the file's 1,000 bytes.
  enum Lie: CaseIterable {
    case sendsMore, sendsFewer, sendsNothing, endless, sendsAnotherPart, largerSize, largerSizeWithRanges, cuts

    var reason: String {
      switch self {
      case .sendsMore, .endless: "sends more than the 1000 bytes"
      case .sendsFewer: "sends only 400 of the 1000 bytes"
      case .sendsNothing: "sends only 0 of the 1000 bytes"
      case .sendsAnotherPart: "sends another part of \"p.jpg\" than the one from byte 0"
      case .largerSize, .largerSizeWithRanges: "sends only 1000 of the 1048576 bytes"
      case .cuts: "was cut during its answer"
      }
    }

    var size: Int {
      switch self {
      case .largerSize, .largerSizeWithRanges: 1 << 20
      default: 1000
      }
    }

    func answer(_ metadata: String, from offset: Int?) -> ScriptedTransport.Answer {
      let whole = HTTPResponse(200, headers: ["Dropbox-API-Result": metadata, "x-dropbox-metadata": metadata])
      switch self {
      case .sendsMore: return .response(whole, Bench.bytes(1100))
      case .endless: return .response(whole, Bench.bytes(100_000))
      case .sendsFewer: return .response(whole, Bench.bytes(400))
      case .sendsNothing: return .response(whole, [])
      case .sendsAnotherPart:
        var part = whole.headers
        part["Content-Range"] = "bytes 500-999/1000"
        return .response(HTTPResponse(206, headers: part), Bench.bytes(500))
      case .largerSize: return .response(whole, Bench.bytes(1000))
      case .largerSizeWithRanges:
        return offset == nil ? .response(whole, Bench.bytes(1000)) : .text(416, "")
      case .cuts:
        let error = StoreError(.offline, "The connection was cut during its answer.", isWrongAnswer: true)
        return .cut(whole, Bench.bytes(400), error)
      }
    }
  }

  private let bench: Bench

  init() throws { bench = try Bench() }

  private static func offset(_ request: ScriptedTransport.Recorded) -> Int? {
    request.request.headers["Range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
  }

  private func store(
    _ version: Int, _ transport: ScriptedTransport
  ) throws -> any FileStore {
    let server = try DropboxServer(origin: "http://127.0.0.1:8080")
    if version == 2 {
      return try DropboxStore(
        server: server, folder: "", transport: transport, tokens: StaticToken("token"), pool: bench.pool)
    }
    return try DropboxV1Store(
      server: server, folder: "", transport: transport, signIn: .bearer(StaticToken("token")), pool: bench.pool)
  }

  private static func metadata(_ version: Int, size: Int) -> String {
    version == 2
      ? #"{".tag":"file","name":"p.jpg","path_lower":"/p.jpg","path_display":"/p.jpg","rev":"a1c10ce0dd78","size":\#(size)}"#
      : #"{"path":"/p.jpg","is_dir":false,"rev":"362e2029684fe","bytes":\#(size)}"#
  }

  @Test(arguments: Lie.allCases, [1, 2])
  func `fails with the reason after the same wrong answer three times`(_ lie: Lie, version: Int) async throws {
    let metadata = Self.metadata(version, size: lie.size)
    let counter = Counter()
    let transport = ScriptedTransport { request in
      guard request.request.kind == .content else { return .text(200, metadata) }
      counter.add()
      return lie.answer(metadata, from: Self.offset(request))
    }
    let engine = bench.engine(try store(version, transport))
    let end = await engine.ended(try await engine.add([bench.download("p.jpg")])[0])
    #expect(end?.state == .failed)
    #expect(end?.error?.message.contains(lie.reason) == true, "\(String(describing: end?.error))")
    // Bytes that came are progress: then three more.
    #expect(3...5 ~= counter.count, "\(counter.count)")
    #expect(bench.folder.names() == bench.parts)
    await engine.stop()
  }

  @Test(arguments: [1, 2])
  func `of more bytes than the disk has free is refused before a byte is asked for`(version: Int) async throws {
    let metadata = Self.metadata(version, size: .max)
    let counter = Counter()
    let transport = ScriptedTransport { request in
      guard request.request.kind == .content else { return .text(200, metadata) }
      counter.add()
      return .text(500, "")
    }
    let engine = bench.engine(try store(version, transport))
    let end = await engine.ended(try await engine.add([bench.download("p.jpg")])[0])
    #expect(end?.state == .failed && end?.error?.kind == .quota && counter.count == 0)
    let message = end?.error?.message ?? ""
    #expect(message.contains("\"p.jpg\" needs 9223372036854775807 bytes") && message.contains("bytes free"))
    await engine.stop()
  }

  @Test(arguments: [1, 2])
  func `goes on as long as each wrong answer brings something`(version: Int) async throws {
    let bytes = Bench.bytes(1000)
    let metadata = Self.metadata(version, size: 1000)
    let transport = ScriptedTransport { request in
      guard request.request.kind == .content else { return .text(200, metadata) }
      let offset = Self.offset(request) ?? 0
      var headers: HTTPHeaders = ["Dropbox-API-Result": metadata, "x-dropbox-metadata": metadata]
      headers["Content-Range"] = "bytes \(offset)-999/1000"
      let response = HTTPResponse(offset == 0 ? 200 : 206, headers: headers)
      let error = StoreError(.offline, "The connection was cut.", isWrongAnswer: true)
      let piece = Array(bytes[offset..<min(offset + 100, 1000)])
      return offset + 100 < 1000 ? .cut(response, piece, error) : .response(response, piece)
    }
    let engine = bench.engine(try store(version, transport))
    let end = await engine.ended(try await engine.add([bench.download("p.jpg")])[0])
    #expect(end?.state == .done && bench.folder.bytes("p.jpg") == bytes, "\(String(describing: end?.error))")
    await engine.stop()
  }
}

/// Counts calls.
private final class Counter: Sendable {
  private let value = Mutex(0)
  var count: Int { value.withLock { $0 } }
  func add() { value.withLock { $0 += 1 } }
}
