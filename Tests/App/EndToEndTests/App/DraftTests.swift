import Foundation
import POSIX
import TestKit
import TextUI
import Testing

/// Typed text survives the program's sudden end.
@Suite struct DraftTests {
  @Test(
    "Text typed before a kill -9 is offered at the next start",
    .timing("what a member typed a second before the kill must be kept"),
    arguments: TestTier.process.seeds(1..<9, first: 3))
  func kill(seed: UInt64) throws {
    var random = seed &* 0x9E37_79B9_7F4A_7C15
    func next(below limit: UInt64) -> UInt64 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (random >> 33) % limit
    }
    let home = try MemberHome(notes: ["challenge.md": "the old text"])
    let session = try home.open(showing: "challenge.md")
    try session.edit()
    // Typed for a random time beyond the promised second, each part seen on the screen before the next.
    let clock = ContinuousClock()
    let end = clock.now + .milliseconds(1000 + next(below: 500))
    var typed = ""
    var seen: [(moment: ContinuousClock.Instant, count: Int)] = []
    while clock.now < end {
      let part = String((0...next(below: 12)).map { _ in Character(Unicode.Scalar(97 + UInt8(next(below: 26)))) })
      typed += part
      session.send(part)
      try session.see("line 1  column \(typed.utf8.count + 1)")
      seen.append((clock.now, typed.utf8.count))
    }
    // A last burst which the kill cuts somewhere.
    typed += "last words"
    session.send("last words")
    let killed = clock.now
    session.signal(SIGKILL)
    #expect(try session.waitExit(timeout: .patient) == .signalled(SIGKILL))
    #expect(home.text("club/challenge.md") == "the old text", "the note itself is untouched")

    let draft = try home.run("draft", "cat", "challenge.md").text
    #expect(draft.hasSuffix("the old text"))
    let kept = String(draft.dropLast("the old text".count))
    #expect(typed.hasPrefix(kept), "the draft is what was typed, in its order")
    let due = seen.last { $0.moment <= killed - .seconds(1) }?.count ?? 0
    #expect(kept.utf8.count >= due, "all that was typed a second before is kept")
    #expect(kept.utf8.count > 0)

    let again = try home.start()
    try again.see("Draft of \"challenge.md\"")
    again.press("Enter")
    try again.see("changed  line 1")
    again.press("Ctrl-Q")
    try again.see("Saved \"challenge.md\".")
    #expect(home.text("club/challenge.md") == draft)
    try again.quit()
    let third = try home.open(showing: "challenge.md")
    #expect(!third.screen.contains("Draft"))
  }

  @Test func `a remark typed before a kill -9 is offered among the remarks at the next start, and added`() throws {
    let home = try MemberHome(notes: ["challenge.md": "low tide"])
    let session = try home.open(showing: "challenge.md")
    session.press("@")
    try session.see("Nobody has said anything here yet.")
    session.send("half a thought")
    try session.see("Remark: half a thought")
    // Another process sees what is on the disk.
    var kept = ""
    for _ in 0..<200 where kept != "half a thought" {
      kept = try home.run("draft", "cat", "challenge.md.talk.md").text
    }
    #expect(kept == "half a thought")
    session.signal(SIGKILL)
    #expect(try session.waitExit(timeout: .patient) == .signalled(SIGKILL))
    #expect(home.files(below: "club") == ["challenge.md"], "nothing is in the club yet")

    let again = try home.start()
    try again.see("Draft of a remark on \"challenge.md\"")
    again.press("Enter")
    try again.see("Remark: half a thought")
    again.press("Enter")
    try again.see("n new remark")
    #expect(home.text("club/challenge.md.talk.md")?.hasSuffix(": half a thought\n") == true)
    again.press("Esc")
    try again.see("Enter open")
    try again.quit()
    #expect(try home.run("draft", "ls").text.isEmpty)
  }

  @Test func `a remark whose draft is there again after a kill, and is sent again, is in the file once`() throws {
    let home = try MemberHome(notes: ["challenge.md": "low tide"])
    let session = try home.open(showing: "challenge.md")
    session.press("@")
    try session.see("Nobody has said anything here yet.")
    session.send("half a thought")
    try session.see("Remark: half a thought")
    var kept = ""
    for _ in 0..<200 where kept != "half a thought" {
      kept = try home.run("draft", "cat", "challenge.md.talk.md").text
    }
    session.signal(SIGKILL)
    #expect(try session.waitExit(timeout: .patient) == .signalled(SIGKILL))
    // A kill before the draft's end leaves the machine's own files as they were before.
    let (data, before) = (home.path + "/.local/share", home.path + "/before")
    try FileManager.default.copyItem(atPath: data, toPath: before)
    #expect(try home.run("draft", "send", "challenge.md.talk.md").status == 0)
    let file = home.text("club/challenge.md.talk.md")
    #expect(file?.hasSuffix(": half a thought\n") == true)
    try FileManager.default.removeItem(atPath: data)
    try FileManager.default.moveItem(atPath: before, toPath: data)
    #expect(try home.run("draft", "send", "challenge.md.talk.md").status == 0)
    #expect(home.text("club/challenge.md.talk.md") == file)
    #expect(try home.run("draft", "ls").text.isEmpty)
  }

  @Test(
    "A new note typed before a kill -9 is offered in its form at the next start",
    .timing("what a member typed a second before the kill must be kept"), arguments: [true, false])
  func killInForm(_ isNamed: Bool) throws {
    let home = try MemberHome(notes: ["a.md": "a"])
    let session = try home.open(showing: "a.md")
    session.press("n")
    try session.see("title")
    if isNamed {
      session.send("Riddle")
      try session.see("Riddle")
    }
    session.press("Tab")
    // Typed for longer than the promised second, each part seen on the screen before the next.
    let clock = ContinuousClock()
    let end = clock.now + .milliseconds(1300)
    var typed = ""
    var seen: [(moment: ContinuousClock.Instant, count: Int)] = []
    while clock.now < end {
      let part = "word\(seen.count) "
      typed += part
      session.send(part)
      try session.wait("\(part)", timeout: .patient) {
        $0.text.split(separator: "\n").joined().contains(part.dropLast())
      }
      seen.append((clock.now, typed.utf8.count))
    }
    typed += "last words"
    session.send("last words")
    let killed = clock.now
    session.signal(SIGKILL)
    #expect(try session.waitExit(timeout: .patient) == .signalled(SIGKILL))
    #expect(home.files(below: "club") == ["a.md"], "nothing is in the club yet")

    let again = try home.start()
    try again.see(isNamed ? "Draft of \"Riddle\"" : "Draft of a new note")
    again.press("Enter")
    try again.see("Ctrl-Q Done")
    try again.see("word0")
    if !isNamed {
      // What is missing is what is typed first.
      again.send("Riddle")
      try again.see("Name Riddle")
    }
    again.press("Ctrl-Q")
    try again.see("Saved \"Riddle.md\".")
    let kept = try #require(home.text("club/Riddle.md"))
    #expect(typed.hasPrefix(kept), "the note is what was typed, in its order")
    let due = seen.last { $0.moment <= killed - .seconds(1) }?.count ?? 0
    #expect(due > 0 && kept.utf8.count >= due, "all that was typed a second before is kept")
    try again.quit()
    let third = try home.open(showing: "Riddle.md")
    #expect(!third.screen.contains("Draft"))
  }

  @Test func `a new note that was never saved is offered with its name; x discards it after asking`() throws {
    let home = try MemberHome(notes: ["a.md": "a"])
    let session = try home.open(showing: "a.md")
    session.press("n")
    try session.see("title")
    session.send("Riddle\nWhat walks?")
    try session.see("What walks?")
    session.signal(SIGTERM)
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
    let again = try home.start()
    try again.see("Draft of \"Riddle\"")
    again.press("x")
    try again.see("for a week.")
    again.press("n")
    try again.seeGone("for a week.")
    again.press("Enter")
    try again.see("Ctrl-Q Done")
    again.press("Ctrl-Q")
    try again.see("Saved \"Riddle.md\".")
    #expect(home.text("club/Riddle.md") == "What walks?")
  }

  @Test func `Ctrl-C and Esc ask before typed text is dropped`() throws {
    let home = try MemberHome(notes: ["a.md": "a"])
    let session = try home.open(showing: "a.md")
    try session.edit(typing: "typed")
    try session.see("typeda")
    for key in ["Ctrl-C", "Esc"] {
      session.press(key)
      try session.see("Discard the text?")
      session.press("n")
      try session.seeGone("Discard the text?")
      #expect(session.screen.contains("typeda"))
    }
    session.press("Esc")
    try session.see("Discard the text?")
    session.press("y")
    try session.see("i edit")
    session.press("q")
    try session.see("n new")
    try session.quit()
    #expect(home.text("club/a.md") == "a")
    // It is kept for a week.
    #expect(try home.run("draft", "cat", "a.md").text == "typeda")
  }
}
