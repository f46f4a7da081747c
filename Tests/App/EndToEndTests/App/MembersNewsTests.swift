import Foundation
import TestKit
import TextUI
import Testing

/// A member's additions and changes are news for another member, once, through each kind of club. Each test starts the
/// program fifteen times and flushes the disk some 170 times: a busy disk alone can take three minutes.
@Suite(.serialized, .timeLimit(.minutes(10))) struct MembersNewsTests {
  enum Kind: String, CaseIterable {
    case served = "dropbox"
    case version1 = "dropbox-v1"
    case folder
  }

  /// A member at a machine of their own.
  private final class Member {
    let home: MemberHome
    private let variables: [String: String]

    init(config club: [String: String], token: String?) throws {
      home = try MemberHome(hasClub: false)
      let config = try JSONSerialization.data(withJSONObject: ["clubs": ["pier": club]])
      try home.write(Array(config), to: ".config/byteclub/config.json")
      variables = token.map { ["BYTECLUB_TOKEN": $0] } ?? [:]
    }

    func run(_ arguments: String..., input: String = "") throws -> String {
      var all = PtySession.basicEnvironment
      for (name, value) in home.environment(variables) { all[name] = value.isEmpty ? nil : value }
      let outcome = try Spawn(MemberHome.binary(), arguments, environment: all, input: Array(input.utf8)).finish()
      #expect(outcome.status == 0, "\(arguments): \(outcome.said)")
      return outcome.text
    }

    func put(_ name: String, _ text: String) throws { _ = try run("note", "put", name, "-", input: text) }

    private func list(_ noun: String) throws -> [[String: Any]] {
      let document = try JSONSerialization.jsonObject(with: Data(try run(noun, "ls", "--json").utf8))
      return (document as? [String: Any])?["results"] as? [[String: Any]] ?? []
    }

    /// The names of the files that are new for this member.
    func news(_ noun: String = "note") throws -> [String] {
      try list(noun).filter { $0["isNew"] as? Bool == true }.compactMap { $0["name"] as? String }
    }

    func author(of note: String) throws -> String? {
      try list("note").first { $0["name"] as? String == note }?["member"] as? String
    }

    /// Opens the app and waits for a text in its list.
    func open(showing text: String) throws -> PtySession {
      let session = try home.start([], variables)
      try session.wait("the list with \"\(text)\"", timeout: .patient) { $0.isFullScreen && $0.contains(text) }
      return session
    }
  }

  /// Ann and Ray, who share a club, and Ray's other machine where the club has accounts.
  private final class Club {
    let ann: Member
    let ray: Member
    let elsewhere: Member?
    private let server: ClubServer?
    private let host: MemberHome

    init(_ kind: Kind) throws {
      host = try MemberHome()
      guard kind != .folder else {
        server = nil
        let config = ["store": "folder", "path": host.club]
        (ann, ray, elsewhere) = (try Member(config: config, token: nil), try Member(config: config, token: nil), nil)
        return
      }
      let server = try ClubServer(host, folder: "served")
      self.server = server
      let config = ["store": kind.rawValue, "server": server.address, "folder": "/"]
      ann = try Member(config: config, token: server.admit("Ann"))
      let token = try server.admit("Ray")
      (ray, elsewhere) = (try Member(config: config, token: token), try Member(config: config, token: token))
    }
  }

  @Test(arguments: Kind.allCases)
  func `a change by another is marked once and seen once, with its author, and an own one never`(kind: Kind) throws {
    let club = try Club(kind)
    let (ann, ray) = (club.ann, club.ray)
    try ann.put("a.md", "one\n")
    try ann.put("b.md", "one\n")
    #expect(try ray.news() == [], "the first listing is no news")

    try ann.put("a.md", "one\ntwo\n")
    try ann.put("c.md", "new\n")
    try ray.put("b.md", "mine\n")
    try club.elsewhere?.put("d.md", "mine, too\n")
    for _ in 0..<2 { #expect(try ray.news() == ["a.md", "c.md"]) }
    // A folder names the owners of its files; these are all of the user who runs the test.
    let author = kind == .folder ? nil : "Ann"
    #expect(try ray.author(of: "a.md") == author)

    let session = try ray.open(showing: "2 new")
    if kind != .folder { #expect(try session.see("Author").contains(" Ray ")) }
    try session.choose("a.md")
    session.press("Enter")
    #expect(try session.see("two").row(1).contains(author ?? "a.md"))
    session.press("Esc")
    try session.see("1 new")
    try ann.put("b.md", "theirs\n")
    try session.see(author.map { "\($0) changed \"b.md\"." } ?? "\"b.md\" has changed.")
    try session.see("2 new")
    try session.quit()

    #expect(try ray.news() == ["b.md", "c.md"])
    #expect(try ray.run("note", "show", "c").contains("new"))
    #expect(try ray.news() == ["b.md"])

    let again = try ray.open(showing: "1 new")
    again.press("M")
    try again.seeGone("1 new")
    again.press("z")
    try again.see("1 new")
    again.press("M")
    try again.seeGone("1 new")
    try again.quit()
    #expect(try ray.news() == [])
    #expect(try ann.news().contains("a.md") == false)
  }

  @Test(arguments: [Kind.served, .folder])
  func `a photo of another is counted at the start, and marked until it was viewed`(kind: Kind) throws {
    let club = try Club(kind)
    try club.ann.put("a.md", "one\n")
    try club.ann.home.write(Pictures.jpeg, to: "one.jpg")
    #expect(try club.ray.news("photo") == [])
    _ = try club.ann.run("photo", "put", club.ann.home.path + "/one.jpg", "--progress", "none")
    #expect(try club.ray.news("photo") == ["one.jpg"])
    #expect(try club.ann.news("photo") == [])

    let session = try club.ray.open(showing: "PanoPhotos 1 · 1 new")
    session.press("2")
    try session.see("● one.jpg")
    session.press("Enter")
    try session.wait("the viewer", timeout: .patient) { $0.footer.contains("zoom") }
    session.press("q")
    try session.see("u upload")
    try session.seeGone("· 1 new")
    try session.quit()
    #expect(try club.ray.news("photo") == [])
  }
}
