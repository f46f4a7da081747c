import ClubServices
import FileStores
import Foundation
import Testing
import TextUI

@testable import Screens

/// `Y` copies a link that shares the file.
@Suite struct LinkKeyTests {
  private let url = "https://club.example:8443/s/AbCdEfGhIjKlMnOpQrStUvWxYz0123456/The%20pier.md?dl=0"

  private func link(_ path: String, expires: Timestamp? = nil, hasPassword: Bool = false) -> SharedLink {
    SharedLink(url: url, path: Samples.path(path), expires: expires, hasPassword: hasPassword)
  }

  @Test func `in the list of notes it asks for a link, copies it and shows it whole with its end`() {
    for size in [Size(80, 24), Size(120, 40), Size(40, 12)] {
      let robot = Robot(notes: ["The pier.md", "zoo.md"], size: size)
      robot.press("Y")
      #expect(robot.question == "Share \"The pier.md\" with anyone who has its link?" && robot.take() == [])
      robot.press("w")
      #expect(robot.take() == ["run link to The pier.md for 604800 s"])
      #expect(robot.notice == "Asking for a link to \"The pier.md\".")
      let link = link("The pier.md", expires: Timestamp(seconds: 1_800_000_000), hasPassword: true)
      robot.happen(.notes(.files(.linked(link, isNew: true))))
      #expect(robot.take() == ["copy \(url)"])
      let shown = robot.screen.split(separator: "\n").suffix(6).map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(shown.joined().contains(url.prefix(60)) || size.width == 40, "\(shown)")
      let terms = "It ends on 2027-01-15 at 08:00 UTC. It asks for its password. z ends it."
      #expect(robot.notice?.hasSuffix("\(url) \(terms)") == true)
      // News wait, and the next key has the line again.
      robot.wait(seconds: 60)
      let mark = NewsMark(revision: Revision("r2"), before: Revision("r1"), member: "Ann")
      robot.happen(.notes(.files(.news([Samples.path("zoo.md"): mark], isListed: false))))
      #expect(robot.notice?.hasPrefix("Copied") == true)
      robot.press("j")
      #expect(robot.chosen == "zoo.md")
    }
  }

  @Test func `on a photo, in the list and in the viewer`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    robot.press("Y", "n")
    #expect(robot.take() == ["run link to photos/a.jpg for ever"])
    robot.happen(.photos(.files(.linked(link("photos/a.jpg"), isNew: false))))
    #expect(robot.take() == ["copy \(url)"])
    #expect(robot.notice?.hasSuffix("It never expires. It is no new one; byteclub link rm ends it.") == true)
    robot.press("j", "Enter")
    robot.take()
    robot.press("Y", "m")
    #expect(robot.take() == ["run link to photos/b.jpg for 2592000 s"])
  }

  @Test func `on the command line, by name`() {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press(":")
    robot.type("note link b\n")
    #expect(robot.take() == [] && robot.question?.contains("b.md") == true)
    robot.press("w")
    #expect(robot.take() == ["run link to b.md for 604800 s"])
    robot.press(":")
    robot.type("note link\n")
    #expect(robot.take().isEmpty && robot.notice?.contains("note link NAME") == true)
  }

  @Test func `in an open note`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", "text"), .read))
    robot.take()
    robot.press("Y", "w")
    #expect(robot.take() == ["run link to a.md for 604800 s"])
    robot.happen(.notes(.files(.linked(link("a.md"), isNew: true))))
    robot.take()
    robot.press("z")
    #expect(robot.take() == ["run end the link to a.md"])
  }

  @Test func `Esc shares nothing, and the undo key ends a new link alone`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("Y", "Esc")
    #expect(robot.take() == [] && robot.question == nil)
    robot.happen(.notes(.files(.linked(link("a.md"), isNew: false))))
    robot.take()
    robot.press("z")
    #expect(robot.take() == [])
    robot.happen(.notes(.files(.linked(link("a.md"), isNew: true))))
    robot.take()
    robot.press("z")
    #expect(robot.take() == ["run end the link to a.md"])
    robot.happen(.notes(.files(.undone(UndoOutcome(.link(link("a.md")), back: [])))))
    #expect(robot.notice == "The link to \"a.md\" has ended.")
  }

  @Test func `without a file there is nothing to share, and a refusal is shown`() {
    let robot = Robot(notes: [])
    robot.press("Y")
    #expect(robot.take() == [])
    let error = StoreError(
      .unsupported, "The place of this club, ~/ByteClub, cannot share files by links.",
      remedy: "Clubs at Dropbox and at byteclub serve can.")
    robot.happen(.notes(.files(.warned("\(error)"))))
    #expect(robot.notice == "\(error)")
  }

  @Test func `a notice that is shown whole takes as many rows as it needs, and no error's mark`() {
    let line = NoticeLine("Copied " + String(repeating: "abcdefghi ", count: 10), .whole)
    #expect(line.height(for: 40) == 4 && line.height(for: 200) == 1)
    #expect(NoticeLine(String(repeating: "a b ", count: 100), .information).height(for: 40) == 1)
    var canvas = Canvas(Size(40, 3))
    line.draw(on: &canvas)
    #expect(canvas.grid.text(ofRow: 0).hasPrefix(" Copied abcdefghi"))
  }
}
