import ClubServices
import FileStores
import TextUI

@testable import Imaging
@testable import Screens

/// The scenes with other members in them.
extension Scene {
  /// nil for the other scenes. One of the members has the given name.
  func presenceRobot(_ size: Size, _ member: String) -> Robot? {
    let (note, photo) = (Samples.path("plans.md"), Samples.path("photos/pier.jpg"))
    let line = Sight.Line(2, of: Revision("r1"))
    switch self {
    case .hereNotes, .hereReader, .hereEditor:
      let robot = Robot(notes: ["answers.md", "plans.md", "walk.md"], size: size)
      if self != .hereNotes {
        robot.happen(.notes(.asked(note)))
        robot.happen(.notes(.opened(Samples.note("plans.md", "# Plans\n\nPaint the boat.\n"), .read)))
      }
      if self == .hereEditor { robot.press("i") }
      robot.see(
        PresentMember(member, Sight(note, edits: true, line: line)),
        PresentMember("cem", Sight(Samples.path("walk.md"))), PresentMember("dora", Sight(Samples.path("walk.md"))))
      return robot
    case .wordsCameIn, .wordsApart:
      let robot = Robot(notes: ["answers.md", "plans.md", "walk.md"], size: size)
      let base = "# Plans\n\nPaint the boat.\n"
      robot.happen(.notes(.asked(note)))
      robot.happen(.notes(.opened(Samples.note("plans.md", base), .read)))
      robot.press("i")
      robot.type("My ")
      let entry = Samples.entry("plans.md", revision: "r2", member: member)
      robot.happen(.changed(ChangeSet(changes: [.present(entry)], cursor: ChangeCursor("1"))))
      let text = base.replacing("# Plans", with: self == .wordsApart ? "Her trip" : "# Plans") + "\nOn Friday.\n"
      let newer = NewerNote(
        entry, text: Array(text.utf8), writer: .member(member), base: Array(base.utf8))
      robot.happen(.newerRead(newer, over: Revision("r1"), session: 1))
      return robot
    case .herePhotos, .hereGrid:
      let robot = Robot(photos: ["garage.jpg", "pier.jpg"], size: size, layout: self == .hereGrid ? .grid : .list)
      robot.see(PresentMember(member, Sight(photo)))
      return robot
    case .gazes, .gazePoint:
      let robot = Robot(photos: ["garage.jpg", "pier.jpg"], size: size)
      robot.press("j", "Enter")
      robot.showSphere()
      robot.see(gaze(member, 12, 5, photo), gaze("cem", -160, 0, photo), gaze("dora", 90, 20, photo))
      if self == .gazePoint { robot.see(gaze(member, 12, 5, photo, points: 1)) }
      return robot
    default: return nil
    }
  }

  private func gaze(_ name: String, _ yaw: Double, _ pitch: Double, _ photo: StorePath, points: UInt8 = 0)
    -> PresentMember
  {
    PresentMember(
      name, Sight(photo, gaze: Gaze(yawDegrees: yaw, pitchDegrees: pitch, widthDegrees: 90), points: points))
  }
}

extension Robot {
  func see(_ members: PresentMember...) { happen(.presence(.seen(members))) }
}
