import Foundation
import Imaging
import TestKit
import TextUI
import Testing

/// Three members of a club behind `byteclub serve` in one panorama, each with an app of their own.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LookTogetherTests {
  private static let size = Size(120, 40)

  private func served(_ host: MemberHome) throws -> ClubServer {
    let server = try ClubServer(host, folder: "served")
    try host.write("one\n", to: "served/plans.md")
    var facts = PanoramaFacts()
    facts.projection = "equirectangular"
    facts.fullSize = PixelSize(width: 16, height: 8)
    facts.crop = PixelRect(x: 0, y: 0, width: 16, height: 8)
    try host.write(Encoder.marked(Pictures.jpeg, as: facts), to: "served/photos/pier.jpg")
    return server
  }

  /// A member's app with the panorama before their eyes.
  private func looking(_ name: String, _ server: ClubServer) throws -> PtySession {
    let session = try PresenceTests.Member(name, server).open(Self.size, ["BYTECLUB_UI_REDUCED_MOTION": "true"])
    session.press("2")
    try session.see("pier.jpg")
    session.press("Enter")
    try session.wait("the panorama", timeout: .patient) { $0.view == View(yaw: 0, pitch: 0) }
    return session
  }

  private func turn(_ session: PtySession, _ keys: String..., to view: View) throws {
    for key in keys { session.press(key) }
    try session.wait("a view of \(view)", timeout: .patient) { $0.view == view }
  }

  @Test func `three see each other's gazes; one follows, one points, one goes, and nothing polls`() throws {
    let server = try served(try MemberHome(hasClub: false))
    let (ann, ray, zoe) = (
      try looking("Ann", server), try looking("Ray", server), try looking("Zoe", server)
    )
    try turn(ann, "Right", "Right", "Right", to: View(yaw: 34, pitch: 0))
    try turn(zoe, "Left", "Left", to: View(yaw: -23, pitch: 0))
    // A ring where it is in view, else a name at the end of the compass.
    try ann.see("\u{25CE} Ray")
    try ann.see("\u{25C2} Zoe")
    try zoe.see("\u{25CE} Ray")
    try zoe.see("Ann \u{25B8}")
    try ray.see("\u{25CE} Zoe")
    // Three keys are 33.75 degrees; the view is 90 degrees wide.
    let column = Double(Self.size.width) / 2 * (1 + tan(33.75 * .pi / 180))
    try ray.wait("Ann's ring in its cell", timeout: .patient) { screen in
      guard let ring = screen.place(of: "\u{25CE} Ann") else { return false }
      return abs(Double(ring.x) + 0.5 - column) <= 1 && abs(ring.y - 19) <= 1
    }

    // A follower has the same view as soon as the gaze is still. The follower shows no gaze, and no program polls.
    ray.press("F")
    try ray.see("You follow Ann.")
    try ray.wait("Ann's view", timeout: .patient) { $0.view == View(yaw: 34, pitch: 0) }
    try ann.seeGone("\u{25CE} Ray")
    try zoe.seeGone("\u{25CE} Ray")
    let before = server.requests.count
    try turn(ann, "Right", to: View(yaw: 45, pitch: 0))
    ann.press("Up")
    let up = try ann.wait("a look upward", timeout: .patient) { ($0.view?.pitch ?? 0) > 0 }
    let view = try #require(up.view)
    try ray.wait("Ann's next view", timeout: .patient) { $0.view == view }
    // The server writes its line behind its answer.
    try server.waitForRequests("what Ann shows") { $0.dropFirst(before).contains("/2/byteclub/show") }
    let asked = server.requests.dropFirst(before)
    #expect(!asked.contains { $0.contains("list_folder") || $0.hasPrefix("/2/byteclub/") && !$0.hasSuffix("show") })
    try turn(zoe, "Right", "Right", "Right", to: View(yaw: 11, pitch: 0))
    try zoe.see("\u{25CE} Ann")
    ann.press("P")
    // It is shown for two seconds, and beside a name that was there before.
    try ray.waitForBytes(": here")
    try zoe.waitForBytes(": here")
    try ray.seeGone("Ann: here")
    try zoe.seeGone("Ann: here")

    // A key lets go, and the view is the member's own again.
    try turn(ray, "Left", to: View(yaw: 34, pitch: view.pitch))
    try turn(ann, "Right", to: View(yaw: 56, pitch: view.pitch))
    try ray.see("\u{25CE} Ann")
    #expect(ray.screen.view == View(yaw: 34, pitch: view.pitch))

    // Another member's remark appears where it was made, and whoever quits is gone from the others' screens.
    ray.press("@")
    try ray.see("Remark at")
    ray.send("Look here\n")
    try zoe.see("Ray: Look here")
    ann.press("Esc")
    try ann.see("Enter open")
    try ann.quit()
    for session in [ray, zoe] {
      try session.wait("Ann's end", timeout: .patient) { !$0.row(1).contains("Ann") && !$0.contains("\u{25CE} Ann") }
    }
    for session in [ray, zoe] {
      session.signal(SIGTERM)
      _ = try session.waitExit(timeout: .patient)
    }
    // A watch is noted at its end: one for each of the programs.
    try server.waitForRequests("the ends of the watches") { $0.count { $0 == "/2/byteclub/watch" } >= 3 }
    #expect(server.requests.count { $0 == "/2/byteclub/watch" } == 3)
  }
}

/// The direction in the title of a panorama, in whole degrees.
private struct View: Equatable {
  let yaw: Int
  let pitch: Int
}

extension ScreenSnapshot {
  /// nil where no panorama is shown: `360°  34°  up 6°  90° wide`.
  fileprivate var view: View? {
    let degrees = row(1).split(separator: "\u{B0}").dropLast().compactMap { part in
      part.split(separator: " ").last.flatMap { Int($0) }
    }
    return degrees.count == 4 ? View(yaw: degrees[1], pitch: degrees[2]) : nil
  }
}
