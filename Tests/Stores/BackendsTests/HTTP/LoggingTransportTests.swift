import FileStores
import Synchronization
import TestKit
import Testing

@testable import Backends

@Suite struct LoggingTransportTests {
  private let lines = Lines()

  private func transport(_ answers: ScriptedTransport.Answer...) -> LoggingTransport {
    LoggingTransport(ScriptedTransport(answers)) { [lines] in lines.add($0) }
  }

  @Test func `a request is one line: what was asked, what came, and how long it took`() async throws {
    let transport = transport(.text(200, "{\"word\":1}"))
    let (response, body) = try await transport.call(HTTPRequest(.post, "https://h.example/2/files/list_folder"))
    #expect(response.status == 200 && body.count == 10)
    #expect(lines.all == ["POST h.example/2/files/list_folder: 200 after # ms, 10 bytes"])
  }

  @Test func `query, header and bodies are not logged`() async throws {
    let transport = transport(
      .text(200, "SECRET", headers: ["X-Dropbox-Request-Id": "SECRET"]),
      .text(401, "SECRET", headers: ["Www": "SECRET"]))
    let request = HTTPRequest(
      .put, "https://h.example/1/files_put?access_token=SECRET#SECRET", headers: ["Authorization": "Bearer SECRET"],
      body: .bytes(Array("SECRET".utf8)))
    for _ in 0..<2 { _ = try await transport.call(request) }
    #expect(
      lines.all == [
        "PUT h.example/1/files_put: 200 after # ms, 6 bytes", "PUT h.example/1/files_put: 401 after # ms, 6 bytes",
      ])
  }

  @Test func `a refusal has the wait that is asked for, and the word by which the server finds it`() async throws {
    let transport = transport(
      .text(429, "", headers: ["retry-after": "120", "x-dropbox-request-id": "0b5e"]))
    _ = try await transport.call(HTTPRequest(.get, "https://h.example/a"))
    #expect(lines.all == ["GET h.example/a: 429 after # ms, 0 bytes, Retry-After 120, X-Dropbox-Request-Id 0b5e"])
  }

  @Test func `no answer, a cut one, and one that the caller ends are logged with their kind and thrown`() async throws {
    let gone = StoreError(.offline, "The wire is cut.")
    let transport = transport(
      .failure(gone), .cut(HTTPResponse(200), [1, 2, 3], gone), .response(HTTPResponse(200), [1, 2, 3]))
    let request = HTTPRequest(.get, "https://h.example/a")
    for _ in 0..<2 {
      await #expect { try await transport.call(request) } throws: { ($0 as? StoreError)?.message == gone.message }
    }
    let error = await #expect(throws: StoreError.self) { try await transport.call(request, limit: 2) }
    #expect(error?.kind == .tooLarge)
    #expect(lines.all.count == 3)
    #expect(lines.all.prefix(2).allSatisfy { $0 == "GET h.example/a: offline after # ms: The wire is cut." })
    #expect(lines.all.last?.hasPrefix("GET h.example/a: tooLarge after # ms: The answer to GET h.example/a") == true)
  }

  /// Lines as they were logged, "#" for how long it took.
  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) {
      lines.withLock { $0.append(line.replacing(/after \d+ ms/, with: "after # ms")) }
    }
  }
}
