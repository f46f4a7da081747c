import Basics
import Database
import FileStores
import Imaging
import TestKit
import Testing

@testable import StoreServer

/// A browser: it keeps the cookie of a session, and says where its forms come from.
struct TestBrowser: Sendable {
  let server: TestServer
  /// nil before a code was taken.
  var cookie: String?

  var fields: [(String, String)] { cookie.map { [("Cookie", "other=1; \(BrowserSession.cookie)=\($0)")] } ?? [] }
  static let ownSite = [("Sec-Fetch-Site", "same-origin")]

  func open(_ path: String, _ more: [(String, String)] = []) async throws -> Reply {
    try await server.client.request("GET", path, fields + more)
  }

  /// The value of the last form of a page.
  func form(of path: String) async throws -> String {
    let text = try await open(path).text
    let name = try #require(
      text.components("name=\"form\" value=\"").dropFirst().first ?? text.components("?form=").last)
    return String(name.prefix { $0 != "\"" })
  }

  func post(
    _ path: String, _ form: KeyValuePairs<String, String>, from site: [(String, String)] = ownSite
  ) async throws -> Reply {
    try await server.post(path, form, fields + site)
  }

  /// Sends pictures.
  func bring(_ parts: [FormPart], form: String? = nil, from site: [(String, String)] = ownSite) async throws -> Reply {
    var value = form
    if value == nil { value = try await self.form(of: "/club/bring") }
    return try await server.client.request(
      "POST", "/club/bring?form=" + (value ?? ""), fields + site + [TestServer.formType], TestServer.form(parts))
  }
}

extension String {
  fileprivate func components(_ mark: String) -> [Substring] {
    split(separator: mark, omittingEmptySubsequences: false)
  }
}

extension TestServer {
  static func allowPages(_ options: inout ServerOptions) { options.servesPages = true }

  /// The cookie of a session that an answer begins.
  static func cookie(_ reply: Reply) -> String? {
    reply.headers["set-cookie"].flatMap { field in
      field.split(separator: ";").first.map { String($0.dropFirst(BrowserSession.cookie.count + 1)) }
    }
  }

  /// Joins in a browser, by an invitation or, for a member who is there, as another device.
  func browser(_ name: String, isReader: Bool = false) async throws -> TestBrowser {
    let code = try JoinCodes(members).invite(name, seconds: 60, isReader: isReader).code
    let reply = try await post("/join", ["code": code], TestBrowser.ownSite)
    try #require(reply.status == 303 && reply.headers["location"] == "/club/", "\(reply.text)")
    return TestBrowser(server: self, cookie: TestServer.cookie(reply))
  }

  /// A small club: a note with a remark, a photo with a caption, a panorama.
  func fill() async throws {
    try await upload("/Walk.md", "# The walk\n\nTo the pier and back.\n")
    try await upload(
      "/Walk.md.talk.md", "# Remarks on Walk.md\n\n- **eve** 2026-11-26 18:04Z k3f9q2xa: Was it cold?\n")
    let photo = try Encoder.jpeg(Pixels(width: 60, height: 40, colour: 0x33_66_99), quality: 80)
    try await upload("/photos/pier.jpg", bytes: photo)
    try await upload("/photos/pier.jpg.md", "The pier in **May**.\n")
    try await upload(
      "/photos/pano.jpg", bytes: try Encoder.jpeg(Pixels(width: 300, height: 100, colour: 0x99_66_33), quality: 80))
  }
}
