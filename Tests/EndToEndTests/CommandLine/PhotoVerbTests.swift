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

  @Test func `an uploaded photo is in the club byte by byte, and a name that is taken gets another one`() throws {
    let home = try homeWithPhoto()
    let again = try home.run("photo", "put", home.path + "/in/dot.png", "--json")
    #expect(again.text.contains(#""state":"done""#))
    #expect(home.read("ByteClub/photos/dot.png") == Self.png)
    #expect(home.read("ByteClub/photos/dot (2).png") == Self.png)
    #expect(try home.run("photo", "ls").text == "dot (2).png\ndot.png\n")
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
    let outcome = try home.run("photo", "put", home.path + "/in/dot.png", "--progress", "json")
    #expect(outcome.output.isEmpty)
    let lines = outcome.said.split(separator: "\n").filter { $0.hasPrefix("{") }
    #expect(lines.last?.contains(#""state":"done""#) == true)
    #expect(try home.run("photo", "put", home.path + "/in/dot.png", "--progress", "none").said == "")
  }
}
