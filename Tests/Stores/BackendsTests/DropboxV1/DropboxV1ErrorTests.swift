import FileStores
import Synchronization
import TestKit
import Testing

@testable import Backends

@Suite struct DropboxV1ErrorTests {
  /// A status, its body and header fields, the kind, how long to wait, and words.
  private static let statuses: [(Int, String, HTTPHeaders, StoreError.Kind, Duration?, String)] = [
    (302, "", ["Location": "https://example.org"], .unsupported, nil, "another address"),
    (400, #"{"error":{"path":"Path contains an invalid character"}}"#, [:], .badName, nil, "invalid character"),
    (400, #"{"error":"The given OAuth 2 access token is malformed."}"#, [:], .notSignedIn, nil, "byteclub login"),
    (400, #"{"error":"Expected 'list' to be one of true or false."}"#, [:], .badInput, nil, "'list'"),
    (401, #"{"error":"Access token not found."}"#, [:], .notSignedIn, nil, "BYTECLUB_TOKEN"),
    (401, "<html>", [:], .notSignedIn, nil, "invalid"),
    (403, #"{"error":"Invalid signature. Expected signature base string: GET"}"#, [:], .notSignedIn, nil, "app's key"),
    (403, #"{"error":"Timestamp too far from now"}"#, [:], .notSignedIn, nil, "clock"),
    (403, #"{"error":"The access token lacks the permission."}"#, [:], .notSignedIn, nil, "byteclub login"),
    (403, #"{"error":"You do not own this folder"}"#, [:], .notPermitted, nil, "do not own"),
    (405, "", [:], .unsupported, nil, "version 1"),
    (406, #"{"error":"Too many files"}"#, [:], .tooLarge, nil, "folder by folder"),
    (409, #"{"error":"Conflict"}"#, [:], .server, nil, "status 409"),
    (411, "", [:], .unsupported, nil, "proxy"), (413, "", [:], .tooLarge, nil, "larger"),
    (414, "", [:], .badName, nil, "Shorten"), (415, "", [:], .server, nil, "status 415"),
    (429, #"{"error":"Too many requests"}"#, ["Retry-After": "12"], .rateLimited, .seconds(12), "Try again later"),
    (429, "", [:], .rateLimited, nil, "Try again later"),
    (500, "oops", [:], .server, nil, "metadata"), (502, "", [:], .offline, nil, "status 502"),
    (503, "", [:], .offline, nil, "status 503"), (504, "", [:], .offline, nil, "status 504"),
    (503, "", ["Retry-After": "3"], .rateLimited, .seconds(3), "Try again later"),
    (503, "", ["Retry-After": "Sat, 21 Nov 2026 06:01:00 GMT"], .rateLimited, .seconds(60), "busy"),
    (507, #"{"error":"over quota"}"#, [:], .quota, nil, "no space"), (599, "", [:], .server, nil, "status 599"),
  ]

  @Test("A status becomes a sentence with a remedy, and says how long to wait:", arguments: statuses.indices)
  func status(_ index: Int) async throws {
    let (status, body, headers, kind, wait, words) = Self.statuses[index]
    let scene = try DropboxV1Scene([.text(status, body, headers: headers)])
    let client = scene.store.client
    let call = DropboxV1Call(.metadata, at: "/club/a", about: try StorePath("a"), [:])
    let thrown = await #expect(throws: StoreError.self) { try await client.result(call) }
    #expect(thrown?.kind == kind && thrown?.retryAfter == wait, "\(String(describing: thrown))")
    #expect(thrown?.description.contains(words) == true, "\(String(describing: thrown))")
    #expect(thrown?.path == (try StorePath("a")))
    #expect(thrown?.message.hasSuffix(".") == true && thrown?.remedy.isEmpty == false, "\(String(describing: thrown))")
    #expect(scene.calls.count == 1, "asked again")
  }

  @Test("409 names what is in the way of a change")
  func conflict() async throws {
    let scene = try DropboxV1Scene([.text(409, "{}")])
    let call = DropboxV1Call(.move, about: try StorePath("a"), [:])
    let thrown = await #expect(throws: StoreError.self) { try await scene.store.client.result(call) }
    #expect(thrown?.kind == .exists && thrown?.message == "\"a\" already exists.")
  }

  @Test("A server that lists a file and refuses its bytes is not said to have another version:", arguments: [400, 404])
  func refusedBytes(status: Int) async throws {
    let refusal = ScriptedTransport.Answer.text(status, #"{"error":"no"}"#)
    let there = ScriptedTransport.Answer.text(200, DropboxV1.file("/club/a"))
    let scene = try DropboxV1Scene([refusal, there, refusal, there])
    let thrown = await #expect(throws: StoreError.self) { try await scene.store.text("a") }
    #expect(thrown?.kind == (status == 404 ? .notFound : .badInput), "\(String(describing: thrown))")
    #expect(
      thrown?.message.contains(status == 404 ? "does not send it (status 404)" : "does not understand files") == true)
    #expect(scene.calls.count == 4)
  }

  @Test("404 is a missing file where a path was asked for, and a missing call where none was")
  func notFound() async throws {
    let scene = try DropboxV1Scene([.text(404, "{}"), .text(404, "{}")])
    let client = scene.store.client
    let path = try StorePath("a")
    let first = await #expect(throws: StoreError.self) {
      try await client.result(DropboxV1Call(.download, at: "/club/a", about: path, [:]))
    }
    let second = await #expect(throws: StoreError.self) {
      try await client.result(DropboxV1Call(.account, about: path, [:]))
    }
    #expect(
      first?.kind == .notFound && second?.kind == .unsupported && second?.message.contains("account/info") == true)
  }

  /// Calls with a good answer to each, which is then cut and damaged.
  private static let calls: [(String, [ScriptedTransport.Answer], @Sendable (DropboxV1Store) async throws -> Void)] = [
    ("metadata", [.text(200, DropboxV1.file("/club/a"))], { _ = try await $0.entry(at: StorePath("a")) }),
    (
      "metadata", [DropboxV1.cursor, .text(200, DropboxV1.folder("/club", [DropboxV1.file("/club/a")]))],
      { _ = try await $0.list(.root, ListOptions(.full), after: nil) }
    ),
    ("files_put", [.text(200, DropboxV1.file("/club/a"))], { _ = try await $0.put("hello", at: "a", .overwrite) }),
    (
      "fileops/move", [.text(200, DropboxV1.file("/club/b"))],
      { _ = try await $0.move(StorePath("a"), to: StorePath("b"), ifRevision: nil) }
    ),
    (
      "delta",
      [.text(200, #"{"changes":true}"#), DropboxV1.delta([#"["/club/a",\#(DropboxV1.file("/club/A"))]"#])],
      { _ = try await $0.capabilities.changes?.wait(since: ChangeCursor("C")) }
    ),
    (
      "longpoll_delta", [.text(200, #"{"changes":true}"#)],
      { _ = try await $0.capabilities.changes?.wait(since: ChangeCursor("C")) }
    ),
    (
      "chunked_upload", [.text(200, #"{"upload_id":"A","offset":0}"#)],
      { _ = try await $0.capabilities.uploads?.begin(StorePath("a"), size: nil) }
    ),
    (
      "search", [.text(200, "[\(DropboxV1.file("/club/a.jpg"))]")],
      { _ = try await $0.capabilities.search?.files(matching: "jpg", below: .root, limit: 9) }
    ),
  ]

  @Test("An answer that is cut anywhere is an error that names the call:", arguments: calls.indices)
  func cut(_ index: Int) async throws {
    let (name, answers, call) = Self.calls[index]
    guard case .response(let head, let bytes) = answers[answers.count - 1] else { return }
    for length in 0..<bytes.count {
      let scene = try DropboxV1Scene(answers.dropLast() + [.response(head, Array(bytes.prefix(length)))])
      let thrown = await #expect(throws: StoreError.self, "cut after \(length)") { try await call(scene.store) }
      #expect(thrown?.kind == .server && thrown?.message.contains(name) == true, "\(String(describing: thrown))")
    }
  }

  @Test("A damaged answer never ends the program:", arguments: calls.indices, [1, 2, 3] as [UInt64])
  func damaged(_ index: Int, _ seed: UInt64) async throws {
    let (_, answers, call) = Self.calls[index]
    guard case .response(let head, let bytes) = answers[answers.count - 1] else { return }
    var state = seed
    func roll(_ sides: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(sides))
    }
    for _ in 0..<200 {
      var damaged = bytes
      for _ in 0...roll(3) where !damaged.isEmpty {
        let place = roll(damaged.count)
        switch roll(3) {
        case 0: damaged[place] = UInt8(roll(256))
        case 1: damaged.remove(at: place)
        default: damaged.insert(contentsOf: Array(#"{"[\"#.utf8), at: place)
        }
      }
      let scene = try DropboxV1Scene(answers.dropLast() + [.response(head, damaged)])
      do { try await call(scene.store) } catch let error as StoreError { #expect(error.message.hasSuffix(".")) }
    }
  }

  @Test("What the server says with the bytes of a file is read as carefully as they are")
  func damagedHeader() async throws {
    for text in ["", "{", "[]", #"{"path":"/club/a"}"#, DropboxV1.folder("/club/a")] {
      let scene = try DropboxV1Scene([DropboxV1.content("hello", text)])
      let thrown = await #expect(throws: StoreError.self) { try await scene.store.text("a") }
      #expect(thrown?.kind == .server && thrown?.message.contains("files") == true, "\(String(describing: thrown))")
    }
  }
}
