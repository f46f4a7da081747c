import Basics
import Database
import FileStores
import HTTPTypes

/// The round trip of a sign-in page. The request is sealed into the form; a cookie ties the form to its browser.
struct SignInVisit {
  struct Fault: Error {
    let text: String
  }

  private static let cookie = "byteclub_sign_in"
  private static let lifeSeconds: Int64 = 15 * 60
  private static let largestForm = 16 * 1024

  let address: String

  func begin(_ words: [String], _ club: ServedClub) -> (sealed: String, cookie: String) {
    let visit = FreshID.word(22)
    let end = club.index.now() + SignInVisit.lifeSeconds
    let secure = club.isSecure ? "; Secure" : ""
    return (
      club.pageSeal.seal(words + [visit, String(end)], for: "sign-in " + address),
      "\(SignInVisit.cookie)=\(visit); Path=\(address); Max-Age=\(SignInVisit.lifeSeconds); HttpOnly; SameSite=Strict"
        + secure
    )
  }

  /// - Throws: `Fault` unless this server showed the form in this browser within 15 minutes.
  func read(_ call: Call) async throws -> (form: [String: String], sealed: String, words: [String]) {
    guard let bytes = try await call.body.all(atMost: SignInVisit.largestForm) else {
      throw Fault(text: "The form is too large.")
    }
    let form = FormText.read(String(decoding: bytes, as: UTF8.self))
    guard let sealed = form["request"], let words = call.club.pageSeal.open(sealed, for: "sign-in " + address),
      words.count >= 2, let end = Int64(words[words.count - 1]), end > call.club.index.now(),
      ConstantTime.areEqual(
        Array(words[words.count - 2].utf8), Array((call.head.cookie(SignInVisit.cookie) ?? "").utf8))
    else { throw Fault(text: "This page is too old or from another browser. Begin to sign in again.") }
    return (form, sealed, words.dropLast(2))
  }

  /// Uses up the form's code word and returns its member; nil if the word is wrong.
  /// - Throws: 429 after too many wrong words.
  static func member(_ form: [String: String], _ call: Call) async throws -> ServerMember? {
    try call.checkFailures()
    let (words, word, now) = (CodeWords(call.club.members), form["word"] ?? "", call.club.index.now())
    let pool = call.club.index.pool
    return try await call.club.shared.guesses.with(call.peer) {
      try call.checkFailures()
      let member = try await pool.run { () throws(StoreError) in try words.redeem(word, at: now) }
      if member == nil { try call.noteFailure() }
      return member
    }
  }
}
