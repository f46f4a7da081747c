import Backends
import Database
import FileStores
import Foundation
import JSON
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import StoreServer

/// Who is in a club, over the server's own calls.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PresenceRouteTests {
  private func show(_ server: TestServer, _ sight: JSON, token: String? = nil) async throws -> Reply {
    try await server.call("byteclub/show", ["sight": sight], token: token)
  }

  @Test(
    "Few watches have ten beats a second, and a crowd shares 250 lines",
    arguments: [(1, 100), (25, 100), (50, 200), (64, 256)])
  func gap(watches: Int, milliseconds: Int64) {
    #expect(ServedPresence.gap(watches: watches) == milliseconds)
  }

  @Test("A member sees where another is, by the name that the server knows, and when the other has gone")
  func seen() async throws {
    try await withServer { server in
      let ben = try MemberList(server.members).add("ben")
      let watch = try await PresenceWatch(server)
      let head = try await watch.waits(for: "\"present\":[]")
      #expect(head.hasPrefix("HTTP/1.1 200") && head.lowercased().contains("x-accel-buffering: no"))
      // Who does not watch is not seen.
      #expect(try await show(server, ["path": "/a.md"], token: ben).status == 200)
      let other = try await PresenceWatch(server, token: ben)
      try await other.waits(for: "\"present\":[]")
      #expect(
        try await show(
          server,
          [
            "path": "/photos/pier.jpg",
            "view": ["yaw": .integer(36_100), "pitch": .integer(-9900), "width": .integer(9000)],
          ], token: ben
        ).status == 200)
      let text = try await watch.waits(for: "ben")
      #expect(
        text.contains(#""path":"/photos/pier.jpg","view":{"yaw":100,"pitch":-9000,"width":9000}"#)
          && !text.contains("a.md"))
      #expect(try await server.call("byteclub/show", ["sight": .null], token: ben).status == 200)
      try await watch.waits(for: #""gone":["ben"]"#)
    }
  }

  @Test("Our client sees the other member in the club's own paths, and the other's end")
  func clients() async throws {
    try await withServedFolder { served in
      let bob = try served.added("Bob")
      let (ada, other) = (try await served.open("/trip"), try await bob.served.open("/trip"))
      let (seen, tell) = AsyncStream.makeStream(of: [PresentMember].self)
      let watching = Task { try await ada.capabilities.presence?.watch { tell.yield($0) } }
      let others = Task { try await other.capabilities.presence?.watch { _ in } }
      var iterator = seen.makeAsyncIterator()
      #expect(await iterator.next() == [])
      let sight = Sight(
        try StorePath("photos/low tide.jpg"), gaze: Gaze(yawDegrees: -12.34, pitchDegrees: 5, widthDegrees: 90),
        points: 3, edits: true, line: Sight.Line(7, of: Revision("0123456789abcdef")), follows: true)
      // The server takes it once the other watch has begun.
      let showing = Task {
        var number: UInt8 = 0
        while !Task.isCancelled {
          number &+= 1
          var next = sight
          next.points = number
          try await other.capabilities.presence?.show(next)
        }
      }
      let found = await iterator.next()
      var first = try #require(found?.first)
      first.sight.points = sight.points
      // Whatever a sight has comes through.
      #expect(found?.count == 1 && first == PresentMember("Bob", sight))
      for task in [watching, others] { task.cancel() }
      showing.cancel()
      for task in [watching, others] { _ = await task.result }
      _ = await showing.result
    }
  }

  @Test(
    "Numbers and paths that are none are refused, and others are set right",
    arguments: [
      #"{"path":"../a"}"#, #"{"path":"/../a"}"#, #"{"path":"/a/../../b"}"#, #"{"path":"a.md"}"#, #"{"path":""}"#,
      #"{"path":"id:abc"}"#, #"{"path":"/.byteclub/x"}"#, #"{"path":7}"#, #"{"path":"/a\u0000b"}"#,
      #"{"view":{"yaw":1e999,"pitch":0,"width":1}}"#, #"{"view":{"yaw":"1","pitch":0,"width":1}}"#,
      #"{"view":{"yaw":1,"pitch":0}}"#, #"{"view":[1,2,3]}"#, #"{"line":{"number":0,"rev":"1"}}"#,
      #"{"line":{"number":1}}"#, #"{"points":256}"#, #"{"points":-1}"#, #"{"name":"ann"}"#, "7", #""x""#,
      #"{"line":{"number":1,"rev":"\#(String(repeating: "1", count: 65))"}}"#,
      #"{"path":"/\#(String(repeating: "a", count: 200))/\#(String(repeating: "bc/", count: 300))d"}"#,
    ])
  func refused(sight: String) async throws {
    try await withServer { server in
      let reply = try await server.client.request(
        "POST", "/2/byteclub/show",
        [("Authorization", "Bearer " + server.token), ("Content-Type", "application/json")],
        Array(#"{"sight":\#(sight)}"#.utf8))
      #expect(reply.status == 400, "\(reply.status) \(reply.text)")
      #expect(try await server.call("byteclub/watch", ["form": .integer(2)]).status == 400)
    }
  }

  @Test("A reader looks and is seen; a removed member sees nothing more and is gone at once")
  func removed() async throws {
    try await withServer(tune: { $0.presenceRest = .milliseconds(50) }) { server in
      let ben = try MemberList(server.members).add("ben")
      let watch = try await PresenceWatch(server)
      let other = try await PresenceWatch(server, token: ben)
      try await other.waits(for: "\"present\":[]")
      #expect(try await show(server, ["path": "/a.md"], token: ben).status == 200)
      try await watch.waits(for: "ben")
      try MemberList(server.members).remove("ben")
      // The end of the answer, and of the connection's use.
      try await other.waits(for: "\r\n0\r\n")
      try await watch.waits(for: #""gone":["ben"]"#)
      #expect(try await show(server, ["path": "/b.md"], token: ben).status == 401)
    }
  }

  @Test("A removed member's watch ends at the next sight of another, and does not get it")
  func removedBeforeSight() async throws {
    // No rest comes in the time of this test.
    try await withServer { server in
      let ben = try MemberList(server.members).add("ben")
      let watch = try await PresenceWatch(server)
      let other = try await PresenceWatch(server, token: ben)
      try await watch.waits(for: "\"present\":[]")
      #expect(try await show(server, ["path": "/a.md"]).status == 200)
      try await other.waits(for: "/a.md")
      try MemberList(server.members).remove("ben")
      #expect(try await show(server, ["path": "/secret.md"]).status == 200)
      let text = try await other.waits(for: "\r\n0\r\n")
      #expect(!text.contains("secret"))
    }
  }

  @Test("A thousand sights are at most ten lines a second, and whoever never reads holds up nobody")
  func flood() async throws {
    try await withServer { server in
      let ben = try MemberList(server.members).add("ben")
      let silent = try await PresenceWatch(server, receiving: 4096)
      let watch = try await PresenceWatch(server)
      let other = try await PresenceWatch(server, token: ben)
      try await other.waits(for: "\"present\":[]")
      let clock = ContinuousClock()
      let began = clock.now
      for number in 1...1000 {
        #expect(try await show(server, ["path": .string("/n\(number)")], token: ben).status == 200)
      }
      let text = try await watch.waits(for: "/n1000")
      let seconds = began.duration(to: clock.now) / .seconds(1)
      #expect(Double(text.split(separator: "\n").count { $0.contains("\"ben\"") }) <= seconds * 10 + 2)
      withExtendedLifetime(silent) {}
    }
  }

  @Test("An empty line comes while nothing happens, so that no proxy takes the watch for dead")
  func resting() async throws {
    try await withServer(tune: { $0.presenceRest = .milliseconds(20) }) { server in
      let watch = try await PresenceWatch(server)
      // A chunk of one byte.
      try await watch.waits(for: "\r\n1\r\n\n\r\n1\r\n\n\r\n")
    }
  }

  @Test("A server without it says so, and our client asks no more")
  func off() async throws {
    try await withServer(tune: { $0.servesPresence = false }) { server in
      let about = try await server.call("byteclub/about", .null)
      #expect(about.json["capabilities"] == ["join", "devices", "readers"])
      #expect(try await show(server, ["path": "/a.md"]).status == 409)
      #expect(try await server.call("byteclub/watch", ["form": .integer(1)]).status == 409)
    }
  }

  @Test("A place is left once its member is removed, although the connection stays")
  func stalled() async throws {
    // at any pace: a pause between two looks.
    let presence = ServedPresence(rest: .milliseconds(1))
    let limit = CallLimit(perMember: 2, all: 2, else: .tooMany(retryAfter: 1))
    let (ann, ben) = (
      ServerMember(id: "1", name: "ann", created: 0), ServerMember(id: "2", name: "ben", created: 0)
    )
    #expect(presence.enter(ann))
    let (removed, other) = (try PresencePlace(presence, ben, limit), try PresencePlace(presence, ben, limit))
    presence.show(Sight(), of: ben)
    var known = PresenceRoom.Known()
    func line() -> String? {
      presence.line(for: ann, after: &known).map { String(decoding: $0.readableBytesView, as: UTF8.self) }
    }
    #expect(line()?.contains(#""name":"ben""#) == true)
    let hasEnded = Mutex(false)
    let leaving = Task { try await removed.keep { hasEnded.withLock { $0 } } }
    hasEnded.withLock { $0 = true }
    try await leaving.value
    // The member's other device still watches.
    #expect(line() == nil)
    #expect(limit.count == 2)
    other.leave(isRemoved: true)
    #expect(line()?.contains(#""gone":["ben"]"#) == true)
    other.leave(isRemoved: true)
    withExtendedLifetime((removed, other)) {}
  }

  @Test("Members who know the same get the same line, and nobody hears of themselves")
  func shared() throws {
    let presence = ServedPresence(rest: .seconds(20))
    func member(_ name: String) -> ServerMember { ServerMember(id: name, name: name, created: 0) }
    let (ann, ben, cleo) = (member("ann"), member("ben"), member("cleo"))
    var known: [String: PresenceRoom.Known] = [:]
    func line(_ member: ServerMember) -> String? {
      presence.line(for: member, after: &known[member.id, default: PresenceRoom.Known()])
        .map { String(decoding: $0.readableBytesView, as: UTF8.self) }
    }
    for member in [ann, ben, cleo] { #expect(presence.enter(member)) }
    for member in [ann, ben, cleo] { #expect(line(member)?.contains("\"present\":[]") == true) }
    presence.show(Sight(), of: ben)
    let first = try #require(line(ann))
    #expect(first.contains(#""name":"ben""#) && line(cleo) == first && line(ben) == nil)
    presence.show(Sight(), of: ann)
    let second = try #require(line(cleo))
    #expect(second.contains(#""name":"ann""#) && line(ann) == nil && line(ben) == second)
  }

  @Test("Watches have a limit of their own, and the server stops at once although some go on")
  func limited() async throws {
    try await withServer(tune: { ($0.watchesPerMember, $0.longPollsPerMember) = (1, 0) }) { server in
      let watch = try await PresenceWatch(server)
      try await watch.waits(for: "\"present\":[]")
      #expect(try await server.call("byteclub/watch", ["form": .integer(1)]).status == 429)
      server.stop()
      _ = try await watch.rest()
    }
  }
}
