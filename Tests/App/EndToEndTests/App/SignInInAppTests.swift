import Foundation
import TestKit
import TextUI
import Testing

/// Members who come in, and back in, without leaving the app.
@Suite(.serialized, .enabled(if: CommandLineHome.binary != nil), .timeLimit(.minutes(10))) struct SignInInAppTests {
  private static let note = "Hello.md"
  private let host: CommandLineHome
  private let server: RunningServer

  init() throws {
    host = try CommandLineHome()
    try host.write("hello\n".utf8, to: "club/\(Self.note)")
    server = try RunningServer(in: host)
  }

  /// Allows byteclub as a browser does.
  /// - Parameter screen: shows the address of the page.
  /// - Returns: the page that follows.
  private func allow(_ screen: ScreenSnapshot, as member: String) throws -> String {
    let address = try #require(
      screen.text.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("http://127.0.0.1:\(server.port)/") })
    let cookies = host.path + "/cookies"
    let page = try server.curl(["-c", cookies, String(address)]).body
    let request = try #require(page.components(separatedBy: #"name="request" value=""#).last).prefix { $0 != "\"" }
    let word = try server.manage("member", "code", member).text.trimmingCharacters(in: .whitespacesAndNewlines)
    return try server.curl([
      "-b", cookies, "--data-urlencode", "request=\(request)", "--data-urlencode", "word=\(word)",
      String(address.prefix { $0 != "?" }),
    ]).body
  }

  @Test func `a member who has signed out pastes the code of the server's page, and the club is open`() throws {
    let line = try server.invitation("ann")
    let home = try MemberHome(hasClub: false)
    let first = try home.start(["join", line])
    try first.wait("the club's list", timeout: .patient) { $0.isFullScreen && $0.contains(Self.note) }
    try first.quit()
    let out = try home.start(["logout"])
    #expect(try out.waitExit(timeout: .patient) == .exited(0))

    let session = try home.start([], size: Size(300, 30))
    let screen = try session.see("Then paste the code that it shows.")
    session.send("nonsense\n")
    try session.see("refused the code")
    let page = try allow(screen, as: "ann")
    let code = try #require(page.components(separatedBy: #"<code id="code">"#).dropFirst().first, "\(page)")
    session.press("Ctrl-U")
    session.paste(String(code.prefix { $0 != "<" }))
    session.press("Enter")
    try session.see(Self.note)
    try session.see("Signed in to 127.0.0.1:\(server.port) as ann")
    try session.quit()
    #expect(try server.finish().status == 0)
  }

  @Test func `a member of an old club allows byteclub on the page, and presses Enter`() throws {
    _ = try server.admit("ann")
    let app = try server.manage("app", "add").text.split(separator: "\n")
    try #require(app.count == 2)
    let club = [
      "store": "dropbox-v1", "server": "http://127.0.0.1:\(server.port)", "folder": "/", "appKey": String(app[0]),
      "appSecret": String(app[1]),
    ]
    let home = try MemberHome(hasClub: false)
    let config = try JSONSerialization.data(withJSONObject: ["clubs": ["museum": club]])
    try home.write(Array(config), to: ".config/byteclub/config.json")

    let session = try home.start([], size: Size(300, 30))
    let screen = try session.see("Then press Enter here.")
    session.press("Enter")
    try session.see("! You did not allow byteclub")
    #expect(try allow(screen, as: "ann").contains("Signed in as ann"))
    session.press("Enter")
    try session.see(Self.note)
    try session.see("Signed in to 127.0.0.1:\(server.port) as ann")
    try session.quit()
    #expect(try server.finish().status == 0)
  }
}
