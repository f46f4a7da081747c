import Database
import Foundation
import JSON
import TestKit
import Testing

@testable import StoreServer

/// Events of a club reach its hook in batches.
@Suite(.timeLimit(.minutes(5))) struct HookEventTests {
  /// Serves a folder with a hook until `body` has ended.
  private func serve(
    in folder: String, _ hook: EventHook?, _ body: (TestServer) async throws -> Void
  ) async throws {
    try await withServer(in: folder, tune: { $0.hook = hook }, body)
  }

  private func items(_ delivery: HookReceiver.Delivery?) throws -> [String] {
    try (delivery?.json["items"]).elements.map { item in
      let (action, path) = (item["action"]?.string ?? "", item["path"]?.string ?? "")
      return "\(item["member"]?.string.map { String($0.prefix(3)) } ?? "-") \(action) \(path)"
    }
  }

  private func waiting(_ folder: String) throws -> ServerHookDatabase {
    try ServerHookDatabase(path: folder + "/data/hook.sqlite")
  }

  /// The next batch, once its events are gathered and its time has come, and after it was acknowledged.
  private func batch(_ receiver: HookReceiver, _ clock: ManualClock, _ folder: String) async throws
    -> HookReceiver.Delivery?
  {
    await clock.waitForSleepers()
    clock.advance(by: .seconds(60))
    let found = await receiver.next().first
    let waiting = try waiting(folder)
    while try waiting.oldest() != nil { await Task.yield() }
    return found
  }

  /// Serves once, so that the hook knows where its events begin.
  private func begin(_ folder: String, _ receiver: HookReceiver) async throws {
    let clock = ManualClock()
    try await serve(in: folder, receiver.hook(clock, now: nil)) { server in
      let waiting = try waiting(folder)
      while try waiting.place() == nil { await Task.yield() }
      try await server.upload("/first.md", "first")
      #expect(try items(await batch(receiver, clock, folder)) == ["ann added first.md"])
    }
  }

  @Test func `fifty uploads are one batch, nothing before the hook is reported, and nothing twice after a restart`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let receiver = try HookReceiver { _ in RawAnswer(200) }
      try FileManager.default.createDirectory(atPath: folder + "/root", withIntermediateDirectories: true)
      try write("old", to: folder + "/root/old.md")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: folder + "/root/old.md")
      try await begin(folder, receiver)
      try await serve(in: folder, nil) { server in
        for number in 0..<50 { try await server.upload("/photos/\(number).jpg", "picture \(number)") }
      }
      for round in 0..<2 {
        let clock = ManualClock()
        try await serve(in: folder, receiver.hook(clock, now: nil)) { server in
          if round == 1 { try await server.upload("/last.md", "last") }
          let found = try await batch(receiver, clock, folder)
          let wanted = round == 0 ? (0..<50).map { "ann added photos/\($0).jpg" } : ["ann added last.md"]
          #expect(try items(found) == wanted)
          let json = try #require(found).json
          #expect(json["club"]?.string == "club")
          #expect(json["from"]?.string.flatMap(WireTime.seconds) != nil && json["to"] != nil)
        }
      }
      #expect(receiver.all.count == 3)
    }
  }

  @Test func `each file is reported once, with what became of it and who did it`() async throws {
    try await withTemporaryFolder { folder in
      let receiver = try HookReceiver { _ in RawAnswer(200) }
      try await begin(folder, receiver)
      try await serve(in: folder, nil) { server in
        try await server.upload("/new.md", "one")
        try await server.upload("/new.md", "two", ["mode": "overwrite"])
        try await server.upload("/first.md", "changed", ["mode": "overwrite"])
        try await server.upload("/gone.md", "gone")
        _ = try await server.call("files/delete_v2", ["path": "/gone.md"])
        _ = try await server.call("files/create_folder_v2", ["path": "/folder"])
      }
      let clock = ManualClock()
      try await serve(in: folder, receiver.hook(clock, now: nil)) { server in
        #expect(
          try items(await batch(receiver, clock, folder)).sorted() == [
            "- deleted gone.md", "ann added new.md", "ann changed first.md",
          ])
        _ = try await server.call("files/move_v2", ["from_path": "/new.md", "to_path": "/folder/moved.md"])
        #expect(try items(await batch(receiver, clock, folder)) == ["- renamed folder/moved.md"])
        _ = try await server.call("files/delete_v2", ["path": "/first.md"])
        #expect(try items(await batch(receiver, clock, folder)) == ["- deleted first.md"])
      }
    }
  }

  @Test func `events of one file, or of one path, become one`() {
    func event(_ id: String, _ action: HookEvent.Action, _ path: String, _ number: Int64) -> HookEvent {
      HookEvent(id: id, path: path, action: action, member: "ann", time: number, number: number)
    }
    func joined(_ events: [HookEvent]) -> [String] {
      HookEvent.joined(events).map { "\($0.action) \($0.path)" }
    }
    #expect(joined([event("a", .added, "x", 1), event("a", .changed, "x", 2)]) == ["added x"])
    #expect(joined([event("a", .added, "x", 1), event("a", .deleted, "x", 2)]) == [])
    #expect(joined([event("a", .deleted, "x", 1), event("a", .added, "y", 2)]) == ["renamed y"])
    #expect(joined([event("a", .deleted, "x", 1), event("a", .added, "x", 2)]) == ["changed x"])
    #expect(
      joined([event("a", .changed, "x", 1), event("b", .added, "z", 2), event("a", .deleted, "x", 3)])
        == ["added z", "deleted x"])
    #expect(
      joined([event("a", .added, "x", 1), event("a", .deleted, "x", 2), event("a", .added, "y", 3)]) == ["added y"])
    #expect(joined([event("a", .deleted, "x", 1), event("b", .added, "x", 2)]) == ["changed x"])
    #expect(
      joined([event("a", .deleted, "x", 1), event("b", .added, "y", 2), event("a", .added, "y", 3)]) == ["renamed y"])
  }
}
