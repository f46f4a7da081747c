import Database
import FileStores
import Foundation
import JSON
import Testing

@testable import StoreServer

/// Programs that run in a browser, on pages from elsewhere.
@Suite(.serialized) struct OtherOriginTests {
  private static let origin = ("Origin", "https://page.example")

  @Test("A browser that asks first is told that scripts may call, but for pages")
  func preflight() async throws {
    try await withServer { server in
      for route in RouteTable.all.routes {
        let reply = try await server.client.request(
          "OPTIONS", route.path,
          [
            Self.origin, ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", "authorization,content-type,dropbox-api-arg"),
          ])
        if route.style == .page {
          #expect(reply.status >= 400 && reply.headers["access-control-allow-origin"] == nil, "\(route.path)")
          continue
        }
        #expect(reply.status == 200 && reply.body.isEmpty, "\(route.path): \(reply.status)")
        #expect(reply.headers["access-control-allow-origin"] == "*")
        let fields = reply.headers["access-control-allow-headers"]?.lowercased() ?? ""
        for field in ["authorization", "content-type", "dropbox-api-arg", "dropbox-api-path-root", "range"] {
          #expect(fields.contains(field))
        }
        #expect(reply.headers["access-control-allow-credentials"] == nil)
      }
      let unwanted = try await server.client.request(
        "OPTIONS", "/2/files/upload?reject_cors_preflight=true", [Self.origin])
      #expect(unwanted.status == 400)
    }
  }

  @Test("Scripts may read answers and errors, with the headers that they need; others are told nothing of that")
  func answers() async throws {
    try await withServer { server in
      try await server.upload("/a", "text")
      // Twice, as the second answer is at hand.
      for _ in 1...2 {
        let read = try await server.fetch("files/download", ["path": "/a"], [Self.origin])
        #expect(read.text == "text" && read.headers["access-control-allow-origin"] == "*")
        #expect(read.headers["access-control-expose-headers"]?.contains("Dropbox-API-Result") == true)
      }
      for (path, status) in [("/2/files/download", 401), ("/2/none", 400), ("/oauth2/token", 400), ("/1/none", 404)] {
        let reply = try await server.client.request("POST", path, [Self.origin])
        #expect(reply.status == status && reply.headers["access-control-allow-origin"] == "*", "\(path)")
      }
      #expect(try await server.fetch("files/download", ["path": "/a"]).headers["access-control-allow-origin"] == nil)
      let app = try AppKeys(server.members).make()
      let page = try await server.client.request(
        "GET", "/oauth2/authorize?response_type=code&client_id=" + app.key, [Self.origin])
      #expect(page.status == 200 && page.headers["access-control-allow-origin"] == nil)
      let simple = try await server.client.request(
        "POST", "/2/files/upload?arg=%7B%22path%22%3A%22%2Fb%22%7D&authorization=Bearer%20" + server.token,
        [Self.origin, ("Content-Type", "text/plain; charset=dropbox-cors-hack")], [1])
      #expect(simple.status == 200, "\(simple.text)")
    }
  }
}
