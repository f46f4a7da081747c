import FileStores
import JSON
import TestKit
import Testing

@testable import StoreServer

/// The names beside remarks on the club's pages, compared with the authors of the versions that brought them.
@Suite(.serialized) struct BrowserClaimTests {
  private static let head = "# Remarks on Walk.md\n\n"

  private func item(_ member: String, _ id: String, _ rest: String) -> String {
    "- **\(member)** 2026-11-26 18:04Z \(id)\(rest)\n"
  }

  private func member(_ name: String, of server: TestServer) throws -> TestServer {
    var other = server
    other.token = try MemberList(server.members).add(name)
    return other
  }

  @Test("A name that another member brought says so beside a note, a photo and an answer, also after a rename")
  func claims() async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      let (ann, eve) = (try member("ann", of: server), try member("eve", of: server))
      let browser = try await server.browser("ben")
      let own = Self.head + item("ann", "k3f9q2xa", ": Mine")
      let forged =
        item("ann", "k3f9q2xb", ": So do I") + item("eve", "k3f9q2xc", ": Hers")
        + item("ann", "k3f9q2xd", " gone k3f9q2xa")
      func look(_ path: String) async throws {
        let page = try await browser.open(path).text
        for name in ["ann", "ann? brought by eve", "eve"] { #expect(page.contains("<bdi>\(name)</bdi>"), "\(page)") }
        // Nobody withdraws a remark in another's name.
        #expect(page.contains(">Mine</p>") && !page.contains("withdrawn") && !page.contains("not compared"), "\(page)")
        for _ in 0..<2 {
          for (id, name) in [("k3f9q2xa", "ann"), ("k3f9q2xb", "ann? brought by eve")] {
            let answer = try await browser.open(path + "?answer=" + id).text
            #expect(answer.contains("An answer to <bdi>\(name)</bdi>"), "\(answer)")
          }
        }
      }
      for thing in ["/Walk.md", "/photos/pier.jpg"] {
        try await server.upload(thing, "x")
        try await ann.upload(thing + ".talk.md", own)
        try await eve.upload(thing + ".talk.md", own + forged, ["mode": "overwrite"])
      }
      try await look("/club/notes/Walk.md")
      try await look("/club/photos/photos/pier.jpg")
      #expect(try await browser.open("/club/").text.contains("remarks: eve, "))
      for ending in ["", ".talk.md"] { try await server.move("/Walk.md" + ending, to: "/Way.md" + ending) }
      try await look("/club/notes/Way.md")
      // What the browser's own member says is that member's.
      #expect(
        try await browser.post(
          "/club/notes/Way.md", ["form": try await browser.form(of: "/club/notes/Way.md"), "text": "Me"]
        ).status == 303)
      #expect(try await browser.open("/club/notes/Way.md").text.contains("<bdi>ben</bdi></b>"))
      try await look("/club/notes/Way.md")
    }
  }

  @Test("Names whose versions are too many, or of another program, stay as they are, and the page says how many")
  func notCompared() async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      let eve = try member("eve", of: server)
      let browser = try await server.browser("ben")
      for name in ["Walk.md", "Way.md"] { try await server.upload("/" + name, "x") }
      var text = Self.head
      for number in 0..<60 {
        text += item("ann", "k3f9q2\(10 + number)", ": Remark \(number)")
        try await eve.upload("/Walk.md.talk.md", text, ["mode": "overwrite"])
      }
      // Of the 50 versions that are compared the oldest one has the remarks of those before it.
      let page = try await browser.open("/club/notes/Walk.md").text
      #expect(page.contains("The names beside 11 of these remarks were not compared"), "\(page)")
      #expect(page.split(separator: "<bdi>ann</bdi>").count == 12)
      #expect(page.split(separator: "<bdi>ann? brought by eve</bdi>").count == 50)
      try write(Self.head + item("ann", "k3f9q2xa", ": From elsewhere"), to: server.root + "/Way.md.talk.md")
      var other = ""
      while !other.contains("From elsewhere") { other = try await browser.open("/club/notes/Way.md").text }
      #expect(other.contains("<bdi>ann</bdi>") && other.contains("The names beside 1 of these remarks"), "\(other)")
    }
  }
}
