import Foundation
import TestKit
import Testing

/// The photo verbs of the real program.
@Suite(.enabled(if: CommandLineHome.binary != nil)) struct PhotoVerbTests {
  /// A PNG of 2 x 2 pixels: red, green, blue, white.
  private static let png: [UInt8] = {
    let base64 = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEklEQVR4nGP4z8DAAMIM/4EAAB/uBfsL2WiLAAAAAElFTkSuQmCC"
    return Data(base64Encoded: base64).map { Array($0) } ?? []
  }()

  private func homeWithPhoto() throws -> CommandLineHome {
    let home = try CommandLineHome()
    try home.write(Self.png, to: "in/dot.png")
    #expect(try home.run("photo", "put", home.path + "/in/dot.png").status == 0)
    return home
  }

  @Test func `an uploaded photo is in the club byte by byte, and is not uploaded again unless that is wanted`() throws {
    let home = try homeWithPhoto()
    try home.write(Self.png, to: "in/other.png")
    let said = try home.run("photo", "put", home.path + "/in/other.png")
    #expect(
      said.status == 0 && said.said.contains("The club already has the picture \"\(home.path)/in/other.png\": dot.png.")
    )
    let told = try home.run("photo", "put", home.path + "/in/dot.png", "--json")
    #expect(told.status == 0 && told.text.contains(#""name":"dot.png""#) && told.text.contains(#""already":true"#))
    #expect(try home.run("photo", "ls").text == "dot.png\n")
    let again = try home.run("photo", "put", home.path + "/in/dot.png", "--again", "--json")
    #expect(again.text.contains(#""state":"done""#))
    #expect(home.read("ByteClub/photos/dot.png") == Self.png)
    #expect(home.read("ByteClub/photos/dot (2).png") == Self.png)
    #expect(try home.run("photo", "ls").text == "dot (2).png\ndot.png\n")
  }

  @Test func `a name without an ending is said to have none`() throws {
    let home = try CommandLineHome()
    try home.write(Self.png, to: "in/noext")
    let outcome = try home.run("photo", "put", home.path + "/in/noext", "--progress", "plain")
    #expect(outcome.said.contains("Uploading as \"noext.png\": \"noext\" has no ending."))
    #expect(!outcome.said.contains("taken"))
  }

  @Test func `a photo that is there is not fetched again unless that is wanted`() throws {
    let home = try homeWithPhoto()
    try home.write("x".utf8, to: "out/x")
    let out = home.path + "/out"
    #expect(try home.run("photo", "get", "dot.png", "--to", out).status == 0)
    let said = try home.run("photo", "get", "dot.png", "--to", out)
    #expect(said.status == 0 && said.said == "\"~/out/dot.png\" already exists, with the same content.\n")
    let told = try home.run("photo", "get", "dot.png", "--to", out, "--json")
    #expect(told.text.contains(#""already":true"#) && told.text.contains(#""place":"\#(out)/dot.png""#))
    #expect(home.read("out/dot (2).png") == nil)
    #expect(try home.run("photo", "get", "dot.png", "--to", out, "--again").status == 0)
    #expect(home.read("out/dot (2).png") == Self.png)
  }

  @Test func `a photo is saved under another name, never over a file, and why not is said`() throws {
    let home = try homeWithPhoto()
    try home.write("x".utf8, to: "out/x")
    let out = home.path + "/out"
    let saved = try home.run("photo", "get", "dot.png", "--to", out + "/wall.png", "--json")
    #expect(saved.status == 0 && saved.text.contains(#""place":"\#(out)/wall.png""#))
    #expect(home.read("out/wall.png") == Self.png && home.read("out/dot.png") == nil)
    #expect(try home.run("photo", "get", "dot.png", "--to", out + "/wall.png").status == 0)
    let taken = try home.run("photo", "get", "dot.png", "--to", out + "/x")
    #expect(taken.status == 1 || taken.status == 5)
    #expect(taken.said.contains("/out/x\" already exists and was not replaced."))
    #expect(home.read("out/x") == Array("x".utf8))
    let deep = try home.run("photo", "get", "dot.png", "--to", out + "/new/wall.png")
    #expect(deep.status == 4 && deep.said.contains("/out/new\" does not exist. Make it with: mkdir -p"))
    let slash = try home.run("photo", "get", "dot.png", "--to", out + "/new/")
    #expect(slash.status == 4 && slash.said.contains("/out/new/\" does not exist."))
    let several = try home.run("photo", "get", "dot.png", "dot.png", "--to", out + "/one.png")
    #expect(several.status == 1 && several.said.contains("2 photos need one."))
  }

  @Test func `what is no picture is refused and not in the club`() throws {
    let home = try homeWithPhoto()
    try home.write("no picture".utf8, to: "in/fake.jpg")
    try home.write(Self.png.prefix(50), to: "in/cut.png")
    let outcome = try home.run("photo", "put", home.path + "/in/fake.jpg", home.path + "/in/cut.png")
    #expect(outcome.status == 1)
    #expect(outcome.said.contains("fake.jpg") && outcome.said.contains("cut.png"))
    #expect(try home.run("photo", "ls").text == "dot.png\n")
  }

  @Test func `a photo is fetched whole, never over another file, and to standard output`() throws {
    let home = try homeWithPhoto()
    try home.write("mine".utf8, to: "out/dot.png")
    #expect(try home.run("photo", "get", "dot.png", "--to", home.path + "/out").status == 0)
    #expect(home.read("out/dot.png") == Array("mine".utf8))
    #expect(home.read("out/dot (2).png") == Self.png)
    #expect(try home.run("photo", "get", "dot.png", "--to", "-").output == Self.png)
  }

  @Test func `a photo is drawn in the colours that there are`() throws {
    let home = try homeWithPhoto()
    let words = ["photo", "view", "dot.png", "--size", "2x1"]
    let rich = try home.start(words, ["TERM": "xterm-256color", "COLORTERM": "truecolor"]).finish()
    #expect(rich.text == "\u{1B}[38;2;255;0;0;48;2;0;0;255m▀\u{1B}[38;2;0;255;0;48;2;255;255;255m▀\u{1B}[0m\n")
    let plain = try home.start(words, ["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"]).finish()
    #expect(plain.output.count == 3)
    #expect(!plain.output.contains(0x1B))
  }

  @Test func `progress as JSON is on standard error, and ends with done`() throws {
    let home = try homeWithPhoto()
    let outcome = try home.run("photo", "put", home.path + "/in/dot.png", "--again", "--progress", "json")
    #expect(outcome.output.isEmpty)
    let lines = outcome.said.split(separator: "\n").filter { $0.hasPrefix("{") }
    #expect(lines.last?.contains(#""state":"done""#) == true)
    #expect(try home.run("photo", "put", home.path + "/in/dot.png", "--again", "--progress", "none").said == "")
  }

  @Test func `a photo from standard input gets the name that it is given, or one of its format`() throws {
    let home = try CommandLineHome()
    let named = try home.start(["photo", "put", "-", "--as", "plan.jpg"], input: Pictures.jpeg).finish()
    #expect(named.status == 0, "\(named.said)")
    #expect(home.files(ending: ".jpg") == ["ByteClub/photos/plan.jpg"])
    #expect(home.read("ByteClub/photos/plan.jpg") == Pictures.jpeg)
    #expect(try home.start(["photo", "put", "-", "--again"], input: Pictures.jpeg).finish().status == 0)
    #expect(home.files(ending: "/photo.jpg") == ["ByteClub/photos/photo.jpg"])
  }

  @Test(arguments: [["-", "-"], ["a.jpg", "--as", "b.jpg"], ["-", "--as", "a/b.jpg"], ["-", "--as", ".b.jpg"]])
  func `a name or a second photo from standard input that cannot be is wrong usage`(_ words: [String]) throws {
    #expect(try CommandLineHome().start(["photo", "put"] + words).finish().status == 2)
  }

  @Test func `a photo keeps its own time to the club and back`() throws {
    let home = try homeWithPhoto()
    let time = Date(timeIntervalSince1970: 1_000_000_000)
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: home.path + "/in/dot.png")
    #expect(try home.run("photo", "put", home.path + "/in/dot.png", "--again").status == 0)
    let oldest = try home.run("photo", "ls", "--sort", "date", "--reverse").text
    let name = try #require(oldest.split(separator: "\n").first)
    #expect(try home.run("photo", "ls", "--long").text.contains("2001-09-09T01:46:40Z  \(name)\n"))
    #expect(try home.run("photo", "get", String(name), "--to", home.path + "/back.png").status == 0)
    let facts = try FileManager.default.attributesOfItem(atPath: home.path + "/back.png")
    #expect(facts[.modificationDate] as? Date == time)
  }
}
