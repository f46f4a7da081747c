import Testing
import TextUI

@testable import Screens

/// A list that no file of the program names: stars, of which one is said, or leads to a note.
private struct StarsView: NotesListView {
  var list: SideList<String>
  let places: [KeyCommand.Place] = [.trash, .moves]
  let footer: [CommandID] = [.trashRestore, .trashMark, .help, .quit]
  let sentences = (row: "star", unread: "The sky is not read yet.", empty: "The sky is dark.")
  let own: [CommandID] = [.trashRestore, .trashMark]

  init(_ stars: [String]?, height: Int = 21) { list = SideList(stars, height: height) }

  func handle(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    switch command {
    case .trashMark: frame.say(list.chosen ?? "")
    case .trashRestore: return state.files.selected.map { NotesScreen.open($0, &state) } ?? []
    case .close, .quit: state.views.removeLast()
    default: break
    }
    return []
  }

  func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    let face = SideFace(title: "Stars", columns: [SideColumn("Name")], empty: sentences.empty)
    list.draw(face, frame, on: &canvas) { _, star in SideRow(cells: [SideCell(star)]) }
  }
}

/// A list over the photos: what stands at the pier.
private struct PierView: PhotosListView {
  var list: SideList<String>
  /// Its preview asks for the facts of the photo below.
  var hasPreview = false
  let places: [KeyCommand.Place] = [.trash, .moves]
  let footer: [CommandID] = [.trashRestore, .help, .quit]
  let sentences = (row: "post", unread: "The pier is not read yet.", empty: "The pier is empty.")
  let own: [CommandID] = [.trashRestore, .trashMark]

  init(_ posts: [String]?, hasPreview: Bool = false) {
    (list, self.hasPreview) = (SideList(posts, height: 21), hasPreview)
  }

  func lookBeside(_ state: inout PhotosState) -> Commands {
    hasPreview ? state.files.selected.map { [.run(.info($0), key: "photos.info")] } ?? [] : []
  }

  func handle(_ command: CommandID, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    switch command {
    case .trashMark: frame.say(list.chosen ?? "")
    case .trashRestore: return state.files.selected.map { [.run(.info($0), key: "photos.info")] } ?? []
    case .close, .quit: state.views.removeLast()
    default: break
    }
    return []
  }

  func draw(_ state: PhotosState, _ frame: Frame, on canvas: inout Canvas) {
    let face = SideFace(title: "Pier", columns: [SideColumn("Name")], empty: sentences.empty)
    list.draw(face, frame, on: &canvas) { _, post in SideRow(cells: [SideCell(post)]) }
  }
}

/// A view without a list.
private struct PoemView: NotesView {
  var scrolled = 0
  var size = Size(0, 0)
  let places: [KeyCommand.Place] = []
  let footer: [CommandID] = [.help, .quit]
  let staysOnTop = true

  func handle(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    state.views.removeLast()
    return []
  }

  func point(_ mouse: InputEvent.Mouse, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    frame.say("Line \(mouse.point.y).")
    return []
  }

  mutating func scroll(by rows: Int) { scrolled += rows }
  mutating func resize(_ frame: Frame) { size = frame.size }

  func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    canvas.text("Scrolled \(scrolled), \(size.width) columns", x: 1, y: 0)
  }
}

/// A view is added by putting a value on the stack.
@Suite struct AddedViewTests {
  private func robot(_ view: any TabView<NotesState>, size: Size = Size(80, 24)) -> Robot {
    let robot = Robot(notes: ["a.md", "b.md"], size: size)
    robot.push(view)
    robot.resize(size.width, size.height)
    return robot
  }

  @Test(arguments: [Size(40, 12), Size(80, 24), Size(120, 40)])
  func `it is drawn, has its footer, and moves by keys and mouse`(size: Size) {
    let robot = robot(StarsView(["Vega", "Deneb", "Altair"]), size: size)
    #expect(robot.grid.text(ofRow: 1).hasPrefix(" Stars") && robot.grid.text(ofRow: 2).contains("Name"))
    #expect(robot.screen.contains("Altair") && !robot.screen.contains("b.md"))
    #expect(robot.footer.contains("restore") && robot.footer.contains("back"))
    robot.press("Down", "Space")
    #expect(robot.notice == "Deneb")
    robot.mouse(.press, 4, 5)
    robot.press("Space")
    #expect(robot.notice == "Altair")
    robot.press("Esc")
    #expect(robot.state.notes.views.isEmpty && robot.screen.contains("b.md"))
  }

  @Test func `its keys that can do nothing say why`() {
    let full = robot(StarsView(["Vega"]))
    full.press("Down")
    #expect(full.notice == "This is the last star.")
    full.press("r")
    #expect(full.notice == "This view has nothing to refresh.")
    let empty = robot(StarsView([]))
    #expect(empty.screen.contains("The sky is dark."))
    empty.press("Enter")
    #expect(empty.notice == "The sky is dark.")
    let unread = robot(StarsView(nil))
    #expect(unread.screen.contains("Loading."))
    unread.press("Space")
    #expect(unread.notice == "The sky is not read yet.")
  }

  @Test func `a view that it opens lies over it, and closes to it`() {
    let robot = robot(StarsView(["Vega"]))
    robot.press("Enter")
    #expect(robot.view == "opening" && robot.takeRuns().contains { $0.contains("a.md") })
    robot.press("Esc")
    #expect(robot.view == "StarsView")
  }

  @Test func `of two views the upper one has the keys, the mouse, the reasons and the footer, and Esc closes it alone`()
  {
    let robot = robot(StarsView(["Vega", "Deneb"]))
    robot.push(StarsView(["Rigel"]))
    #expect(robot.screen.contains("Rigel") && !robot.screen.contains("Vega"))
    robot.press("Space")
    #expect(robot.notice == "Rigel")
    robot.press("Down")
    #expect(robot.notice == "This is the last star.")
    robot.mouse(.press, 4, 4)
    robot.mouse(.wheelDown, 4, 4)
    robot.push(PoemView())
    #expect(!robot.footer.contains("restore") && robot.footer.contains("back"))
    robot.press("Esc")
    #expect(robot.state.notes.views.count == 2 && robot.footer.contains("restore"))
    robot.press("Esc")
    #expect(robot.state.notes.views.count == 1)
    // Nothing of it has reached the lower one, whose first star is chosen still.
    robot.press("Space")
    #expect(robot.notice == "Vega")
    robot.press("q")
    #expect(robot.view == "" && robot.chosen == "a.md")
  }

  @Test func `over the photos, the upper of two views has the keys and the reasons, and q closes it alone`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    robot.push(photos: PierView(["Lamp", "Rope"]))
    robot.push(photos: PierView(["Bell"]))
    robot.press("Space")
    #expect(robot.notice == "Bell")
    robot.press("Down")
    #expect(robot.notice == "This is the last post.")
    robot.press("q")
    #expect(robot.state.photos.views.count == 1)
    robot.press("Space")
    #expect(robot.notice == "Lamp")
    robot.press("q")
    #expect(robot.view == "" && robot.chosen == "photos/a.jpg")
  }

  @Test(arguments: [false, true])
  func `over the photos, and over a photo, it is drawn, moves, says its reasons, lies below another and closes`(
    isOverPhoto: Bool
  ) throws {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    if isOverPhoto { robot.press("Enter") }
    let below = robot.view
    #expect(below == (isOverPhoto ? "viewer" : ""))
    robot.push(photos: PierView(["Lamp", "Rope", "Bell"]))
    #expect(robot.grid.text(ofRow: 1).hasPrefix(" Pier") && !robot.screen.contains("b.jpg"))
    #expect(robot.footer.contains("restore") && robot.footer.contains("back"))
    robot.press("Down", "Space")
    #expect(robot.notice == "Rope")
    robot.mouse(.press, 4, 5)
    robot.press("Space")
    #expect(robot.notice == "Bell")
    robot.press("Down")
    #expect(robot.notice == "This is the last post.")
    robot.take()
    robot.press("Enter")
    #expect(robot.take() == ["run info photos/a.jpg [photos.info]"])
    let info = try #require(Samples.info(Samples.path("photos/a.jpg"), camera: "Theta X"))
    robot.happen(photos: .informed(info, offset: 0))
    #expect(robot.view == "info" && robot.screen.contains("Theta X"))
    robot.press("Esc")
    #expect(robot.view == "PierView")
    robot.press("Esc")
    #expect(robot.view == below)
    robot.push(photos: PierView([]))
    robot.press("Enter")
    #expect(robot.notice == "The pier is empty.")
  }

  @Test(arguments: [(99, false), (100, true)])
  func `its preview is asked for where the screen has room for one`(width: Int, isAsked: Bool) {
    let robot = Robot(photos: ["a.jpg"], size: Size(width, 30))
    robot.push(photos: PierView(["Lamp"], hasPreview: true))
    robot.take()
    robot.press("Space")
    #expect(robot.take().contains("run info photos/a.jpg [photos.info]") == isAsked && robot.notice == "Lamp")
  }

  @Test func `a search closes it, as its results are in the list`() {
    let robot = robot(StarsView(["Vega"]))
    robot.happen(.files(.sought("x")))
    #expect(robot.view == "")
  }

  @Test func `the wheel, a press and a new size reach it, and no view comes up over one that stays on top`() {
    let robot = robot(PoemView())
    robot.mouse(.wheelDown, 3, 3)
    robot.resize(100, 30)
    #expect(robot.grid.text(ofRow: 1).contains("Scrolled 3, 100 columns"))
    robot.mouse(.press, 3, 8)
    #expect(robot.notice == "Line 7.")
    robot.happen(.foundWaiting([Samples.waiting("b.md")]))
    #expect(robot.view == "PoemView")
    robot.press("Esc")
    #expect(robot.view == "draft")
  }
}
