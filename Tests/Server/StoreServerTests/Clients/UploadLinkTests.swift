import Database
import FileStores
import Foundation
import JSON
import TestKit
import Testing

@testable import StoreServer

/// Addresses to which a file can be sent without a token.
@Suite(.serialized) struct UploadLinkTests {
  private static let type = ("Content-Type", "application/octet-stream")

  /// The path of a new address.
  private func link(_ server: TestServer, _ commit: JSON, seconds: Double? = nil) async throws -> String {
    let reply = try await server.call(
      "files/get_temporary_upload_link",
      .members(["commit_info": commit, "duration": seconds.map(JSON.fraction)]))
    let link = try #require(reply.json["link"]?.string, "\(reply.text)")
    let origin = "http://127.0.0.1:\(server.client.port)"
    try #require(link.hasPrefix(origin + "/apitul/1/"))
    return String(link.dropFirst(origin.count))
  }

  @Test("An address takes one file, to its own place and as was asked for, without a token")
  func once() async throws {
    try await withServer { server in
      let path = try await link(server, ["path": "/f/a.md", "client_modified": "2015-05-12T15:50:38Z"])
      let reply = try await server.client.request("POST", path, [Self.type], Array("text".utf8))
      #expect(reply.json["content-hash"]?.string == ContentHash(of: Array("text".utf8)).hex, "\(reply.text)")
      let told = try await server.call("files/get_metadata", ["path": "/f/a.md"]).json
      #expect(told["client_modified"] == "2015-05-12T15:50:38Z")
      let again = try await server.client.request("POST", path, [Self.type], Array("other".utf8))
      #expect(again.status == 410)
      #expect(contents(server.root + "/f/a.md") == "text")
      #expect(try await server.client.request("POST", path + "x", [Self.type], [1]).status == 409)
    }
  }

  @Test("What stands in the way is looked at when the file comes; the address then is used up")
  func conflict() async throws {
    try await withServer { server in
      let path = try await link(server, ["path": "/a"])
      try await server.upload("/a", "others")
      let reply = try await server.client.request("POST", path, [Self.type], Array("mine".utf8))
      #expect(reply.status == 409 && reply.text.contains("conflict"))
      #expect(try await server.client.request("POST", path, [Self.type], Array("mine".utf8)).status == 410)
      let beside = try await link(server, ["path": "/a", "autorename": true])
      #expect(try await server.client.request("POST", beside, [Self.type], Array("mine".utf8)).status == 200)
      #expect(contents(server.root + "/a (1)") == "mine" && contents(server.root + "/a") == "others")
    }
  }

  @Test("A file that breaks off leaves the address good, and one of another type does, too")
  func brokenOff() async throws {
    try await withServer { server in
      let path = try await link(server, ["path": "/a"])
      #expect(try await server.client.request("POST", path, [("Content-Type", "image/png")], [1]).status == 400)
      #expect(try await server.client.request("GET", path).status == 405)
      let head =
        "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: 9\r\n\r\nabc"
      _ = try await server.client.exchange(Array(head.utf8), closing: true)
      #expect(contents(server.root + "/a") == nil)
      var status = 0
      for _ in 1...100 where status != 200 {
        status = try await server.client.request("POST", path, [Self.type], Array("whole".utf8)).status
      }
      #expect(contents(server.root + "/a") == "whole")
    }
  }

  @Test("An address ends with its time and with its member, and what it is for is checked when it is asked for")
  func ends() async throws {
    try await withServer { server in
      let path = try await link(server, ["path": "/a"])
      try MemberList(server.members).remove(server.members.members()[0].name)
      #expect(try await server.client.request("POST", path, [Self.type], [1]).status == 410)
    }
    try await withServer { server in
      for commit in [["path": "a"], ["path": "/a/../b"], ["path": "/a", "mode": "never"]] as [JSON] {
        let reply = try await server.call("files/get_temporary_upload_link", ["commit_info": commit])
        #expect(reply.status == 400, "\(reply.text)")
      }
      for seconds in [59, 14_401] as [Double] {
        let reply = try await server.call(
          "files/get_temporary_upload_link", ["commit_info": ["path": "/a"], "duration": .fraction(seconds)])
        #expect(reply.status == 400)
      }
      _ = try await link(server, ["path": "/a"], seconds: 60.5)
    }
    let links = UploadLinks()
    let word = try #require(links.issue(to: "m", "f", try Argument(nil), expires: 100, at: 0))
    func take(_ second: Int64) -> String {
      switch links.take(word, at: second) {
      case .unknown: "unknown"
      case .ended: "ended"
      case .good: "good"
      }
    }
    #expect(take(100) == "ended" && take(99) == "good" && take(99) == "ended")
    for _ in 0..<1000 { _ = links.issue(to: "m", "f", try Argument(nil), expires: 200, at: 0) }
    #expect(take(99) == "unknown")
  }
}
