import Foundation
import TestKit
import TextUI
import Testing

/// Two members change one note in their own apps; the second chooses part by part.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ResolverTests {
  private static let text = "one\n\nmiddle\n\nlast"

  /// Types at both ends of the open note.
  private func type(_ name: String, in session: PtySession) throws {
    try session.edit(typing: "\(name) ")
    session.press("Ctrl-End")
    session.send(" \(name)")
    try session.see("last \(name)")
  }

  /// Ann has saved, and Ray's save shows both texts.
  private func conflicted(_ home: MemberHome, size: Size) throws -> PtySession {
    let ray = try home.open(showing: "shared.md", size: size)
    try type("RAY", in: ray)
    // Ann is at a machine of her own, which shares the club's folder.
    let other = try MemberHome(hasClub: false)
    let ann = try other.start(["--folder", home.club])
    try ann.see("shared.md")
    try type("ANN", in: ann)
    ann.press("Ctrl-Q")
    try ann.see("Saved \"shared.md\".")
    ann.signal(15)
    #expect(try ann.waitExit(timeout: .patient) == .exited(0))
    #expect(home.text("club/shared.md") == "ANN one\n\nmiddle\n\nlast ANN")
    ray.press("Ctrl-Q")
    try ray.see("2 of 2 to choose")
    return ray
  }

  @Test(arguments: [Size(80, 24), Size(40, 12)])
  func `the second member chooses part by part, and the words of both are in the club`(size: Size) throws {
    let home = try MemberHome(notes: ["shared.md": Self.text])
    let ray = try conflicted(home, size: size)
    #expect(ray.screen.contains("> 1 of 2: choose") && ray.screen.contains("< RAY one"))
    #expect(ray.screen.contains("> ANN one"))
    ray.press("b")
    try ray.see("> 2 of 2: choose")
    #expect(ray.screen.contains("1 of 2 to choose"))
    // Theirs stays in view while the part is edited.
    ray.press("e")
    try ray.see("part 2 of 2")
    #expect(ray.screen.contains("> last ANN"))
    ray.press("Ctrl-End")
    ray.send(" and ANN")
    try ray.see("last RAY and ANN")
    ray.press("Ctrl-S")
    try ray.see("all chosen")
    #expect(home.text("club/shared.md") == "ANN one\n\nmiddle\n\nlast ANN", "nothing is written until Done")
    ray.press("Ctrl-S")
    try ray.see("Saved \"shared.md\".")
    #expect(home.text("club/shared.md") == "RAY one\nANN one\n\nmiddle\n\nlast RAY and ANN")
    ray.press("Esc")
    try ray.wait("the list", timeout: .patient) { $0.chosen != nil }
    try ray.quit()
    #expect(try home.run("draft", "ls").text == "")
  }

  @Test func `an edited part survives a kill, and the conflict comes back`() throws {
    let home = try MemberHome(notes: ["shared.md": Self.text])
    let ray = try conflicted(home, size: Size(80, 24))
    ray.press("e")
    try ray.see("part 1 of 2")
    ray.send("TYPED ")
    try ray.see("TYPED RAY one")
    // The draft is on the disk before the kill.
    try home.waitForText("TYPED")
    ray.signal(9)
    _ = try ray.waitExit(timeout: .patient)
    #expect(home.text("club/shared.md") == "ANN one\n\nmiddle\n\nlast ANN")
    let drafts = try home.run("draft", "ls").text
    #expect(drafts.contains("shared.md"))
    let again = try home.start()
    try again.wait("the conflict or the draft", timeout: .patient) {
      $0.contains("two versions") || $0.contains("Draft of \"shared.md\"")
    }
    again.signal(15)
    _ = try again.waitExit(timeout: .patient)
  }

  @Test func `leaving writes nothing and marks the note; all mine and Done write mine`() throws {
    let home = try MemberHome(notes: ["shared.md": Self.text])
    let ray = try conflicted(home, size: Size(80, 24))
    ray.press("m", "Esc")
    try ray.see("is kept. Open the note")
    ray.press("Esc")
    try ray.wait("the mark in the list", timeout: .patient) { screen in
      screen.chosen.map { screen.row($0).contains("conflict") } ?? false
    }
    #expect(home.text("club/shared.md") == "ANN one\n\nmiddle\n\nlast ANN")
    ray.press("Enter")
    // The choice is still made.
    try ray.see("1 of 2: mine")
    ray.press("M", "Ctrl-S")
    try ray.see("Saved \"shared.md\".")
    #expect(home.text("club/shared.md") == "RAY one\n\nmiddle\n\nlast RAY")
  }

  @Test func `a merge is shown by a key and undone by another`() throws {
    // Another member's words come into an open text of this length only with its save.
    let middle = String(repeating: "middle\n", count: 90_000)
    let home = try MemberHome(notes: ["shared.md": "one\n\n\(middle)\nlast\n"])
    let session = try home.open(showing: "shared.md")
    try session.edit(typing: "MINE ")
    try session.see("MINE one")
    try home.write("one\n\n\(middle)\nlast of THEIRS\n", to: "club/shared.md")
    try session.see("Yours stays, because")
    session.press("Ctrl-Q")
    try session.see("C shows it, z undoes it.")
    session.press("C")
    try session.see("shared.md: merged")
    #expect(session.screen.contains("+ last of THEIRS"))
    session.press("z")
    try session.see("Undid the merge")
    try session.see("two versions")
    #expect(home.text("club/shared.md") == "one\n\n\(middle)\nlast of THEIRS\n")
    session.press("Ctrl-S")
    try session.see("Saved \"shared.md\".")
    #expect(home.text("club/shared.md") == "MINE one\n\n\(middle)\nlast of THEIRS\n")
  }
}

extension MemberHome {
  /// Waits until the outbox has this word.
  fileprivate func waitForText(_ word: String) throws {
    let end = ContinuousClock.now + .patient
    while ContinuousClock.now < end {
      if try run("draft", "ls", "--json").text.contains(word) { return }
    }
    throw Missing(description: "the draft has no \(word)")
  }
}
