import Foundation
import POSIX
import TestKit
import TextUI
import Testing

/// Photos: uploaded, refused, cancelled, seen, downloaded.
@Suite(.serialized) struct PhotoTests {
  private func photos(_ home: MemberHome, showing text: String) throws -> PtySession {
    let session = try home.open(showing: "note.md")
    session.press("2")
    try session.see(text)
    return session
  }

  private func upload(_ path: String, _ session: PtySession) throws {
    session.press("u")
    try session.see("Tab complete")
    session.paste(path)
    let end = String(path.suffix(12))
    try session.see(end)
    session.press("Enter")
  }

  @Test("An uploaded picture arrives byte for byte", arguments: ["small.jpg", "large.png", "odd name é.JPG"])
  func uploads(_ name: String) throws {
    let home = try MemberHome(notes: ["note.md": ""])
    let bytes = name.hasSuffix("png") ? Pictures.png(width: 500, height: 100) : Pictures.jpeg
    try home.write(bytes, to: "mine/" + name)
    let session = try photos(home, showing: "No photos yet.")
    try upload(home.path + "/mine/" + name, session)
    try session.see("Uploaded \"\(name)\": ")
    #expect(home.files(below: "club") == ["note.md", "photos/" + name])
    #expect(home.bytes("club/photos/" + name) == bytes)
    try session.wait("the photo in the list", timeout: .patient) { $0.contains(name) && $0.contains("1 of 1") }
    session.press("Enter")
    try session.wait("the viewer", timeout: .patient) { screen in
      screen.footer.contains("zoom") && screen.grid.size.height > 0
        && (0..<screen.grid.size.width).contains { screen.grid[$0, 12].base == 0x2580 }
    }
    session.press("q")
    try session.see("u upload")
    try session.quit()
    #expect(EscapeAudit.findings(in: session.rawBytes, allowing: .window) == [])
  }

  @Test func `a path is completed, and a name that is taken gets a number and says so`() throws {
    let home = try MemberHome(notes: ["note.md": ""])
    let bytes = Pictures.png(width: 20, height: 10)
    try home.write(bytes, to: "mine/garage.png")
    try home.write(Pictures.jpeg, to: "club/photos/garage.png")
    let session = try photos(home, showing: "garage.png")
    session.press("u")
    try session.see("Tab complete")
    session.press("Ctrl-U")
    session.send("~/mine/ga")
    try session.see("garage.png")
    session.press("Tab")
    try session.see("~/mine/garage.png")
    session.press("Enter")
    try session.wait("the upload's end", timeout: .patient) { $0.contains("Uploaded \"") }
    let names = home.files(below: "club/photos")
    #expect(names.count == 2)
    #expect(home.bytes("club/photos/garage.png") == Pictures.jpeg, "nothing is overwritten")
    let other = try #require(names.first { $0 != "garage.png" })
    #expect(home.bytes("club/photos/" + other) == bytes)
    try session.see("Uploaded \"garage.png\" as \"\(other)\": ")
    try session.quit()
  }

  @Test(
    "What is no whole picture is refused with a reason", arguments: ["text.jpg", "cut.jpg", "missing.jpg", "pipe.jpg"])
  func refusals(_ name: String) throws {
    let home = try MemberHome(notes: ["note.md": ""])
    switch name {
    case "text.jpg": try home.write("no picture at all", to: "mine/text.jpg")
    case "cut.jpg": try home.write(Array(Pictures.jpeg.prefix(150)), to: "mine/cut.jpg")
    case "pipe.jpg":
      try home.write("", to: "mine/other")
      #expect(mkfifo(home.path + "/mine/pipe.jpg", 0o600) == 0)
    default: try home.write("", to: "mine/other")
    }
    let session = try photos(home, showing: "No photos yet.")
    try upload(home.path + "/mine/" + name, session)
    try session.wait("a reason in the prompt", timeout: .patient) { screen in
      screen.text.contains("\n ! ") && screen.text.contains(name) && screen.footer.contains("complete")
    }
    #expect(home.files(below: "club") == ["note.md"], "nothing is left")
    session.press("Esc")
    try session.see("No photos yet.")
    try session.quit()
  }

  @Test func `x cancels what is under way and leaves nothing of it behind`() throws {
    let home = try MemberHome(notes: ["note.md": ""])
    // A whole picture with much behind its end, as phones append films; sparse, so that it costs no disk here. It is under
    // way for longer than a busy machine stops one of the programs.
    #expect(try home.run("transfer", "limit", "4M").status == 0)
    try home.write(Pictures.jpeg, to: "mine/big.jpg")
    #expect(truncate("\(home.path)/mine/big.jpg", 400 << 20) == 0)
    let session = try photos(home, showing: "No photos yet.")
    try upload(home.path + "/mine/big.jpg", session)
    // The prompt takes letters until the photo has been checked.
    try session.wait("the bar, without the prompt", timeout: .patient) {
      $0.contains("x cancel") && !$0.footer.contains("complete")
    }
    session.press("x")
    try session.wait("the end", timeout: .patient) {
      $0.contains("Cancelled \"big.jpg\".")
    }
    #expect(home.files(below: "club") == ["note.md"], "no part is left, also none that is hidden")
    session.press("j")
    try session.quit()
  }

  @Test func `a photo is downloaded byte for byte into the typed directory`() throws {
    let home = try MemberHome(notes: ["note.md": ""])
    try home.write(Pictures.jpeg, to: "club/photos/beach.jpg")
    try home.write("", to: "place/other")
    let session = try photos(home, showing: "beach.jpg")
    session.press("d")
    try session.wait("the question where", timeout: .patient) { $0.footer.contains("cancel") }
    session.press("Ctrl-U")
    session.send("~/place")
    try session.see("~/place")
    session.press("Enter")
    try session.see("Downloaded \"beach.jpg\"")
    #expect(home.bytes("place/beach.jpg") == Pictures.jpeg)
    session.press("i")
    try session.see("16 x 8")
    session.press("q")
    try session.see("u upload")
    try session.quit()
  }

  @Test(arguments: [false, true])
  func `a downloaded photo is marked at the next start, also when no journal knows of it`(isByVerb: Bool) throws {
    let home = try MemberHome(notes: ["note.md": ""])
    try home.write(Pictures.jpeg, to: "club/photos/beach.jpg")
    try home.write("", to: "place/other")
    if isByVerb {
      #expect(try home.run("photo", "get", "beach.jpg", "--to", home.path + "/place").status == 0)
    } else {
      let session = try photos(home, showing: "beach.jpg")
      session.press("d")
      try session.wait("the question where", timeout: .patient) { $0.footer.contains("cancel") }
      session.press("Ctrl-U")
      session.send("~/place")
      try session.see("~/place")
      session.press("Enter")
      try session.see("on disk")
      try session.quit()
    }
    #expect(home.bytes("place/beach.jpg") == Pictures.jpeg)
    try FileManager.default.removeItem(atPath: home.path + "/.local/share/byteclub")
    let session = try photos(home, showing: "on disk")
    try session.quit()
  }

  @Test func `quitting while a transfer runs asks`() throws {
    let home = try MemberHome(notes: ["note.md": ""])
    for number in 1...4 {
      // No two are the same: a picture that the club has is not uploaded again unasked.
      try home.write(Pictures.jpeg + [UInt8(number)], to: "mine/big\(number).jpg")
      #expect(truncate("\(home.path)/mine/big\(number).jpg", 100 << 20) == 0)
    }
    #expect(try home.run("transfer", "limit", "4M").status == 0)
    let session = try photos(home, showing: "No photos yet.")
    session.press("u")
    try session.see("Tab complete")
    session.press("Ctrl-U")
    session.send("~/mine/")
    try session.see("big4.jpg")
    for _ in 1...4 { session.press("Ctrl-T") }
    session.press("Enter")
    // The prompt closes when all four have been looked at.
    try session.seeGone("Tab complete")
    try session.see("x cancel")
    session.press("q")
    try session.see("under way.")
    session.press("w")
    try session.seeGone("Quit?")
    #expect(try home.run("transfer", "limit", "off").status == 0)
    #expect(try session.waitExit(timeout: .patient) == .exited(0))
    session.expectGivenBack()
    #expect(home.files(below: "club") == ["note.md"] + (1...4).map { "photos/big\($0).jpg" })
    for number in 1...4 { #expect(home.bytes("club/photos/big\(number).jpg")?.count == 100 << 20) }
  }
}
