import Basics
import FileStores
import Imaging
import JSON
import TestKit
import Testing

@testable import StoreServer

extension TestServer {
  /// The path and query of an address of this server.
  func path(_ url: String) -> String { String(url.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }) }

  func open(_ url: String, _ query: String = "", _ headers: [(String, String)] = []) async throws -> Reply {
    try await client.request("GET", path(url).replacing("?dl=0", with: query), headers)
  }

  func upload(_ path: String, bytes: [UInt8]) async throws {
    let reply = try await send("files/upload", ["path": .string(path)], bytes)
    try #require(reply.status == 200, "\(reply.text)")
  }
}

/// Shared links in a browser.
@Suite(.serialized) struct LinkPageTests {
  private static func allow(_ options: inout ServerOptions) { options.sharesLinks = true }

  /// What every page of a link must say to a browser.
  private func expectSealed(_ page: Reply) {
    let policy = page.headers["content-security-policy"] ?? ""
    for part in ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"] {
      #expect(policy.contains(part))
    }
    #expect(!policy.contains("unsafe") && !policy.contains("script"))
    #expect(page.headers["x-content-type-options"] == "nosniff" && page.headers["referrer-policy"] == "no-referrer")
    #expect(page.headers["cache-control"] == "no-store" && page.headers["x-robots-tag"] == "noindex, nofollow")
    #expect(page.headers["cross-origin-resource-policy"] == "same-origin")
    #expect(page.headers["cross-origin-opener-policy"] == "same-origin")
    #expect(page.headers["access-control-allow-origin"] == nil)
  }

  @Test("A note is shown rendered, a text as it is, and any other file as a download")
  func files() async throws {
    try await withServer(tune: Self.allow) { server in
      try await server.upload("/Pier.md", "# The pier\n\n* one\n* [web](https://example.org/)\n")
      let page = try await server.open(try await server.link("/Pier.md"), "", [("Origin", "https://page.example")])
      #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
      expectSealed(page)
      #expect(
        page.text.contains("<h1 dir=\"auto\">The pier</h1>") && page.text.contains("href=\"https://example.org/\""))
      #expect(page.text.contains("<title>Pier.md</title>") && page.text.contains("href=\"?dl=1\""))
      try await server.upload("/plain.txt", "# no <heading>\n")
      let plain = try await server.open(try await server.link("/plain.txt"))
      #expect(plain.text.contains("<pre dir=\"auto\"># no &lt;heading&gt;\n</pre>"))
      for (name, bytes) in [
        ("/a.zip", [0x50, 0x4B, 3, 4, 0, 0]), ("/b.md", [0x23, 0x20, 0xFF]), ("/c.jpg", Array("<script>".utf8)),
        ("/large.md", Array(repeating: 0x61, count: (1 << 20) + 1)),
      ] as [(String, [UInt8])] {
        try await server.upload(name, bytes: bytes)
        let page = try await server.open(try await server.link(name))
        #expect(page.status == 200 && page.text.contains("cannot be shown here"), "\(name)")
        expectSealed(page)
      }
    }
  }

  @Test("The download has the file's bytes, and is nothing that a browser would run")
  func download() async throws {
    try await withServer(tune: Self.allow) { server in
      let text = "<html><script>alert(1)</script>"
      try await server.upload("/evil.html", text)
      let url = try await server.link("/evil.html")
      let reply = try await server.open(url, "?dl=1")
      #expect(reply.text == text && reply.headers["content-type"] == "application/octet-stream")
      #expect(reply.headers["content-disposition"]?.hasPrefix("attachment;") == true)
      #expect(reply.headers["content-security-policy"] == "default-src 'none'; sandbox")
      #expect(
        reply.headers["x-content-type-options"] == "nosniff" && reply.headers["cache-control"] == "private, no-cache")
      let part = try await server.open(url, "?dl=1", [("Range", "bytes=0-5")])
      #expect(part.status == 206 && part.text == "<html>")
      let known = try await server.open(url, "?dl=1", [("If-None-Match", reply.headers["etag"] ?? "")])
      #expect(known.status == 304 && known.body.isEmpty)
      #expect(!(try await server.open(url)).text.contains("<script>"))
      let head = try await server.client.request("HEAD", server.path(url).replacing("dl=0", with: "dl=1"))
      #expect(head.status == 200 && head.body.isEmpty && head.headers["content-length"] == "\(text.utf8.count)")
    }
  }

  @Test("Hostile names neither leave their place in a page nor add a header")
  func names() async throws {
    try await withServer(tune: Self.allow) { server in
      for name in [
        "\"><script>alert(1)</script>.md", "a\r\nSet-Cookie: x=1.md", "photo\u{202E}gpj.md", "'onload='alert(1).md",
        "\u{1B}]0;title\u{7}.md", "</title><img src=x>.md", "\u{2066}hidden\u{2069}.md", "a;b=c, \"d\\.md",
      ] {
        // The API's paths have no backslash and no slash within a name.
        let path = "/" + name.replacing("/", with: "\u{2044}").replacing("\\", with: "")
        try await server.upload(path, "text")
        let url = try await server.link(path)
        #expect(url.utf8.allSatisfy { (0x21..<0x7F).contains($0) && !"\"'<>;".utf8.contains($0) })
        let page = try await server.open(url)
        #expect(page.status == 200)
        let shown = page.text
        for bad in ["<script", "<img", "onload='", "\u{202E}", "\u{2066}", "\u{1B}", "\r"] {
          #expect(!shown.contains(bad), "\(bad) in the page of \(name)")
        }
        let file = try await server.open(url, "?dl=1")
        #expect(file.text == "text" && file.headers["set-cookie"] == nil)
        let disposition = try #require(file.headers["content-disposition"])
        #expect(disposition.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        #expect(disposition.split(separator: "\"").count == 3, "\(disposition)")
        #expect(!disposition.contains("%E2%80%AE") && !disposition.contains("%0D") && !disposition.contains("%1B"))
      }
    }
  }

  /// The answers that must not differ in a byte, but for the server's clock and the request's number.
  private func bare(_ reply: Reply) -> [String] {
    ["\(reply.status)"]
      + reply.headers.filter { $0.key != "date" && $0.key != "x-dropbox-request-id" }
      .map { "\($0.key): \($0.value)" }.sorted() + [reply.text]
  }

  @Test("An unknown, revoked, expired or foreign link and one whose file is gone are the same page, byte by byte")
  func gone() async throws {
    try await withServer(tune: Self.allow) { server in
      var paths = ["/s/", "/s/a.md", "/s/\(FreshID.word(33))/a.md", "/s/../a.md", "/s/%00", "/s/\(FreshID.word(33))"]
      for (name, settings) in [
        ("revoked", nil), ("expired", nil), ("deleted", nil), ("trashed", nil), ("locked", ["link_password": "w"]),
      ]
        as [(String, JSON?)]
      {
        try await server.upload("/\(name).md", "text")
        let url = try await server.link("/\(name).md", settings)
        switch name {
        case "revoked": _ = try await server.call("sharing/revoke_shared_link", ["url": .string(url)])
        case "expired": try server.end(url)
        case "deleted": _ = try await server.call("files/delete_v2", ["path": "/deleted.md"])
        case "trashed": try await server.move("/trashed.md", to: "/.club-trash/1/trashed.md")
        default: try server.end(url)
        }
        paths.append(server.path(url))
        paths += ["?dl=1", "?preview=1"].map { server.path(url).replacing("?dl=0", with: $0) }
      }
      try await withServer(tune: Self.allow) { other in
        try await other.upload("/a.md", "text")
        paths.append(other.path(try await other.link("/a.md")))
      }
      let first = try await server.client.request("GET", paths[0])
      #expect(first.status == 404)
      expectSealed(first)
      for path in paths {
        #expect(bare(try await server.client.request("GET", path)) == bare(first), "\(path)")
        #expect(bare(try await server.post(path, ["password": "w"])) == bare(first), "\(path)")
      }
    }
  }

  @Test("A file in the trash is shared by no link; restored it is again")
  func trash() async throws {
    try await withServer(tune: Self.allow) { server in
      try await server.upload("/sub/a.md", "the text")
      let url = try await server.link("/sub/a.md")
      #expect(try await server.client.request("GET", server.path(url)).status == 200)
      try await server.move("/sub/a.md", to: "/sub/.club-trash/1/a.md")
      #expect(try await server.client.request("GET", server.path(url)).status == 404)
      let file = try await server.call("sharing/get_shared_link_metadata", ["url": .string(url)])
      #expect(file.json.at("error", ".tag") == "shared_link_not_found")
      #expect(try await server.call("sharing/list_shared_links", .members([:])).json["links"].elements.isEmpty)
      let other = try await server.call(
        "sharing/create_shared_link_with_settings", ["path": "/sub/.club-trash/1/a.md"])
      #expect(other.json.at("error", "path", ".tag") == "not_found", "\(other.text)")
      try await server.move("/sub/.club-trash/1/a.md", to: "/sub/b.md")
      #expect(try await server.client.request("GET", server.path(url)).status == 200)
    }
  }

  @Test("A password is asked before anything is shown, its cookie opens this link alone, and a new password ends it")
  func password() async throws {
    try await withServer(tune: Self.allow) { server in
      try await server.upload("/a.md", "the secret text")
      try await server.upload("/b.md", "the other text")
      let url = try await server.link("/a.md", ["link_password": "word"])
      let other = try await server.link("/b.md", ["link_password": "word"])
      for query in ["", "?dl=0", "?dl=1", "?preview=1"] {
        let page = try await server.open(url, query)
        #expect(page.status == 200 && page.text.contains("<form method=\"post\">"))
        #expect(!page.text.contains("secret") && !page.text.contains("a.md"))
        expectSealed(page)
      }
      let path = server.path(url)
      let wrong = try await server.post(path, ["password": "Word"])
      #expect(wrong.status == 403 && wrong.headers["set-cookie"] == nil && wrong.text.contains("wrong"))
      expectSealed(wrong)
      let right = try await server.post(path, ["password": "word"])
      #expect(right.status == 303 && right.headers["location"] == path && right.body.isEmpty)
      let cookie = try #require(right.headers["set-cookie"])
      #expect(cookie.contains("; HttpOnly; SameSite=Lax") && cookie.contains("Path=/s/") && !cookie.contains("Secure"))
      let pass = ("Cookie", String(cookie.prefix { $0 != ";" }))
      #expect(try await server.open(url, "", [pass]).text.contains("the secret text"))
      #expect(try await server.open(url, "?dl=1", [("Cookie", "a=b; " + pass.1)]).text == "the secret text")
      #expect(!(try await server.open(other, "", [pass])).text.contains("the other text"))
      #expect(!(try await server.open(url, "", [("Cookie", pass.1 + "x")])).text.contains("secret"))
      let modified = try await server.call(
        "sharing/modify_shared_link_settings", ["url": .string(url), "settings": ["link_password": "word"]])
      #expect(modified.status == 200)
      #expect(!(try await server.open(url, "", [pass])).text.contains("secret"))
    }
  }

  @Test("Guessing a password ends after so many wrong ones, with a page that says when to try again")
  func guessing() async throws {
    try await withServer(tune: { ($0.sharesLinks, $0.failuresPerMinute) = (true, 3) }) { server in
      try await server.upload("/a.md", "secret")
      let path = server.path(try await server.link("/a.md", ["link_password": "word"]))
      for _ in 0..<3 { #expect(try await server.post(path, ["password": "x"]).status == 403) }
      let last = try await server.post(path, ["password": "x"])
      #expect(last.status == 429 && last.headers["retry-after"] != nil && last.text.contains("Wait"))
      expectSealed(last)
      #expect(try await server.post(path, ["password": "word"]).status == 429)
      let large = try await server.post(path, ["password": String(repeating: "x", count: 5000)])
      #expect(large.status == 413)
      expectSealed(large)
    }
  }

  @Test("A picture is shown upright and reduced, without the place where it was taken; a panorama is scrolled")
  func pictures() async throws {
    try await withServer(tune: Self.allow) { server in
      let plain = try Encoder.jpeg(Pixels(width: 3000, height: 1000, colour: 0x33_66_99), quality: 80)
      // The orientation 6: shown, the picture is turned to the right.
      let exif: [UInt8] =
        Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]
      let turned = Array(plain.prefix(2)) + [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + plain.dropFirst(2)
      for (name, bytes, size, shown) in [
        ("/wide.jpg", plain, "width=\"3000\" height=\"1000\"", PixelSize(width: 3000, height: 1000)),
        ("/turned.jpg", turned, "width=\"1000\" height=\"3000\"", PixelSize(width: 683, height: 2048)),
      ] as [(String, [UInt8], String, PixelSize)] {
        try await server.upload(name, bytes: bytes)
        let url = try await server.link(name)
        let page = try await server.open(url)
        #expect(page.text.contains(size) && page.text.contains("src=\"?preview=1\""), "\(name)")
        #expect(page.text.contains("class=\"wide\"") == (name == "/wide.jpg"))
        let preview = try await server.open(url, "?preview=1")
        #expect(preview.status == 200 && preview.headers["content-type"] == "image/jpeg")
        let header = try PictureHeader.read(preview.body)
        #expect(header.size == shown && header.orientation == .upright, "\(header.size)")
        // Nothing of the file's metadata is in it.
        #expect(preview.body.firstRange(of: Array("Exif".utf8)) == nil)
        #expect(preview.headers["cache-control"] == "private, no-cache")
        let again = try await server.open(url, "?preview=1", [("If-None-Match", preview.headers["etag"] ?? "")])
        #expect(again.status == 304)
        #expect(try await server.open(url, "?dl=1").body == bytes)
        // A page asks for the newest picture once the file has changed.
        _ = try await server.send("files/upload", ["path": .string(name), "mode": "overwrite"], Array("none".utf8))
        #expect(try await server.open(url, "?preview=1").status == 404)
      }
      try await server.upload("/note.md", "text")
      #expect(try await server.open(try await server.link("/note.md"), "?preview=1").status == 404)
    }
  }

  @Test("Previews are kept within their bytes, the last used longest")
  func previews() {
    let cache = MadeCache(most: 10 + 3 * MadeCache.entryBytes - 1)
    func name(_ file: String) -> MadeCache.Name { MadeCache.Name(file: file, rev: 1) }
    _ = cache.keep([1, 2, 3, 4], as: name("a"))
    _ = cache.keep([1, 2, 3, 4], as: name("b"))
    #expect(cache[name("a")]?.bytes == [1, 2, 3, 4])
    _ = cache.keep([1, 2, 3], as: name("c"))
    #expect(cache[name("a")] != nil && cache[name("b")] == nil && cache[name("c")]?.bytes == [1, 2, 3])
    _ = cache.keep(Array(repeating: 0, count: 1000), as: name("d"))
    #expect(cache[name("d")] == nil && cache[name("a")] != nil)
    _ = cache.keep([9], as: name("a"))
    #expect(cache[name("a")]?.bytes == [9])
  }

  @Test("What is still sent to a slow visitor is found for the next one, although it is kept no longer")
  func sharedWithSlow() throws {
    let cache = MadeCache(most: 10)
    let name = MadeCache.Name(file: "a", rev: 1)
    var held: Made? = cache.keep([UInt8](repeating: 1, count: 100), as: name)
    #expect(cache[name] === held && held != nil)
    held = nil
    #expect(cache[name] == nil)
  }

  @Test("The server's address says what it is and how to join, to whoever gets it or asks for its head")
  func home() async throws {
    try await withServer { server in
      let page = try await server.client.request("GET", "/", [("Accept", "text/html,*/*;q=0.8")])
      #expect(page.status == 200 && page.text.contains("<code>byteclub join</code>"))
      expectSealed(page)
      for (method, headers, status) in [
        ("GET", [], 200), ("GET", [("Accept", "*/*")], 200), ("HEAD", [], 200),
        ("POST", [("Accept", "text/html")], 400),
      ]
        as [(String, [(String, String)], Int)]
      {
        #expect(try await server.client.request(method, "/", headers).status == status, "\(method) \(headers)")
      }
      let icon = try await server.client.request("GET", "/favicon.ico")
      #expect(icon.status == 200 && icon.headers["content-type"] == "image/svg+xml" && icon.text.hasPrefix("<svg "))
      #expect(try await server.client.request("GET", "/version").text.hasPrefix("byteclub "))
      let elsewhere = try await server.client.request("GET", "/index.html", [("Accept", "text/html")])
      #expect(elsewhere.status == 400)
    }
  }
}
