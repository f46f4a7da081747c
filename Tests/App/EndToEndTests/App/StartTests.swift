import Foundation
import POSIX
import TestKit
import TextUI
import Testing

/// The first screen.
@Suite(.serialized) struct StartTests {
  @Test("The list is painted, sorted by name", arguments: [Size(80, 24), Size(120, 40), Size(40, 12)])
  func list(_ size: Size) throws {
    let home = try MemberHome(notes: ["pear.md": "p", "Apple.md": "a", "zebra.txt": "z", "melon": "m", ".hidden": "h"])
    let session = try home.open(showing: "zebra.txt", size: size)
    let screen = try session.wait("a chosen row", timeout: .patient) { $0.chosen != nil && $0.footer.contains("open") }
    let first = try #require(screen.chosen)
    #expect(first == (size.height > 12 ? 2 : 1))
    #expect(screen.row(0).hasPrefix(" Byte Club"))
    let names = (first..<first + 4).map { screen.row($0).dropFirst(3).prefix { $0 != " " } }
    #expect(names.sorted { $0.lowercased() < $1.lowercased() } == names)
    #expect(Set(names) == ["pear.md", "Apple.md", "zebra.txt", "melon"])
    #expect(!screen.contains("hidden") && !screen.contains("photos "))
    #expect(!session.modes.isCanonical && !session.modes.echoes)
    try session.quit()
    #expect(EscapeAudit.findings(in: session.rawBytes) == [])
  }

  @Test func `the first start asks; Enter makes a club with a welcome note and says so; the second only opens it`()
    throws
  {
    let home = try MemberHome(hasClub: false)
    let session = try home.start([])
    try session.see("Where is your club?")
    #expect(home.files(below: "ByteClub").isEmpty)
    session.press("Enter")
    try session.see("Made your club's folder, ~/ByteClub")
    try session.see("Welcome.md")
    #expect(home.text("ByteClub/Welcome.md")?.contains("Welcome to Byte Club") == true)
    #expect(home.files(below: "ByteClub") == ["Welcome.md"])
    session.press("Enter")
    try session.see("Welcome to Byte Club")
    session.press("q")
    try session.see("n new")
    try session.quit()
    let again = try home.start([])
    try again.see("Welcome.md")
    #expect(!again.screen.contains("Made your club's folder"))
    try again.quit()
  }

  @Test func `whoever quits the first screen has made nothing`() throws {
    let home = try MemberHome(hasClub: false)
    let session = try home.start([])
    try session.see("Where is your club?")
    try session.quit()
    #expect(home.files(below: ".").isEmpty)
  }

  @Test func `the first screen leads into the demo, which leaves nothing`() throws {
    let home = try MemberHome(hasClub: false)
    try FileManager.default.createDirectory(atPath: home.path + "/tmp", withIntermediateDirectories: true)
    let session = try home.start([], size: Size(120, 30), ["TMPDIR": home.path + "/tmp"])
    try session.see("Where is your club?")
    session.press("G", "Enter")
    try session.see("Guestbook.md")
    session.press("q")
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
    session.expectGivenBack()
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path + "/tmp") == [])
    #expect(home.files(below: "ByteClub").isEmpty)
  }

  @Test func `a folder, a club by its name and a command ask nothing at the first start`() throws {
    let home = try MemberHome(hasClub: false)
    let session = try home.start(["--club", "home"])
    try session.see("Welcome.md")
    try session.quit()
  }

  /// A home with the clubs `one` and `two`, and no default.
  private func twoClubs() throws -> MemberHome {
    let home = try MemberHome(hasClub: false)
    for club in ["one", "two"] { try home.write("text", to: "\(club)/note of \(club).md") }
    try home.write(
      #"{"clubs":{"one":{"path":"~/one"},"two":{"path":"~/two"}}}"#, to: ".config/byteclub/config.json")
    return home
  }

  @Test func `of several clubs without a default the app lists them, and Enter opens the chosen one`() throws {
    let session = try twoClubs().start([])
    try session.see("~/two")
    session.press("j", "Enter")
    try session.see("note of two.md")
    session.press("L")
    try session.see("~/one")
    session.press("Esc")
    try session.see("note of two.md")
    try session.quit()
    #expect(EscapeAudit.findings(in: session.rawBytes, allowing: [.window]) == [])
  }

  @Test func `a hundred changes between two clubs leave no descriptor and no thread behind`() throws {
    let session = try twoClubs().start(["--club", "one"])
    func count(_ what: String) throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/\(session.process)/\(what)").count
    }
    var early = (files: 0, threads: 0)
    try session.see("note of one.md")
    for change in 1...100 {
      let next = change.isMultiple(of: 2) ? "one" : "two"
      session.send(":club \(next)\n")
      try session.see("note of \(next).md")
      if change == 10 { early = (try count("fd"), try count("task")) }
    }
    // Those of the last changes may be ending.
    func areMany() throws -> Bool { try count("fd") > early.files + 4 || count("task") > early.threads + 8 }
    let end = ContinuousClock.now + .patient
    // at any pace: a pause between two looks.
    while try areMany(), ContinuousClock.now < end { usleep(20_000) }
    #expect(try !areMany())
    try session.quit()
  }

  @Test func `a club whose directory is missing is exit 4 with a way out, and the terminal is not touched`() throws {
    let home = try MemberHome()
    let session = try home.start(["--folder", home.path + "/nowhere"], size: Size(300, 10))
    #expect(try session.waitExit(timeout: .patient) == .exited(4))
    #expect(session.screen.contains("byteclub club init --folder"))
    #expect(!session.rawBytes.contains(0x1B))
    #expect(session.modes == .cooked)
  }

  @Test func `500 keys in one write land on row 501`() throws {
    var notes: [String: String] = [:]
    for number in 1...600 { notes["note-\(String(1000 + number).dropFirst()).md"] = "" }
    let home = try MemberHome(notes: notes)
    let session = try home.open(showing: "note-001.md")
    try session.wait("a chosen row", timeout: .patient) { $0.chosen == 2 }
    session.send(String(repeating: "j", count: 500))
    try session.wait("row 501", timeout: .patient) { screen in
      screen.chosen.map { screen.row($0).contains("note-501.md") } ?? false
    }
    session.send(String(repeating: "k", count: 500) + "G")
    try session.wait("the last row", timeout: .patient) { screen in
      screen.chosen.map { screen.row($0).contains("note-600.md") } ?? false
    }
    try session.quit()
  }

  @Test func `what is typed into find narrows the list, and Esc shows all again`() throws {
    let home = try MemberHome(notes: ["alpha.md": "", "beta.md": "", "gamma beta.md": ""])
    let session = try home.open(showing: "gamma beta.md")
    session.send("/bet")
    try session.wait("the narrowed list", timeout: .patient) {
      !$0.contains("alpha.md") && $0.contains("gamma beta.md")
    }
    session.press("Esc")
    try session.see("alpha.md")
    try session.quit()
  }
}
