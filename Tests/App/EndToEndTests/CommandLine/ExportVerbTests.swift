import Foundation
import TestKit
import Testing

/// `byteclub club export` of the real program.
@Suite(.enabled(if: CommandLineHome.binary != nil)) struct ExportVerbTests {
  private func home() throws -> CommandLineHome {
    let home = try CommandLineHome()
    try home.write("red".utf8, to: "ByteClub/red.md")
    try home.write("blue".utf8, to: "ByteClub/blue.md")
    try home.write("no picture, but a file of the club".utf8, to: "ByteClub/photos/deep/a.jpg")
    return home
  }

  @Test func `a club comes into a directory that is made for it, and what is there is kept`() throws {
    let home = try home()
    let first = try home.run("club", "export", home.path + "/copies/of it")
    #expect(first.status == 0 && first.output.isEmpty)
    #expect(first.said.contains("3 files (41 B) copied to ~/copies/of it."))
    for name in ["red.md", "blue.md", "photos/deep/a.jpg"] {
      #expect(home.read("copies/of it/" + name) == home.read("ByteClub/" + name), "\(name)")
    }
    // Nothing else is there: no unfinished file, none of byteclub's own.
    #expect(home.files(ending: "").filter { $0.hasPrefix("copies/of it/") }.count == 5)
    let again = try home.run("club", "export", home.path + "/copies/of it", "--json")
    #expect(again.text.contains(#""written":0,"bytes":0,"kept":3"#), "\(again.text)")
  }

  @Test func `a file that differs is reported and stays, until it may be replaced`() throws {
    let home = try home()
    try home.write("my own".utf8, to: "copy/red.md")
    let first = try home.run("club", "export", home.path + "/copy")
    #expect(first.status == 8, "part of several failed")
    #expect(first.said.contains("red.md") && first.said.contains("--replace"))
    #expect(home.read("copy/red.md") == Array("my own".utf8))
    #expect(home.read("copy/blue.md") == Array("blue".utf8))
    let second = try home.run("club", "export", "--replace", home.path + "/copy")
    #expect(second.status == 0 && second.said.contains("1 file (3 B) copied") && second.said.contains("2 were there"))
    #expect(home.read("copy/red.md") == Array("red".utf8))
  }

  @Test(arguments: ["ByteClub", "ByteClub/photos/copy", "new/../ByteClub/copy", "link/copy", "link/../ByteClub/x/y"])
  func `the club's own directory is no place for it`(place: String) throws {
    let home = try home()
    try FileManager.default.createSymbolicLink(
      atPath: home.path + "/link", withDestinationPath: home.path + "/ByteClub")
    let outcome = try home.run("club", "export", home.path + "/" + place)
    #expect(outcome.status == 1)
    #expect(outcome.said.contains("is inside the club"))
    #expect(home.files(ending: "red.md").sorted() == ["ByteClub/red.md"])
  }

  @Test func `a link of the club is reported, and not followed`() throws {
    let home = try home()
    try FileManager.default.createSymbolicLink(
      atPath: home.club + "/passwords.md", withDestinationPath: "/etc/passwd")
    let outcome = try home.run("club", "export", home.path + "/copy")
    #expect(outcome.status == 0)
    #expect(outcome.said.contains("\"passwords.md\" is a link or a device, and byteclub copies only files."))
    #expect(home.read("copy/passwords.md") == nil && home.read("copy/red.md") == Array("red".utf8))
  }

  @Test func `a name with a backslash behind a server is read and exported as any other`() throws {
    let club = try ServedClub(notes: ["back\\slash.md": "odd\n"])
    try club.configure()
    try club.signIn("Ada")
    #expect(try club.run("note", "cat", "back\\slash").text == "odd\n")
    let outcome = try club.run("club", "export", club.home.path + "/copy")
    #expect(outcome.status == 0, "\(outcome.said)")
    #expect(club.home.text("copy/back\\slash.md") == "odd\n")
  }

  @Test func `many small files of a server come with one request`() throws {
    let notes = Dictionary(uniqueKeysWithValues: (0..<60).map { ("note \($0).md", "This is note \($0).\n") })
    let club = try ServedClub(notes: notes.merging(["empty.md": "", "sub/Größe.txt": "sub"]) { $1 })
    try club.configure()
    try club.signIn("Ada")
    let outcome = try club.run("club", "export", club.home.path + "/copy", "--progress", "json")
    #expect(outcome.status == 0, "\(outcome.said)")
    for (name, text) in notes { #expect(club.home.text("copy/" + name) == text) }
    #expect(club.home.text("copy/empty.md") == "" && club.home.text("copy/sub/Größe.txt") == "sub")
    #expect(outcome.said.contains(#"{"files":62,"ofFiles":62,"#))
    // The server writes its line behind its answer.
    try club.waitForRequests("the download") { $0.contains { $0.hasPrefix("/2/files/download") } }
    let asked = club.requests.filter { $0.hasPrefix("/2/files/download") }
    #expect(asked == ["/2/files/download_zip"])
    #expect(try club.run("search", "note 17").text.contains("note 17.md:1: This is note 17."))
  }
}
