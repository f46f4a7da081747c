import Basics
import FileStores
import TestKit
import Testing

@testable import StoreServer

/// Notes in folders, for a member in a browser.
@Suite(.serialized) struct BrowserFolderTests {
  private func fill(_ server: TestServer) async throws {
    try await server.fill()
    try await server.upload(
      "/index.md", "[[oslo]] [Oslo](trips/2026/oslo%20day.md) [[gone]] [out](../x.md) [web](https://a.example)\n")
    try await server.upload(
      "/trips/oslo.md", "# Oslo\n\n[[index]] [day](./2026/oslo%20day.md#noon) ![[pier.jpg]] [[pier.jpg]]\n")
    try await server.upload("/trips/2026/oslo day.md", "The fjord. [up](../oslo.md) [top](/Walk.md)\n")
    try await server.upload("/trips/2026/data.csv", "a,b\n")
    try await server.upload(
      "/trips/oslo.md.talk.md", "# Remarks on oslo.md\n\n- **eve** 2026-11-26 18:04Z k3f9q2xa: Cold?\n")
    try await server.upload("/.obsidian/app.md", "x")
    try await server.upload("/files/pier.bin", "x")
  }

  @Test("A folder is a page with its folders, the numbers of their notes, and its notes; hidden ones are on none")
  func folders() async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      try await fill(server)
      let browser = try await server.browser("ben")
      let top = try await browser.open("/club/notes/").text
      #expect(top.contains("<a href=\"/club/notes/trips/\"><bdi>trips/</bdi></a> <span class=\"hint\">2 notes</span>"))
      #expect(!top.contains("obsidian") && !top.contains("files/") && !top.contains("photos/</bdi>"))
      #expect(!top.contains("oslo.md"))
      let trips = try await browser.open("/club/notes/trips/").text
      #expect(trips.contains("<h1><bdi>trips</bdi></h1>") && trips.contains(">Notes</a></p>"))
      #expect(trips.contains("/club/notes/trips/2026/\"><bdi>2026/</bdi>") && trips.contains("1 note<"))
      #expect(trips.contains("<a href=\"/club/notes/trips/oslo.md\"><bdi>oslo.md</bdi></a>"))
      #expect(!trips.contains("talk.md"))
      let deep = try await browser.open("/club/notes/trips/2026/oslo%20day.md")
      #expect(deep.status == 200 && deep.text.contains("<a href=\"/club/notes/trips/2026/\"><bdi>2026</bdi></a>"))
      #expect(try await browser.open("/club/notes/trips/oslo.md").text.contains("Cold?"))
      for path in [
        "/club/notes/trips/2026/data.csv", "/club/notes/trips", "/club/notes/none/", "/club/notes/.obsidian/",
      ] {
        #expect(try await browser.open(path).status == 404, "\(path)")
      }
    }
  }

  @Test("A search and the news have the notes of all folders, by their paths") func everywhere() async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      try await fill(server)
      let browser = try await server.browser("ben")
      let found = try await browser.open("/club/notes/?q=fjord").text
      #expect(found.contains("<bdi>trips/2026/oslo day.md</bdi>") && found.contains("The fjord."))
      let new = try await browser.open("/club/").text
      #expect(new.contains("<bdi>trips/oslo.md</bdi>") && new.contains("/club/notes/trips/oslo.md#remarks"))
    }
  }

  @Test(
    "A search has the app's filters, phrases and exclusions, and says what it left out",
    arguments: [
      ("in:trips fjord", "oslo day.md", "oslo.md<"), ("\"the fjord\"", "oslo day.md", "oslo.md<"),
      ("in:trips -fjord", "oslo.md<", "oslo day.md"), ("in:/ oslo", "index.md", "oslo day.md"),
      ("has:photo", "oslo.md<", "oslo day.md"), ("tag:sea", "tagged.md", "oslo.md<"),
      ("by:ben oslo", "No note has these words.", "index.md"), ("since:2020 -boat", "oslo.md<", "No note"),
      ("before:2020 oslo", "No note has these words.", "oslo.md<"), ("before:2020", "No note is found.", "these words"),
      ("since:soon oslo", "since: takes", "Also:"),
      ("is:unread oslo", "is: finds in byteclub alone", "Also:"), ("tag:\u{22}><b>", "No note", "<b>"),
    ])
  func filters(words: String, shown: String, hidden: String) async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      try await fill(server)
      try await server.upload("/tagged.md", "A day at the #sea/north.\n")
      let browser = try await server.browser("ben")
      let found = try await browser.open("/club/notes/?q=" + PercentEncoding.encoded(words)).text
      #expect(found.contains(shown) && !found.contains(hidden), "\(found)")
    }
  }

  @Test("A filter finds the oldest note behind two thousand newer ones") func oldest() async throws {
    try await withTemporaryFolder { folder in
      // A scan of the club numbers the notes at the top first.
      try write("The first.\n", to: folder + "/root/first.md")
      for number in 0...2000 { try write("A later one.\n", to: folder + "/root/later/\(number).md") }
      try await withServer(in: folder, tune: TestServer.allowPages) { server in
        let found = try await server.browser("ben").open("/club/notes/?q=in:/").text
        #expect(found.contains("<bdi>first.md</bdi>") && !found.contains("later/"), "\(found)")
      }
    }
  }

  @Test("An exclusion leaves out a note that cannot be read, and the page says so") func unread() async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      try await server.upload("/short.md", "The pier.\n")
      try await server.upload("/long.md", String(repeating: "The boat.\n", count: 120_000))
      try await server.upload("/bytes.md", "The boat.\0")
      let browser = try await server.browser("ben")
      for words in ["-boat", "-tag:boat"] {
        let found = try await browser.open("/club/notes/?q=" + words).text
        #expect(found.contains("short.md<") && !found.contains("long.md<") && !found.contains("bytes.md<"), "\(words)")
        #expect(found.contains("2 notes were left out"))
      }
      let named = try await browser.open("/club/notes/?q=long").text
      #expect(named.contains("long.md<") && named.contains("1 note was left out"))
    }
  }

  @Test(
    "A link leads to the note or photo that it means, by path or by name, from the note's folder or the top",
    arguments: [
      ("/club/notes/index.md", "oslo", "/club/notes/trips/oslo.md"),
      ("/club/notes/index.md", "trips/2026/oslo day.md", "/club/notes/trips/2026/oslo%20day.md"),
      ("/club/notes/index.md", "OSLO DAY", "/club/notes/trips/2026/oslo%20day.md"),
      ("/club/notes/trips/oslo.md", "index", "/club/notes/index.md"),
      ("/club/notes/trips/oslo.md", "./2026/oslo day.md", "/club/notes/trips/2026/oslo%20day.md"),
      ("/club/notes/trips/oslo.md", "pier.jpg", "/club/photos/photos/pier.jpg"),
      ("/club/notes/trips/2026/oslo%20day.md", "../oslo.md", "/club/notes/trips/oslo.md"),
      ("/club/notes/trips/2026/oslo%20day.md", "/Walk.md", "/club/notes/Walk.md"),
      ("/club/notes/index.md", "gone", ""), ("/club/notes/index.md", "../x.md", ""),
      ("/club/notes/index.md", ".obsidian/app.md", ""), ("/club/notes/index.md", "app", ""),
      ("/club/notes/index.md", "//evil.example/x", ""), ("/club/notes/index.md", "https://evil.example", ""),
      ("/club/notes/index.md", "oslo.md.talk.md", ""), ("/club/notes/index.md", "\r\nX: y", ""),
    ])
  func links(page: String, target: String, place: String) async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      try await fill(server)
      let browser = try await server.browser("ben")
      let reply = try await browser.open(page + "?to=" + PercentEncoding.encoded(target))
      #expect(reply.status == (place.isEmpty ? 404 : 303))
      #expect(reply.headers["location"] == (place.isEmpty ? nil : place))
    }
  }

  @Test("A page has its links to other files as the note writes them; a shared link's page has none of them")
  func written() async throws {
    #expect(BrowserLinks.address("a%20b.md#x", isName: false) == "?to=a%20b.md")
    #expect(BrowserLinks.address("a%20b", isName: true) == "?to=a%2520b")
    #expect(BrowserLinks.address("mailto:a", isName: false) == nil && BrowserLinks.address("#x", isName: false) == nil)
    #expect(BrowserLinks.address("javascript:alert(1)", isName: false) == nil)
    #expect(BrowserLinks.address("a: b", isName: true) == "?to=a%3A%20b")
    let note = Array("[[oslo]] [day](a.md) [web](https://a.example) [no](javascript:x)".utf8)
    let linked = LinkText.text(named: "a.md", note, isLinked: true)
    #expect(linked.contains("<a href=\"?to=oslo\">oslo</a> <a href=\"?to=a.md\">day</a>"))
    #expect(linked.contains("<span class=\"other\">no</span>") && linked.contains("href=\"https://a.example\""))
    #expect(!LinkText.text(named: "a.md", note).contains("?to="))
  }
}
