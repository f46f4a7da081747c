import FileStores
import JSON
import TestKit
import Testing

@testable import Backends

@Suite struct DropboxErrorTests {
  /// A refusal, the kind that it becomes, and words of its sentence or remedy.
  private static let refusals: [(String, StoreError.Kind, String)] = [
    (#"{".tag":"path","path":{".tag":"not_found"}}"#, .notFound, "does not exist"),
    (#"{".tag":"path","path":{".tag":"malformed_path","malformed_path":"x"}}"#, .badName, "Choose another name."),
    (#"{".tag":"path","path":"disallowed_name"}"#, .badName, "Choose another name."),
    (#"{".tag":"path","reason":{".tag":"insufficient_space"},"upload_session_id":"A"}"#, .quota, "no space"),
    (
      #"{".tag":"path","reason":{".tag":"insufficient_space","insufficient_space":{".tag":"server_disk"}}}"#, .quota,
      "no space left on its own disk"
    ),
    (#"{".tag":"path","path":{".tag":"no_write_permission"}}"#, .notPermitted, "does not permit"),
    (#"{".tag":"path","path":{".tag":"restricted_content"}}"#, .notPermitted, "does not permit"),
    (#"{".tag":"path","path":{".tag":"locked"}}"#, .rateLimited, "locked"),
    (#"{".tag":"too_many_write_operations"}"#, .rateLimited, "Try again in a moment"),
    (#"{".tag":"path","path":{".tag":"too_many_write_operations"}}"#, .rateLimited, "Try again in a moment"),
    (#"{".tag":"payload_too_large"}"#, .tooLarge, "larger than"),
    (#"{".tag":"lookup_failed","lookup_failed":{".tag":"too_large"}}"#, .tooLarge, "larger than"),
    (#"{".tag":"content_hash_mismatch"}"#, .server, "damaged"),
    (#"{".tag":"unsupported_file"}"#, .unsupported, "does not offer"),
    (#"{".tag":"too_many_files"}"#, .tooLarge, "folder by folder"),
    (#"{".tag":"insufficient_quota"}"#, .quota, "no space"),
    (#"{".tag":"cant_move_folder_into_itself"}"#, .badInput, "into itself"),
    (#"{".tag":"internal_error"}"#, .server, "failed at"),
    (#"{".tag":"something_new","something_new":{".tag":"inside"}}"#, .notPermitted, "something_new/inside"),
    (#"{".tag":"path","path":{".tag":"a_new_reason","detail":{"x":1}}}"#, .notPermitted, "path/a_new_reason"),
  ]

  @Test("A refusal becomes the kind that it is, in a sentence that names the thing:", arguments: refusals)
  func refusal(error: String, kind: StoreError.Kind, words: String) async throws {
    let scene = try DropboxScene([Dropbox.refusal("summary", error)])
    let thrown = await #expect(throws: StoreError.self) { try await scene.store.put("x", at: "Note.md", .overwrite) }
    #expect(thrown?.kind == kind && thrown?.description.contains(words) == true, "\(String(describing: thrown))")
    #expect(thrown?.path == (try StorePath("Note.md")))
    #expect(thrown?.message.hasSuffix(".") == true)
  }

  @Test("A refusal without a union is known by its summary")
  func summary() throws {
    let body = try #require(JSONValue.answer(Array(#"{"error_summary":"path/not_found/..."}"#.utf8)))
    #expect(DropboxRefusal(body, .metadata)?.tags == ["path", "not_found"])
    #expect(DropboxRefusal(.null, .metadata) == nil)
  }

  /// A status, its body and header fields, the kind, how long to wait, and words.
  private static let statuses: [(Int, String, HTTPHeaders, StoreError.Kind, Duration?, String)] = [
    (302, "", ["Location": "https://example.org"], .unsupported, nil, "another address"),
    (
      400, #"Error in call to API function "files/get_metadata": request body: path: 'x' did not match pattern"#, [:],
      .badName, nil, "cannot hold the name"
    ),
    (400, #"Unknown API function: "files/get_metadata"."#, [:], .unsupported, nil, "does not know"),
    (400, "The given OAuth 2 access token is malformed.", [:], .notSignedIn, nil, "byteclub login"),
    (400, "Invalid authorization value in HTTP header", [:], .notSignedIn, nil, "byteclub login"),
    (400, "Something else.", [:], .badInput, nil, "Something else."),
    (
      401,
      #"{"error_summary":"missing_scope/","error":{".tag":"missing_scope","required_scope":"files.content.write"}}"#,
      [:], .notSignedIn, nil, "\"files.content.write\""
    ),
    (401, #"{"error":{".tag":"user_suspended"}}"#, [:], .notPermitted, nil, "suspended"),
    (
      403, #"{"error_summary":"no_permission/..","error":{".tag":"no_permission"}}"#, [:], .notPermitted, nil,
      "no_permission"
    ),
    (
      403, #"{"error_summary":"no_write_permission/.","error":{".tag":"no_write_permission"}}"#, [:], .notPermitted,
      nil,
      "You can read this club, but not change it."
    ),
    (403, "<html>", [:], .notPermitted, nil, "does not permit"),
    (404, "", [:], .unsupported, nil, "\"server\" in the config"),
    (413, "", [:], .tooLarge, nil, "larger than"),
    (
      422, #"{"error_summary":"invalid_root/..","error":{".tag":"invalid_root"}}"#, [:], .notPermitted, nil,
      "invalid_root"
    ),
    (
      429, #"{"error_summary":"too_many_requests/..","error":{"reason":{".tag":"too_many_requests"},"retry_after":7}}"#,
      [:], .rateLimited, .seconds(7), "fewer requests"
    ),
    (429, "slow down", ["Retry-After": "12"], .rateLimited, .seconds(12), "fewer requests"),
    (429, "{}", ["Retry-After": "Sat, 21 Nov 2026 06:01:00 GMT"], .rateLimited, .seconds(60), "fewer requests"),
    (500, "oops", [:], .server, nil, "files/get_metadata"),
    (503, "", ["Retry-After": "3"], .rateLimited, .seconds(3), "busy"), (502, "", [:], .offline, nil, "status 502"),
    (503, "", [:], .offline, nil, "status 503"), (504, "", [:], .offline, nil, "status 504"),
    (507, "", [:], .quota, nil, "no space"),
    (599, "", [:], .server, nil, "status 599"),
  ]

  @Test("A status becomes the kind that it is, with how long to wait:", arguments: statuses.indices)
  func status(_ index: Int) async throws {
    let (status, body, headers, kind, wait, words) = Self.statuses[index]
    let scene = try DropboxScene([.text(status, body, headers: headers)])
    let thrown = await #expect(throws: StoreError.self) { try await scene.store.entry(at: StorePath("a")) }
    #expect(thrown?.kind == kind && thrown?.retryAfter == wait, "\(String(describing: thrown))")
    #expect(thrown?.description.contains(words) == true, "\(String(describing: thrown))")
    #expect(thrown?.path == (try StorePath("a")))
    #expect(scene.routes.count == 1, "asked again")
  }

  /// Calls with a good answer to each, which is then cut and damaged.
  private static let calls: [(String, [ScriptedTransport.Answer], @Sendable (DropboxStore) async throws -> Void)] = [
    ("files/get_metadata", [.text(200, Dropbox.file("/club/a"))], { _ = try await $0.entry(at: StorePath("a")) }),
    (
      "files/list_folder", [Dropbox.cursor, Dropbox.page([Dropbox.file("/club/a"), Dropbox.folder("/club/b")])],
      { _ = try await $0.list(.root, ListOptions(.full), after: nil) }
    ),
    (
      "files/upload", [.text(200, Dropbox.file("/club/a", tagged: false))],
      { _ = try await $0.put("hello", at: "a", .create) }
    ),
    (
      "files/move_v2", [.text(200, #"{"metadata":\#(Dropbox.file("/club/b"))}"#)],
      { _ = try await $0.move(StorePath("a"), to: StorePath("b"), ifRevision: nil) }
    ),
    ("files/get_metadata", [Dropbox.notFound], { _ = try await $0.entry(at: StorePath("a")) }),
    (
      "files/list_folder/longpoll", [.text(200, #"{"changes":true}"#)],
      { _ = try await $0.capabilities.changes?.wait(since: ChangeCursor("C")) }
    ),
    (
      "files/upload_session/start", [.text(200, #"{"session_id":"A"}"#)],
      { _ = try await $0.capabilities.uploads?.begin(StorePath("a"), size: nil) }
    ),
  ]

  @Test("An answer that is cut anywhere is an error that names the call:", arguments: calls.indices)
  func cut(_ index: Int) async throws {
    let (name, answers, call) = Self.calls[index]
    guard case .response(let head, let bytes) = answers[answers.count - 1] else { return }
    for length in 0..<bytes.count {
      let scene = try DropboxScene(answers.dropLast() + [.response(head, Array(bytes.prefix(length)))])
      let thrown = await #expect(throws: StoreError.self, "cut after \(length)") { try await call(scene.store) }
      #expect(thrown?.kind == .server && thrown?.message.contains(name) == true, "\(String(describing: thrown))")
    }
  }

  @Test("A damaged answer never ends the program:", arguments: calls.indices, [1, 2, 3] as [UInt64])
  func damaged(_ index: Int, _ seed: UInt64) async throws {
    let (_, answers, call) = Self.calls[index]
    guard case .response(let head, let bytes) = answers[answers.count - 1] else { return }
    var dice = Dice(state: seed)
    for _ in 0..<200 {
      var damaged = bytes
      for _ in 0...Int(dice.next() % 3) {
        let place = Int(dice.next() % UInt64(damaged.count))
        switch dice.next() % 3 {
        case 0: damaged[place] = UInt8(truncatingIfNeeded: dice.next())
        case 1: damaged.remove(at: place)
        default: damaged.insert(contentsOf: Array(#"{"[\"#.utf8), at: place)
        }
      }
      let scene = try DropboxScene(answers.dropLast() + [.response(head, damaged)])
      do { try await call(scene.store) } catch let error as StoreError { #expect(error.message.hasSuffix(".")) }
    }
  }

  @Test("The page of a network that wants a sign-in is said to be one")
  func portal() async throws {
    let scene = try DropboxScene([
      .text(200, "<html>Welcome to the train</html>", headers: ["Content-Type": "text/html"])
    ])
    let thrown = await #expect(throws: StoreError.self) { try await scene.store.entry(at: StorePath("a")) }
    #expect(thrown?.kind == .server && thrown?.remedy.contains("sign-in page") == true)
  }
}

/// xorshift64*.
private struct Dice {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return (state &* 0x2545_F491_4F6C_DD1D) >> 16
  }
}
