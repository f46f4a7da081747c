import Backends
import Basics
import Database
import FileStores
import Imaging
import JSON
import Synchronization
import TestKit
import Testing

@testable import StoreServer

/// The club's pages for a member in a browser.
@Suite(.serialized) struct BrowserPageTests {
  private func expectSealed(_ page: Reply, _ path: String) {
    let policy = page.headers["content-security-policy"] ?? ""
    for part in ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"] {
      #expect(policy.contains(part), "\(path)")
    }
    #expect(!policy.contains("unsafe") && !policy.contains("script"), "\(path)")
    #expect(page.headers["cache-control"] == "no-store" && page.headers["referrer-policy"] == "same-origin", "\(path)")
    #expect(page.headers["x-content-type-options"] == "nosniff" && page.headers["x-frame-options"] == "DENY", "\(path)")
    #expect(page.headers["cross-origin-resource-policy"] == "same-origin", "\(path)")
    #expect(page.headers["access-control-allow-origin"] == nil && page.headers["set-cookie"] == nil, "\(path)")
  }

  @Test("Each page is sealed and kept by no cache; a reader sees the same without the forms", arguments: [false, true])
  func pages(isReader: Bool) async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      try await server.fill()
      let browser = try await server.browser("ben", isReader: isReader)
      for (path, words) in [
        ("/club/", "Walk.md"), ("/club/notes/", "Walk.md"), ("/club/notes/?q=PIER%20back", "To the pier and back."),
        ("/club/notes/Walk.md", "<h1 dir=\"auto\">The walk</h1>"), ("/club/photos/", "pier.jpg?preview=small"),
        ("/club/photos/photos/pier.jpg", "The pier in <strong>May</strong>."),
        ("/club/photos/photos/pano.jpg", "<div class=\"wide\""),
      ] {
        let page = try await browser.open(path, [("Origin", "https://evil.example")])
        #expect(page.status == 200 && page.text.contains(words), "\(path): \(page.text)")
        #expect(page.text.contains("<nav>") && page.text.contains("Here as <bdi>ben</bdi>"), "\(path)")
        #expect(page.text.contains("/club/bring") == !isReader && page.text.contains("You are a reader") == isReader)
        #expect(!page.text.contains("<script"), "\(path)")
        expectSealed(page, path)
        let head = try await server.client.request("HEAD", path, browser.fields)
        #expect(head.status == 200 && head.body.isEmpty, "\(path)")
      }
      let note = try await browser.open("/club/notes/Walk.md").text
      #expect(note.contains("<bdi>eve? brought by ann-") && note.contains("Was it cold?"))
      #expect(note.contains("<textarea") == !isReader && note.contains("?answer=k3f9q2xa#say") == !isReader)
      let whole = try await browser.open("/club/notes/Walk.md?dl=1")
      #expect(whole.text == "# The walk\n\nTo the pier and back.\n")
      #expect(whole.headers["content-disposition"]?.hasPrefix("attachment;") == true)
      #expect(whole.headers["cache-control"] == "private, no-cache")
      #expect(try await browser.open("/club/bring").status == (isReader ? 404 : 200))
      let answer = try await browser.open("/club/notes/Walk.md?answer=k3f9q2xa").text
      #expect(answer.contains("name=\"re\" value=\"k3f9q2xa\"") == !isReader)
      for (query, size) in [("1", PixelSize(width: 60, height: 40)), ("small", PixelSize(width: 60, height: 40))] {
        let picture = try await browser.open("/club/photos/photos/pier.jpg?preview=" + query)
        #expect(picture.status == 200 && picture.headers["content-type"] == "image/jpeg")
        #expect(picture.headers["cache-control"] == "private, no-cache")
        #expect(picture.headers["content-security-policy"] == "default-src 'none'; sandbox")
        #expect(try PictureHeader.read(picture.body).size == size)
        let known = [("If-None-Match", picture.headers["etag"] ?? "")]
        #expect(try await browser.open("/club/photos/photos/pier.jpg?preview=" + query, known).status == 304)
      }
    }
  }

  @Test("Whatever is not a note or photo that members see is the page of a link that is gone") func gone() async throws
  {
    try await withServer(tune: TestServer.allowPages) { server in
      try await server.fill()
      try await server.upload("/.hidden.md", "x")
      try await server.upload("/photos/.trash/a.jpg", "x")
      try await server.upload("/.sub/note.md", "x")
      let browser = try await server.browser("ben")
      for path in [
        "/club/x", "/club/notes/none.md", "/club/notes/.hidden.md", "/club/photos/photos/.trash/a.jpg",
        "/club/notes/photos",
        "/club/notes/.sub/note.md", "/club/notes/.sub/", "/club/notes/photos/", "/club/notes/photos/pier.jpg.md",
        "/club/notes/Walk.md.talk.md", "/club/notes/photos/pier.jpg", "/club/photos/Walk.md",
        "/club/notes/../Walk.md", "/club/notes/%2e%2e%2fWalk.md", "/club/notes/%00", "/club/notes//",
        "/club/photos/%FF.jpg",
        "/club/notes/id:x", "/club/notes/Walk.md%0d%0aSet-Cookie:x", "/club/leave",
      ] {
        let page = try await browser.open(path)
        #expect(page.status == 404 && page.text == LinkPages.gone.html, "\(path): \(page.status)")
        #expect(page.headers["cache-control"] == "no-store")
      }
      for method in ["PUT", "DELETE", "PATCH", "OPTIONS"] {
        #expect(try await server.client.request(method, "/club/", browser.fields).status == 400, "\(method)")
      }
    }
  }

  @Test("Hostile names, captions, notes and remarks do not leave their places in any page") func markup() async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      let attack = "\"><script>alert(1)</script><img src=x onerror='alert(1)'>\u{202E}\u{1B}[31m</textarea></title>"
      let name = "\"><script>'onload='x \u{202E}\u{2066}gpj"
      let member = "<b onclick=x>&\""
      try await server.upload("/\(name).md", attack)
      let jpeg = try Encoder.jpeg(Pixels(width: 6, height: 4, colour: 0), quality: 80)
      try await server.upload("/photos/\(name).jpg", bytes: jpeg)
      try await server.upload("/photos/\(name).jpg.md", attack)
      let item =
        "- **<script>** 2026-11-26 18:04Z k3f9q2xa on \"<script>\": \(attack)\n- **<img>** 2026-11-26 18:05Z k3f9q2xb +1 k3f9q2xa\n"
      for thing in ["/\(name).md", "/photos/\(name).jpg"] { try await server.upload(thing + ".talk.md", item) }
      let browser = try await server.browser(member)
      let note = BrowserPages.address(of: "/\(name).md")
      let photo = BrowserPages.address(of: "/photos/\(name).jpg")
      for path in [
        "/club/", "/club/notes/", "/club/notes/?q=%22%3E%3Cscript%3E", "/club/notes/?q=alert", note, photo,
        "/club/photos/",
        note + "?answer=k3f9q2xa", note + "?answer=%22%3E%3Cscript%3E", "/club/bring",
      ] {
        let page = try await browser.open(path)
        #expect(page.status == 200, "\(path)")
        for bad in ["<script", "<img src=x", "<b onclick", "'onload='", "\u{202E}", "\u{2066}", "\u{1B}"] {
          #expect(!page.text.contains(bad), "\(bad) in \(path)")
        }
        expectSealed(page, path)
      }
      let brought = try await browser.bring([.picture("<script>.jpg"), FormPart(file: "<img>.jpg", bytes: [1, 2])])
      #expect(brought.status == 200 && !brought.text.contains("<script") && !brought.text.contains("<img>"))
    }
  }

  @Test("Photos come in pages of sixty, the newest first, and each is on one of them") func grid() async throws {
    try await withServer(tune: TestServer.allowPages) { server in
      for number in 0..<130 { try await server.upload("/photos/p\(number).jpg", "x") }
      try await server.upload("/note.md", "x")
      let browser = try await server.browser("ben")
      var (path, seen, pages) = ("/club/photos/", [String](), 0)
      while pages < 5 {
        let text = try await browser.open(path).text
        seen += text.split(separator: "<li><a href=\"/club/photos/photos/").dropFirst().map {
          String($0.prefix { $0 != "." })
        }
        pages += 1
        guard let next = text.firstRange(of: "/club/photos/?before=") else { break }
        path = String(text[next.lowerBound...].prefix { $0 != "\"" })
      }
      #expect(pages == 3 && seen.first == "p129" && seen.count == 130 && Set(seen).count == 130)
    }
  }

  private func withStore(
    tune: (inout ServerOptions) -> Void = { _ in },
    _ body: (_ server: TestServer, _ store: InterruptedStore) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      try FolderStore.create(root: folder + "/root")
      let base = try FolderStore(
        root: folder + "/root", pool: BlockingPool(threads: 4), keepsVersions: false, hidesTrash: false)
      let store = InterruptedStore(base)
      try await withServer(
        in: folder, over: { _, _ in store },
        tune: { options in
          TestServer.allowPages(&options)
          tune(&options)
        }
      ) { server in try await body(server, store) }
    }
  }

  @Test(
    "A thousand visits of all pages keep no more than one of each: texts and pictures are made once, nothing stays open",
    .timeLimit(.minutes(5)), arguments: [1, 20])
  func visits(sessions: Int) async throws {
    try await withStore(tune: { $0.metrics = ("127.0.0.1", 0) }) { server, store in
      try await server.fill()
      var browsers: [TestBrowser] = []
      for number in 0..<sessions { browsers.append(try await server.browser("ben\(number % 10)")) }
      let paths = [
        "/club/", "/club/notes/", "/club/notes/Walk.md", "/club/notes/Walk.md?answer=k3f9q2xa", "/club/photos/",
        "/club/photos/photos/pier.jpg", "/club/photos/photos/pier.jpg?preview=small",
        "/club/photos/photos/pano.jpg?preview=1", "/club/bring",
      ]
      // The pages of all members differ in names and in their forms' values alone.
      var sizes: [String: Int] = [:]
      for path in paths {
        let reply = try await browsers[0].open(path)
        sizes[path] = reply.body.count
        #expect(reply.status == 200 && reply.body.count < 64 << 10, "\(path)")
      }
      func kept() -> [String] { everything(below: server.data).filter { !$0.contains("sqlite") } }
      // The photo's size and an answered remark are looked up each time; texts and pictures are made once.
      var looked = 0
      for path in ["/photos/pier.jpg", "/Walk.md.talk.md"] {
        looked += try await server.fetch("files/download", ["path": .string(path)]).body.count
      }
      var before = store.bytesRead
      for path in paths { _ = try await browsers[0].open(path) }
      let again = store.bytesRead - before
      #expect(again <= looked)
      let (files, open) = (kept(), openDescriptors(below: server.root) + openDescriptors(below: server.data))
      before = store.bytesRead
      for round in 0..<112 {
        let replies = try await withThrowingTaskGroup(of: (String, Reply).self) { group in
          for (number, path) in paths.enumerated() {
            let browser = browsers[(round + number) % browsers.count]
            group.addTask { (path, try await browser.open(path)) }
          }
          return try await group.reduce(into: [(String, Reply)]()) { $0.append($1) }
        }
        for (path, reply) in replies {
          #expect(reply.status == 200 && reply.body.count == sizes[path], "\(path)")
        }
      }
      #expect(store.bytesRead - before == 112 * again)
      #expect(kept() == files)
      #expect(try server.members.members().count == 1 + min(sessions, 10))
      let metrics = RawClient(port: try #require(server.metricsPort))
      while try await !metrics.request("GET", "/metrics").text.contains("byteclub_http_connections 0\n") {
        try Task.checkCancellation()
        await Task.yield()
      }
      // A thread of the pool may close the last ones a moment after its answer.
      while openDescriptors(below: server.root) + openDescriptors(below: server.data) > open {
        try Task.checkCancellation()
        await Task.yield()
      }
    }
  }

  @Test("Of 64 searches at once three go on and some wait; the others are refused, and the other pages are there")
  func searches() async throws {
    try await withStore(tune: { $0.connectionsPerAddress = 256 }) { server, store in
      try await server.upload("/Walk.md", "To the pier and back.")
      var browsers: [TestBrowser] = []
      for number in 0..<8 { browsers.append(try await server.browser("ben\(number)")) }
      for (members, searches, refusals, reading) in [(8, 64, 48, 3), (1, 5, 1, 1)] {
        let gate = Gate()
        defer { gate.open() }
        store.readGate.withLock { $0 = gate }
        var (waiting, refused): ([Connection], Int) = ([], 0)
        for number in 0..<searches {
          let line = try Connection(port: server.client.port)
          var head = "GET /club/notes/?q=pier HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
          for (name, value) in browsers[number % members].fields { head += "\(name): \(value)\r\n" }
          try await line.send(head + "\r\n")
          waiting.append(line)
        }
        while refused < refusals {
          var rest: [Connection] = []
          for line in waiting {
            guard let start = try await line.receive(12, milliseconds: 0) else {
              rest.append(line)
              continue
            }
            #expect(start == Array("HTTP/1.1 503".utf8))
            refused += 1
          }
          waiting = rest
          await Task.yield()
        }
        await gate.arrivals(reading)
        #expect(waiting.count == searches - refusals && gate.arrived == reading)
        let refusal = try await browsers[0].open("/club/notes/?q=pier")
        #expect(refusal.status == 503 && refusal.text.contains("search again in a minute"), "\(refusal.text)")
        for path in ["/club/", "/club/notes/", "/club/photos/"] {
          #expect(try await browsers[0].open(path).status == 200, "\(path)")
        }
        store.readGate.withLock { $0 = nil }
        gate.open()
        for line in waiting { #expect(try await line.receive(12) == Array("HTTP/1.1 200".utf8)) }
        // A search ends a moment before its answer has gone.
        #expect(try await browsers[0].open("/club/notes/?q=pier").text.contains("To the pier and back."))
      }
    }
  }
}
