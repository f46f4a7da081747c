import Foundation
import TestKit
import Testing

@Suite(.enabled(if: CommandLineHome.binary != nil)) struct CaptionVerbTests {
  private func homeWithPhoto() throws -> CommandLineHome {
    let home = try CommandLineHome()
    let base64 = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEklEQVR4nGP4z8DAAMIM/4EAAB/uBfsL2WiLAAAAAElFTkSuQmCC"
    try home.write(try #require(Data(base64Encoded: base64)), to: "in/dot.png")
    #expect(try home.run("photo", "put", home.path + "/in/dot.png").status == 0)
    return home
  }

  @Test func `a caption is written, printed, found, moved with its photo, and removed`() throws {
    let home = try homeWithPhoto()
    let missing = try home.run("photo", "caption", "dot.png")
    #expect(missing.status == 4 && missing.said.contains("\"dot.png\" has no caption."))
    let saved = try home.run("photo", "caption", "dot.png", "Four *colours*")
    #expect(saved.status == 0 && saved.said == "Saved \"photos/dot.png.md\".\n")
    #expect(home.read("ByteClub/photos/dot.png.md") == Array("Four *colours*\n".utf8))
    #expect(try home.run("photo", "caption", "dot.png").text == "Four *colours*\n")
    #expect(try home.run("photo", "info", "dot.png").text.contains("Caption:       Four *colours*\n"))
    #expect(try home.run("photo", "info", "dot.png", "--json").text.contains(#""caption":"Four *colours*\n""#))
    #expect(try home.run("search", "colours").text == "photos/dot.png:1: Four *colours*\n")
    #expect(try home.run("photo", "ls").text == "dot.png\n")
    #expect(try home.run("note", "ls").text.contains("dot.png") == false)
    #expect(try home.run("photo", "mv", "dot.png", "four.png").status == 0)
    #expect(try home.run("photo", "caption", "four.png").text == "Four *colours*\n")
    let removed = try home.run("photo", "caption", "four.png", "")
    #expect(removed.status == 0 && removed.said == "Put the caption of \"four.png\" into the trash.\n")
    #expect(try home.run("photo", "caption", "four.png").status == 4)
  }

  @Test func `a caption comes from standard input byte by byte; one of more than 64 KiB is refused`() throws {
    let home = try homeWithPhoto()
    func put(_ text: [UInt8]) throws -> Int32 {
      try home.start(["photo", "caption", "dot.png", "-"], input: text).finish().status
    }
    #expect(try put(Array("no line end".utf8)) == 0)
    #expect(home.read("ByteClub/photos/dot.png.md") == Array("no line end".utf8))
    let large = try home.run("photo", "caption", "dot.png", String(repeating: "x", count: 65_536))
    #expect(large.status != 0 && large.said.contains("The caption has 65537 bytes; 65536 is the most."))
    #expect(home.read("ByteClub/photos/dot.png.md") == Array("no line end".utf8))
  }
}
