import Basics
import Database
import FileStores
import Foundation
import JSON
import TestKit
import Testing

@testable import StoreServer

/// Shared links to folders, by the API and in a browser.
@Suite(.serialized) struct FolderLinkTests {
  private static func allow(_ options: inout ServerOptions) { options.sharesLinks = true }

  /// Makes the folder "Tour" and what is beside it, and a link to the folder. The text of each file is its path.
  private func tour(_ server: TestServer, _ settings: JSON? = nil) async throws -> String {
    for path in [
      "/Tour/day 1/pier.md", "/Tour/day 1/b.txt", "/Tour/note.md", "/Tour/.hidden/secret.md", "/Tour/.dot.md",
      "/Tour/.club-trash/1/old.md", "/other.md",
    ] {
      try await server.upload(path, path)
    }
    return try await server.link("/Tour", settings)
  }

  private func tag(_ reply: Reply) -> String { reply.json["error_summary"]?.string ?? "\(reply.status) \(reply.text)" }

  /// The path of a page below the link's folder.
  private func page(_ url: String, _ server: TestServer, _ below: String) -> String {
    server.path(url).replacing("?dl=0", with: below)
  }

  @Test("A folder's link has its metadata by Dropbox's words, and that of a file below it, by its path or its address")
  func metadata() async throws {
    try await withServer(tune: Self.allow) { server in
      let url = try await tour(server)
      let made = try await server.call("sharing/get_shared_link_metadata", ["url": .string(url)]).json
      #expect(made[".tag"] == "folder" && made["name"] == "Tour" && made["path_lower"] == "/tour")
      #expect(made["rev"] == nil && made["size"] == nil && made["url"] == .string(url))
      let again = try await server.call("sharing/create_shared_link_with_settings", ["path": "/tour"])
      #expect(tag(again) == "shared_link_already_exists/metadata/.")
      let below = try await server.call(
        "sharing/get_shared_link_metadata", ["url": .string(url), "path": "/DAY 1/pier.md"]
      ).json
      #expect(below[".tag"] == "file" && below["name"] == "pier.md" && below["rev"] != nil)
      #expect(below["url"]?.string?.hasSuffix("/Tour/day%201/pier.md?dl=0") == true)
      #expect(try await server.call("sharing/get_shared_link_metadata", .members(["url": below["url"]])).json == below)
      let file = try await server.fetch(
        "sharing/get_shared_link_file", ["url": .string(url), "path": "/day 1/pier.md"])
      #expect(file.text == "/Tour/day 1/pier.md")
      let whole = try await server.fetch("sharing/get_shared_link_file", ["url": .string(url)])
      #expect(tag(whole) == "shared_link_is_directory/.")
      for path in [
        "/none", "/.hidden/secret.md", "/.dot.md", "/.club-trash/1/old.md", "/../other.md", "/day 1/../../other.md",
        "/day 1//pier.md",
      ] {
        let argument: JSON = ["url": .string(url), "path": .string(path)]
        #expect(tag(try await server.call("sharing/get_shared_link_metadata", argument)) == "shared_link_not_found/.")
        #expect(tag(try await server.fetch("sharing/get_shared_link_file", argument)) == "shared_link_not_found/.")
      }
      let other = try await server.link("/other.md")
      let inFile = try await server.call("sharing/get_shared_link_metadata", ["url": .string(other), "path": "/x"])
      #expect(inFile.status == 400 && inFile.text.contains("path: the link leads to a file"))
    }
  }

  @Test("The links to a path are its own and those of the folders above, unless only its own are asked for")
  func listed() async throws {
    try await withServer(tune: Self.allow) { server in
      let folder = try await tour(server)
      let file = try await server.link("/Tour/day 1/pier.md")
      #expect(try await server.links(["path": "/Tour/day 1/pier.md"]) == [file, folder])
      #expect(try await server.links(["path": "/Tour/day 1/pier.md", "direct_only": true]) == [file])
      #expect(try await server.links(["path": "/Tour"]) == [folder])
      #expect(try await server.links(["path": "/other.md"]) == [])
      #expect(try await server.links() == [folder, file])
      #expect(try await server.v1("POST", "shares/auto/Tour").json["url"] == .string(folder))
      #expect(try await server.call("sharing/revoke_shared_link", ["url": .string(folder)]).status == 200)
      #expect(try await server.links() == [file])
    }
  }

  @Test("A folder is listed by its link and the path below it")
  func listing() async throws {
    try await withServer(tune: Self.allow) { server in
      let url = try await tour(server, ["link_password": "word"])
      func list(_ path: String, _ more: KeyValuePairs<String, JSON?> = [:]) async throws -> Reply {
        let link: JSON = ["url": .string(url), "password": "word"]
        return try await server.call(
          "files/list_folder",
          JSON.members(["path": .string(path), "shared_link": link]).adding(JSON.members(more).list))
      }
      var reply = try await list("/day 1", ["limit": .integer(1)])
      #expect(reply.json["entries"].elements.map { $0["name"] } == ["b.txt"], "\(reply.text)")
      reply = try await server.call("files/list_folder/continue", .members(["cursor": reply.json["cursor"]]))
      #expect(reply.json["entries"].elements.map { $0["name"] } == ["pier.md"], "\(reply.text)")
      let top = try await list("").json["entries"].elements.compactMap { $0["name"]?.string }
      #expect(Set(top).isSuperset(of: ["day 1", "note.md"]))
      #expect(tag(try await list("/none")) == "path/not_found/.")
      #expect(tag(try await list("/note.md")) == "path/not_folder/.")
      #expect(try await list("", ["recursive": true]).status == 400)
      let unknown = try await server.call(
        "files/list_folder", ["path": "", "shared_link": ["url": "https://example.org/x"]])
      #expect(tag(unknown) == "path/not_found/.")
    }
  }

  @Test("A folder's page leads to its folders and files, and shows nothing that is hidden, deleted or beside it")
  func pages() async throws {
    try await withServer(tune: Self.allow) { server in
      let url = try await tour(server)
      let top = try await server.open(url)
      #expect(top.status == 200 && top.text.contains("<title>Tour</title>"))
      let (day, note) = (page(url, server, "/day%201"), page(url, server, "/note.md"))
      for address in [day, note] { #expect(top.text.contains("<a href=\"\(address)\">"), "\(top.text)") }
      #expect(top.text.contains("2 entries") && !top.text.contains("The folder above"))
      for secret in ["hidden", "dot.md", "club-trash", "other.md"] { #expect(!top.text.contains(secret), "\(secret)") }
      let below = try await server.client.request("GET", day)
      #expect(below.text.contains("<a href=\"\(day)/pier.md\">pier.md</a>") && below.text.contains("b.txt"))
      #expect(below.text.contains("<a href=\"\(page(url, server, ""))\">The folder above</a>"))
      #expect(try await server.client.request("GET", day + "/pier.md").text.contains("day 1/pier.md"))
      #expect(try await server.client.request("GET", day + "/pier.md?dl=1").text == "/Tour/day 1/pier.md")
      let gone = try await server.client.request("GET", "/s/")
      for path in [
        "/none", "/.hidden", "/.hidden/secret.md", "/.dot.md", "/.club-trash", "/%2E%2E/other.md", "/day%201%2Fpier.md",
        "/%00", "/note.md/x",
      ] {
        for query in ["", "?dl=1", "?preview=1"] {
          let reply = try await server.client.request("GET", page(url, server, path) + query)
          #expect(reply.status == 404 && reply.text == gone.text, "\(path)\(query): \(reply.status)")
        }
      }
    }
  }

  @Test("A folder's download is an archive of what its pages show")
  func archive() async throws {
    try await withServer(tune: Self.allow) { server in
      let url = try await tour(server)
      let reply = try await server.open(url, "?dl=1")
      #expect(reply.status == 200 && reply.headers["content-type"] == "application/zip")
      #expect(reply.headers["content-disposition"]?.contains("Tour.zip") == true)
      #expect(reply.headers["content-security-policy"] == "default-src 'none'; sandbox")
      let names = try Unzipped(try #require(reply.joinedChunks)).names.sorted()
      #expect(names == ["Tour/", "Tour/day 1/", "Tour/day 1/b.txt", "Tour/day 1/pier.md", "Tour/note.md"])
      let day = try await server.client.request("GET", page(url, server, "/day%201?dl=1"))
      #expect(day.headers["content-disposition"]?.contains("day 1.zip") == true)
    }
  }

  @Test("A password is asked at every page of the folder, and one answer opens them all")
  func password() async throws {
    try await withServer(tune: Self.allow) { server in
      let url = try await tour(server, ["link_password": "word"])
      let deep = page(url, server, "/day%201/pier.md")
      for path in [server.path(url), deep, deep + "?dl=1", page(url, server, "/none")] {
        let reply = try await server.client.request("GET", path)
        #expect(reply.status == 200 && reply.text.contains("<form method=\"post\">"), "\(path)")
        #expect(!reply.text.contains("pier") && !reply.text.contains("Tour"))
      }
      let right = try await server.post(deep, ["password": "word"])
      #expect(right.status == 303 && right.headers["location"] == deep)
      let pass = ("Cookie", String(try #require(right.headers["set-cookie"]).prefix { $0 != ";" }))
      #expect(try await server.client.request("GET", deep, [pass]).text.contains("day 1/pier.md"))
      #expect(try await server.open(url, "", [pass]).text.contains("note.md"))
    }
  }

  @Test(
    "A folder's link follows it, and a link to a file never leads to a folder of its old name",
    arguments: [false, true])
  func follows(isFolder: Bool) async throws {
    try await withTemporaryFolder { folder in
      var url = ""
      try await withServer(in: folder, tune: Self.allow) { server in
        if isFolder {
          url = try await tour(server)
          try await server.move("/Tour", to: "/Trips/Tour")
          #expect(try await server.open(url).text.contains("note.md"))
        } else {
          try await server.upload("/Trips/Tour", "a file")
          url = try await server.link("/Trips/Tour")
        }
      }
      for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
        try PrivateDirectory(making: folder + "/data").remove(name)
      }
      if !isFolder {
        try FileManager.default.removeItem(atPath: folder + "/root/Trips/Tour")
        try FileManager.default.createDirectory(
          atPath: folder + "/root/Trips/Tour", withIntermediateDirectories: true)
        try write("secret", to: folder + "/root/Trips/Tour/note.md")
      }
      try await withServer(in: folder, tune: Self.allow) { server in
        let reply = try await server.open(url)
        #expect(reply.status == (isFolder ? 200 : 404) && reply.text.contains("note.md") == isFolder, "\(reply.text)")
      }
    }
  }
}
