import Basics
import Database
import FileStores
import HTTPTypes

/// A member in a browser: a device whose token is a cookie and ends after 30 days. `device ls` lists it, `device rm` ends
/// it, and it has no more rights than the code that began it.
struct BrowserSession: Sendable {
  /// Browsers take a cookie of this name only from its own host, for all paths, over TLS (RFC 6265bis, section 4.1.3).
  static let cookie = "__Host-byteclub"
  static let seconds: Int64 = 30 * 86_400
  private static let use = "browser form"

  let member: ServerMember
  let token: ServerToken

  var mayWrite: Bool { !member.isReader && token.scopes?.contains("files.content.write") != false }

  // MARK: The cookie

  static func cookie(_ word: String, seconds: Int64 = seconds) -> String {
    "\(cookie)=\(word); Path=/; Max-Age=\(seconds); HttpOnly; Secure; SameSite=Lax"
  }

  /// True for an address from which browsers keep the cookie: over TLS, or of their own machine.
  static func canBegin(at origin: String) -> Bool {
    let host = origin.drop { $0 != ":" }.dropFirst(3)
    return origin.hasPrefix("https:")
      || ["localhost", "127.0.0.1", "[::1]"].contains { host == $0 || host.hasPrefix($0 + ":") }
  }

  // MARK: Forms

  /// A value for one form of this session: without it, nobody else's form counts.
  func form(_ seal: Seal) -> String { seal.seal([token.id, FreshID.word(22)], for: BrowserSession.use) }

  /// The number of a form of this session, which is the same when the form is sent again; nil for another's value.
  func number(ofForm value: String?, _ seal: Seal) -> String? {
    guard let words = value.flatMap({ seal.open($0, for: BrowserSession.use) }), words.count == 2, words[0] == token.id
    else { return nil }
    return words[1]
  }

  /// Refuses a form from a page of another site. Every browser that keeps the cookie sends one of these fields.
  /// - Throws: 403.
  static func checkOrigin(_ call: Call) throws(APIFailure) {
    let fields = call.head.headerFields
    let isOwn = fields.value("Sec-Fetch-Site").map { $0 == "same-origin" } ?? (fields[.origin] == call.origin)
    guard isOwn else {
      throw .plain(
        status: 403,
        "The form did not come from a page of this club. Open the page again, and send the form from there.")
    }
  }
}

extension ServedClub {
  /// The caller by the cookie of a session that has not ended; nobody without one.
  func session(_ head: HTTPRequest) async throws(StoreError) -> Caller {
    let nobody = Caller(member: nil, token: nil)
    guard servesPages, let word = head.cookie(BrowserSession.cookie),
      let found = try await tokens.find(word, .session, on: index.pool)
    else { return nobody }
    do throws(APIFailure) {
      return try caller(found.token, of: found.member, scope: "files.content.read")
    } catch {
      // It has ended, or its code let in a program that reads no files.
      return nobody
    }
  }
}

extension Call {
  /// nil without a session.
  var session: BrowserSession? {
    guard let member = caller.member, let token = caller.token else { return nil }
    return BrowserSession(member: member, token: token)
  }
}
