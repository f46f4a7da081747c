import Basics
import FileStores
import Foundation
import Testing

@testable import StoreServer

/// The hostile paths of `HostilePathTests`, on version 1: there most paths are in the address.
@Suite(.serialized) struct V1HostilePathTests {
  /// A way to give a route a path.
  struct Attempt: Sendable, CustomStringConvertible {
    let route: String
    let method: String
    /// Where the path goes: nil for the address.
    var parameter: String?
    var more: [(String, String)] = []
    var body: [UInt8]?
    var headers: [(String, String)] = []

    var description: String { "\(method) \(route) \(parameter ?? "")" }
  }

  /// Escapes that servers have decoded once too often, or not at all; only an address can hold them.
  private static let addresses = [
    "%2e%2e/x", "%2e%2e%2fx", ".%2e/x", "a/%2e%2e/%2e%2e/x", "%2e/x", "..%5Cx", "%5c..%5cx", "a%00", "%00",
    "a%2F..%2F..%2Fx", "..%c0%afx", "%c0%ae%c0%ae/x", "..%252fx", "%ff", "%ed%a0%80", "a%5c",
    "..%2f..%2f..%2fetc%2fpasswd", "%2e%2e%2f%2e%2e%2fetc/passwd", "%2Ebyteclub/x", "%", "%2", "%zz", "%u002e%u002e/x",
    "..%00/x", "..%0d/x", "..%e2%80%ae/x", "+../x", "..;/x", "?../x", "a/../../x", "./x", "..//..//x",
  ]

  /// Parts of a form whose file has a path for a name.
  private static func form(_ name: String) -> [UInt8] {
    let name = name.replacing("\"", with: "%22").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    return Array(
      "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n\r\nwritten\r\n--x--\r\n".utf8)
  }

  static let attempts: [Attempt] =
    ["metadata/", "files/", "revisions/", "thumbnails/", "media/", "shares/", "copy_ref/"].map {
      Attempt(route: $0, method: "GET")
    } + [
      Attempt(route: "search/", method: "GET", more: [("query", "canary")]),
      Attempt(route: "restore/", method: "POST", more: [("rev", "0123456789ab")]),
      Attempt(route: "files_put/", method: "PUT", body: Array("written".utf8)),
      Attempt(route: "commit_chunked_upload/", method: "POST", more: [("upload_id", "x")]),
      Attempt(
        route: "files/", method: "POST", body: form("new"),
        headers: [("Content-Type", "multipart/form-data; boundary=x")]
      ),
      Attempt(
        route: "files/", method: "POST", parameter: "filename",
        headers: [("Content-Type", "multipart/form-data; boundary=x")]),
      Attempt(route: "fileops/create_folder", method: "POST", parameter: "path"),
      Attempt(route: "fileops/delete", method: "POST", parameter: "path"),
      Attempt(route: "fileops/copy", method: "POST", parameter: "to_path", more: [("from_path", "/file")]),
      Attempt(route: "fileops/copy", method: "POST", parameter: "from_path", more: [("to_path", "/copied")]),
      Attempt(route: "fileops/copy", method: "POST", parameter: "from_copy_ref", more: [("to_path", "/copied")]),
      Attempt(route: "fileops/move", method: "POST", parameter: "to_path", more: [("from_path", "/file")]),
      Attempt(route: "fileops/move", method: "POST", parameter: "from_path", more: [("to_path", "/moved")]),
      Attempt(route: "delta", method: "POST", parameter: "path_prefix"),
      Attempt(route: "delta/latest_cursor", method: "POST", parameter: "path_prefix"),
    ]

  @Test("Every route of version 1 with a path in it is tried")
  func completeness() {
    let others: Set<String> = [
      "account/info", "disable_access_token", "oauth2/token_from_oauth1", "chunked_upload", "longpoll_delta",
      "oauth2/token", "oauth2/authorize", "oauth/request_token", "oauth/authorize", "oauth/access_token",
    ]
    let all = Set(RouteTable.all.routes.map(\.path).filter { $0.hasPrefix("/1/") }.map { String($0.dropFirst(3)) })
    #expect(all.subtracting(others) == Set(Self.attempts.map(\.route)))
    #expect(others.isSubset(of: all))
  }

  /// The addresses by which a path can be asked for.
  private static func written(_ path: String) -> [String] {
    let encoded = path.split(separator: "/", omittingEmptySubsequences: false).map {
      PercentEncoding.encoded(String($0))
    }
    .joined(separator: "/")
    let isPlain = path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    return (isPlain ? [path] : []) + [encoded, PercentEncoding.encoded(path)]
  }

  @Test("No path leads out of the folder, reads or writes beside it, or stops the server:", arguments: attempts.indices)
  func hostile(number: Int) async throws {
    let attempt = Self.attempts[number]
    try await withServer { server in
      let ground = try await HostileGround(server)
      let isInAddress = attempt.parameter == nil
      let paths =
        isInAddress ? HostilePathTests.paths.flatMap(Self.written) + Self.addresses : HostilePathTests.paths
      #expect(Set(paths).count >= 100)
      let replies = try await ground.tried(paths) { try await Self.send(attempt, $0, server) }
      try await ground.expectUnharmed(by: "\(attempt)", replies)
      #expect(try await server.v1("GET", "account/info").status == 200)
    }
  }

  private static func send(_ attempt: Attempt, _ path: String, _ server: TestServer) async throws -> Reply {
    guard let parameter = attempt.parameter else {
      let target = attempt.route + "auto" + (path.hasPrefix("/") ? path : "/" + path)
      return try await server.v1(attempt.method, target, attempt.more, body: attempt.body, headers: attempt.headers)
    }
    if parameter == "filename" {
      return try await server.v1("POST", attempt.route + "auto/", body: form(path), headers: attempt.headers)
    }
    return try await server.v1(
      attempt.method, attempt.route, attempt.more + [(parameter, path)], body: attempt.body, headers: attempt.headers)
  }
}
