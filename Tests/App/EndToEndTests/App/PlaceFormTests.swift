import Foundation
import TestKit
import TextUI
import Testing

/// A club of each kind that has a form, added by keys alone at the first start.
@Suite(.serialized, .enabled(if: CommandLineHome.binary != nil), .timeLimit(.minutes(10))) struct PlaceFormTests {
  private let home: MemberHome
  private let size = Size(100, 30)

  init() throws { home = try MemberHome(hasClub: false) }

  /// Starts for the first time, and opens a form.
  private func start(form title: String) throws -> PtySession {
    let session = try home.start([], size: size)
    try session.see("Where is your club?")
    try session.choose(title)
    session.press("Enter")
    try session.see("Byte Club · \(title)")
    return session
  }

  private func expectOneToken() throws {
    let tokens = tokens()
    #expect(try tokens.count == 1 && home.mode(tokens[0]) == 0o600, "\(tokens)")
  }

  private func tokens() -> [String] { home.files(below: ".").filter { $0.contains("/tokens/") } }

  @Test(.enabled(if: WebDAVProgram.Kind.apache.program != nil, "apache2 is not installed"))
  func `a folder at a WebDAV server is added by its form, and its password is asked for in the app`() async throws {
    let cloud = try await CloudFolder()
    let server = "http://127.0.0.1:\(cloud.port)"
    let url = "\(server)/\((cloud.folder as NSString).lastPathComponent)"
    let session = try start(form: "Nextcloud or WebDAV")
    session.send(url)
    try session.see(url)
    session.press("Tab")
    session.send(WebDAVProgram.user)
    session.press("Ctrl-S")
    try session.see("Sign in to \(server) as \(WebDAVProgram.user).")

    session.send("wrong\n")
    try session.see("! \(server) does not accept this password")
    #expect(tokens().isEmpty)
    session.send("\(WebDAVProgram.password)\n")
    try session.see("No notes yet.")
    try session.writeNote("Tides", "high at noon")
    #expect(cloud.content("Tides.md") == Array("high at noon".utf8))
    try session.quit()
    #expect(session.rawBytes.firstRange(of: Array(WebDAVProgram.password.utf8)) == nil)
    try expectOneToken()

    // Without the password, the app begins with asking for it.
    let out = try home.start(["logout"])
    #expect(try out.waitExit(timeout: .patient) == .exited(0))
    #expect(tokens().isEmpty)
    let again = try home.start([], size: size)
    try again.see("Password of \(WebDAVProgram.user)")
    again.send("\(WebDAVProgram.password)\n")
    try again.see("Tides.md")
    try again.quit()
  }

  @Test(.enabled(if: PythonPackages.python != nil, Comment(rawValue: PythonPackages.reason)))
  func `a bucket is added by its form, which keeps its errors, and its secret key is asked for in the app`() throws {
    let bucket = try Bucket()
    let server = "http://127.0.0.1:\(bucket.port)"
    let session = try start(form: "S3")
    session.send("\(server)\nnosuch")
    session.press("Tab", "Tab", "Tab")
    session.send("AKIATEST")
    session.press("Ctrl-S")
    try session.see("! 127.0.0.1:\(bucket.port) has no bucket \"nosuch\".")
    #expect(home.files(below: ".config").isEmpty)

    // The bucket's field has the cursor.
    session.press("Ctrl-U")
    session.send("club")
    session.press("Ctrl-S")
    try session.see("Sign in to \(server) as AKIATEST.")
    session.send("very-secret\n")
    try session.see("No notes yet.")
    try session.writeNote("Tides", "high at noon")
    #expect(try bucket.content("Tides.md") == Array("high at noon".utf8))
    try session.quit()
    #expect(session.rawBytes.firstRange(of: Array("very-secret".utf8)) == nil)
    try expectOneToken()
  }

  /// No step of it asks Dropbox.
  @Test func `the form of Dropbox leads to the page that lets byteclub in, and Esc puts that off`() throws {
    let session = try start(form: "Dropbox")
    session.send("a1b2c3")
    session.press("Ctrl-S")
    let page = "https://www.dropbox.com/oauth2/authorize?response_type=code&client_id=a1b2c3"
    #expect(try session.see(page).contains("Then paste the code that it shows."))
    session.press("Esc")
    #expect(try session.see("needs sign-in").contains("dropbox"))
    try session.quit()
    let files = home.files(below: ".config/byteclub/clubs.d")
    #expect(try files == ["dropbox.json"] && home.mode(".config/byteclub/clubs.d/dropbox.json") == 0o600)
  }
}
