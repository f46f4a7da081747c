import Basics
import Database
import FileStores
import Foundation
import JSON
import Testing

@testable import StoreServer

/// Paths as other people's clients write them.
@Suite(.serialized) struct ForeignPathTests {
  @Test("What is read may have more slashes than one at the front; what is written may not")
  func slashes() async throws {
    try await withServer { server in
      try await server.upload("/photos/a.csv", "one,two")
      for path in ["//photos", "///photos"] {
        #expect(try await server.paths(path) == ["/photos", "/photos/a.csv"])
        let found = try await server.call("files/search_v2", ["query": "a", "options": ["path": .string(path)]])
        #expect(found.json["matches"].elements.count == 1)
        #expect(try await server.call("files/get_metadata", ["path": .string(path)]).json["name"] == "photos")
        #expect(try await server.fetch("files/download_zip", ["path": .string(path)]).status == 200)
        let cursor = try await server.call("files/list_folder/get_latest_cursor", ["path": .string(path)])
        #expect(cursor.json["cursor"] != nil)
      }
      let file: JSON = ["path": "//photos/a.csv"]
      for route in ["files/download", "files/get_preview"] {
        #expect(try await server.fetch(route, file).status == 200, "\(route)")
      }
      for route in ["files/get_metadata", "files/list_revisions", "files/get_temporary_link"] {
        #expect(try await server.call(route, file).status == 200, "\(route)")
      }
      let written = try await server.send("files/upload", ["path": "//b"], [1])
      #expect(written.json.at("error", "reason", ".tag") == "malformed_path")
      #expect(
        try await server.call("files/delete_v2", file).json.at("error", "path_lookup", ".tag") == "malformed_path")
      #expect(try await server.call("files/list_folder", ["path": "//"]).status == 400)
      #expect(try await server.call("files/list_folder", ["path": "/photos//a.csv"]).status == 409)
    }
  }

  @Test("A name has up to 255 characters, and the store says how many bytes it takes")
  func longNames() async throws {
    try await withServer { server in
      let most = String(repeating: "a", count: 255)
      #expect(try await server.upload("/" + most, "text")["name"]?.string == most)
      func refusal(_ name: String) async throws -> JSON {
        let reply = try await server.send("files/upload", ["path": .string("/" + name)], [1])
        #expect(reply.json["error_summary"]?.string?.hasPrefix("path/malformed_path/") == true, "\(reply.text)")
        return reply.json.at("error", "reason", "malformed_path")
      }
      #expect(try await refusal(most + "a").string?.contains("256 characters; 255 is the most") == true)
      // As long as Dropbox takes it, and too long for the disk under this server.
      let wide = String(repeating: "é", count: 200)
      #expect(try await refusal(wide).string?.contains("400 bytes") == true)
      let made = try await server.call("files/create_folder_v2", ["path": .string("/" + wide)])
      #expect(made.json.at("error", "path", "malformed_path").string?.contains("400 bytes") == true)
      let moved = try await server.call(
        "files/move_v2", ["from_path": .string("/" + most), "to_path": .string("/" + wide)])
      #expect(moved.json.at("error", "to", "malformed_path").string?.contains("400 bytes") == true)
      let read = try await server.call("files/get_metadata", ["path": .string("/" + wide)])
      #expect(read.json.at("error", "path", ".tag") == "not_found")
      let older = try await server.v1("PUT", "files_put/auto/" + PercentEncoding.encoded(wide), body: [1])
      #expect(older.status == 400 && older.text.contains("400 bytes"))
    }
  }

  @Test("A version that never was is not found, and is no folder")
  func unknownVersions() async throws {
    try await withServer { server in
      try await server.upload("/f/a", "text")
      for rev in ["rev:000000000", "rev:123456789abcdef", "rev:ffffffffffffffffffffffff00000001"] {
        let told = try await server.call("files/get_metadata", ["path": .string(rev)])
        #expect(told.json["error_summary"] == "path/not_found/.", "\(rev): \(told.text)")
        let read = try await server.fetch("files/download", ["path": .string(rev)])
        #expect(read.json["error_summary"] == "path/not_found/.", "\(rev): \(read.text)")
      }
    }
  }
}
