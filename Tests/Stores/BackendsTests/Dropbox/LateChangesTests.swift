import FileStores
import TestKit
import Testing

@testable import Backends

/// A server that does not answer the call that waits for changes: they are asked for, and come late.
@Suite struct LateChangesTests {
  private let quiet = ScriptedTransport.Answer.text(200, #"{"entries":[],"cursor":"C","has_more":false}"#)
  private let waited = ScriptedTransport.Answer.text(200, #"{"changes":true}"#)

  private func news(_ name: String) -> ScriptedTransport.Answer {
    .text(200, #"{"entries":[\#(Dropbox.file("/club/\(name)"))],"cursor":"D","has_more":false}"#)
  }

  @Test(arguments: [302, 403, 404, 405, 501])
  func `one refusal is reported once, changes still come, and the waiting begins again`(status: Int) async throws {
    let refusal = ScriptedTransport.Answer.text(status, "no")
    let scene = try DropboxScene([
      refusal, quiet, refusal, quiet, refusal, quiet, refusal, news("a"), refusal, news("b"), waited, news("c"), waited,
      news("d"),
    ])
    let feed = try #require(scene.store.capabilities.changes)
    var set = try await feed.wait(since: ChangeCursor("A"))
    #expect(set.changes.isEmpty && set.cursor.value == "C")
    #expect(
      set.lateness
        == "Dropbox does not answer the change request (\(status)). Checking every 5 to 60 s.")
    for name in ["a", "b"] {
      set = try await feed.wait(since: set.cursor)
      #expect(set.changes.map(LateChangesTests.name) == [name] && set.lateness != nil)
    }
    #expect(scene.clock.slept == [5, 10, 20, 40].map { .seconds($0) })
    set = try await feed.wait(since: set.cursor)
    #expect(set.changes.map(LateChangesTests.name) == ["c"] && set.lateness == nil)
    set = try await feed.wait(since: set.cursor)
    #expect(set.changes.map(LateChangesTests.name) == ["d"])
    #expect(scene.clock.slept.count == 5)
  }

  @Test func `the first version of the API goes over to asking, too`() async throws {
    let refusal = ScriptedTransport.Answer.text(404, "{}")
    let scene = try DropboxV1Scene([
      refusal, DropboxV1.delta([]), refusal, DropboxV1.delta([#"["/club/a",\#(DropboxV1.file("/club/a"))]"#]),
      .text(200, #"{"changes":false}"#), DropboxV1.delta([]),
    ])
    let feed = try #require(scene.store.capabilities.changes)
    var set = try await feed.wait(since: ChangeCursor("A"))
    #expect(set.lateness?.contains("does not answer the change request (404).") == true)
    set = try await feed.wait(since: set.cursor)
    #expect(set.changes.map(LateChangesTests.name) == ["a"] && set.lateness != nil)
    set = try await feed.wait(since: set.cursor)
    #expect(set.changes.isEmpty && set.lateness == nil)
    #expect(scene.store.capabilities.changes != nil)
  }

  @Test func `where nothing is answered, it is asked again and again`() async throws {
    let refusal = ScriptedTransport.Answer.text(302, "no")
    let scene = try DropboxScene(Array(repeating: refusal, count: 8) + [waited, quiet])
    let feed = try #require(scene.store.capabilities.changes)
    let set = try await feed.wait(since: ChangeCursor("A"))
    #expect(set.lateness != nil && set.cursor.value == "A")
    let next = try await feed.wait(since: set.cursor)
    #expect(next.lateness == nil && next.cursor.value == "C")
  }

  private static func name(_ change: ChangeSet.Change) -> String {
    switch change {
    case .present(let entry): "\(entry.path)"
    case .absent(let path): "no \(path)"
    }
  }
}
