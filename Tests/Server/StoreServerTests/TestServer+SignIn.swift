import Basics
import Database
import Testing

@testable import StoreServer

/// What a program and a browser do at a sign-in, whichever the version.
extension TestServer {
  /// A sign-in page: its sealed request and its cookie.
  typealias SignInPage = (request: String, cookie: String)

  /// Sends a form.
  func post(
    _ path: String, _ form: KeyValuePairs<String, String>, _ headers: [(String, String)] = []
  ) async throws -> Reply {
    let body = form.map { "\($0)=\(PercentEncoding.encoded($1))" }.joined(separator: "&")
    return try await client.request(
      "POST", path, headers + [("Content-Type", "application/x-www-form-urlencoded")], Array(body.utf8))
  }

  /// A code word of the first member.
  func codeWord() throws -> String { try CodeWords(members).issue(to: members.members()[0].name) }

  /// Opens a sign-in page, which must be shown, and to nobody's frame, cache or next address.
  func signInPage(_ target: String) async throws -> SignInPage {
    let page = try await client.request("GET", target)
    try #require(page.status == 200, "\(page.text)")
    #expect(page.headers["x-frame-options"] == "DENY")
    #expect(page.headers["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
    #expect(page.headers["cache-control"] == "no-store" && page.headers["referrer-policy"] == "no-referrer")
    let cookie = try #require(page.headers["set-cookie"])
    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
    #expect(cookie.contains("Path=" + target.prefix { $0 != "?" } + ";"))
    let part = try #require(page.text.split(separator: "name=\"request\" value=\"").last)
    return (String(part.prefix { $0 != "\"" }), String(cookie.prefix { $0 != ";" }))
  }

  /// A sign-in page is refused, and sends the browser nowhere.
  func expectNoSignInPage(_ target: String) async throws {
    let page = try await client.request("GET", target)
    #expect(page.status == 400 && page.headers["location"] == nil && !page.text.contains("<form"))
  }

  /// The page's form is taken from its own browser alone, whole, and with a right word.
  func expectOnlyOwnForm(at path: String, _ page: SignInPage, stranger: SignInPage, word: String) async throws {
    for (request, cookie) in [
      (page.request, ""), (page.request, "byteclub_sign_in=x"), (page.request, stranger.cookie),
      (page.request + "x", page.cookie), (page.request.replacing(".", with: "A."), page.cookie), ("", page.cookie),
    ] {
      let reply = try await post(path, ["request": request, "word": word], [("Cookie", cookie)])
      #expect(reply.status == 400)
    }
    let wrong = try await post(
      path, ["request": page.request, "word": "aaaaa-bbbbb-ccccc-ddddd"], [("Cookie", page.cookie)])
    #expect(wrong.status == 403)
  }

  /// What the page's form is answered when it is sent five times at once.
  func sentAtOnce(to path: String, _ page: SignInPage, word: String) async throws -> [Int] {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<5 {
        group.addTask {
          try await post(path, ["request": page.request, "word": word], [("Cookie", page.cookie)]).status
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }
}
