import ClubServices
import Testing
import TextUI

@testable import Screens

/// The list of the views over the notes.
@Suite struct SideListTests {
  /// The scenes of all views that are such a list, with a head each.
  private static let lists: [(Scene, head: String)] = [
    (.history, "Age"), (.trashView, "Name"), (.waiting, "State"), (.outline, "Heading"), (.backlinks, "Note"),
  ]

  @Test(arguments: [Size(40, 12), Size(80, 24), Size(120, 40), Size(200, 60)])
  func `all lists have their title, heads and rows in the same lines and columns`(size: Size) {
    for (scene, head) in Self.lists {
      let robot = scene.robot(size)
      let lines = (1...4).map { Array(robot.grid.text(ofRow: $0)) }
      #expect(lines[0].prefix(2).first == " " && lines[0].dropFirst().first != " ", "\(scene)")
      #expect(String(lines[1].dropFirst(3).prefix(head.count)) == head, "\(scene)")
      let chosen = lines.firstIndex { $0.dropFirst().first == ">" }
      #expect(chosen.map { $0 >= 2 } == true, "\(scene)")
    }
  }

  @Test(arguments: [(Size(99, 30), false), (Size(100, 30), true)])
  func `a preview is beside the list from 100 columns on`(size: Size, has: Bool) {
    let waiting = Scene.waiting.robot(size)
    #expect(waiting.screen.contains("12 metres") == has)
    let outline = Scene.outline.robot(size)
    #expect(outline.screen.contains("measure the garage") == has)
    let links = Robot(notes: ["a.md", "b.md"], size: size)
    links.push(NoteBacklinks(Samples.path("a.md"), height: 28))
    let text = Array("# Walls\n\nthe pier is long\n\nsee [[a]]\nand measure\n".utf8)
    let paths = ["a.md", "b.md"].map { Samples.path($0) }
    let found = NoteBacklink.links(to: paths[0], among: LinkPaths(paths), in: text, of: paths[1])
    links.happen(.backlinksFound(paths[0], FoundBacklinks(links: found)))
    #expect(links.screen.contains("see [[a]]"))
    #expect(links.screen.contains("the pier is long") == has && links.screen.contains("and measure") == has)
    #expect(!links.screen.contains("# Walls"))
    let trash = Scene.trashView.robot(size)
    trash.press("Up")
    #expect(trash.screen.contains("the wall has a crack") == has)
  }

  @Test func `a press selects a row, and the wheel moves it`() {
    let robot = Scene.trashView.robot()
    let first = (robot.state.notes.views.last as? any NotesListView)?.rows.selection
    robot.mouse(.press, 5, 3)
    #expect(first == 1 && (robot.state.notes.views.last as? any NotesListView)?.rows.selection == 0)
    robot.press("j")
    #expect((robot.state.notes.views.last as? any NotesListView)?.rows.selection == 1)
  }

  @Test func `an empty list says so`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("T")
    #expect(robot.screen.contains("Loading."))
    robot.happen(.trashListed([]))
    #expect(robot.screen.contains("The trash is empty."))
    robot.press("Enter")
    #expect(robot.notice == "The trash is empty.")
  }
}
