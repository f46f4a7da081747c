import Foundation
import POSIX
import TestKit
import TextUI
import Testing

/// Quitting while a transfer runs, and coming back.
@Suite(.serialized, .timeLimit(.minutes(10))) struct BackgroundTests {
  /// At the limit of `home` it is under way for longer than a busy machine stops one of the programs.
  private static let picture = Pictures.jpeg + [UInt8](repeating: 0x5A, count: 16 << 20)

  /// A home with a picture, in which transfers are slow.
  private func home() throws -> MemberHome {
    let home = try MemberHome(notes: ["note.md": ""])
    try home.write(Self.picture, to: "mine/big.jpg")
    try home.write(#"{"transfers":{"chunkMebibytes":1}}"#, to: ".config/byteclub/config.json")
    #expect(try verb(home, "transfer", "limit", "300K").status == 0)
    return home
  }

  /// A verb without a club.
  private func verb(_ home: MemberHome, _ arguments: String...) throws -> Spawn.Outcome {
    var variables = PtySession.basicEnvironment
    for (name, value) in home.environment() { variables[name] = value.isEmpty ? nil : value }
    return try Spawn(MemberHome.binary(), arguments, environment: variables, input: []).finish()
  }

  /// The app with an upload under way.
  private func uploading(_ home: MemberHome) throws -> PtySession {
    let session = try home.open(showing: "note.md")
    session.press("2")
    try session.see("PanoPhotos")
    session.press("u")
    try session.see("Upload")
    session.send(home.path + "/mine/big.jpg")
    session.press("Enter")
    try session.see("big.jpg")
    try session.wait("the upload to run", timeout: .patient) { _ in
      (try? verb(home, "transfer", "ls").text.contains("running")) == true
    }
    return session
  }

  @Test func `transfers go on in the background, and a new byteclub sees them`() throws {
    let home = try home()
    let session = try uploading(home)
    session.press("q")
    try session.see("background")
    session.press("b")
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
    session.expectGivenBack()
    #expect(try verb(home, "transfer", "ls").text.contains("big.jpg"))
    let again = try home.open(showing: "note.md")
    try again.see("big.jpg")
    #expect(try verb(home, "transfer", "limit", "off").status == 0)
    #expect(try verb(home, "transfer", "wait").status == 0)
    #expect(home.bytes("club/photos/big.jpg") == Self.picture)
    try again.quit()
  }

  @Test func `transfers that are paused at quitting stay as they are`() throws {
    let home = try home()
    let session = try uploading(home)
    session.press("q")
    try session.see("background")
    session.press("p")
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
    session.expectGivenBack()
    let list = try verb(home, "transfer", "ls").text
    #expect(list.contains("paused") && list.contains("big.jpg"))
    #expect(home.bytes("club/photos/big.jpg") == nil)
  }

  @Test func `a byteclub that is killed leaves what the next one carries on`() throws {
    let home = try home()
    let session = try uploading(home)
    session.signal(SIGKILL)
    #expect(try session.waitExit(timeout: .patient) == .signalled(SIGKILL))
    #expect(try verb(home, "transfer", "ls").text.contains("queued"))
    #expect(try verb(home, "transfer", "limit", "off").status == 0)
    let again = try home.open(showing: "note.md")
    try again.wait("the upload to be done", timeout: .patient) { _ in
      home.bytes("club/photos/big.jpg") == Self.picture
    }
    try again.quit()
  }

  @Test func `what ended in the background is reported at the next start, once`() throws {
    let home = try home()
    let session = try uploading(home)
    session.press("q")
    try session.see("background")
    session.press("b")
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
    #expect(try verb(home, "transfer", "limit", "off").status == 0)
    // The process in the background, and nobody else, carries it out and sees its end.
    let end = ContinuousClock.now + .patient
    while try !verb(home, "transfer", "ls").text.contains("done"), ContinuousClock.now < end {}
    let again = try home.open(showing: "note.md")
    try again.see("While you were away: 1 upload done. t shows it.")
    try again.quit()
    let third = try home.open(showing: "note.md")
    third.press("t")
    let screen = try third.wait("the list", timeout: .patient) { $0.contains("1 done") }
    #expect(!screen.contains("While you were away"))
    third.press("t")
    try third.quit()
  }
}
