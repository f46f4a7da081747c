import Foundation
import TestKit
import Testing

@Suite(.enabled(if: CommandLineHome.binary != nil)) struct AlbumVerbTests {
  private func home() throws -> CommandLineHome {
    let home = try CommandLineHome()
    for name in ["a.jpg", "b.jpg", "oslo/c.jpg"] { try home.write(Pictures.jpeg, to: "ByteClub/photos/\(name)") }
    try home.write("Low tide\n".utf8, to: "ByteClub/photos/a.jpg.md")
    return home
  }

  @Test func `photos move into an album, a new one, another name, and back to the top`() throws {
    let home = try home()
    let moved = try home.run("photo", "mv", "a.jpg", "b.jpg", "Oslo/")
    #expect(moved.status == 0)
    #expect(moved.said == "Moved \"a.jpg\" to \"oslo/a.jpg\".\nMoved \"b.jpg\" to \"oslo/b.jpg\".\n")
    #expect(home.read("ByteClub/photos/oslo/a.jpg.md") == Array("Low tide\n".utf8))
    #expect(try home.run("photo", "mv", "oslo/b.jpg", "2026/bergen/").status == 0)
    #expect(try home.run("photo", "mv", "oslo/a.jpg", "2026/quay.jpg").status == 0)
    #expect(try home.run("photo", "caption", "2026/quay.jpg").text == "Low tide\n")
    #expect(try home.run("photo", "mv", "oslo/c.jpg", "2026").status == 0)
    #expect(try home.run("photo", "mv", "2026/c.jpg", "/").status == 0)
    #expect(try home.run("photo", "ls").text == "2026/bergen/b.jpg\n2026/quay.jpg\nc.jpg\n")
    #expect(try home.run("photo", "ls", "2026/").text == "2026/bergen/b.jpg\n2026/quay.jpg\n")
    let missing = try home.run("photo", "ls", "gone")
    #expect(missing.status == 4 && missing.said.contains("The club has no album \"gone\"."))
  }

  @Test func `what cannot move is named, the others go, and a taken name is not replaced`() throws {
    let home = try home()
    try home.write("mine".utf8, to: "ByteClub/photos/oslo/a.jpg")
    let moved = try home.run("photo", "mv", "a.jpg", "gone.jpg", "b.jpg", "oslo/")
    #expect(moved.status != 0 && moved.said.contains("The club has no photo \"gone.jpg\"."))
    #expect(home.read("ByteClub/photos/oslo/a.jpg") == Array("mine".utf8))
    #expect(try home.run("photo", "ls").text == "a.jpg\noslo/a.jpg\noslo/b.jpg\noslo/c.jpg\n")
    #expect(try home.run("photo", "mv", "a.jpg", ".hidden/").status != 0)
    #expect(try home.run("photo", "mv", "a.jpg").status == 2)
  }

  @Test func `photos are uploaded into an album`() throws {
    let home = try home()
    let picture = Pictures.png(width: 4, height: 2)
    try home.write(picture, to: "in/dot.png")
    #expect(try home.run("photo", "put", home.path + "/in/dot.png", "--album", "new/one").status == 0)
    #expect(home.read("ByteClub/photos/new/one/dot.png") == picture)
    #expect(try home.run("photo", "put", home.path + "/in/dot.png", "--again", "--album", "..").status != 0)
  }
}
