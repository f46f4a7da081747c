import TestKit
import TextUI
import Testing

/// What the app asks of the server of its club, as the server's log has it.
@Suite struct RequestTests {
  private static let list = "/2/files/list_folder"

  /// How often each request was answered.
  private func counts(_ club: ServedClub) -> [String: Int] {
    club.requests.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  @Test func `a start lists notes and photos once, each reported change is asked for, and r asks for changes once`()
    throws
  {
    let club = try ServedClub(notes: ["a.md": "first", "b.md": "second"])
    try club.configure()
    try club.signIn("Ada")
    let session = try club.home.start([])
    try session.see("b.md")
    try club.waitForRequests("the first listings") { asked in
      asked.count { $0 == Self.list } == 2 && asked.count { $0 == "\(Self.list)/get_latest_cursor" } == 2
    }

    try club.home.write("third", to: "served/club/c.md")
    try session.see("c.md")
    var seen = counts(club)
    #expect(seen[Self.list] == 2 && seen["\(Self.list)/get_latest_cursor"] == 2, "\(seen)")

    let asked = seen["\(Self.list)/continue", default: 0]
    session.press("r")
    try club.waitForRequests("the request for changes") { $0.count { $0 == "\(Self.list)/continue" } > asked }
    // What the key began is over when another change has been seen.
    try club.home.write("fourth", to: "served/club/d.md")
    try session.see("d.md")
    seen = counts(club)
    #expect(seen[Self.list] == 2 && seen["\(Self.list)/get_latest_cursor"] == 2, "\(seen)")
    #expect(seen["/2/files/get_metadata"] == nil, "\(seen)")
    // Nothing is asked for while the request that waits has not said that something changed.
    #expect(seen["\(Self.list)/continue", default: 0] <= 1 + seen["\(Self.list)/longpoll", default: 0], "\(seen)")
    try session.quit()
  }
}
