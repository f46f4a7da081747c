import ClubServices
import FileStores
import TextUI

@testable import Screens

/// Views of what note programs have: front matter, templates, insertions, tags and pins.
extension Scene {
  func vault(_ robot: Robot, name: [UInt8], text: [UInt8]) {
    switch self {
    case .frontMatter:
      let line = text.split(separator: 0x0A).first ?? []
      let matter =
        Array("---\ntitle: \"The wall: a plan\"\ntags: [garage, trips/oslo]\naliases:\n  - wall\n  - ".utf8) + line
        + Array("\nmap:\n  zoom: 3\n---\n\n# The garage wall\n\n".utf8) + text
      robot.happen(.notes(.asked(Samples.path("Welcome.md"))))
      let note = OpenNote(entry: Samples.entry("Welcome.md", size: 1420), bytes: matter, draft: nil)
      robot.happen(.notes(.opened(note, .read)))
    case .templateChoice:
      let names = ["templates/trip.md", "templates/today.md", "a.md"].map { Array($0.utf8) }
      robot.happen(.notes(.listed(Samples.table(bytes: names + [Array("templates/".utf8) + name]))))
      robot.press("n")
      robot.type("t")
    case .insertMenu, .insertPicture:
      robot.press("Enter")
      let chosen = robot.state.notes.files.selected ?? Samples.path(name)
      robot.happen(.notes(.opened(OpenNote(entry: Samples.entry(chosen), bytes: text, draft: nil), .read)))
      let photos = [Array("pier.jpg".utf8), Array("oslo/roof.jpg".utf8), name + Array(".jpg".utf8)]
      robot.happen(.photos(.listed(Samples.table(bytes: photos, folder: "photos"))))
      robot.press("i", "Alt-i", self == .insertMenu ? "Down" : "Enter")
    case .tagList:
      robot.press("#")
      var tags = TagCounts()
      for own in [["trips/oslo", "garage"], ["trips/rome"], ["garage"], [String(decoding: text, as: UTF8.self)]] {
        tags.add(own)
      }
      robot.happen(.notes(.tagsFound(tags)))
    default:
      robot.press("p", "End", "p")
    }
  }
}
