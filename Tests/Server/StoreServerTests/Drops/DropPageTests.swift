import FileStores
import Foundation
import JSON
import TestKit
import Testing

@testable import Database
@testable import StoreServer

/// Drop pages in a browser.
@Suite(.serialized) struct DropPageTests {
  private static func allow(_ options: inout ServerOptions) { options.servesDropPages = true }

  @Test("The page asks for pictures without scripts, sealed like a link's, and tells nothing of the club but who asks")
  func page() async throws {
    try await withServer(tune: Self.allow) { server in
      try await server.upload("/in/secret.md", "text")
      let url = try await server.dropPage()
      let page = try await server.open(url)
      let name = try server.members.members()[0].name
      #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
      #expect(page.text.contains("<form method=\"post\" enctype=\"multipart/form-data\">") && page.text.contains(name))
      let kinds = V1FileKind.pictureTypes.joined(separator: ",")
      #expect(kinds.contains("image/jpeg,") && kinds.contains("image/heic,"))
      #expect(page.text.contains("name=\"pictures\" accept=\"\(kinds)\" multiple"))
      for hidden in ["/in", "secret", "<script", "onload"] { #expect(!page.text.contains(hidden), "\(hidden)") }
      for reply in [page, try await server.drop(url, [.picture("a.jpg")])] {
        let policy = reply.headers["content-security-policy"] ?? ""
        for part in ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"] {
          #expect(policy.contains(part))
        }
        #expect(!policy.contains("unsafe") && !policy.contains("script"))
        #expect(reply.headers["referrer-policy"] == "no-referrer" && reply.headers["cache-control"] == "no-store")
        #expect(reply.headers["access-control-allow-origin"] == nil)
      }
      let fixed = try await server.dropPage(["path": "/in", "from": "<Mia>"])
      let asked = try await server.open(fixed).text
      #expect(asked.contains("&lt;Mia&gt;") && !asked.contains("name=\"name\""))
    }
  }

  @Test("Pictures come with their caption, under free names, by the member who asked and as their guest's")
  func pictures() async throws {
    try await withServer(tune: Self.allow) { server in
      try await server.upload("/in/pier.jpg", "the member's own")
      let own = try server.members.members()[0].name
      let url = try await server.dropPage()
      let reply = try await server.drop(
        url,
        [
          .field("name", "Mia (a guest of eve)"), .field("caption", "At the pier\r\nin May"),
          .picture("pier.jpg", "1"), .picture("../../sea.jpg", "2"),
        ])
      #expect(reply.status == 200 && reply.text.contains("2 pictures have come"), "\(reply.text)")
      #expect(
        try await server.paths("/in", recursive: false) == [
          "/in/pier (1).jpg", "/in/pier (1).jpg.md", "/in/pier.jpg", "/in/sea.jpg", "/in/sea.jpg.md",
        ])
      #expect(try await server.fetch("files/download", ["path": "/in/pier.jpg"]).text == "the member's own")
      #expect(
        try await server.fetch("files/download", ["path": "/in/sea.jpg"]).body == FormPart.picture("", "2").bytes)
      #expect(try await server.fetch("files/download", ["path": "/in/sea.jpg.md"]).text == "At the pier\nin May\n")
      for path in ["/in/sea.jpg", "/in/sea.jpg.md", "/in/pier (1).jpg"] {
        #expect(try await server.shownAuthor(path) == "Mia a guest of eve (a guest of \(own))")
      }
      #expect(try await server.shownAuthor("/in/pier.jpg") == own)
      let old = try await server.v1("GET", "metadata/auto/in/sea.jpg")
      #expect(old.json.at("modifier", "display_name") == .string("Mia a guest of eve (a guest of \(own))"))
      // The name stays with a version of its own, and with a file that is moved.
      try await server.move("/in/sea.jpg", to: "/sea.jpg")
      #expect(try await server.shownAuthor("/sea.jpg") == "Mia a guest of eve (a guest of \(own))")
    }
  }

  @Test("The pictures' field alone is enough, a fixed name holds, and no member is called like a guest")
  func names() async throws {
    try await withServer(tune: Self.allow) { server in
      let own = try server.members.members()[0].name
      let reply = try await server.drop(try await server.dropPage(), [.picture("a.jpg")])
      #expect(reply.status == 200, "\(reply.text)")
      #expect(try await server.shownAuthor("/in/a.jpg") == "Somebody (a guest of \(own))")
      let fixed = try await server.dropPage(["path": "/in", "from": "Mia"])
      #expect(try await server.drop(fixed, [.field("name", own), .picture("b.jpg", "b")]).status == 200)
      #expect(try await server.shownAuthor("/in/b.jpg") == "Mia (a guest of \(own))")
      #expect(throws: StoreError.self) { try MemberList(server.members).add("Mia (A guest of \(own))") }
    }
  }

  @Test("The same form twice leaves each picture once; another's same picture gets no caption")
  func twice() async throws {
    try await withServer(tune: Self.allow) { server in
      let url = try await server.dropPage()
      let form = [FormPart.field("caption", "words"), .picture("a.jpg", "1")]
      for _ in 0..<2 { #expect(try await server.drop(url, form).status == 200) }
      #expect(try await server.paths("/in", recursive: false) == ["/in/a.jpg", "/in/a.jpg.md"])
      let picture = FormPart.picture("own.jpg", "own")
      try await server.upload("/in/own.jpg", bytes: picture.bytes)
      #expect(try await server.drop(url, [.field("caption", "words"), picture]).status == 200)
      #expect(try await !server.paths("/in", recursive: false).contains("/in/own.jpg.md"))
    }
  }

  @Test("A picture that got another name is there once, too, when it is sent again, and counts once for the page")
  func twiceUnderAnotherName() async throws {
    try await withServer(tune: Self.allow) { server in
      try await server.upload("/in/image.jpg", "the member's own")
      let url = try await server.dropPage(["path": "/in", "limit": .integer(3_000)])
      let form = [FormPart.picture("image.jpg", "1", size: 1_000), .picture("image.jpg", "2", size: 1_000)]
      for _ in 0..<3 {
        let reply = try await server.drop(url, form)
        #expect(reply.status == 200 && reply.text.contains("2 pictures have come"), "\(reply.text)")
      }
      #expect(
        try await server.paths("/in", recursive: false) == ["/in/image (1).jpg", "/in/image (2).jpg", "/in/image.jpg"])
    }
  }

  @Test("What is no picture is refused by name, escaped, and the others are kept")
  func refused() async throws {
    try await withServer(tune: Self.allow) { server in
      let url = try await server.dropPage()
      let heic = FormPart(file: "a.heic", bytes: [0, 0, 0, 24] + Array("ftypheic".utf8))
      let reply = try await server.drop(
        url,
        [
          FormPart(file: "<script>.jpg", bytes: Array("<script>".utf8)), .picture("good.jpg"), heic,
          FormPart(file: "empty.jpg", bytes: []), FormPart(file: "", bytes: []),
        ])
      #expect(reply.status == 200)
      #expect(reply.text.contains("<bdi>&lt;script&gt;.jpg</bdi>: it is no JPEG") && !reply.text.contains("<script>"))
      #expect(!reply.text.contains("<bdi>a.heic</bdi>: it") && reply.text.contains("<bdi>empty.jpg</bdi>"))
      #expect(try await server.paths("/in", recursive: false) == ["/in/a.heic", "/in/good.jpg"])
      let none = try await server.drop(url, [FormPart(file: "", bytes: [])])
      #expect(none.status == 400 && none.text.contains("No picture was chosen"))
      for type in ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"] {
        let other = try await server.client.request("POST", server.path(url), [("Content-Type", type)], [1, 2])
        #expect(other.status == 400 && other.text.contains("<h1>"), "\(type)")
      }
      for method in ["PUT", "DELETE", "PATCH"] {
        #expect(try await server.client.request(method, server.path(url)).status == 400, "\(method)")
      }
    }
  }

  @Test("A form that is cut at any byte leaves the pictures that were whole by then, and no others")
  func cuts() async throws {
    try await withServer(tune: Self.allow) { server in
      let form = TestServer.form([.picture("a.jpg", "a"), .picture("b.jpg", "b")])
      let ends = [
        FormPart.picture("", "a").bytes + Array("\r\n--x".utf8),
        FormPart.picture("", "b").bytes + Array("\r\n--x".utf8),
      ].map { form.firstRange(of: $0)?.upperBound ?? 0 }
      let names = ["a.jpg", "b.jpg"]
      for cut in 0..<form.count {
        let url = try await server.dropPage(["path": .string("/\(cut)")])
        let head =
          "POST \(server.path(url)) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: \(form.count)\r\n"
          + "Content-Type: multipart/form-data; boundary=x\r\n\r\n"
        let reply = try await server.client.exchange(Array(head.utf8) + form.prefix(cut), closing: true)
        #expect(reply.text.contains("The rest has not come") || cut >= ends[1] + 2, "\(cut): \(reply.text)")
        let whole = zip(names, ends).filter { $0.1 <= cut }.map { "/\(cut)/" + $0.0 }
        #expect(try await server.paths().filter { $0.hasPrefix("/\(cut)/") } == whole, "\(cut)")
        _ = try await server.call("sharing/revoke_shared_link", ["url": .string(url)])
      }
      #expect(everything(below: server.data + "/incoming") == [])
    }
  }

  @Test("Far more than fits is not read to its end, is said, and leaves nothing beside what fits")
  func tooMuch() async throws {
    try await withServer(
      tune: {
        Self.allow(&$0)
        $0.lingerSeconds = 5
      }
    ) { server in
      let url = try await server.dropPage(["path": "/in", "limit": .integer(500_000)])
      let head =
        "POST \(server.path(url)) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: \(300 << 20)\r\n"
        + "Content-Type: multipart/form-data; boundary=x\r\n\r\n"
      let large = FormPart.picture("large.jpg", size: 70 << 20)
      let form = TestServer.form([.picture("small.jpg", size: 400_000), large])
      let reply = try await server.client.exchange(Array(head.utf8) + form)
      #expect(reply.status == 200 && reply.text.contains("large.jpg</bdi>: it is too large"), "\(reply.text)")
      #expect(reply.text.contains("Too much of it"))
      #expect(try await server.paths("/in", recursive: false) == ["/in/small.jpg"])
      #expect(everything(below: server.data + "/incoming") == [])
      // All uploads of the page count together.
      let more = try await server.drop(url, [.picture("more.jpg", "x", size: 100_001)])
      #expect(more.status == 400 && more.text.contains("it is too large"))
      #expect(try await server.drop(url, [.picture("more.jpg", "x", size: 100_000)]).status == 200)
      #expect(try await server.drop(url, [.picture("last.jpg", "y")]).status == 400)
    }
  }

  @Test("A picture that the club has no room for does not count for the page")
  func quota() async throws {
    try await withServer(tune: Self.allow) { server in
      let url = try await server.dropPage(["path": "/in", "limit": .integer(1_000)])
      let own = try server.members.members()[0].name
      try MemberList(server.members).setQuota(10, of: own)
      let reply = try await server.drop(url, [.picture("a.jpg", size: 900)])
      #expect(reply.status == 400 && reply.text.contains("no room"), "\(reply.text)")
      // Names of givers whose pictures were not kept are not collected.
      let giver = ServerAuthor(try server.members.members()[0], guest: "Mia")
      let named = [FormPart.field("name", "Mia"), .picture("b.jpg", size: 90)]
      #expect(try await server.drop(url, named).status == 400)
      #expect(try server.members.guest(account: RouteTable.accountID(giver)) == nil)
      try MemberList(server.members).setQuota(nil, of: own)
      #expect(try await server.drop(url, [.picture("a.jpg", size: 900)]).status == 200)
      #expect(try await server.paths("/in", recursive: false) == ["/in/a.jpg"])
    }
  }

  @Test("A guest's name that broke off before it was kept is kept when the same picture comes again")
  func nameAgain() async throws {
    try await withServer(tune: Self.allow) { server in
      let (url, own) = (try await server.dropPage(), try server.members.members()[0])
      func sql(_ text: String) throws { try server.members.file.write { try $0.script(text) } }
      let form = [FormPart.field("name", "Mia"), .picture("a.jpg")]
      try sql("CREATE TRIGGER stop BEFORE UPDATE ON guests BEGIN SELECT RAISE(ABORT, 'stop'); END")
      #expect(try await server.drop(url, form).status == 200)
      try sql("DROP TRIGGER stop")
      #expect(try await server.drop(url, form).status == 200)
      // A picture that is refused takes along the names of givers who left nothing.
      try MemberList(server.members).setQuota(10, of: own.name)
      #expect(try await server.drop(url, [.field("name", "Mia"), .picture("b.jpg", size: 900)]).status == 400)
      let account = RouteTable.accountID(ServerAuthor(own, guest: "Mia"))
      #expect(try server.members.guest(account: account)?.guest == "Mia")
      #expect(try await server.shownAuthor("/in/a.jpg") == "Mia (a guest of \(own.name))")
    }
  }

  @Test("Endless headers, too many parts and too slow forms end, and what came before is kept")
  func bounds() async throws {
    try await withServer(tune: Self.allow) { server in
      let url = try await server.dropPage()
      let long = FormPart(name: String(repeating: "n", count: 20 << 10), bytes: [])
      let reply = try await server.drop(url, [.picture("a.jpg"), long])
      #expect(reply.status == 200 && reply.text.contains("no end of header"))
      let many = (0..<DropForm.mostParts).map { _ in FormPart.field("x", "") }
      let second = try await server.drop(url, [.picture("b.jpg", "b")] + many)
      #expect(second.status == 200 && second.text.contains("too many parts"))
      #expect(try await server.paths("/in", recursive: false) == ["/in/a.jpg", "/in/b.jpg"])
    }
    try await withServer(
      tune: {
        Self.allow(&$0)
        $0.slowestDropSeconds = 0
      }
    ) { server in
      let reply = try await server.drop(try await server.dropPage(), [.picture("a.jpg")])
      #expect(reply.status == 400 && reply.text.contains("too slowly"))
      #expect(try await server.paths() == [])
    }
  }

  @Test("The server reads four forms of one page at once; it refuses a fifth until one has ended")
  func crowd() async throws {
    try await withServer(tune: Self.allow) { server in
      let (url, other) = (try await server.dropPage(), try await server.dropPage(["path": "/other"]))
      var senders: [Connection] = []
      for number in 0..<ServedDropPages.mostForms {
        let sender = try Connection(port: server.client.port)
        try await sender.send(
          "POST \(server.path(url)) HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n"
            + "Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n"
            + "Content-Disposition: form-data; name=\"pictures\"; filename=\"\(number).webp\"\r\n\r\n"
            + "RIFF\(number)234WEBPVP8 \r\n--x\r\nContent-Disposition: form-data; name=\"rest\"\r\n\r\n"
            + String(repeating: "y", count: 40_000))
        senders.append(sender)
      }
      // A whole picture of each tells that its form is being read.
      while try await server.call("files/list_folder", ["path": "/in"]).json["entries"].elements.count < senders.count {
        await Task.yield()
      }
      let fifth = [FormPart.picture("fifth.jpg")]
      let refused = try await server.drop(url, fifth)
      #expect(refused.status == 503 && refused.text.contains("Try again in a minute"), "\(refused.text)")
      #expect(try await server.drop(other, fifth).status == 200)
      #expect(try await server.open(url).status == 200)
      senders.removeLast()
      while try await server.drop(url, fifth).status == 503 { await Task.yield() }
      #expect(try await server.paths("/in", recursive: false).contains("/in/fifth.jpg"))
      senders = []
    }
  }

  @Test("A thousand visits of a page, and of guessed addresses, leave nothing behind")
  func visits() async throws {
    try await withServer(tune: Self.allow) { server in
      let url = try await server.dropPage()
      let first = try await server.open(url)
      let before = everything(below: server.data).filter { !$0.contains("sqlite") }
      for number in 0..<100 {
        let replies = try await withThrowingTaskGroup(of: Reply.self) { group in
          for visitor in 0..<10 {
            let guess = String(url.dropLast(4)) + String(1_000 + 10 * number + visitor).suffix(4)
            group.addTask { try await server.open(visitor == 9 ? guess : url) }
          }
          return try await group.reduce(into: [Reply]()) { $0.append($1) }
        }
        #expect(replies.filter { $0.body == first.body && $0.status == 200 }.count == 9)
        #expect(replies.filter { $0.status == 404 }.count == 1)
      }
      #expect(everything(below: server.data).filter { !$0.contains("sqlite") } == before)
      #expect(try server.members.dropPages(of: server.members.members()[0].id).map(\.pictures) == [0])
    }
  }

  @Test("The access log has the first four letters of a page's address, and no more")
  func log() async throws {
    let lines = KeptLog()
    try await withTemporaryFolder { folder in
      try await withServer(in: folder, tune: Self.allow, handler: lines.handler) { server in
        let url = try await server.dropPage()
        _ = try await server.open(url)
        _ = try await server.drop(url, [.picture("a.jpg")])
        let word = try #require(ServedDropPages.word(inURL: url))
        let log = lines.all.joined(separator: "\n")
        #expect(log.contains("GET /d/\(word.prefix(4))… 200") && log.contains("POST /d/\(word.prefix(4))… 200"))
        #expect(!log.contains(word.prefix(5)) && !log.contains(word.dropFirst(11)))
      }
    }
  }
}
