import FileStores
import Foundation
import HTTPTypes
import JSON
import NIOEmbedded
import NIOHTTPTypes
import TestKit
import Testing

@testable import StoreServer

/// Some clients take the `Date` of a listing for its moment, and leave out what is newer.
@Suite(.serialized) struct AnswerDateTests {
  private final class Clock {
    var seconds: Int64 = 1_795_766_400
  }

  @Test func `the date of an answer is that of its going out`() throws {
    let clock = Clock()
    let channel = EmbeddedChannel(handlers: [AnswerDate { clock.seconds }])
    for (second, date) in [
      (0, "Fri, 27 Nov 2026 08:00:00 GMT"), (1, "Fri, 27 Nov 2026 08:00:01 GMT"), (1, "Fri, 27 Nov 2026 08:00:01 GMT"),
    ] {
      clock.seconds = 1_795_766_400 + Int64(second)
      let old: HTTPFields = [.date: "Fri, 27 Nov 2026 07:59:59 GMT"]
      try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok, headerFields: old)))
      let sent = try channel.readOutbound(as: HTTPResponsePart.self)
      #expect(sent == .head(HTTPResponse(status: .ok, headerFields: [.date: date])))
    }
  }

  @Test func `a file whose time is in the future came now`() async throws {
    try await withServer { server in
      let path = server.root + " beside.md"
      try StoreServerTests.write("x", to: path)
      let late = Date(timeIntervalSinceNow: 86_400)
      try FileManager.default.setAttributes([.modificationDate: late], ofItemAtPath: path)
      try FileManager.default.moveItem(atPath: path, toPath: server.root + "/later.md")
      let reply = try await server.call("files/get_metadata", ["path": "/later.md"])
      let date = WireTime.text(Timestamp.now().seconds)
      #expect((reply.json["server_modified"]?.string ?? "?") <= date, "\(reply.text)")
      #expect((reply.json["client_modified"]?.string ?? "") > date)
    }
  }

  @Test func `a listing is not older than a file in it`() async throws {
    try await withServer { server in
      let begin = Timestamp.now().seconds
      var before = begin
      // Until an answer of the next second.
      while before <= begin {
        before = Timestamp.now().seconds
        let date = try await server.call("files/list_folder", ["path": ""]).headers["date"]
        let possible = (before...Timestamp.now().seconds).map { V1Time.text($0, zone: "GMT") }
        #expect(possible.contains(date ?? ""))
      }
    }
  }
}
