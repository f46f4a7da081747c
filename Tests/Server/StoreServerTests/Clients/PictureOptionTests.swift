import Database
import FileStores
import Foundation
import Imaging
import JSON
import Testing

@testable import StoreServer

/// What a client says of small pictures, and asks of large ones.
@Suite(.serialized) struct PictureOptionTests {
  private func upload(_ server: TestServer, _ path: String, _ width: Int, _ height: Int) async throws {
    let pixels = Pixels(width: width, height: height)
    let reply = try await server.send("files/upload", ["path": .string(path)], try Encoder.jpeg(pixels, quality: 80))
    try #require(reply.status == 200, "\(reply.text)")
  }

  @Test(
    "The mode says what the small picture has to do with the box",
    arguments: [
      ("strict", "w480h320", "480 x 240", "160 x 320"), ("bestfit", "w480h320", "480 x 240", "240 x 480"),
      ("fitone_bestfit", "w480h320", "640 x 320", "320 x 640"), ("original", "w480h320", "1000 x 500", "500 x 1000"),
      ("fitone_bestfit", "w2048h1536", "1000 x 500", "500 x 1000"),
    ])
  func modes(mode: String, size: String, wide: String, tall: String) async throws {
    try await withServer { server in
      try await upload(server, "/wide.jpg", 1000, 500)
      try await upload(server, "/tall.jpg", 500, 1000)
      for (path, expected) in [("/wide.jpg", wide), ("/tall.jpg", tall)] {
        let argument: JSON = [
          "resource": [".tag": "path", "path": .string(path)], "mode": .string(mode), "size": .string(size),
        ]
        let reply = try await server.fetch("files/get_thumbnail_v2", argument)
        #expect(
          try PictureHeader.read(reply.body).size.description == expected || mode == "strict" && path == "/tall.jpg")
        if mode == "strict" { #expect(try PictureHeader.read(reply.body).size.height <= 320) }
      }
    }
  }

  @Test("A picture's size is reported when that is asked for, and nothing of what is no picture")
  func mediaInfo() async throws {
    try await withServer { server in
      try await upload(server, "/a.jpg", 300, 200)
      try await server.upload("/b.jpg", "no picture")
      try await server.upload("/c.md", "text")
      func info(_ path: String, _ isWanted: Bool) async throws -> JSON? {
        let argument = JSON.members(["path": .string(path), "include_media_info": .bool(isWanted)])
        return try await server.call("files/get_metadata", argument).json["media_info"]
      }
      let dimensions: JSON = ["height": .integer(200), "width": .integer(300)]
      #expect(
        try await info("/a.jpg", true)
          == [".tag": "metadata", "metadata": [".tag": "photo", "dimensions": dimensions]])
      #expect(try await info("/a.jpg", false) == nil)
      #expect(try await info("/b.jpg", true) == nil)
      #expect(try await info("/c.md", true) == nil)
    }
  }

  @Test("A small picture comes with the size of the whole, unless that is not wanted")
  func thumbnailInfo() async throws {
    try await withServer { server in
      try await upload(server, "/a.jpg", 300, 200)
      let dimensions: JSON = ["height": .integer(200), "width": .integer(300)]
      for isExcluded in [false, true] {
        let entry: JSON = ["path": "/a.jpg", "exclude_media_info": .bool(isExcluded)]
        let reply = try await server.call("files/get_thumbnail_batch", ["entries": .array([entry])])
        let told = reply.json["entries"].elements.first?["metadata"]?["media_info"]
        #expect(told?["metadata"]?["dimensions"] == (isExcluded ? nil : dimensions))
      }
    }
  }

  @Test("A thumbnail with transparency is refused, as none is drawn; one without is made")
  func transparency() async throws {
    try await withServer { server in
      try await upload(server, "/a.jpg", 300, 200)
      func reply(_ isKept: Bool) async throws -> Reply {
        try await server.fetch(
          "files/get_thumbnail_v2",
          ["resource": [".tag": "path", "path": "/a.jpg"], "preserve_transparency": .bool(isKept)])
      }
      #expect(try await reply(false).status == 200)
      let refused = try await reply(true)
      #expect(refused.status == 400 && refused.text.contains("preserve_transparency"))
    }
  }

  @Test("The link of a picture leads to nothing below it")
  func linkedPicture() async throws {
    try await withServer { server in
      try await upload(server, "/a.jpg", 300, 200)
      let link = try await server.call("files/get_temporary_link", ["path": "/a.jpg"]).json["link"] ?? .null
      let good = try await server.fetch("files/get_thumbnail_v2", ["resource": [".tag": "link", "url": link]])
      #expect(good.status == 200)
      let below = try await server.fetch(
        "files/get_thumbnail_v2", ["resource": [".tag": "link", "url": link, "path": "/b.jpg"]])
      #expect(below.status == 400 && below.text.contains("path"))
    }
  }
}
