import Basics
import ClubServices
import Database
import FileStores
import JSON
import TestKit
import Testing

@testable import StoreServer

/// Remarks and photos that a member sends from a browser.
@Suite(.serialized) struct BrowserWritingTests {
  private static let note = "/club/notes/Walk.md"

  private func talk(_ server: TestServer, _ thing: String = "/Walk.md") async throws -> Talk {
    let reply = try await server.fetch("files/download", ["path": .string(thing + ".talk.md")])
    return Talk(reply.status == 200 ? reply.body : [])
  }

  @Test("A remark and an answer are added below the others, by the member, and the same form leaves one")
  func remarks() async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      try await server.fill()
      let before = try await server.fetch("files/download", ["path": .string("/Walk.md.talk.md")]).text
      let browser = try await server.browser("ben")
      let form = try await browser.form(of: Self.note)
      for _ in 0..<2 {
        let sent = try await browser.post(Self.note, ["form": form, "text": "No.\r\n\r\n- **eve** not at all  "])
        #expect(sent.status == 303 && sent.headers["location"] == Self.note + "#remarks", "\(sent.text)")
      }
      let answer = try await browser.form(of: Self.note + "?answer=k3f9q2xa")
      #expect(try await browser.post(Self.note, ["form": answer, "re": "k3f9q2xa", "text": "A little."]).status == 303)
      let talk = try await talk(server)
      #expect(talk.remarks.map(\.member) == ["eve", "ben", "ben"] && talk.strange.isEmpty)
      #expect(talk.remarks.map(\.text) == ["Was it cold?", "A little.", "No.\n\n- **eve** not at all"])
      #expect(talk.remarks[1].answered == "k3f9q2xa")
      let after = try await server.fetch("files/download", ["path": .string("/Walk.md.talk.md")]).text
      let author = try await server.shownAuthor("/Walk.md.talk.md")
      #expect(after.hasPrefix(before) && author == "ben")
      let page = try await browser.open(Self.note).text
      #expect(page.contains("A little.") && page.contains("- **eve** not at all"))
      // The first remark of a photo makes the file.
      let photo = "/club/photos/photos/pier.jpg"
      #expect(try await browser.post(photo, ["form": try await browser.form(of: photo), "text": "Nice"]).status == 303)
      #expect(
        try await server.fetch("files/download", ["path": .string("/photos/pier.jpg.talk.md")]).text.hasPrefix(
          "# Remarks on pier.jpg\n\n- **ben** "))
    }
  }

  @Test("Remarks that come at the same moment are all there") func atOnce() async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      try await server.upload("/Walk.md", "x")
      let (ben, kim) = (try await server.browser("ben"), try await server.browser("kim"))
      let forms = (try await ben.form(of: Self.note), try await kim.form(of: Self.note))
      async let first = ben.post(Self.note, ["form": forms.0, "text": "A remark"]).status
      async let second = kim.post(Self.note, ["form": forms.1, "text": "A remark"]).status
      let statuses = [try await first, try await second]
      let taken = statuses.count { $0 == 303 }
      #expect(statuses.allSatisfy { $0 == 303 || $0 == 503 } && taken > 0)
      #expect(try await talk(server).remarks.count == taken)
    }
  }

  @Test("A form of another site, of another session or without its value changes nothing") func forged() async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      try await server.fill()
      let (ben, kim) = (try await server.browser("ben"), try await server.browser("kim"))
      let (own, foreign) = (try await ben.form(of: Self.note), try await kim.form(of: Self.note))
      let before = try await server.paths()
      let origin = "http://127.0.0.1:\(server.client.port)"
      for (form, site) in [
        ("", TestBrowser.ownSite), ("x", TestBrowser.ownSite), (foreign, TestBrowser.ownSite), (own, []),
        (own, [("Sec-Fetch-Site", "cross-site")]), (own, [("Sec-Fetch-Site", "same-site")]),
        (own, [("Sec-Fetch-Site", "none"), ("Origin", origin)]), (own, [("Origin", "null")]),
        (own, [("Origin", "https://evil.example")]), (own, [("Origin", origin + ".evil.example")]),
      ] {
        for path in [Self.note, "/club/leave"] {
          let reply = try await ben.post(path, ["form": form, "text": "words"], from: site)
          #expect(reply.status == 403 && reply.headers["set-cookie"] == nil, "\(path) \(site)")
          #expect(reply.headers["cache-control"] == "no-store" && reply.text.contains("<h1>"))
        }
        #expect(try await ben.bring([.picture("a.jpg")], form: form, from: site).status == 403, "\(site)")
      }
      let remarks = try await talk(server).remarks
      #expect(try await server.paths() == before)
      #expect(remarks.count == 1)
      #expect(try await ben.post(Self.note, ["form": own, "text": "words"], from: [("Origin", origin)]).status == 303)
    }
  }

  @Test("A reader leaves no remark and brings no photo, by whatever form") func reader() async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      try await server.fill()
      let browser = try await server.browser("ben", isReader: true)
      let (before, form) = (try await server.paths(), try await browser.form(of: Self.note))
      let sent = try await browser.post(Self.note, ["form": form, "text": "words"])
      #expect(sent.status == 403 && sent.text.contains("You are a reader"))
      let brought = try await browser.bring([.picture("a.jpg")], form: form)
      #expect(brought.status == 403 && brought.text.contains("You are a reader"))
      let remarks = try await talk(server).remarks
      #expect(try await server.paths() == before)
      #expect(remarks.count == 1)
    }
  }

  @Test("A remark without text, too long, on nothing, or to a remark that is gone is refused with the reason")
  func refused() async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      try await server.fill()
      let browser = try await server.browser("ben")
      for (path, text, answered, status) in [
        (Self.note, " \u{202E}\n ", "", 400), (Self.note, String(repeating: "x", count: 4001), "", 413),
        (Self.note, "words", "zzzzzzzz", 409), (Self.note, "words", "<script>", 400),
        ("/club/notes/none.md", "words", "", 404),
        ("/club/notes/Walk.md.talk.md", "words", "", 404), (Self.note, String(repeating: "x", count: 70_000), "", 413),
      ] {
        let form = try await browser.form(of: Self.note)
        let reply =
          answered.isEmpty
          ? try await browser.post(path, ["form": form, "text": text])
          : try await browser.post(path, ["form": form, "text": text, "re": answered])
        #expect(reply.status == status && reply.text.contains("<h1>"), "\(path) \(answered): \(reply.status)")
      }
      #expect(try await talk(server).remarks.count == 1)
    }
  }

  @Test("Photos are the member's own, with a caption, under free names, and once though they are sent twice")
  func photos() async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      try await server.upload("/photos/pier.jpg", "another's")
      let browser = try await server.browser("ben")
      let parts = [
        FormPart.field("name", "Mia"), .field("caption", "In May"), .picture("pier.jpg", "1"),
        .picture("../sea.jpg", "2"),
      ]
      for _ in 0..<2 {
        let reply = try await browser.bring(parts)
        #expect(reply.status == 200 && reply.text.contains("2 pictures have come") && reply.text.contains("<nav>"))
      }
      #expect(
        try await server.paths("/photos", recursive: false) == [
          "/photos/pier (1).jpg", "/photos/pier (1).jpg.md", "/photos/pier.jpg", "/photos/sea.jpg",
          "/photos/sea.jpg.md",
        ])
      #expect(try await server.shownAuthor("/photos/sea.jpg") == "ben")
      #expect(try await browser.bring([FormPart(file: "", bytes: [])]).status == 400)
      let form = try await browser.form(of: "/club/bring")
      let other = try await browser.post("/club/bring?form=" + form, ["pictures": "x"])
      #expect(other.status == 400 && other.text.contains("<h1>"))
    }
  }

  private static let endings: [(String, @Sendable (TestBrowser) async throws -> Void)] = [
    (
      "Leave",
      { browser in
        let left = try await browser.post("/club/leave", ["form": try await browser.form(of: "/club/")])
        #expect(left.status == 303)
      }
    ),
    (
      "device rm",
      { browser in
        let (members, ben) = (browser.server.members, try browser.server.member("ben"))
        for device in try browser.server.devices("ben") { #expect(try members.remove(device: device.id, of: ben.id)) }
      }
    ),
    ("member rm", { browser in try MemberList(browser.server.members).remove("ben") }),
  ]

  @Test("A form for photos ends with its session, sent afterwards or meanwhile", arguments: endings.map(\.0))
  func endedSession(how: String) async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      let browser = try await server.browser("ben")
      let form = try await browser.form(of: "/club/bring")
      let body = TestServer.form([.picture("a.jpg", "a"), .picture("b.jpg", "b", size: 100_000)])
      var head = "POST /club/bring?form=\(form) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
      for (name, value) in browser.fields + TestBrowser.ownSite + [TestServer.formType] {
        head += "\(name): \(value)\r\n"
      }
      let sender = try Connection(port: server.client.port)
      try await sender.send(head + "Content-Length: \(body.count)\r\n\r\n")
      try await sender.send(bytes: body.dropLast(500))
      // The first picture is kept while the second one comes.
      while try await !server.paths().contains("/photos/a.jpg") { await Task.yield() }
      try await #require(Self.endings.first { $0.0 == how }).1(browser)
      try await sender.send(bytes: body.suffix(500))
      let answer = String(decoding: try await sender.rest(), as: UTF8.self)
      #expect(answer.contains("Your session has ended.") && answer.contains("a.jpg"), "\(answer)")
      let late = try await browser.bring([.picture("late.jpg", "late")], form: form)
      #expect(late.status == 303 && late.headers["location"] == "/join" && late.body.isEmpty, "\(late.text)")
      // Nor is it a form of the member's next session.
      let next = try await server.browser("ben")
      let reused = try await next.bring([.picture("late.jpg", "late")], form: form)
      #expect(reused.status == 403 && reused.text.contains("not of this session"), "\(reused.text)")
      #expect(try await server.paths("/photos", recursive: false) == ["/photos/a.jpg"])
      #expect(everything(below: server.data + "/incoming") == [])
    }
  }

  @Test("A form that breaks off leaves the pictures that were whole by then") func cut() async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      let browser = try await server.browser("ben")
      let form = TestServer.form([.picture("a.jpg", "a"), .picture("b.jpg", "b", size: 1000)])
      var head =
        "POST /club/bring?form=\(try await browser.form(of: "/club/bring")) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
      for (name, value) in browser.fields + TestBrowser.ownSite + [TestServer.formType] {
        head += "\(name): \(value)\r\n"
      }
      head += "Content-Length: \(form.count)\r\n\r\n"
      let reply = try await browser.server.client.exchange(Array(head.utf8) + form.dropLast(500), closing: true)
      #expect(reply.text.contains("The rest has not come"), "\(reply.text)")
      #expect(try await server.paths("/photos", recursive: false) == ["/photos/a.jpg"])
      #expect(everything(below: server.data + "/incoming") == [])
    }
  }
}
