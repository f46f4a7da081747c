import FileStores
import Synchronization
import Testing
import TextUI

@testable import Screens

/// A tab that no file of the program names: days, of which one is chosen and kept.
private struct DaysTab: ClubTab {
  enum Action: ClubTabAction {
    case input(MemberInput), resized
    indirect case answered(Action?)
    case kept(Int)

    var memberInput: MemberInput? { if case .input(let input) = self { input } else { nil } }
  }
  enum Effect: Sendable { case keep(Int) }
  enum Posting: Sendable { case note(Int) }

  let title = "Days"
  var day = 1
  var isShown = false
  var question: Question<Action>?
  let hasView = false
  let places: [KeyCommand.Place] = [.moves, .lists]
  let footer: [CommandID] = [.listOpen, .help, .quit]

  mutating func update(_ action: Action, _ frame: inout Frame) -> Commands {
    switch action {
    case .input(.command(.listDown)): day += 1
    case .input(.command(.listOpen)): return [.post(.note(day)), .run(.keep(day), key: "days.keep")]
    case .input(.mouse(let mouse)): day = mouse.point.y
    case .kept(let day): frame.say("Kept day \(day).")
    case .resized: frame.say("\(frame.size.width) columns")
    case .input, .answered: break
    }
    return []
  }

  func reason(against command: CommandID, _ frame: Frame) -> String? {
    command == .listUp && day == 1 ? "This is the first day." : nil
  }

  mutating func shown(_ frame: inout Frame) -> Commands {
    isShown = true
    return []
  }

  func draw(_ frame: Frame, on canvas: inout Canvas) { canvas.text("Day \(day)", x: 1, y: 0) }
}

private final class DaysPerformer: EffectPerformer {
  let noted = Mutex<[Int]>([])

  func post(_ posting: DaysTab.Posting) {
    switch posting {
    case .note(let day): noted.withLock { $0.append(day) }
    }
  }

  @concurrent
  func perform(_ effect: DaysTab.Effect, _ sender: Sender<DaysTab.Action>) async {
    switch effect {
    case .keep(let day): sender.send(.kept(day))
    }
  }
}

/// A tab is added by handing it over.
@Suite struct AddedTabTests {
  private let performer = DaysPerformer()
  private let added: AddedTab

  init() { added = AddedTab(DaysTab(), performer) }

  private func robot() -> Robot {
    let robot = Robot(added: [added])
    robot.happen(.notes(.listed(Samples.table(["a.md"]))))
    robot.take()
    return robot
  }

  private func shown(_ robot: Robot) -> DaysTab? { robot.state.added.first as? DaysTab }

  @Test func `it has a title in the top line, and the tab key goes round all three`() {
    let robot = robot()
    #expect(robot.grid.text(ofRow: 0).contains("2 PanoPhotos   3 Days"))
    robot.press("Tab")
    #expect(robot.state.tab == .photos)
    robot.press("Tab")
    #expect(robot.state.tab == .added(0) && robot.grid.text(ofRow: 1).contains("Day 1"))
    #expect(shown(robot)?.isShown == true)
    robot.press("Tab")
    #expect(robot.state.tab == .notes)
    robot.press("Shift-Tab")
    #expect(robot.state.tab == .added(0))
    robot.press("1")
    #expect(robot.state.tab == .notes)
    robot.press("3")
    #expect(robot.state.tab == .added(0))
    robot.press("4")
    #expect(robot.state.tab == .added(0) && robot.notice?.hasPrefix("4 does nothing here.") == true)
  }

  @Test func `its keys, its mouse and its size are its own; keys for everywhere still work`() {
    let robot = robot()
    robot.press("Shift-Tab", "Up")
    #expect(robot.notice == "This is the first day.")
    robot.press("Down", "Down")
    #expect(robot.notice == nil && robot.grid.text(ofRow: 1).contains("Day 3"))
    robot.mouse(.press, 3, 8)
    #expect(robot.grid.text(ofRow: 1).contains("Day 7"))
    robot.resize(100, 30)
    #expect(robot.notice == "100 columns")
    #expect(robot.footer.contains("help"))
    robot.press("?")
    #expect(robot.state.help != nil)
    robot.press("Esc", "/")
    robot.type("day q")
    #expect(robot.screen.contains("Find: day q") && robot.screen.contains("not in this view"))
    robot.press("Enter")
    #expect(robot.notice == "Find works in lists and notes." && !robot.screen.contains("Find: "))
    robot.press("q")
    #expect(robot.take().last == "quit")
  }

  @Test func `what it asks for goes to its own performer, and what that says comes back to it`() async {
    let robot = robot()
    robot.press("Shift-Tab", "Down", "Enter")
    #expect(robot.take() == ["post added 0: note(2)", "run added 0: keep(2) [days.keep]"])
    added.post(DaysTab.Posting.note(2))
    #expect(performer.noted.withLock { $0 } == [2])
    let mailbox = Mailbox<ClubAction>(wake: {})
    await added.perform(DaysTab.Effect.keep(2), 0, Sender { mailbox.send($0, replacing: $1) })
    for action in mailbox.drain() { robot.happen(action) }
    #expect(robot.notice == "Kept day 2.")
  }

  @Test func `the command line searches and renames in tabs of files alone`() {
    let robot = robot()
    robot.press("Shift-Tab", ":")
    robot.type("search a\n")
    #expect(robot.take() == [])
    #expect(robot.state.tab == .added(0))
  }
}
