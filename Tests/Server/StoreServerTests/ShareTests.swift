import Basics
import FileStores
import JSON
import NIOCore
import Synchronization
import Testing

@testable import StoreServer

/// How connections, long polls and memory are shared between members and strangers.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ShareTests {
  /// Connections that know whether they were closed.
  private final class Line: Sendable {
    let wasClosed = Mutex(false)
    var isOpen: Bool { wasClosed.withLock { !$0 } }
  }

  private func open(_ count: Int, from address: UInt8, _ shares: ConnectionShares) -> [Line] {
    (0..<count).map { _ in
      let line = Line()
      shares.opened(ObjectIdentifier(line), from: ClientAddress("192.0.2.\(address)")) {
        line.wasClosed.withLock { $0 = true }
      }
      return line
    }
  }

  @Test("Of one address's strangers the oldest goes for the newest, and no other address loses anything")
  func perAddress() {
    let shares = ConnectionShares(all: 100, perAddress: 3)
    let others = open(2, from: 2, shares)
    let lines = open(5, from: 1, shares)
    #expect(lines.map(\.isOpen) == [false, false, true, true, true])
    #expect(others.map(\.isOpen) == [true, true])
    shares.closed(ObjectIdentifier(lines[2]))
    let more = open(1, from: 1, shares)
    #expect((lines.suffix(3) + more).map(\.isOpen) == [true, true, true, true])
  }

  @Test("Who has shown a token is not counted as a stranger, and stays")
  func members() {
    let shares = ConnectionShares(all: 100, perAddress: 2)
    let member = open(1, from: 1, shares)
    shares.know(ObjectIdentifier(member[0]))
    let lines = open(4, from: 1, shares)
    #expect(member[0].isOpen)
    #expect(lines.map(\.isOpen) == [false, false, true, true])
  }

  @Test("Strangers together have three quarters, and the address with the most of them gives way")
  func together() {
    let shares = ConnectionShares(all: 8, perAddress: 100)
    let many = open(5, from: 1, shares)
    let few = open(3, from: 2, shares)
    #expect(many.map(\.isOpen) == [false, false, true, true, true])
    #expect(few.map(\.isOpen) == [true, true, true])
  }

  @Test("An IPv6 host is one address whatever its last half, and IPv4 at a socket for both is IPv4")
  func addresses() throws {
    func address(_ text: String) throws -> ClientAddress {
      let address = ClientAddress(try SocketAddress(ipAddress: text, port: 1))
      #expect(address == ClientAddress(text))
      return address
    }
    #expect(try address("2001:db8:1:2::1") == address("2001:db8:1:2:ffff::9"))
    #expect(try address("2001:db8:1:2::1") != address("2001:db8:1:3::1"))
    #expect(try address("::ffff:192.0.2.1") == address("192.0.2.1"))
    #expect(try address("192.0.2.1") != address("192.0.2.2"))
    #expect(ClientAddress(nil) == ClientAddress(""))
    #expect(ClientAddress("2001:db8:1:2::1").network == ClientAddress("2001:db8:1:ffff::1").network)
    #expect(ClientAddress("2001:db8:1:2::1").network != ClientAddress("2001:db8:2:2::1").network)
  }

  @Test("A member gets in and stays while a stranger of the same address holds more connections than there are")
  func strangersOutside() async throws {
    try await withServer(tune: { ($0.connections, $0.connectionsPerAddress) = (12, 4) }) { server in
      let member = try Connection(port: server.client.port)
      let ask = "POST /2/users/get_current_account HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(server.token)\r\n\r\n"
      try await member.send(ask)
      let first = try await member.receive()
      #expect(first.map { String(decoding: $0, as: UTF8.self).hasPrefix("HTTP/1.1 200") } == true)
      var idle: [Connection] = []
      for _ in 0..<40 {
        idle.append(try Connection(port: server.client.port))
        try await idle[idle.count - 1].send("GET / HTTP/1.1\r\nX-Slow: ")
      }
      // The stranger has as many as an address may hold once all others are cut, in whatever order they came.
      while idle.count > 4 {
        var held: [Connection] = []
        // at any pace: a pause between two looks.
        for connection in idle where try await connection.receive(milliseconds: 20) != [] { held.append(connection) }
        idle = held
      }
      #expect(try await server.call("users/get_current_account", .null).status == 200)
      try await member.send(ask)
      let second = try await member.receive()
      #expect(second.map { String(decoding: $0, as: UTF8.self).hasPrefix("HTTP/1.1 200") } == true)
    }
  }

  @Test("A member has so many long polls and no more, and others wait undisturbed")
  func longPolls() async throws {
    try await withServer(tune: { $0.longPollsPerMember = 1 }) { server in
      let cursor = try await server.call("files/list_folder/get_latest_cursor", ["path": ""]).json["cursor"] ?? .null
      let body = JSON.members(["cursor": cursor, "timeout": .integer(480)]).encoded
      let poll =
        "POST /2/files/list_folder/longpoll HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      var polls: [Connection] = []
      var status = 0
      // If the second request comes first, it waits one second; the first one is refused then, and is sent again.
      repeat {
        let waiting = try Connection(port: server.client.port)
        try await waiting.send(poll)
        polls.append(waiting)
        status =
          try await server.client.request(
            "POST", "/1/longpoll_delta?timeout=1&cursor=\(PercentEncoding.encoded(cursor.string ?? ""))"
          ).status
      } while status == 200
      #expect(status == 429)
      try await server.upload("/new.md", "text")
      var answered = 0
      for waiting in polls where String(decoding: try await waiting.rest(), as: UTF8.self).contains("\"changes\"") {
        answered += 1
      }
      #expect(answered == 1)
    }
  }

  @Test("Connections whose long poll was refused stay a stranger's, so one cursor cannot hold all of them")
  func refusedPolls() async throws {
    try await withServer(tune: { ($0.longPollsPerMember, $0.connectionsPerAddress) = (0, 4) }) { server in
      let cursor = try await server.call("files/list_folder/get_latest_cursor", ["path": ""]).json["cursor"] ?? .null
      let body = JSON.members(["cursor": cursor, "timeout": .integer(480)]).encoded
      var held: [Connection] = []
      for _ in 0..<20 {
        let line = try Connection(port: server.client.port)
        try await line.send(
          "POST /2/files/list_folder/longpoll HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(try await line.receive(12) == Array("HTTP/1.1 429".utf8))
        held.append(line)
      }
      // All but the newest four are closed.
      for line in held.dropLast(4) { _ = try await line.rest() }
    }
  }

  @Test("Memory is given back once after work, when little is asked")
  func quiet() {
    let activity = Activity()
    #expect(!activity.isTimeToTidy())
    for _ in 0..<100 { activity.note() }
    #expect(!activity.isTimeToTidy())
    activity.note()
    #expect(activity.isTimeToTidy())
    #expect(!activity.isTimeToTidy())
    // The answers of then have ended now: what they held is free.
    activity.noteEnd()
    #expect(activity.isTimeToTidy())
    #expect(!activity.isTimeToTidy())
  }

  @Test("A cursor makes a connection a member's as long as its long poll waits, and no longer")
  func polling() {
    let shares = ConnectionShares(all: 100, perAddress: 2)
    let lines = open(2, from: 1, shares)
    let id = ObjectIdentifier(lines[0])
    shares.notePolls(id, 1)
    let more = open(2, from: 1, shares)
    #expect((lines + more).map(\.isOpen) == [true, false, true, true])
    shares.notePolls(id, -1)
    let last = open(1, from: 1, shares)
    #expect((lines + more + last).map(\.isOpen) == [false, false, false, true, true])
  }

  @Test("The connections fit into the descriptors that there are")
  func descriptors() {
    for limit in [16, 40, 64, 256, 1024, 8192] as [UInt] {
      let count = ConnectionLimit.connections(within: limit)
      #expect(count >= 4 && (count == 4 || count * 3 < limit))
    }
    #expect(ConnectionLimit.connections(within: 8192) > 512)
    #expect(ConnectionLimit.isRoomLeft())
    #expect(!AvailableConnections(most: 0).isAcceptingNewConnections())
  }
}
