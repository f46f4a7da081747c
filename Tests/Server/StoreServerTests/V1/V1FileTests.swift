import FileStores
import Imaging
import JSON
import TestKit
import Testing

@testable import StoreServer

@Suite(.serialized) struct V1FileTests {
  @Test(
    "Times are written in 31 characters:",
    arguments: [
      (1_376_176_863, "Sat, 10 Aug 2013 23:21:03 +0000"), (0, "Thu, 01 Jan 1970 00:00:00 +0000"),
      (-1, "Wed, 31 Dec 1969 23:59:59 +0000"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"),
      (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 +0000"),
    ] as [(Int64, String)])
  func times(second: Int64, text: String) {
    #expect(V1Time.text(second) == text && text.utf8.count == 31)
  }

  @Test(
    "Sizes are written for people:",
    arguments: [
      (0, "0 bytes"), (15, "15 bytes"), (1023, "1023 bytes"), (1024, "1.0KB"), (230_783, "225.3KB"),
      (5 << 20, "5.0MB"), (UInt64(3) << 40, "3.0TB"),
    ] as [(UInt64, String)])
  func sizes(bytes: UInt64, text: String) {
    #expect(V1FileKind.sizeText(bytes) == text)
  }

  @Test("A file is there with all that this version says of it, and the same comes with its bytes")
  func metadata() async throws {
    try await withServer { server in
      let put = try await server.v1Put("Neu/%C3%84+b.txt", "hello")
      #expect(put["path"] == "/Neu/Ä+b.txt" && put["bytes"] == .integer(5) && put["size"] == "5 bytes")
      #expect(put["mime_type"] == "text/plain" && put["icon"] == "page_white_text" && put["is_dir"] == false)
      #expect(put["thumb_exists"] == false && put["root"] == "dropbox" && put["is_deleted"] == nil)
      for key in ["modified", "client_mtime"] { #expect(put[key]?.string?.utf8.count == 31) }
      guard case .integer(let revision)? = put["revision"] else {
        Issue.record("no revision")
        return
      }
      #expect(put["rev"]?.string.flatMap(Rev.number) == revision)
      #expect(try await server.v1("GET", "metadata/dropbox//neu//%C3%A4+b.txt/").json == put)
      let got = try await server.v1("GET", "files/auto/Neu/%C3%84+b.txt")
      #expect(got.text == "hello" && got.headers["content-type"] == "text/plain")
      #expect(got.headers["content-disposition"] == "attachment")
      #expect(try JSONReader.read(Array((got.headers["x-dropbox-metadata"] ?? "").utf8)) == put)
      let part = try await server.v1("GET", "files/auto/Neu/%C3%84+b.txt", headers: [("Range", "bytes=-2")])
      #expect(part.status == 206 && part.text == "lo" && part.headers["content-range"] == "bytes 3-4/5")
      #expect(try await server.v1("GET", "metadata/sandbox/Neu").json["root"] == "app_folder")
    }
  }

  @Test("An old version is sent by the name that it had, and by no other")
  func oldVersion() async throws {
    try await withServer { server in
      let old = try await server.v1Put("a", "one")["rev"]?.string ?? "?"
      try await server.v1Put("a", "two")
      try await server.v1Put("b", "three")
      #expect(try await server.v1("GET", "files/auto/a", [("rev", old)]).text == "one")
      #expect(try await server.v1("GET", "files/auto/b", [("rev", old)]).status == 404)
    }
  }

  @Test("A folder's hash stays while nothing changes, is 304 then, and changes with each thing in it")
  func hash() async throws {
    try await withServer { server in
      try await server.v1Put("sub/a", "1")
      func listed(_ hash: String = "") async throws -> Reply {
        try await server.v1("GET", "metadata/auto/sub", [("hash", hash), ("list", "TRUE")])
      }
      var seen: Set<String> = []
      let changes: [() async throws -> Void] = [
        {}, { try await server.v1Put("sub/b", "1") }, { try await server.v1Put("sub/b", "2") },
        { _ = try await server.v1("POST", "fileops/delete", [("root", "auto"), ("path", "/sub/a")]) },
        { _ = try await server.v1("POST", "fileops/move", [("from_path", "/sub/b"), ("to_path", "/sub/B")]) },
        { _ = try await server.v1("POST", "fileops/create_folder", [("path", "sub/c")]) },
      ]
      for change in changes {
        try await change()
        let reply = try await listed()
        let hash = try #require(reply.json["hash"]?.string)
        #expect(hash.utf8.count == 32 && seen.insert(hash).inserted)
        let again = try await listed(hash)
        #expect(again.status == 304 && again.body.isEmpty)
      }
      #expect(try await listed().json["contents"].elements.compactMap { $0["path"]?.string } == ["/sub/B", "/sub/c"])
      #expect(try await server.v1("GET", "metadata/auto/sub", [("list", "False")]).json["contents"] == nil)
      #expect(try await server.v1("GET", "metadata/auto/sub", [("file_limit", "1")]).status == 406)
      #expect(try await server.v1("GET", "metadata/auto/sub", [("list", "perhaps")]).status == 400)
      let all = try await server.v1("GET", "metadata/auto/sub", [("include_deleted", "true")]).json["contents"].elements
      #expect(all.contains { $0["path"] == "/sub/a" && $0["is_deleted"] == true })
    }
  }

  /// A file with "old" is there, "older" was there before. What becomes of "new" (or of "old" again)?
  @Test(
    "Conflicts",
    arguments: [
      ([("overwrite", "True")], "new", "/a.md", "new"), ([], "new", "/a.md", "new"),
      ([("overwrite", "False")], "new", "/a (1).md", "old"),
      ([("overwrite", "false"), ("autorename", "false")], "new", "409", "old"),
      ([("overwrite", "false"), ("autorename", "false")], "old", "/a.md", "old"),
      ([("parent_rev", "RIGHT"), ("overwrite", "false")], "new", "/a.md", "new"),
      ([("parent_rev", "STALE")], "new", "/a (ann's version, today).md", "old"),
      ([("parent_rev", "STALE"), ("autorename", "false")], "new", "409", "old"),
      ([("parent_rev", "STALE")], "old", "/a.md", "old"),
      ([("parent_rev", "zzz")], "new", "400", "old"), ([("parent_rev", "7fffffffffff00000001")], "new", "400", "old"),
    ] as [([(String, String)], String, String, String)])
  func conflicts(parameters: [(String, String)], text: String, result: String, left: String) async throws {
    try await withServer { server in
      let stale = try #require(try await server.v1Put("a.md", "older")["rev"]?.string)
      let right = try #require(try await server.v1Put("a.md", "old")["rev"]?.string)
      let filled = parameters.map { ($0.0, $0.1 == "RIGHT" ? right : $0.1 == "STALE" ? stale : $0.1) }
      let reply = try await server.v1("PUT", "files_put/auto/a.md", filled, body: Array(text.utf8))
      if let status = Int(result) {
        #expect(reply.status == status && reply.json["error"]?.string?.isEmpty == false)
      } else {
        let path = try #require(reply.json["path"]?.string)
        #expect(withoutDate(path) == result, "\(reply.text)")
        #expect(try await server.v1Text(String(path.dropFirst().replacing(" ", with: "%20"))) == text)
      }
      #expect(try await server.v1Text("a.md") == left)
    }
  }

  @Test("A piece at a wrong offset is 400 with the right one; what is committed is whole")
  func chunks() async throws {
    try await withServer { server in
      let first = try await server.v1("PUT", "chunked_upload", body: Array("hello ".utf8)).json
      let id = try #require(first["upload_id"]?.string)
      #expect(first["offset"] == .integer(6) && first["expires"]?.string?.utf8.count == 31)
      for offset in ["0", "5", "7"] {
        let reply = try await server.v1("PUT", "chunked_upload", [("upload_id", id), ("offset", offset)], body: [1])
        #expect(reply.status == 400 && reply.json["offset"] == .integer(6) && reply.json["upload_id"]?.string == id)
        #expect(reply.json["error"]?.string == "Submitted input out of alignment: got [\(offset)] expected [6]")
      }
      let last = try await server.v1(
        "PUT", "chunked_upload", [("upload_id", id), ("offset", "6")], body: Array("world".utf8))
      #expect(last.json["offset"] == .integer(11))
      try await server.v1Put("a", "there")
      let commit = [("upload_id", id), ("overwrite", "False"), ("autorename", "false")]
      #expect(try await server.v1("POST", "commit_chunked_upload/auto/a", commit).status == 409)
      // As one program writes the address.
      let file = try await server.v1("POST", "commit_chunked_upload//auto/b", commit)
      #expect(file.json["path"] == "/b")
      #expect(try await server.v1Text("b") == "hello world")
      #expect(try await server.v1("POST", "commit_chunked_upload/auto/c", commit).status == 400)
      #expect(try await server.v1("PUT", "chunked_upload", [("upload_id", "gone")], body: [1]).status == 404)
    }
  }

  /// The content of a file in a form, and the form's mark.
  private static let forms: [([UInt8], String)] = [
    (Array("hello".utf8), "x"), ([], "x"), (Array("\r\n--".utf8), "mark"), (Array("\r\n--marx\r\n--mar".utf8), "mark"),
    ((0..<700_000).map { UInt8(truncatingIfNeeded: $0 % 251) }, "a mark with spaces"),
    (Array(String(repeating: "\r\n--mark", count: 100).replacing("mark", with: "mar").utf8), "mark"),
  ]

  @Test("A file in a form is taken, byte for byte, and named by the form:", arguments: forms.indices)
  func form(_ index: Int) async throws {
    let (content, mark) = Self.forms[index]
    try await withServer { server in
      func send(_ target: String, name: String = "ü x.md") async throws -> Reply {
        let head =
          "ignored\r\n--\(mark)\r\nContent-Disposition: form-data; name=\"overwrite\"\r\n\r\nfalse\r\n--\(mark)\r\n"
          + "Content-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\nContent-Type: text/plain\r\n\r\n"
        return try await server.v1(
          "POST", target, body: Array(head.utf8) + content + Array("\r\n--\(mark)--\r\nignored".utf8),
          headers: [("Content-Type", "multipart/form-data; boundary=\"\(mark)\"")])
      }
      let reply = try await send("files/auto/")
      #expect(reply.json["path"] == "/ü x.md", "\(reply.text)")
      #expect(try await server.v1("GET", "files/auto/%C3%BC%20x.md").body == content)
      #expect(try await send("files/auto/nowhere").status == 404)
      #expect(try await send("files/auto", name: "../a").status == 400)
      #expect(try await server.paths() == ["/ü x.md"])
    }
  }

  @Test(
    "A form that is cut, or is none, is refused and leaves nothing",
    arguments: [
      "", "--x", "--x--\r\n", "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nv\r\n--x--",
      "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\ncut",
      "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n",
    ])
  func badForm(_ text: String) async throws {
    try await withServer { server in
      let reply = try await server.v1(
        "POST", "files/auto", body: Array(text.utf8), headers: [("Content-Type", "multipart/form-data; boundary=x")])
      #expect([400, 503].contains(reply.status), "\(reply.status) \(reply.text)")
      #expect(try await server.paths() == [])
    }
  }

  @Test("Copying, moving, making and deleting, with what each refuses")
  func fileops() async throws {
    try await withServer { server in
      func call(_ name: String, _ parameters: [(String, String)]) async throws -> Reply {
        try await server.v1("POST", "fileops/" + name, [("root", "dropbox")] + parameters)
      }
      try await server.v1Put("a", "1")
      #expect(try await call("copy", [("from_path", "/a"), ("to_path", "/x/b")]).json["path"] == "/x/b")
      #expect(try await call("copy", [("from_path", "/a"), ("to_path", "/x/b")]).status == 403)
      #expect(try await call("copy", [("from_path", "/gone"), ("to_path", "/y")]).status == 404)
      #expect(try await call("move", [("from_path", "/x"), ("to_path", "/x/y")]).status == 403)
      #expect(try await call("move", [("from_path", "/x"), ("to_path", "/z")]).json["is_dir"] == true)
      #expect(try await call("move", [("from_path", "/z/b"), ("to_path", "/a")]).status == 403)
      #expect(try await call("create_folder", [("path", "/z")]).status == 403)
      #expect(try await call("create_folder", [("path", "/a/b")]).status == 403)
      #expect(try await call("create_folder", []).status == 400)
      let made = try await call("create_folder", [("path", "/m/n")]).json
      #expect(made["path"] == "/m/n" && made["bytes"] == .integer(0) && made["size"] == "0 bytes")
      for path in ["/", "//"] { #expect(try await call("delete", [("path", path)]).status == 403) }
      let gone = try await call("delete", [("path", "/A")]).json
      #expect(gone["is_deleted"] == true && gone["path"] == "/a" && gone["size"] == "0 bytes")
      #expect(try await call("delete", [("path", "/a")]).status == 404)
      let told = try await server.v1("GET", "metadata/auto/a")
      #expect(told.status == 200 && told.json["is_deleted"] == true && told.json["bytes"] == .integer(0))
      #expect(try await server.v1("GET", "files/auto/a").status == 404)
      #expect(try await server.v1("GET", "metadata/auto/never").status == 404)
      #expect(try await server.paths() == ["/m", "/m/n", "/z", "/z/b"])
    }
  }

  @Test("Versions are listed newest first, a deletion and a move with them, and one is brought back")
  func revisions() async throws {
    try await withServer { server in
      var revs: [String] = []
      for text in ["1", "22", "333"] { revs.append(try #require(try await server.v1Put("a", text)["rev"]?.string)) }
      func listed(_ path: String = "a") async throws -> [JSON] {
        guard case .array(let entries) = try await server.v1("GET", "revisions/auto/" + path).json else { return [] }
        return entries
      }
      #expect(try await listed().compactMap { $0["rev"]?.string } == revs.reversed())
      #expect(try await server.v1("GET", "files/auto/a", [("rev", revs[0])]).text == "1")
      #expect(try await server.v1("GET", "metadata/auto/a", [("rev", revs[1])]).json["bytes"] == .integer(2))
      for method in ["GET", "POST"] {
        #expect(try await server.v1(method, "restore/auto/a", [("rev", revs[0])]).json["bytes"] == .integer(1))
      }
      #expect(try await server.v1Text("a") == "1")
      #expect(try await server.v1("POST", "restore/auto/a", [("rev", "zz")]).status == 400)
      #expect(try await server.v1("POST", "restore/auto/b", [("rev", revs[0])]).status == 404)
      #expect(try await server.v1("GET", "revisions/auto/b").status == 404)
      let last = try #require(try await server.v1Put("m", "moved away")["rev"]?.string)
      _ = try await server.v1("POST", "fileops/move", [("from_path", "/m"), ("to_path", "/n")])
      let moved = try await listed("m")
      #expect(moved.first?["is_deleted"] == true && moved.dropFirst().first?["rev"]?.string == last)
    }
  }

  @Test("A search wants all words, in any case and with or without accents, below its folder")
  func search() async throws {
    try await withServer { server in
      for path in ["s/text.txt", "s/t%C3%A9xt.txt", "s/Sub/Text%20two.TXT", "s/frog.jpg", "other.txt"] {
        try await server.v1Put(path, "x")
      }
      for (folder, query, paths) in [
        ("s", "tex", ["/s/Sub/Text two.TXT", "/s/text.txt", "/s/téxt.txt"]),
        ("s/", "téx", ["/s/Sub/Text two.TXT", "/s/text.txt", "/s/téxt.txt"]),
        ("s", "two text", ["/s/Sub/Text two.TXT"]), ("s/sub", "txt", ["/s/Sub/Text two.TXT"]),
        ("s", "jpg", ["/s/frog.jpg"]),
        ("s", "nothing", []), ("", "other", ["/other.txt"]),
      ] as [(String, String, [String])] {
        for method in ["GET", "POST"] {
          let reply = try await server.v1(method, "search/auto/" + folder, [("query", query)])
          #expect(Optional(reply.json).elements.compactMap { $0["path"]?.string }.sorted() == paths, "\(query)")
        }
      }
      #expect(try await server.v1("GET", "search/auto/s", [("query", "te")]).status == 400)
      #expect(try await server.v1("GET", "search/auto/nowhere", [("query", "text")]).status == 404)
    }
  }

  @Test("Links are followed without a token, copies made by their word, by GET and POST alike")
  func links() async throws {
    try await withServer { server in
      try await server.v1Put("a", "hello")
      for (name, method) in [("shares", "GET"), ("shares", "POST"), ("media", "GET"), ("media", "POST")] {
        let link = try await server.v1(method, name + "/auto/a").json
        let url = try #require(link["url"]?.string)
        #expect(link["expires"]?.string?.utf8.count == 31)
        let path = url.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }
        #expect(try await server.client.request("GET", String(path)).text == "hello")
        #expect(try await server.v1(method, name + "/auto/gone").status == 404)
      }
      for (index, method) in ["GET", "POST"].enumerated() {
        let ref = try #require(try await server.v1(method, "copy_ref/auto/a").json["copy_ref"]?.string)
        let copy = [("from_copy_ref", ref), ("to_path", "/copy\(index)")]
        #expect(try await server.v1("POST", "fileops/copy", copy).status == 200)
        #expect(try await server.v1Text("copy\(index)") == "hello")
        let made = [("from_copy_ref", ref + "x"), ("to_path", "/other")]
        #expect(try await server.v1("POST", "fileops/copy", made).status == 404)
      }
    }
  }

  @Test("Pictures are made small, in the size and format that is asked for; what is no picture is 404 or 415")
  func thumbnails() async throws {
    try await withServer { server in
      var pixels = Pixels(width: 800, height: 400, colour: 0x33_66_99)
      pixels.paste(Pixels(width: 300, height: 300, colour: 0xCC_88_44), x: 50, y: 50)
      let picture = try Encoder.jpeg(pixels, quality: 90)
      let put = try await server.v1("PUT", "files_put/auto/p.JPG", body: picture).json
      #expect(put["thumb_exists"] == true)
      for (size, width, height) in [("", 64, 32), ("xs", 32, 16), ("m", 128, 64), ("l", 640, 320), ("xl", 800, 400)] {
        for format in ["JPEG", "png", ""] {
          let parameters = [("size", size), ("format", format)].filter { !$0.1.isEmpty }
          let reply = try await server.v1("GET", "thumbnails/auto/p.JPG", parameters)
          #expect(reply.headers["content-type"] == (format == "png" ? "image/png" : "image/jpeg"))
          #expect(try Decoder.decode(reply.body).pixels.size == PixelSize(width: width, height: height))
          #expect(try JSONReader.read(Array((reply.headers["x-dropbox-metadata"] ?? "").utf8)) == put)
        }
      }
      try await server.v1Put("broken.png", "no picture")
      try await server.v1Put("text.txt", "no picture")
      #expect(try await server.v1("GET", "thumbnails/auto/broken.png").status == 415)
      #expect(try await server.v1("GET", "thumbnails/auto/text.txt").status == 404)
      #expect(try await server.v1("GET", "thumbnails/auto/p.JPG", [("size", "huge")]).status == 400)
    }
  }
}
