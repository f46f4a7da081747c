import Basics
import FileStores
import Synchronization
import TestKit
import Testing

@testable import Backends

/// Servers that keep the conditions of writes, and do other things in their own way.
@Suite struct WebDAVMannersTests {
  private static let pool = BlockingPool()
  private static let now: Int64 = 784_111_777

  enum Manner: Sendable, CaseIterable {
    case plain, foldersOf1970, allOf1970, noTimes, weakTags, otherHost, prefixTakenAway, noLengths, twice
    /// No condition with one of its own tags holds.
    case ownTagsRefused
    /// No tags, one time for all, and no conditions.
    case noSignOfChanges
  }

  /// Files and folders in memory, by their decoded path.
  private final class Server: Sendable {
    private struct Entry {
      /// nil for a folder.
      let text: String?
      let number: Int
    }

    private let manner: Manner
    private let state = Mutex((entries: ["/dav/club": Entry(text: nil, number: 0)], count: 0))

    init(_ manner: Manner) { self.manner = manner }

    /// The names of all files of the club.
    var names: [String] {
      state.withLock { $0.entries.filter { $0.value.text != nil }.keys.map { String($0.dropFirst(10)) }.sorted() }
    }

    func text(_ name: String) -> String? { state.withLock { $0.entries["/dav/club/" + name]?.text } }

    func write(_ text: String?, to name: String) {
      state.withLock { state in
        state.count += 1
        state.entries["/dav/club/" + name] = Entry(text: text, number: state.count)
      }
    }

    func answer(_ asked: ScriptedTransport.Recorded) -> ScriptedTransport.Answer {
      let (path, headers) = (Self.path(asked.target), asked.request.headers)
      let target = Self.path((headers["Destination"] ?? "").dropFirst("https://h.example".count))
      return state.withLock { state in
        let there = state.entries[path]
        func isMissing(_ path: String) -> Bool {
          state.entries[String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])] == nil
        }
        if manner != .noSignOfChanges {
          if let wanted = headers["If-Match"], !matches(wanted, there) { return .text(412, "") }
          if headers["If-None-Match"] == "*", there != nil { return .text(412, "") }
        }
        switch asked.request.method {
        case .mkcol, .put:
          let isFolder = asked.request.method == .mkcol
          if isFolder, there != nil { return .text(405, "") }
          if isMissing(path) { return .text(409, "") }
          state.count += 1
          let entry = Entry(text: isFolder ? nil : asked.text, number: state.count)
          state.entries[path] = entry
          return .text(201, "", headers: facts(entry))
        case .delete:
          if there == nil { return .text(404, "") }
          state.entries = state.entries.filter { $0.key != path && !$0.key.hasPrefix(path + "/") }
          return .text(204, "")
        case .move:
          guard let there else { return .text(404, "") }
          if isMissing(target) { return .text(409, "") }
          if headers["Overwrite"] == "F", state.entries[target] != nil { return .text(412, "") }
          state.entries[path] = nil
          state.entries[target] = there
          return .text(201, "")
        case .get, .head:
          guard let there, let text = there.text else { return .text(404, "") }
          var headers = facts(there)
          headers["Content-Length"] = "\(text.utf8.count)"
          return .response(HTTPResponse(200, headers: headers), asked.request.method == .get ? Array(text.utf8) : [])
        case .propfind:
          guard there != nil else { return .text(404, "") }
          let below = state.entries.keys.filter {
            $0.hasPrefix(path + "/") && !$0.dropFirst(path.count + 1).contains("/")
          }
          let listed = [path] + (headers["Depth"] == "1" ? below.sorted() : [])
          let all = listed.compactMap { name in state.entries[name].map { description(of: $0, name) } }
          let body = (manner == .twice ? all + all : all).joined()
          return .text(207, "<D:multistatus xmlns:D=\"DAV:\">\(body)</D:multistatus>")
        default: return .text(405, "")
        }
      }
    }

    private static func path(_ target: some StringProtocol) -> String {
      let plain = PercentEncoding.decoded(String(target), plusIsSpace: false) ?? ""
      return plain.hasSuffix("/") ? String(plain.dropLast()) : plain
    }

    private func tag(_ entry: Entry) -> String? {
      switch manner {
      case .noSignOfChanges: nil
      case .weakTags, .ownTagsRefused: "W/\"\(entry.number)\""
      default: "\"\(entry.number)\""
      }
    }

    private func facts(_ entry: Entry) -> HTTPHeaders {
      var headers: HTTPHeaders = ["Content-Type": "application/octet-stream"]
      if entry.text != nil, let tag = tag(entry) { headers["ETag"] = tag }
      return headers
    }

    private func matches(_ wanted: String, _ there: Entry?) -> Bool {
      guard let there, there.text != nil else { return false }
      return wanted == "*" || manner != .ownTagsRefused && wanted == tag(there)
    }

    private func description(of entry: Entry, _ name: String) -> String {
      var href = PercentEncoding.encoded(name, keepingSlashes: true)
      if manner == .otherHost { href = "http://backend.internal:8080" + href }
      if manner == .prefixTakenAway { href = String(href.dropFirst("/dav".count)) }
      var properties = "<D:resourcetype>\(entry.text == nil ? "<D:collection/>" : "")</D:resourcetype>"
      let isOld = [.allOf1970, .noSignOfChanges].contains(manner) || manner == .foldersOf1970 && entry.text == nil
      if manner != .noTimes {
        let time = isOld ? "Thu, 01 Jan 1970 00:00:00 GMT" : "Sun, 06 Nov 1994 08:49:37 GMT"
        properties += "<D:getlastmodified>\(time)</D:getlastmodified>"
      }
      if let text = entry.text {
        if manner != .noLengths { properties += "<D:getcontentlength>\(text.utf8.count)</D:getcontentlength>" }
        if let tag = tag(entry) { properties += "<D:getetag>\(tag)</D:getetag>" }
      }
      return "<D:response><D:href>\(href)</D:href><D:propstat><D:prop>\(properties)</D:prop>"
        + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
    }
  }

  private func store(_ server: Server, _ clock: ManualClock, sweeps: Bool = false) throws -> WebDAVStore {
    var tuning = WebDAVTuning()
    tuning.sweeps = sweeps
    (tuning.clock, tuning.retryClock) = (clock, clock)
    tuning.now = { Self.now * 1_000_000_000 }
    return try WebDAVKind.open(
      StoreDescription(kind: "webdav", options: ["url": "https://h.example/dav/club", "user": "ann"]), pool: Self.pool,
      network: StoreNetwork(
        transport: ScriptedTransport { server.answer($0) }, tokens: StaticToken("x"), findings: FindingsMemory()),
      tuning: tuning)
  }

  @Test(arguments: Manner.allCases.filter { $0 != .ownTagsRefused && $0 != .noSignOfChanges })
  func `a note is made, changed, listed and read at a server with manners of its own`(manner: Manner) async throws {
    let (server, note) = (Server(manner), try StorePath("a note.md"))
    let clock = ManualClock(advancesOnSleep: true)
    let store = try store(server, clock)
    let first = try await store.put(DataSource("one".utf8), at: note, mode: .create)
    _ = try await store.put(DataSource("three".utf8), at: note, mode: .replace(#require(first.revision)))
    let page = try await store.list(.root, ListOptions(.full), after: nil)
    #expect(page.entries.map(\.path) == [note] && page.entries.map(\.size) == [5] && page.unreadable == 0)
    #expect(String(decoding: try await store.readAll(note, limit: 100).bytes, as: UTF8.self) == "three")
    #expect(server.names == ["a note.md"] && clock.now.offset < .seconds(20), "\(clock.slept)")
    let late = await #expect(throws: StoreError.self) {
      try await store.put(DataSource("late".utf8), at: note, mode: .replace(#require(first.revision)))
    }
    #expect(late?.kind == .conflict && server.text("a note.md") == "three")
  }

  @Test(arguments: [
    (Manner.ownTagsRefused, "refuses a file's own ETag as a condition"),
    (.noSignOfChanges, "shows no change of a file"),
  ])
  func `a server that cannot compare makes the club read-only, and the member learns why`(
    row: (manner: Manner, reason: String)
  ) async throws {
    let server = Server(row.manner)
    server.write("theirs", to: "note.md")
    let store = try store(server, ManualClock(advancesOnSleep: true))
    let base = try #require(try await store.entry(at: StorePath("note.md")).revision)
    let error = await #expect(throws: StoreError.self) {
      try await store.put(DataSource("mine".utf8), at: StorePath("note.md"), mode: .replace(base))
    }
    #expect(error?.kind == .notPermitted && error?.message.contains(row.reason) == true, "\(String(describing: error))")
    #expect(server.names == ["note.md"] && server.text("note.md") == "theirs")
    let findings = try await store.server.findings()
    #expect(WebDAVSelfTest().sentences(findings).contains { $0.contains(row.reason) })
  }

  @Test(arguments: [Manner.plain, .foldersOf1970, .noTimes])
  func `the mark of a killed program goes when it was seen for a minute, whatever the server's times`(
    manner: Manner
  ) async throws {
    let (server, note) = (Server(manner), try StorePath("note.md"))
    let killed = try store(server, ManualClock(advancesOnSleep: true))
    try await killed.makeFolder(StorePath(".byteclub"))
    try await WebDAVLease(note, killed).take()
    let clock = ManualClock(advancesOnSleep: true)
    let other = try store(server, clock)
    _ = try await other.server.findings()
    let begun = clock.now
    _ = try await other.put(DataSource("text".utf8), at: note, mode: .create)
    let waited = begun.duration(to: clock.now)
    #expect(waited > WebDAVLease.lifetime && waited < .seconds(70), "\(clock.slept)")
    #expect(server.text("note.md") == "text")
  }

  @Test(arguments: [Manner.allOf1970, .foldersOf1970, .noTimes])
  func `nothing is swept at a server whose times are not those of changes`(manner: Manner) async throws {
    let server = Server(manner)
    server.write("half", to: ".byteclub-part-upload-x")
    let store = try store(server, ManualClock(advancesOnSleep: true), sweeps: true)
    _ = try await store.put(DataSource("text".utf8), at: StorePath("note.md"), mode: .create)
    await store.sweep.withLock { $0 }?.value
    #expect(server.names == [".byteclub-part-upload-x", "note.md"])
    #expect(try await store.server.findings()["times"] != "kept")
  }
}
