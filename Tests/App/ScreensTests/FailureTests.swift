import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// An effect that failed is a notice, unless a view or a field shows the failure.
@Suite struct FailureTests {
  private static let path = Samples.path("a.md")
  private static let photo = Samples.path("photos/a.jpg")

  private static func merged() -> MergedNote {
    MergedNote(
      entry: Samples.entry("a.md"), text: [], writer: .member("ann"), needsLook: false,
      sides: MergedNote.Sides(mine: [], theirs: [], base: [], baseRevision: Revision("r1")))
  }

  /// Effects of the notes, and the sentence before the reason.
  private static let notes: [(NotesEffect, String)] = [
    (.findWaiting, "byteclub could not read earlier drafts and unsent saves: "),
    (.openDraft(Samples.draft("a.md")), "byteclub could not read the draft of \"a.md\". "),
    (.beginEdit(path), "byteclub could not open \"a.md\" for editing. "),
    (.history(path), "byteclub could not read the history of \"a.md\". "),
    (.restoreVersion(path, Revision("r1"), over: nil), "\"a.md\" was not restored. "),
    (.undoMerge(merged()), "The merge of \"a.md\" was not undone. "),
    (.save(path, base: nil, text: [], session: nil), "\"a.md\" was not saved. "),
    (.create(name: "b", text: [], session: nil), "\"b\" was not saved. "),
    (.resolve(Samples.conflict("a.md"), .mine, session: nil), "\"a.md\" was not saved. "),
    (.send(Samples.waiting(nil, title: "Riddle")), "\"Riddle\" was not saved. "),
    (.send(Samples.stray("a.md")), ""),
    (.lookWaiting, ""), (.discard(Samples.waiting("a.md")), ""), (.dropDraft(session: 1, isKept: true), ""),
  ]

  @Test(arguments: notes)
  func `what the notes could not do is reported with its reason`(effect: NotesEffect, sentence: String) {
    let robot = Robot(notes: ["a.md"])
    robot.happen(.failed(effect, StoreError(.notPermitted, "You may not.", remedy: "Ask ann.")))
    #expect(robot.notice == "\(sentence)You may not. Ask ann.")
    #expect(robot.view.isEmpty)
  }

  private static let everywhere: [ClubAction] = [
    .notes(.files(.failed(.link(path, .week), .cancelled("It")))),
    .notes(.files(.failed(.openOutside(path), .cancelled("It")))),
    .notes(.files(.failed(.list, .cancelled("It")))), .notes(.files(.failed(.search("x"), .cancelled("It")))),
    .notes(.files(.failed(.searchTexts("x", isTyping: true), .cancelled("It")))),
    .notes(.files(.failed(.watch, .cancelled("It")))),
    .notes(.files(.failed(.rename(path, to: "b.md"), .cancelled("It")))),
    .notes(.failed(.lookWaiting, .cancelled("It"))), .notes(.failed(.blame(path), .cancelled("It"))),
    .notes(.failed(.backlinks(path), .cancelled("It"))), .notes(.failed(.lookTrash, .cancelled("It"))),
    .notes(.failed(.history(path), .cancelled("It"))), .photos(.failed(.info(photo), .cancelled("It"))),
    .photos(.failed(.view(photo, onDisk: nil), .cancelled("It"))), .transfers(.failed(.readLimit, .cancelled("It"))),
  ]

  @Test(arguments: everywhere) func `what was cancelled is not reported`(action: ClubAction) {
    let robot = Robot(notes: ["a.md"])
    robot.take()
    robot.happen(action)
    #expect(robot.notice == nil && robot.rows == ["a.md"] && robot.take().isEmpty)
  }

  @Test func `a search that is cancelled goes on as far as the list knows, and a broken one ends`() {
    let robot = Robot(notes: ["a.md"])
    robot.happen(.files(.sought("x")))
    robot.happen(.files(.failed(.search("x"), .cancelled("It"))))
    #expect(robot.state.notes.files.sought == "x")
    robot.happen(.files(.failed(.search("x"), StoreError(.server, "It broke."))))
    #expect(robot.state.notes.files.sought == nil)
    #expect(robot.notice == "byteclub could not search the notes. It broke.")
  }

  @Test(arguments: [NotesEffect.blame(path), .backlinks(path), .lookTrash])
  func `a view that waits for its answer closes with the reason, and stays when its request was replaced`(
    effect: NotesEffect
  ) {
    var state = NotesState(NoteScope(photosFolder: Samples.path("photos")))
    var frame = Frame(size: Size(80, 24), abilities: TerminalAbilities(colors: .none), keys: .standard, club: "home")
    let view: any TabView<NotesState> =
      switch effect {
      case .blame: BlameView(Self.path, line: 0, height: 20)
      case .lookTrash: TrashView(height: 20)
      default: NoteBacklinks(Self.path, height: 20)
      }
    state.views = [view]
    _ = NotesScreen.update(&state, .failed(effect, .cancelled("It")), &frame)
    #expect(state.views.count == 1 && frame.notice == nil)
    _ = NotesScreen.update(&state, .failed(effect, StoreError(.server, "It broke.")), &frame)
    #expect(state.views.isEmpty && frame.notice?.text.hasSuffix(" It broke.") == true)
  }
}
