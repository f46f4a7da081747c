import TestKit
import TextUI
import Testing

/// Names and texts of other members cannot drive the terminal.
@Suite(.serialized) struct HostileTests {
  /// What might do harm if it were sent: colours, clipboard, title, DCS, raw C1 and C1 as UTF-8, line ends, backspace,
  /// bidi, zero width, invalid UTF-8, delete, tab.
  static let payloads: [[UInt8]] = [
    Array("\u{1B}[31mred\u{1B}[0m".utf8), Array("\u{1B}]52;c;aGFja2Vk\u{7}".utf8),
    Array("\u{1B}]0;hacked\u{7}".utf8), Array("\u{1B}P$q\"p\u{1B}\\".utf8), [0x9B] + Array("31mraw".utf8),
    Array("\u{9B}31mc1\u{9D}0;hacked\u{9C}".utf8), Array("new\nline".utf8), Array("cr\rover".utf8),
    Array("back\u{8}\u{8}\u{8}space".utf8), Array("bi\u{202E}di\u{2066}x\u{2069}".utf8),
    Array("zero\u{200B}wid\u{FEFF}th\u{200D}".utf8), Array("bad".utf8) + [0xC3, 0x28, 0xFF, 0xFE],
    Array("del\u{7F}ete".utf8), Array("t\ta\tb".utf8),
  ]
  private static let text = payloads.reduce([]) { $0 + $1 + [0x0A] }

  private func expectHarmless(_ session: PtySession, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(EscapeAudit.findings(in: session.rawBytes) == [], sourceLocation: sourceLocation)
    #expect(session.screen.bells == 0, sourceLocation: sourceLocation)
  }

  @Test("Every view shows hostile names and texts, and sends none of it", arguments: 0..<14)
  func views(_ index: Int) throws {
    let payload = Self.payloads[index]
    let home = try MemberHome(notes: ["zz last.md": "x"])
    try home.write(
      String(decoding: Self.text, as: UTF8.self), toBytes: Array("club/A".utf8) + payload + Array("Z.md".utf8))
    let session = try home.open(showing: "zz last.md", ["EDITOR": "/no/such/editor"])
    try session.wait("the list", timeout: .patient) { $0.chosen == 2 && $0.row(2).contains("A") }
    session.press("Enter")
    try session.see("i edit")
    try session.wait("the text", timeout: .patient) { $0.contains("red") && $0.contains("ete") }
    session.press("i")
    try session.see("unchanged  line 1")
    session.send("typed")
    try session.see("column 6")
    session.press("Esc")
    try session.see("Discard the text?")
    session.press("n")
    try session.seeGone("Discard the text?")
    // A change underneath: the view of both texts.
    try home.write("theirs \u{1B}]0;hacked\u{7}", toBytes: Array("club/A".utf8) + payload + Array("Z.md".utf8))
    session.press("Ctrl-Q")
    try session.wait("the save's end", timeout: .patient) { $0.contains("two versions") || $0.contains("Saved \"") }
    if session.screen.contains("two versions") {
      session.press("M", "Ctrl-S")
      try session.see("Saved \"")
    }
    session.press("q")
    try session.see("n new")
    session.press("?")
    try session.see("PgUp/PgDn")
    session.press("Esc")
    try session.see("n new")
    session.press("R")
    try session.see("New name:")
    session.press("Esc")
    try session.seeGone("New name:")
    session.press("e")
    try session.see("The editor was not found.")
    session.press("D")
    try session.see("to the trash?")
    session.press("y")
    try session.see("Moved \"")
    session.press("z")
    try session.see("is back.")
    session.press("/")
    try session.see("Find:")
    session.paste(String(decoding: payload, as: UTF8.self))
    session.press("Enter")
    try session.see("n new")
    session.press("/")
    try session.see("Find:")
    session.press("Esc")
    try session.wait("all notes", timeout: .patient) { $0.contains("zz last.md") && $0.contains("n new") }
    try session.quit()
    expectHarmless(session)
  }

  @Test func `all hostile names in one list, walked through on a narrow screen`() throws {
    let home = try MemberHome(notes: ["zz last.md": "x"])
    for (index, payload) in Self.payloads.enumerated() {
      try home.write("x", toBytes: Array("club/\(10 + index)".utf8) + payload)
    }
    let session = try home.open(showing: "10", size: Size(40, 12))
    for row in 0...Self.payloads.count {
      session.press("j")
      if row % 4 == 0 { session.press("Ctrl-L") }
    }
    try session.wait("the last", timeout: .patient) { screen in
      screen.chosen.map { screen.row($0).contains("zz last.md") } ?? false
    }
    session.press("s")
    try session.see("Sorted by")
    session.resize(Size(120, 40))
    try session.wait("all rows", timeout: .patient) { screen in
      (10..<24).allSatisfy { number in screen.contains("\(number)") } && screen.grid.size.width == 120
    }
    try session.quit()
    expectHarmless(session)
  }

  @Test func `hostile names of photos and drafts are shown, never sent`() throws {
    let home = try MemberHome(notes: ["note.md": "x"])
    for (index, payload) in Self.payloads.enumerated() {
      try home.write("no picture", toBytes: Array("club/photos/\(10 + index)".utf8) + payload + Array(".jpg".utf8))
    }
    let session = try home.open(showing: "note.md")
    session.press("2", "v")
    try session.wait("photos", timeout: .patient) { $0.chosen != nil && $0.contains(".jpg") }
    for _ in Self.payloads {
      session.press("Enter")
      try session.see("byteclub could not show the photo.")
      session.press("q")
      try session.see("u upload")
      session.press("D")
      try session.see("to the trash?")
      session.press("n")
      try session.seeGone("to the trash?")
      session.press("j")
    }
    try session.quit()
    expectHarmless(session)
  }

  @Test func `a hostile paste becomes text, and a draft of it is offered harmlessly`() throws {
    let home = try MemberHome(notes: ["note.md": "x"])
    let session = try home.open(showing: "note.md")
    session.press("n")
    try session.see("title")
    session.paste("evil\u{202E}\u{9B}31m name")
    session.press("Tab")
    session.paste("\u{9D}0;hacked\u{9C} pasted\u{200B}text")
    try session.see("pasted")
    session.signal(15)
    _ = try session.waitExit(timeout: .patient)
    expectHarmless(session)
    let again = try home.start()
    try again.see("Draft of")
    again.press("Enter")
    try again.see("Ctrl-Q Done")
    again.press("Ctrl-Q")
    try again.wait("an end", timeout: .patient) { $0.contains("Saved") || $0.contains("not saved") }
    expectHarmless(again)
  }

  @Test func `only y offers a name to the clipboard, without its controls`() throws {
    let home = try MemberHome()
    try home.write("x", toBytes: Array("club/A\u{1B}]0;b\u{7}.md".utf8))
    let session = try home.open(showing: ".md")
    expectHarmless(session)
    session.press("y")
    try session.see("Copied \"")
    try session.quit()
    #expect(EscapeAudit.findings(in: session.rawBytes, allowing: .clipboard) == [])
    let offered = String(decoding: session.rawBytes, as: UTF8.self).split(separator: "\u{1B}]52;c;")
    #expect(offered.count == 2)
  }
}
