import ClubServices
import FileStores
import Imaging
import TextUI

@testable import Screens

/// The scenes of remarks, walks, and photos of this day.
extension Scene {
  /// nil for the other scenes.
  func talkRobot(_ size: Size, _ text: [UInt8], _ member: String) -> Robot? {
    let isSample = text == Array(Scene.text.utf8)
    let words =
      isSample ? "Is it safe in winter, when the wind is from the north?" : String(decoding: text, as: UTF8.self)
    let memory = OnThisDay(
      photo: Samples.path("photos/pier.jpg"), years: 3, title: isSample ? "lighthouse" : words, member: member,
      kind: .sphere)
    switch self {
    case .readerRemarks, .quoting:
      let robot = Robot(notes: ["Walk.md"], size: size)
      robot.press("Enter")
      var note = Samples.note(
        "Walk.md",
        "# Walk\n\nAt low tide we go *over the sand* to the pier.\n\n- boots\n- a lamp\n\nBack by the road.\n")
      note.remarks = PlacedTalk(Scene.walkTalk(words, member), in: note.bytes)
      robot.happen(.opened(note, .read))
      if self == .quoting { robot.press("@", "Down", "Shift-Right", "Shift-Right", "Shift-Right") }
      return robot
    case .remarkSpots:
      let robot = Robot(photos: ["pier.jpg", "quay.jpg"], size: size, reducedMotion: true)
      robot.press("Enter")
      robot.showTour([
        PhotoMark(yawDegrees: -15, pitchDegrees: 10, label: "\(member): \(words)", target: .none),
        PhotoMark(yawDegrees: 20, pitchDegrees: -8, label: "ann: That is the vice.", target: .none),
        PhotoMark(
          yawDegrees: 35, pitchDegrees: 5, label: "To the quay",
          target: .photo(Samples.path("photos/quay.jpg"), .init(), own: .init()), door: "aaaaaaaa"),
      ])
      robot.press("Tab")
      return robot
    case .remarkCounts, .remarkCountsGrid:
      let isGrid = self == .remarkCountsGrid
      let names = ["boat.jpg", "pier.jpg", "quay.jpg", "wall.jpg"].map { isGrid ? $0 : "\($0.dropLast(4)).md" }
      let robot = isGrid ? Robot(photos: names, size: size, layout: .grid) : Robot(notes: names, size: size)
      let paths = names.map { Samples.path(isGrid ? "photos/\($0)" : $0) }
      let entries = paths.map { Samples.entry($0) }
      robot.happen(isGrid ? .photos(.detailed(entries, isLast: true)) : .notes(.detailed(entries, isLast: true)))
      func listed(_ count: Int, _ place: Int, new: Bool, isForMe: Bool) -> (StorePath, ListedRemarks) {
        let file = Talk.filePath(of: paths[place])
        let revision = new ? Revision("r1") : nil
        return (
          paths[place], ListedRemarks(count: count, last: member, file: file, new: revision, isForMe: isForMe)
        )
      }
      let remarks = Dictionary(uniqueKeysWithValues: [
        listed(3, 0, new: false, isForMe: false), listed(1, 1, new: true, isForMe: false),
        listed(1204, 2, new: true, isForMe: true),
      ])
      robot.happen(isGrid ? .photos(.remarks(remarks, isListed: true)) : .notes(.remarks(remarks, isListed: true)))
      return robot
    case .onThisDay, .onThisDayPhotos:
      guard self == .onThisDay else {
        let robot = Robot(photos: ["boat.jpg", "pier.jpg"], size: size)
        robot.happen(.news(.remembered(memory)))
        return robot
      }
      let robot = Robot(notes: ["Walk.md"], size: size)
      robot.happen(.news(.remembered(memory)))
      robot.press("w")
      robot.happen(.news(.loaded(Scene.happenings(on: Samples.path("Walk.md"), Array(words.utf8), member))))
      return robot
    case .walkRecording:
      let robot = Robot(photos: ["pier.jpg", "quay.jpg"], size: size, reducedMotion: true)
      robot.press("Enter")
      robot.showSphere()
      robot.press("W", "Right", "Up")
      return robot
    case .walkFilm:
      let robot = Robot(photos: ["a.jpg", "b.jpg"], size: size)
      robot.play([(0, 0, 0), (8000, 0, 80)], author: isSample ? nil : member)
      for _ in 0..<10 { robot.happen(photos: .turned) }
      return robot
    default: return nil
    }
  }

  /// Remarks at their places, on words that are gone, and on the whole.
  private static func walkTalk(_ words: String, _ member: String) -> Talk {
    func item(_ id: String, _ aim: TalkItem.Aim, _ text: String, by member: String) -> String {
      TalkItem(member: member, time: Timestamp(seconds: Samples.now - 3600), id: id, aim: aim, text: text).markdown
    }
    let items = [
      item("aaaaaaa1", .words("over the sand"), words, by: member),
      item("aaaaaaa2", .reply(to: "aaaaaaa1"), "With boots, always.", by: "ann"),
      item("aaaaaaa3", .words("by the bridge"), "Which bridge?", by: "ray"),
      item("aaaaaaa4", .whole, "We go again on Sunday. @ray, you bring the lamp.", by: "ann"),
    ]
    return Talk(Array(items.joined().utf8))
  }
}
