import Basics
import FileStores
import Synchronization
import TestKit
import Testing

@testable import Backends

/// Another program writes over a file between byteclub's write and its look, or the server cuts the file.
@Suite struct WebDAVOvertakenTests {
  private static let pool = BlockingPool()

  /// What is at the name in the moment after the write.
  enum Moment: Sendable { case another, cut, empty }

  /// The end of a write.
  enum End: Sendable { case arrived, conflict, corrupt }

  struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answers: [String: String]
    var isTagged = true
    var isUnsafe = false

    /// True if the file gets its name by a MOVE.
    var isMoved: Bool { answers["body"] == "torn" }

    static let condition = [
      "create": "kept", "replace": "kept", "tag": "strong", "match": "strong", "overlap": "kept", "answer": "tag",
      "lock": "none",
      "revisions": "differ", "body": "whole", "names": "kept", "asks": "kept",
    ]
    static func with(_ other: [String: String]) -> [String: String] { condition.merging(other) { $1 } }

    static let putWithTag = Way(testDescription: "a PUT whose answer has the tag", answers: condition)
    static let put = Way(testDescription: "a PUT whose answer has no tag", answers: condition, isTagged: false)
    static let move = Way(testDescription: "a MOVE", answers: with(["body": "torn"]))
    static let lockedPut = Way(
      testDescription: "a PUT under a lock", answers: with(["overlap": "no", "lock": "kept", "held": "kept"]))
    static let lockedMove = Way(
      testDescription: "a MOVE that takes the lock away",
      answers: with(["overlap": "no", "lock": "kept", "held": "kept", "body": "torn"]))
    static let unsafe = Way(
      testDescription: "a PUT at a server without conditions",
      answers: with(["create": "ignored", "replace": "ignored"]),
      isUnsafe: true)
    static let all = [putWithTag, put, move, lockedPut, lockedMove, unsafe]
  }

  /// Files and folders in memory. The first write of the note has the given end.
  private final class Server: Sendable {
    private struct State {
      var files: [String: (text: String, tag: Int)] = [:]
      var folders: Set<String> = ["/club"]
      var tags = 0
      var moment: Moment?

      mutating func write(_ text: String, to path: String) {
        tags += 1
        files[path] = (text, tags)
      }
    }

    static let theirs = "a text of another member"
    private let state = Mutex(State())
    private let isTagged: Bool

    init(isTagged: Bool) {
      self.isTagged = isTagged
      state.withLock { $0.write("old", to: "/club/note.md") }
    }

    func spoilNext(_ moment: Moment) { state.withLock { $0.moment = moment } }
    var text: String? { state.withLock { $0.files["/club/note.md"]?.text } }
    /// Byteclub's own names that are left beside the note.
    var parts: [String] { state.withLock { $0.files.keys.filter { $0.contains("-part-") } } }

    func answer(_ asked: ScriptedTransport.Recorded) -> ScriptedTransport.Answer {
      func plain(_ target: some StringProtocol) -> String {
        target.hasSuffix("/") ? String(target.dropLast()) : String(target)
      }
      let path = plain(asked.target)
      return state.withLock { state in
        switch asked.request.method {
        case .mkcol: return .text(state.folders.insert(path).inserted ? 201 : 405, "")
        case .delete:
          state.folders.remove(path)
          return .text(state.files.removeValue(forKey: path) == nil ? 404 : 204, "")
        case .lock: return .text(200, "", headers: ["Lock-Token": "<opaque:1>"])
        case .unlock: return .text(204, "")
        case .put:
          state.write(asked.text, to: path)
          return written(path, &state)
        case .move:
          guard let part = state.files.removeValue(forKey: path) else { return .text(404, "") }
          let target = plain((asked.request.headers["Destination"] ?? "").dropFirst("https://h.example".count))
          state.write(part.text, to: target)
          return written(target, &state)
        case .get:
          guard let file = state.files[path] else { return .text(404, "") }
          let headers: HTTPHeaders = ["ETag": "\"\(file.tag)\"", "Content-Type": "text/plain"]
          return .text(200, file.text, headers: headers)
        case .propfind:
          let all = Array(state.folders) + Array(state.files.keys)
          let below = all.filter { $0.hasPrefix(path + "/") }
          guard all.contains(path) || !below.isEmpty else { return .text(404, "") }
          let found = ([path] + (asked.request.headers["Depth"] == "1" ? below : [])).map { name in
            let file = state.files[name].map {
              "<D:getcontentlength>\($0.text.utf8.count)</D:getcontentlength><D:getetag>\"\($0.tag)\"</D:getetag>"
            }
            return "<D:response><D:href>\(name)</D:href><D:propstat><D:prop><D:resourcetype>"
              + (file == nil ? "<D:collection/>" : "") + "</D:resourcetype>\(file ?? "")</D:prop>"
              + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
          }
          return .text(207, "<D:multistatus xmlns:D=\"DAV:\">\(found.joined())</D:multistatus>")
        default: return .text(405, "")
        }
      }
    }

    private func written(_ path: String, _ state: inout State) -> ScriptedTransport.Answer {
      let tag = state.tags
      if path == "/club/note.md", let moment = state.moment {
        state.moment = nil
        let text = state.files[path]?.text ?? ""
        switch moment {
        case .another: state.write(Server.theirs, to: path)
        // The tag is that of the write.
        case .cut: state.files[path] = (String(text.prefix(5)), tag)
        case .empty: state.files[path] = ("", tag)
        }
      }
      return .text(201, "", headers: isTagged ? ["ETag": "\"\(tag)\""] : [:])
    }
  }

  private func store(_ way: Way, _ server: Server) throws -> WebDAVStore {
    var options = ["url": "https://h.example/club", "user": "ann"]
    if way.isUnsafe { options["unsafeWrites"] = "true" }
    let memory = FindingsMemory()
    memory.keep(
      ServerFindings(
        kind: "webdav", version: WebDAVSelfTest().version, server: "",
        answers: way.answers.map { ServerFindings.Answer($0.key, $0.value) }))
    var tuning = WebDAVTuning()
    tuning.sweeps = false
    tuning.clock = ManualClock(advancesOnSleep: true)
    tuning.retryClock = tuning.clock
    return try WebDAVKind.open(
      StoreDescription(kind: "webdav", options: options), pool: Self.pool,
      network: StoreNetwork(
        transport: ScriptedTransport { server.answer($0) }, tokens: StaticToken("x"), findings: memory),
      tuning: tuning)
  }

  private static let ends: [(way: Way, moment: Moment, end: End)] = [
    (.putWithTag, .another, .arrived), (.put, .another, .conflict), (.move, .another, .conflict),
    (.lockedMove, .another, .conflict), (.unsafe, .another, .arrived),
    (.putWithTag, .cut, .corrupt), (.put, .cut, .corrupt), (.lockedPut, .cut, .corrupt), (.unsafe, .cut, .corrupt),
    (.putWithTag, .empty, .corrupt), (.put, .empty, .corrupt), (.lockedPut, .empty, .corrupt),
    (.unsafe, .empty, .corrupt),
  ]

  @Test(arguments: ends.indices, [false, true])
  func `a file that another program has overtaken is never called corrupt, and a cut one always`(
    row: Int, isOverwriting: Bool
  ) async throws {
    let (way, moment, end) = Self.ends[row]
    let server = Server(isTagged: way.isTagged)
    let store = try store(way, server)
    let path = try StorePath("note.md")
    let base = try #require(try await store.entry(at: path).revision)
    server.spoilNext(moment)
    let text = "my new text"
    do throws(StoreError) {
      let entry = try await store.put(
        DataSource(text.utf8), at: path, mode: isOverwriting ? .overwrite : .replace(base))
      // The revision is that of the own text, so the next save meets the other one.
      let now = try await store.entry(at: path)
      #expect(end == .arrived && entry.size == UInt64(text.utf8.count) && entry.revision != now.revision)
      #expect(entry.revision != base)
    } catch {
      #expect(error.kind == (end == .conflict ? .conflict : .corrupt) && end != .arrived, "\(error)")
      #expect(error.current?.size == server.text.map { UInt64($0.utf8.count) })
    }
    if moment == .another { #expect(server.text == Server.theirs) }
    #expect(server.parts == [])
  }

  @Test(arguments: Way.all) func `a write that nobody overtakes has its own revision`(way: Way) async throws {
    let server = Server(isTagged: way.isTagged)
    let store = try store(way, server)
    let path = try StorePath("note.md")
    let base = try #require(try await store.entry(at: path).revision)
    let entry = try await store.put(DataSource("my new text".utf8), at: path, mode: .replace(base))
    #expect(server.text == "my new text")
    #expect(try await store.entry(at: path) == entry)
  }
}
