import Backends
import ClubServices
import Database
import FileStores
import JSON
import TestKit
import Testing

@testable import StoreServer

/// The cost of members who look around together, counted in lines, bytes and requests.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PresenceLoadTests {
  private static let (rounds, loud) = (60, 12)

  /// The longest path that is shown, so that what is kept for a client fills its memory soon.
  private func place(_ round: Int, _ member: Int) -> String {
    "/n\(round)-\(member)/" + Array(repeating: String(repeating: "x", count: 240), count: 4).joined(separator: "/")
  }

  private func show(_ server: TestServer, _ path: String, _ token: String) async throws {
    #expect(try await server.call("byteclub/show", ["sight": ["path": .string(path)]], token: token).status == 200)
  }

  @Test("64 members are there, one never reads: the others get the newest of each, and little is kept for that one")
  func crowd() async throws {
    try await withServer(tune: { $0.slowestPieceSeconds = 600 }) { server in
      let tokens = try (1..<PresenceRoom.mostMembers).map { try MemberList(server.members).add("m\($0)") }
      let silent = try await PresenceWatch(server, receiving: 4096, segment: 536)
      try await silent.waits(for: "present")
      var watches: [PresenceWatch] = []
      for token in tokens {
        watches.append(try await PresenceWatch(server, token: token))
        try await watches[watches.count - 1].waits(for: "present")
      }
      let late = try MemberList(server.members).add("late")
      #expect(try await server.call("byteclub/watch", ["form": .integer(1)], token: late).status == 429)
      for (number, token) in tokens.enumerated() { try await show(server, "/own-\(number).md", token) }
      let witness = watches[Self.loud]
      var witnessed = 0
      for round in 1...Self.rounds {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<Self.loud {
            group.addTask { try await show(server, place(round, number), tokens[number]) }
          }
          try await group.waitForAll()
        }
        var missing = Set((0..<Self.loud).map { "/n\(round)-\($0)/" })
        witnessed += try await witness.takes { line in
          missing = missing.filter { !line.holds($0) }
          return missing.isEmpty
        }
      }
      let newest = "/n\(Self.rounds)-"
      // Whoever has read nothing meanwhile gets the end of it, too.
      for (number, watch) in watches.enumerated() where number != Self.loud {
        let others = (0..<tokens.count).filter { $0 != number }
        var missing = Set(others.map { $0 < Self.loud ? "\(newest)\($0)/" : "/own-\($0).md" })
        try await watch.takes { line in
          // Most lines are of sights that newer ones have replaced.
          if line.holds(newest) || line.holds("/own-") { missing = missing.filter { !line.holds($0) } }
          return missing.isEmpty
        }
      }
      // All that the server and its kernel have kept for the silent one, and the newest behind it.
      var missing = Set((0..<Self.loud).map { "\(newest)\($0)/" })
      let kept = try await silent.takes { line in
        missing = missing.filter { !line.holds($0) }
        return missing.isEmpty
      }
      #expect(witnessed > Self.rounds * Self.loud * 1000 && kept < witnessed / 2, "\(kept) of \(witnessed) bytes")
    }
  }

  @Test("Ten sights a second are at most 3 KB a second for each watch")
  func bytes() async throws {
    try await withServer { server in
      let ben = try MemberList(server.members).add("Benedetta Castelli")
      let (watch, other) = (try await PresenceWatch(server), try await PresenceWatch(server, token: ben))
      for watch in [watch, other] { try await watch.takes { $0.contains("present") } }
      for number in 1...20 {
        let yaw = -17_000 - number
        let sight: JSON = [
          "path": "/photos/2026 Summer in the Alps/Ridge at dusk 360.jpg",
          "view": ["yaw": .integer(Int64(yaw)), "pitch": .integer(-4512), "width": .integer(11_750)],
          "points": .integer(200),
        ]
        #expect(try await server.call("byteclub/show", ["sight": sight], token: ben).status == 200)
        #expect(try await watch.takes { $0.contains("\(yaw)") } <= 300)
      }
    }
  }

  @Test("Whoever is alone sends the first sight and then nothing, and the server's log has one watch and no poll")
  func alone() async throws {
    let log = KeptLog()
    try await withTemporaryFolder { folder in
      try await withServer(in: folder, handler: log.handler) { server in
        let (dora, ben) = (try MemberList(server.members).add("Dora"), try MemberList(server.members).add("Ben"))
        // It shows nothing, so Dora is alone.
        let eye = try await PresenceWatch(server)
        try await eye.waits(for: "present")
        let (first, second) = (try Looker(server, dora), try Looker(server, ben))
        first.look(at: "first.md")
        let looking = Task { try await first.service.follow { first.tell.yield($0) } }
        try await eye.waits(for: "/first.md")
        for number in 1...1000 { first.look(at: "n\(number).md") }
        second.look(at: "ben.md")
        let following = Task { try await second.service.follow { second.tell.yield($0) } }
        for await members in first.seen where members.map(\.name) == ["Ben"] { break }
        for await members in second.seen where members.first?.sight.path == (try StorePath("n1000.md")) { break }
        let text = try await eye.waits(for: "/n1000.md")
        #expect(text.split(separator: "\n").count { $0.contains("Dora") } == 2)
        for task in [looking, following] {
          task.cancel()
          _ = await task.result
        }
      }
    }
    let calls = log.all.filter { $0.contains(" Dora POST ") }.compactMap { line in
      line.split(separator: " ").first { $0.hasPrefix("/2/") }
    }
    #expect(calls.sorted() == ["/2/byteclub/show", "/2/byteclub/show", "/2/byteclub/watch"])
  }

  /// A member's program at the server.
  private struct Looker {
    let service: PresenceService
    let seen: AsyncStream<[PresentMember]>
    let tell: AsyncStream<[PresentMember]>.Continuation

    init(_ server: TestServer, _ token: String) throws {
      (seen, tell) = AsyncStream.makeStream(of: [PresentMember].self)
      let origin = "http://127.0.0.1:\(server.client.port)"
      let club = StoreRegistry.standard.served(at: origin)
      service = PresenceService(
        store: try DropboxStore(
          server: try DropboxServer(origin: origin), folder: "/",
          transport: try #require(try StoreRegistry.standard.transport(for: club) { $0.timeouts = .patient }),
          tokens: StaticToken(token),
          pool: RawClient.pool))
    }

    func look(at name: String) { service.look(at: Sight(try? StorePath(name))) }
  }
}
