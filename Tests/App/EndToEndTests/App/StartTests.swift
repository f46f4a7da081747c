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

  @Test func `the first start makes a club with a welcome note and says so; the second only opens it`() throws {
    let home = try MemberHome(hasClub: false)
    let session = try home.start([])
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
