import Foundation
import TestKit
import TextUI
import Testing

/// Two members of a club behind `byteclub serve`, each with an app of their own.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PresenceTests {
  /// A member at a machine of their own.
  final class Member {
    let home: MemberHome
    private let variables: [String: String]

    init(_ name: String, _ server: ClubServer, presence: String = "on") throws {
      home = try MemberHome(hasClub: false)
      try home.write(
        #"{"clubs":{"pier":{"store":"dropbox","server":"\#(server.address)","folder":"/"}},"ui":{"presence":"\#(presence)"}}"#,
        to: ".config/byteclub/config.json")
      variables = ["BYTECLUB_TOKEN": try server.admit(name)]
    }

    func open(_ size: Size = Size(80, 24), _ more: [String: String] = [:]) throws -> PtySession {
      let session = try home.start([], size: size, variables.merging(more) { $1 })
      try session.wait("the list", timeout: .patient) { $0.isFullScreen && $0.contains("plans.md") }
      return session
    }
  }

  private func served(_ host: MemberHome) throws -> ClubServer {
    let server = try ClubServer(host, folder: "served")
    try host.write("one\ntwo\n", to: "served/plans.md")
    return server
  }

  /// - Returns: the screen with the answer.
  @discardableResult
  private func asksWho(_ session: PtySession) throws -> ScreenSnapshot {
    session.press(":")
    session.send("who")
    try session.see(":who")
    session.press("Enter")
    return try session.wait("the answer", timeout: .patient) { !$0.contains(":who") && $0.chosen != nil }
  }

  @Test func `two members see each other in the list and in a note, and that one goes`() throws {
    let host = try MemberHome(hasClub: false)
    let server = try served(host)
    let (ann, ray) = (try Member("Ann", server), try Member("Ray", server))
    let (left, right) = (try ann.open(), try ray.open())
    try right.see("Ann is here. Others see what you look at, too")
    left.press("Enter")
    try left.see("i edit")
    try right.wait("Ann's name beside the note", timeout: .patient) { screen in
      screen.text.split(separator: "\n").contains { $0.contains("plans.md") && $0.contains("Ann") }
    }
    right.press("Enter")
    try right.see("Ann reads")
    try left.see("Ray reads")
    left.press("i")
    try left.see("Ctrl-S save")
    left.press("Down")
    try right.see("Ann edits line 2")
    right.press("Esc")
    try right.see("Enter open")
    try asksWho(right)
    try right.see("Ann edits \"plans.md\".")
    left.press("Esc")
    try left.see("i edit")
    left.press("Esc")
    try left.see("Enter open")
    try left.quit()
    // Ten seconds later than she goes, because a line may only have broken. Meanwhile she may read or be in the club: the
    // last that she looked at may or may not have come before her end.
    let end = ContinuousClock.now + .patient
    while try !asksWho(right).contains("Nobody else is here now."), ContinuousClock.now < end {}
    #expect(right.screen.contains("Nobody else is here now."))
    try right.quit()
  }

  @Test func `who has turned it off sees nobody, and is not seen`() throws {
    let host = try MemberHome(hasClub: false)
    let server = try served(host)
    let (ann, ray) = (try Member("Ann", server, presence: "off"), try Member("Ray", server))
    let (left, right) = (try ann.open(), try ray.open())
    left.press("Enter")
    try left.see("i edit")
    try asksWho(right)
    try right.see("Nobody else is here now.")
    left.press("Esc")
    try left.see("Enter open")
    try asksWho(left)
    try left.see("ui.presence is off")
    try left.quit()
    try right.quit()
  }
}
