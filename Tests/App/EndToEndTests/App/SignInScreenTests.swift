import TestKit
import TextUI
import Testing

/// The app on a club behind a server, and a sign-in that ends while it runs.
@Suite struct SignInScreenTests {
  @Test func `a member who is removed reads one line with the key that mends it, and the list stays`() throws {
    let club = try ServedClub(notes: ["a.md": "first", "b.md": "second"])
    try club.configure()
    try club.signIn("Ada")
    let session = try club.home.start([])
    try session.see("b.md")

    try club.remove("Ada")
    session.press("r")
    let mends = "Not signed in. Press A to sign in."
    let screen = try session.see(mends)
    #expect(screen.contains("a.md") && screen.contains("b.md"))
    session.press("A")
    try session.see("Sign in to lab")
    session.press("Esc")
    try session.see("b.md")

    try club.signIn("Bob")
    try club.home.write("third", to: "served/club/c.md")
    session.press("r")
    #expect(try session.see("c.md").contains("a.md"))
    try session.seeGone(mends)
    try session.quit()
  }

  @Test func `before anybody has signed in the app begins with that, and Esc shows the club with the key for it`()
    throws
  {
    let club = try ServedClub(notes: ["a.md": "first"])
    try club.configure()
    let session = try club.home.start([])
    try session.see("Sign in to lab")
    session.press("Esc")
    try session.see("Press A to sign in.")
    try club.signIn("Ada")
    session.press("r")
    try session.see("a.md")
    try session.quit()
  }

  @Test func `a server beyond this machine without encryption is refused, or said on the screen`() throws {
    let club = try ServedClub(notes: ["a.md": "first"])
    // This machine, by a name that does not say so.
    let server = "http://" + club.address.replacing("127.0.0.1", with: "0.0.0.0")
    try club.signIn("Ada", server: server)
    try club.configure(server: server)
    let refused = try club.home.start([], size: Size(300, 24))
    #expect(try refused.waitExit(timeout: .patient) == .exited(2))
    #expect(refused.screen.contains("is not encrypted"))
    #expect(refused.screen.contains("network.allowPlainHTTP"))

    try club.configure(server: server, network: #"{"allowPlainHTTP":"anywhere"}"#)
    let session = try club.home.start([], size: Size(120, 24))
    let screen = try session.see("a.md")
    #expect(screen.row(0).contains("(not encrypted)"))
    #expect(screen.contains("is not encrypted: others on the network can read it."))
    try session.quit()
  }

  @Test func `a club that the server does not have is said as such, with the command that makes it`() throws {
    let club = try ServedClub(notes: [:])
    try club.configure()
    try club.signIn("Ada")
    let session = try club.home.start([])
    try session.see("does not exist")
    #expect(session.screen.contains("byteclub club init --club lab"))
    let made = try club.run("club", "init")
    #expect(made.status == 0, "\(made.said)")
    session.press("r")
    try session.see("No notes yet")
    try session.quit()
  }
}
