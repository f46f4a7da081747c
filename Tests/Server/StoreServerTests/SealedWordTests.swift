import Database
import FileStores
import JSON
import Testing

@testable import StoreServer

/// What is good without a token (cursors to wait with, links), and what else the server gives out and trusts.
@Suite(.serialized) struct SealedWordTests {
  /// Words that are almost this one: each part of it with a letter changed, cut, or made of other parts.
  private func changed(_ word: String, _ other: String) -> [String] {
    let bytes = Array(word.utf8)
    var words = stride(from: 0, to: bytes.count, by: 3).map { place in
      var bytes = bytes
      bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      return String(decoding: bytes, as: UTF8.self)
    }
    let (mine, theirs) = (word.split(separator: "."), other.split(separator: "."))
    words += [
      String(mine[0]), mine[0] + ".", "." + mine[1], word + "A", mine[0] + "." + theirs[1], theirs[0] + "." + mine[1],
    ]
    return words.filter { $0 != word }
  }

  private func cursor(_ server: TestServer, token: String? = nil) async throws -> String {
    let reply = try await server.call("files/list_folder/get_latest_cursor", ["path": ""], token: token)
    return try #require(reply.json["cursor"]?.string)
  }

  private func poll(_ server: TestServer, _ cursor: String) async throws -> Int {
    try await server.client.request(
      "POST", "/2/files/list_folder/longpoll", [("Content-Type", "application/json")],
      Array(JSON.members(["cursor": .string(cursor), "timeout": .integer(30)]).encoded.utf8)
    ).status
  }

  @Test("No cursor and no link but those that were given out are good")
  func changedWords() async throws {
    try await withServer { server in
      try await server.upload("/a", "one")
      let ben = try MemberList(server.members).add("ben")
      let (mine, theirs) = (try await cursor(server), try await cursor(server, token: ben))
      for word in changed(mine, theirs) {
        #expect(try await poll(server, word) == 400, "\(word)")
        #expect(try await server.v1Bare("GET", "longpoll_delta", [("cursor", word)]).status == 400)
      }
      let links = try await withThrowingTaskGroup(of: String.self) { group in
        for token in [server.token, ben] {
          group.addTask {
            let reply = try await server.call("files/get_temporary_link", ["path": "/a"], token: token)
            return reply.json["link"]?.string?.split(separator: "/").last.map(String.init) ?? ""
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(try await server.client.request("GET", "/links/" + links[0]).text == "one")
      for word in changed(links[0], links[1]) {
        #expect(try await server.client.request("GET", "/links/" + word).status == 404, "\(word)")
      }
      // A word for one use is none for another.
      #expect(try await server.client.request("GET", "/links/" + mine).status == 404)
      #expect(try await poll(server, links[0]) == 400)
    }
  }

  @Test("Cursors, links and words for copying end with their member, and nobody else's do")
  func removal() async throws {
    try await withServer { server in
      try await server.upload("/a", "one")
      let ben = try MemberList(server.members).add("ben")
      let header = [("Authorization", "Bearer " + ben)]
      let bens = try await cursor(server, token: ben)
      let old = try #require(
        try await server.v1Bare("POST", "delta/latest_cursor", headers: header).json["cursor"]?.string)
      let v2Link = try #require(
        try await server.call("files/get_temporary_link", ["path": "/a"], token: ben).json["link"]?.string)
      let v1Link = try #require(try await server.v1Bare("GET", "media/auto/a", headers: header).json["url"]?.string)
      let copy = try #require(
        try await server.v1Bare("GET", "copy_ref/auto/a", headers: header).json["copy_ref"]?.string)
      let (mine, link) = (
        try await cursor(server), try await server.call("files/get_temporary_link", ["path": "/a"]).json["link"]
      )
      func path(_ link: String?) -> String { "/links/" + (link?.split(separator: "/").last ?? "") }
      for link in [v2Link, v1Link] { #expect(try await server.client.request("GET", path(link)).status == 200) }
      // Somebody waits while the member is removed: they are told nothing.
      async let waiting = poll(server, bens)
      async let waitingOld = server.v1Bare("GET", "longpoll_delta", [("cursor", old), ("timeout", "30")]).status
      // By then both have long been asking.
      for _ in 0..<20 { #expect(try await server.call("check/user", .null).status == 200) }
      try MemberList(server.members).remove("ben")
      try await server.upload("/b", "two")
      #expect(try await waiting == 401)
      #expect(try await waitingOld == 401)
      #expect(try await poll(server, bens) == 401)
      #expect(try await server.v1Bare("GET", "longpoll_delta", [("cursor", old)]).status == 401)
      for link in [v2Link, v1Link] { #expect(try await server.client.request("GET", path(link)).status == 410) }
      let copied = try await server.v1("POST", "fileops/copy", [("from_copy_ref", copy), ("to_path", "/c")])
      #expect(copied.status == 404)
      #expect(try await poll(server, mine) == 200)
      #expect(try await server.client.request("GET", path(link?.string)).status == 200)
    }
  }

  @Test("A word that was sealed for one use is none for another, and has one spelling")
  func uses() throws {
    let seal = Seal(key: [UInt8](repeating: 7, count: 32))
    for length in 0..<6 {
      let words = ["a", String(repeating: "b", count: length)]
      let word = seal.seal(words, for: "link")
      #expect(seal.open(word, for: "link") == words)
      #expect(seal.open(word, for: "cursor") == nil)
      #expect(Seal(key: [UInt8](repeating: 8, count: 32)).open(word, for: "link") == nil)
      let last = try #require(word.utf8.last)
      // The last letter of 16 bytes in base64 says two bits: of 64 letters, 16 are the same to a reader that is lenient.
      for letter in UInt8(ascii: "0")...UInt8(ascii: "z") where letter != last {
        #expect(seal.open(String(word.dropLast()) + String(Unicode.Scalar(letter)), for: "link") == nil)
      }
    }
  }

  @Test("Links and words for copying end with their time")
  func times() async throws {
    try await withServer { server in
      let file = try await server.upload("/a", "one")
      let member = try server.members.members()[0].id
      let device = try #require(try server.members.devices(of: member, at: 0).first).id
      let seal = Seal(key: try server.members.secret("seal"))
      let (id, rev) = (file["id"]?.string ?? "?", Rev.number(file["rev"]?.string ?? "?") ?? 0)
      for (end, isGood) in [(ServerOptions.now() - 1, false), (ServerOptions.now() + 600, true)] {
        let link = seal.seal([device, id, String(rev), String(end)], for: "link")
        #expect(try await server.client.request("GET", "/links/" + link).status == (isGood ? 200 : 410))
        let word = seal.seal([member, id, String(end)], for: "copy_ref")
        let copied = try await server.v1("POST", "fileops/copy", [("from_copy_ref", word), ("to_path", "/c")])
        #expect(copied.status == (isGood ? 200 : 404))
      }
    }
  }

  @Test("What one member has begun no other can go on with")
  func others() async throws {
    try await withServer { server in
      let ben = try MemberList(server.members).add("ben")
      let header = [("Authorization", "Bearer " + ben)]
      let mine = try await cursor(server)
      let list = try await server.call("files/list_folder/continue", ["cursor": .string(mine)], token: ben)
      #expect(list.json.at("error", ".tag") == "reset")
      let session = try #require(
        try await server.send("files/upload_session/start", .object([]), Array("abc".utf8)).json["session_id"]?.string)
      let cursor: JSON = ["session_id": .string(session), "offset": .integer(3)]
      for (route, argument) in [
        ("append_v2", ["cursor": cursor]), ("finish", ["cursor": cursor, "commit": ["path": "/x"]]),
      ] as [(String, JSON)] {
        let reply = try await server.client.request(
          "POST", "/2/files/upload_session/" + route,
          header + [
            ("Content-Type", "application/octet-stream"), ("Dropbox-API-Arg", argument.ascii),
          ])
        #expect(reply.status == 409 && reply.text.contains("not_found"), "\(reply.text)")
      }
      let batch: JSON = ["entries": .array([["cursor": cursor, "commit": ["path": "/x"]]])]
      #expect(
        try await server.call("files/upload_session/finish_batch_v2", batch, token: ben).text.contains("not_found"))
      let upload = try #require(
        try await server.v1("PUT", "chunked_upload", body: Array("abc".utf8)).json["upload_id"]?.string)
      let more = [("upload_id", upload), ("offset", "3")]
      #expect(try await server.v1Bare("PUT", "chunked_upload", more, body: [1], headers: header).status == 404)
      let commit = try await server.v1Bare(
        "POST", "commit_chunked_upload/auto/x", [("upload_id", upload)], headers: header)
      #expect([400, 404].contains(commit.status))
      #expect(try await server.paths() == [])
      // And its member can.
      #expect(try await server.v1("POST", "commit_chunked_upload/auto/y", [("upload_id", upload)]).status == 200)
    }
  }
}
