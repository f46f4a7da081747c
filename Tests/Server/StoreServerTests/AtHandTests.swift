import Database
import FileStores
import Foundation
import TestKit
import Testing

@testable import StoreServer

/// Small files that are answered for in the connection's own pipeline, on connections that stay open.
@Suite(.serialized) struct AtHandTests {
  /// Answers in order, on one connection.
  private struct Line {
    let connection: Connection
    var come: [UInt8] = []

    /// The next answer: its header's fields by lower-case name (the status under ""), and its body.
    mutating func reply() async throws -> (fields: [String: String], body: String) {
      while true {
        if let end = come.indices.first(where: { come[$0...].starts(with: [13, 10, 13, 10]) }) {
          var fields: [String: String] = [:]
          for line in String(decoding: come[..<end], as: UTF8.self).split(separator: "\r\n") {
            let parts = line.split(separator: ": ", maxSplits: 1)
            fields[parts.count > 1 ? parts[0].lowercased() : ""] = String(parts.last ?? "")
          }
          let length = Int(fields["content-length"] ?? "") ?? 0
          if come.count >= end + 4 + length {
            let body = come[(end + 4)..<(end + 4 + length)]
            come = Array(come[(end + 4 + length)...])
            return (fields, String(decoding: body, as: UTF8.self))
          }
        }
        guard let more = try await connection.receive(), !more.isEmpty else {
          throw StoreError(.offline, "The connection ended.")
        }
        come += more
      }
    }
  }

  private func line(to server: TestServer) throws -> Line { Line(connection: try Connection(port: server.client.port)) }

  private func get(_ path: String, _ server: TestServer, _ more: String = "") -> String {
    "GET /1/files/auto\(path) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(server.token)\r\n\(more)\r\n"
  }

  private func download(_ path: String, _ server: TestServer, _ more: String = "") -> String {
    "POST /2/files/download HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(server.token)\r\n"
      + "Dropbox-API-Arg: {\"path\":\"\(path)\"}\r\nContent-Length: 0\r\n\(more)\r\n"
  }

  /// Asks until an answer is at hand, which the log tells by where it has the request's word.
  private func warm(_ line: inout Line, _ text: String, _ log: KeptLog) async throws -> (
    first: [String: String], atHand: [String: String]
  ) {
    try await line.connection.send(text)
    let first = try await line.reply().fields
    for _ in 0..<2000 {
      let before = log.all.count
      try await line.connection.send(text)
      let reply = try await line.reply()
      if log.all[before...].contains(where: { $0.contains(" 200 0 ms [:] [\"hb.request.id\"") }) {
        return (first, reply.fields)
      }
    }
    throw StoreError(.server, "The answer is never at hand.")
  }

  @Test("An answer at hand is the one that the usual way gives, in both versions", arguments: [1, 2])
  func same(version: Int) async throws {
    let log = KeptLog()
    try await withTemporaryFolder { folder in
      try await withServer(in: folder, handler: log.handler) { server in
        try await server.upload("/Sub Folder/a ü.md", "text")
        var line = try line(to: server)
        let text =
          version == 1
          ? get("/sub%20folder/a%20%C3%BC.md", server) : download("/sub folder/a \\u00fc.md", server)
        var (first, atHand) = try await warm(&line, text, log)
        let ids = [first, atHand].map { $0["x-dropbox-request-id"] }
        #expect(ids[0] != nil && ids[1] != nil && ids[0] != ids[1])
        for name in ["x-dropbox-request-id", "date"] {
          #expect(first[name]?.count == atHand[name]?.count)
          (first[name], atHand[name]) = (nil, nil)
        }
        #expect(first == atHand)
        #expect(first.count > 6)
      }
    }
  }

  @Test("A client that knows version 1 alone is answered at hand, too")
  func version1() async throws {
    let log = KeptLog()
    try await withTemporaryFolder { folder in
      try await withServer(in: folder, handler: log.handler) { server in
        try Data("one".utf8).write(to: URL(fileURLWithPath: server.root + "/a"))
        var line = try line(to: server)
        #expect(try await warm(&line, get("/a", server), log).atHand[""] == "HTTP/1.1 200 OK")
      }
    }
  }

  @Test("A changed file, a file that is gone and a member who is gone are seen at the next request")
  func changes() async throws {
    let log = KeptLog()
    try await withTemporaryFolder { folder in
      try await withServer(in: folder, handler: log.handler) { server in
        try await server.upload("/a", "one")
        var line = try line(to: server)
        _ = try await warm(&line, get("/a", server), log)
        try Data("other".utf8).write(to: URL(fileURLWithPath: server.root + "/a"))
        try await line.connection.send(get("/a", server))
        #expect(try await line.reply().body == "other")
        _ = try await warm(&line, get("/a", server), log)
        try FileManager.default.removeItem(atPath: server.root + "/a")
        try await line.connection.send(get("/a", server))
        #expect(try await line.reply().fields[""] == "HTTP/1.1 404 Not Found")
        try await server.upload("/b", "two")
        _ = try await warm(&line, get("/b", server), log)
        let elsewhere = try ServerMembersDatabase(path: server.data + "/members.sqlite")
        try MemberList(elsewhere).remove(try elsewhere.members()[0].name)
        try await line.connection.send(get("/b", server))
        #expect(try await line.reply().fields[""] == "HTTP/1.1 401 Unauthorized")
      }
    }
  }

  @Test("Requests that come together are answered in their order, whichever way each goes")
  func order() async throws {
    let log = KeptLog()
    try await withTemporaryFolder { folder in
      try await withServer(in: folder, handler: log.handler) { server in
        try await server.upload("/small", "small")
        let large = String(repeating: "large ", count: 50_000)
        try await server.upload("/large", large)
        var line = try line(to: server)
        _ = try await warm(&line, get("/small", server), log)
        let wrong = get("/small", server).replacing(server.token, with: "bc.x.y")
        let asked = [
          (get("/small", server), "small"), (get("/large", server), large), (download("/small", server), "small"),
          (get("/none", server), ""), (get("/small", server), "small"), (wrong, ""),
          (get("/small", server, "Range: bytes=1-2\r\n"), "ma"), (get("/small", server), "small"),
          // A body that nobody wants.
          (get("/small", server, "Content-Length: 3\r\n") + "abc", "small"), (get("/small?rev=", server), "small"),
          (get("/small", server, "Connection: close\r\n"), "small"),
        ]
        try await line.connection.send(asked.map(\.0).joined())
        for (text, body) in asked {
          let reply = try await line.reply()
          if body.isEmpty {
            #expect(reply.fields[""]?.hasPrefix("HTTP/1.1 40") == true, "\(text)")
          } else {
            #expect(reply.body == body, "\(text)")
          }
        }
        // The last one wanted the connection closed.
        #expect(try await line.connection.rest().isEmpty)
      }
    }
  }

  @Test("A token without the right to read is refused though the file is at hand")
  func scopes() async throws {
    let log = KeptLog()
    try await withTemporaryFolder { folder in
      try await withServer(in: folder, handler: log.handler) { server in
        try await server.upload("/a", "text")
        let member = try server.members.members()[0]
        let tokens = AccessTokens(database: server.members)
        let weak = try tokens.issue(to: member, scopes: Scopes.all.subtracting(["files.content.read"]))
        let ended = try tokens.issue(to: member, expires: ServerOptions.now() - 1)
        var line = try line(to: server)
        for text in [get("/a", server), download("/a", server)] {
          _ = try await warm(&line, text, log)
          for token in [weak, ended] {
            for _ in 0..<3 {
              try await line.connection.send(text.replacing(server.token, with: token))
              let status = try await line.reply().fields[""] ?? ""
              #expect(status.contains(" 401 ") || status.contains(" 403 "), "\(status)")
            }
          }
        }
      }
    }
  }
}
