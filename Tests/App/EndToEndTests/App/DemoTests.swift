import Foundation
import POSIX
import TestKit
import TextUI
import Testing

/// `byteclub demo`, from its start to the last file that it leaves: none.
@Suite(.serialized) struct DemoTests {
  @Test func `notes, photos, another member's edit, an upload with its progress, and nothing is left`() throws {
    let demo = try RunningDemo()
    let session = demo.session
    try session.see("Guestbook.md")
    let place = try demo.place()
    #expect(try demo.processes(in: place).count >= 2, "the server and the app")

    // The other member writes, and the open note shows it.
    try session.choose("Guestbook.md")
    session.press("Enter")
    try session.see("A very fine view")
    session.press("Esc")
    try session.wait("the list", timeout: .patient) { $0.chosen != nil }
    try demo.wait("Robin's line") { demo.text(place + "/club/Guestbook.md").contains("Robin: Hello!") }
    session.press("Enter")
    try session.see("Robin: Hello!")
    session.press("Esc")
    try session.wait("the list", timeout: .patient) { $0.chosen != nil }

    session.press("2")
    try session.see("Postcard.jpg")
    try session.see("Compass 360.jpg")
    try demo.wait("the photo to upload") {
      FileManager.default.fileExists(atPath: place + "/home/Pictures/Morning.jpg")
    }
    // It is under way for longer than a busy machine stops one of the programs.
    #expect(try demo.run("transfer", "limit", "50K", in: place).status == 0)
    session.press("u")
    try session.see("Tab complete")
    session.press("Ctrl-U")
    session.send("~/Pictures/Morning.jpg")
    session.press("Enter")
    try session.wait("a progress between 0 and 100 %", timeout: .patient) { screen in
      demo.percents(screen).contains { $0 > 0 && $0 < 100 }
    }
    session.press("x")
    try session.see("Cancelled \"Morning.jpg\"")
    #expect(!FileManager.default.fileExists(atPath: place + "/club/photos/Morning.jpg"))
    session.press("j")
    session.press("q")
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
    session.expectGivenBack()
    #expect(try demo.leftovers() == [])
    #expect(try demo.processes(in: place) == [])
  }

  @Test func `the welcome note's link leads into a tour of three places, and back to the note`() throws {
    let demo = try RunningDemo()
    let session = demo.session
    try session.see("1 Welcome.md")
    let place = try demo.place()
    try demo.wait("the tour") { FileManager.default.fileExists(atPath: place + "/club/photos/tour.json") }
    try session.choose("1 Welcome.md")
    session.press("Enter")
    // The preview has the same words.
    try session.see("Tab link")
    session.press("Tab")
    try session.see("Enter follow")
    session.press("Enter")
    try session.see("4 places: Up into the snow")
    session.press("Tab")
    try session.see("2 of 4  \u{25C6} Down to the hut  Hut 360.jpg")
    session.press("Enter")
    try session.see("2 places: Straight up into the snow")
    session.press("Tab")
    try session.see("1 of 2  \u{25C6} Straight up into the snow  Snow 360.jpg")
    session.press("Enter")
    try session.see("2 places: Down to the hut")
    session.press("Tab")
    try session.see("2 of 2  \u{25C6} Over to the pass  Compass 360.jpg")
    session.press("Enter")
    try session.see("4 places: Up into the snow")
    session.press("Tab", "Tab", "Tab")
    try session.see("The guestbook  Guestbook.md")
    session.press("Enter")
    try session.see("A very fine view")
    session.press("q")
    try session.see("The guestbook  Guestbook.md")
    for marks in ["2 places: Down to the hut", "2 places: Straight up into the snow", "4 places: Up into the snow"] {
      session.press("Backspace")
      try session.see(marks)
    }
    session.press("Backspace")
    try session.see("Tab link")
    try session.see("A walk through three panoramas")
  }

  @Test("Whoever begins to edit is answered, and has both texts or a choice", arguments: [true, false])
  func answer(isAtTheEnd: Bool) throws {
    let demo = try RunningDemo()
    let session = demo.session
    try session.see("Try a conflict.md")
    let place = try demo.place()
    try session.choose("Try a conflict.md")
    session.press("Enter")
    try session.see("what you think of conflicts")
    session.press("Enter")
    if isAtTheEnd { session.press("Ctrl-End") }
    session.send("MY OWN WORDS ")
    try session.see("MY OWN WORDS")
    try demo.wait("Robin's answer") {
      demo.text(place + "/club/Try a conflict.md").contains("I was quicker")
    }
    session.press("Ctrl-Q")
    try session.wait("both texts", timeout: .patient) {
      $0.contains("MY OWN WORDS") && $0.contains("I was quicker") && $0.contains("two versions") == isAtTheEnd
    }
    guard !isAtTheEnd else { return }
    // Robin's words came in before the save, or with it.
    try session.wait("the save", timeout: .patient) { $0.contains("Merged your text") || $0.contains("Saved \"Try") }
    try demo.wait("the merge") {
      let text = demo.text(place + "/club/Try a conflict.md")
      return text.contains("MY OWN WORDS") && text.contains("I was quicker")
    }
  }

  @Test("However it ends, nothing is left", arguments: [SIGTERM, SIGHUP])
  func signals(number: Int32) throws {
    let demo = try RunningDemo()
    try demo.session.see("Guestbook.md")
    let place = try demo.place()
    demo.session.signal(number)
    _ = try demo.session.waitExit(timeout: .patient)
    #expect(try demo.leftovers() == [])
    #expect(try demo.processes(in: place) == [])
  }

  @Test func `a crash of the app leaves nothing, and neither does one of the server`() throws {
    for victim in ["byteclub", "byteclub-serve"] {
      let demo = try RunningDemo()
      try demo.session.see("Guestbook.md")
      let place = try demo.place()
      let all = try demo.processes(in: place)
      let id = try #require(all.first { $0.name == victim && $0.id != demo.session.process }?.id)
      kill(id, SIGKILL)
      if victim == "byteclub-serve" {
        demo.session.press("q")
      }
      _ = try demo.session.waitExit(timeout: .patient)
      #expect(try demo.leftovers() == [])
      #expect(try demo.processes(in: place) == [])
    }
  }

  @Test func `when the demo itself is killed, its server ends`() throws {
    let demo = try RunningDemo()
    try demo.session.see("Guestbook.md")
    let place = try demo.place()
    demo.session.signal(SIGKILL)
    try demo.wait("the server's end") {
      (try? demo.processes(in: place).contains { $0.name == "byteclub-serve" }) == false
    }
    for process in try demo.processes(in: place) { kill(process.id, SIGKILL) }
  }

  @Test func `what a demo that was killed has left goes with the next one, and one that runs is left alone`() throws {
    let demo = try RunningDemo()
    try demo.session.see("Guestbook.md")
    let place = try demo.place()
    demo.session.signal(SIGKILL)
    // Whatever it has started must be gone, too: it may still be using the folder.
    for process in try demo.processes(in: place) { kill(process.id, SIGKILL) }
    _ = try demo.session.waitExit(timeout: .patient)
    try demo.wait("the end of all") {
      let file = open(place + "/owner", O_RDWR)
      defer { close(file) }
      return flock(file, LOCK_EX | LOCK_NB) == 0
    }
    #expect(demo.folders() == [place])
    let next = try RunningDemo(home: demo.home)
    try next.session.see("Guestbook.md")
    let own = try #require(demo.folders().first)
    #expect(demo.folders() == [own] && own != place)
    let another = try RunningDemo(home: demo.home)
    try another.session.see("Guestbook.md")
    #expect(demo.folders().count == 2 && demo.folders().contains(own))
    for session in [next.session, another.session] {
      session.press("q")
      #expect(try session.waitExit(timeout: .patient) == .exited(0))
    }
    #expect(demo.folders() == [])
  }

  @Test func `without a terminal it says what it needs`() throws {
    let outcome = try Spawn(MemberHome.binary(), ["demo"], environment: PtySession.basicEnvironment).finish()
    #expect(outcome.status != 0)
    #expect(String(decoding: outcome.notices, as: UTF8.self).contains("needs a terminal"))
  }
}
