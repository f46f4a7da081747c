import FileStores
import Testing
import TextUI

@testable import Screens

/// Simulates a member at the screen of clubs: presses keys, reads the screen, and records commands. It performs no
/// effects: `answer` and `fail` say how they ended.
final class ClubsRobot {
  private(set) var state: ClubsState
  /// All calls so far.
  private(set) var effects: [ClubsEffect] = []
  private var asked: [String] = []
  private var kept = Canvas(Size(0, 0))

  init(
    _ start: ClubsStart = .firstStart, size: Size = Size(80, 24), current: String? = nil,
    offersThisMachine: Bool = false,
    abilities: TerminalAbilities = TerminalAbilities(colors: .trueColor), keys: KeyTable = .standard,
    theme: ThemeChoice = ThemeChoice(.dark)
  ) {
    let frame = Frame(size: size, abilities: abilities, keys: keys, club: "", theme: theme)
    let (state, commands) = ClubsScreen.start(
      frame, start, forms: ClubsSamples.forms, current: current, offersThisMachine: offersThisMachine)
    self.state = state
    note(commands)
  }

  /// The list with sample clubs, of which `home` is open.
  static func list(_ size: Size = Size(80, 24), current: String? = "home", rows: [ClubRow] = ClubsSamples.rows)
    -> ClubsRobot
  {
    let robot = ClubsRobot(.list, size: size, current: current)
    robot.answer(.rows(rows), .list)
    robot.take()
    return robot
  }

  /// The form of a WebDAV server, with the first fields filled in and the focus on the last.
  static func form(_ size: Size = Size(80, 24)) -> ClubsRobot {
    let robot = ClubsRobot(size: size)
    robot.press("4", "Enter")
    robot.type("https://cloud.example")
    robot.press("Tab")
    robot.type("ann")
    robot.press("Tab")
    robot.take()
    return robot
  }

  static func signIn(_ input: SignInStep.Input, size: Size = Size(80, 24), address: String? = ClubsSamples.address)
    -> ClubsRobot
  {
    let robot = ClubsRobot(.signIn(club: "cloud"), size: size)
    robot.answer(.step(ClubsSamples.step(input, address: address)))
    robot.take()
    return robot
  }

  /// Shows the screen in another theme.
  func wear(_ theme: Theme) { state.frame.theme = theme }

  func press(_ names: String...) {
    for name in names {
      guard let key = Key(name) else { preconditionFailure("no key is called \(name)") }
      send(.key(key))
    }
  }

  func type(_ text: String) { for scalar in text.unicodeScalars { send(.key(Key(.character(scalar)))) } }

  func paste(_ text: String) { send(.paste(Array(text.utf8))) }

  func mouse(_ kind: InputEvent.Mouse.Kind, _ x: Int, _ y: Int) { send(.mouse(.init(kind, at: Point(x, y)))) }

  /// Clicks on the first cell of a text on the screen.
  func click(_ text: String) {
    for (y, row) in screen.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard let place = row.firstRange(of: text) else { continue }
      return mouse(.press, row.distance(from: row.startIndex, to: place.lowerBound), y)
    }
    Issue.record("\(text) is not on the screen:\n\(screen)")
  }

  func send(_ event: InputEvent) {
    if let action = ClubsScreen.action(for: event, in: state) { happen(action) }
  }

  func happen(_ action: ClubsAction) { note(ClubsScreen.update(&state, action)) }

  /// Ends the newest call of a kind.
  func answer(_ answer: ClubsAnswer, _ kind: ClubsCall.Kind = .call) {
    guard let effect = newest(kind) else { return }
    happen(.answered(effect, answer))
  }

  func fail(_ error: StoreError = ClubsRobot.refusal, _ kind: ClubsCall.Kind = .call) {
    guard let effect = newest(kind) else { return }
    happen(.failed(effect, error))
  }

  static let refusal = StoreError(.offline, "club.example does not answer.", remedy: "Check the address.")

  private func newest(_ kind: ClubsCall.Kind) -> ClubsEffect? {
    let effect = effects.last { $0.call.kind == kind }
    #expect(effect != nil, "nothing of \(kind) was asked")
    return effect
  }

  /// The commands since the last call.
  @discardableResult
  func take() -> [String] {
    defer { asked = [] }
    return asked
  }

  var outcome: ClubsOutcome? { state.outcome }
  var title: String { state.view.title }
  var notice: String? { state.frame.notice?.text }
  var question: String? { state.question?.text }

  /// Checks that a new canvas and the reused one look the same.
  var grid: Grid {
    var canvas = Canvas(state.frame.size)
    ClubsScreen.draw(state, on: &canvas)
    kept.begin(state.frame.size)
    ClubsScreen.draw(state, on: &kept)
    kept.end()
    #expect(kept.grid == canvas.grid)
    return canvas.grid
  }

  var screen: String { grid.text }
  var footer: String { grid.text(ofRow: grid.size.height - 1) }

  private func note(_ commands: ClubsScreen.Commands) {
    for command in commands {
      switch command {
      case .run(let effect, let key):
        effects.append(effect)
        asked.append("run \(Self.spelled(effect.call))" + (key == nil ? " without a key" : ""))
      case .cancel(let key): asked.append("cancel [\(key)]")
      case .copy(let text): asked.append("copy \(text)")
      case .redraw: asked.append("redraw")
      case .suspend: asked.append("suspend")
      case .quit: asked.append("quit")
      case .tell, .askBackground, .bell, .handOver, .post: break
      }
    }
  }

  private static func spelled(_ call: ClubsCall) -> String {
    func values(_ form: PlaceForm) -> String { form.fields.map(\.value).joined(separator: ",") }
    return switch call {
    case .clubs: "clubs"
    case .check(let form): "check \(values(form))"
    case .add(let form): "add \(values(form))"
    case .join(let line, let agreed): "join \(line)\(agreed ? " agreed" : "")"
    case .beginSignIn(let club): "begin \(club)"
    case .awaitSignIn(let step): "await \(step.club)"
    case .finishSignIn(let step, let answer): "finish \(step.club) \(answer)"
    case .deviceLine(let club): "device \(club)"
    case .placeLine(let club): "place \(club)"
    case .qr(let text): "qr \(text)"
    }
  }
}
