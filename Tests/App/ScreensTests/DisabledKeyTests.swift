import FileStores
import Testing
import TextUI

@testable import Screens

/// The reasons of keys that can do nothing now.
@Suite struct DisabledKeyTests {
  /// The cursor of a text that is typed shows by itself that it is at an end.
  private static let cursorMoves: Set<CommandID> = [
    .editorLineStart, .editorLineEnd, .editorWordBack, .editorWordForward,
  ]

  @Test(arguments: Scene.allCases)
  func `each key of a view changes something, asks for something, or says why it does not`(scene: Scene) {
    let robot = scene.robot(Size(120, 40))
    let state = robot.state
    // A question, the help and a typed line have keys of their own; loading ignores keys, and says so on the screen.
    guard robot.question == nil, state.help == nil, state.line == nil, !state.isLoading else { return }
    let places = state.places + [.everywhere]
    let rows = KeyCommand.all.filter { places.contains($0.place) }
    let keys = Set(rows.flatMap { KeyTable.standard.keys(for: $0.id) })
    let before = Robot(copyOf: robot).grid
    var silent: [String] = []
    for key in keys {
      guard let command = KeyTable.standard.command(for: key, in: places), !Self.cursorMoves.contains(command),
        // A field takes the other keys of all views as text.
        !state.takesText || KeyCommand.named(command)?.place != .everywhere
          || [.redraw, .suspend, .interrupt, .help].contains(command)
      else { continue }
      let copy = Robot(copyOf: robot)
      copy.press(key.name)
      if copy.take().isEmpty, copy.notice == nil, copy.grid == before { silent.append("\(key) \(command)") }
    }
    #expect(silent.isEmpty, "\(scene): \(silent.sorted().joined(separator: ", "))")
  }

  @Test func `a list without files names the key that makes the first one`() {
    let robot = Robot(notes: [])
    for key in ["Enter", "R", "D", "H", "e", "y", "j"] {
      robot.press(key)
      #expect(robot.notice == "The club has no notes yet. n writes one.", "\(key)")
    }
    robot.press("2")
    robot.happen(.photos(.listed(Samples.table([], folder: "photos"))))
    robot.press("d")
    #expect(robot.notice == "The club has no photos yet. u uploads one.")
  }

  @Test func `a filter without a match says how all are shown again`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("/")
    robot.type("xyz")
    robot.press("Enter", "D")
    #expect(robot.notice == "No note matches. Esc shows all." && robot.question == nil)
  }

  @Test func `a sentence names the end of a list or text`() {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press("k")
    #expect(robot.notice == "This is the first note.")
    robot.press("j")
    #expect(robot.notice == nil && robot.chosen == "b.md")
    robot.press("j")
    #expect(robot.notice == "This is the last note.")
    robot.press("Enter")
    robot.happen(.opened(Samples.note("b.md", "short"), .read))
    robot.press("PageDown")
    #expect(robot.notice == "The text ends here.")
    robot.press("g")
    #expect(robot.notice == "The text begins here.")
  }

  @Test func `Esc in a list at rest names the key that quits, and only clears a notice that is there`() {
    let robot = Robot(notes: ["a.md"])
    robot.happen(.notes(.warned("It was not saved.")))
    robot.press("Esc")
    #expect(robot.notice == nil)
    robot.press("Esc")
    #expect(robot.notice == "Nothing is open over the list. q quits.")
  }

  @Test func `a reason names the keys of the config`() {
    let robot = Robot(notes: [], keys: KeyTable(changes: [.notesNew: [Key(.function(7))]]))
    robot.press("Enter")
    #expect(robot.notice == "The club has no notes yet. F7 writes one.")
  }

  @Test func `an editor says that nothing is left to undo`() {
    let robot = Scene.editorAtEnd()
    robot.press("Ctrl-Z")
    #expect(robot.notice == "Nothing to undo.")
    robot.type("x")
    robot.press("Ctrl-Z")
    #expect(robot.notice == nil && robot.text == "text")
    robot.press("Alt-W")
    #expect(robot.notice == "Nothing is selected. Shift with the arrows selects.")
  }
}
