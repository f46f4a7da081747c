import TestKit
import TextUI

/// A terminal whose member acts as soon as a text is on the screen, one step after another.
final class ScriptedTerminal: Terminal {
  struct Step {
    let wanted: String
    /// Gets the first row of the screen, too.
    let act: (FakeTerminal, _ topLine: String) -> Void

    init(_ wanted: String, _ act: @escaping (FakeTerminal, String) -> Void) { (self.wanted, self.act) = (wanted, act) }

    /// Types the text, in which a line's end is Enter.
    static func type(_ text: String, when wanted: String) -> Step {
      Step(wanted) { terminal, _ in
        for scalar in text.unicodeScalars { terminal.send(.key(Key(scalar == "\n" ? .enter : .character(scalar)))) }
      }
    }

    static func press(_ name: String, when wanted: String) -> Step {
      Step(wanted) { terminal, _ in terminal.press(name) }
    }
  }

  private let base = FakeTerminal(Size(100, 30))
  private var steps: ArraySlice<Step>
  /// The screens at the times of the steps.
  private(set) var screens: [String] = []

  init(_ steps: [Step]) { self.steps = steps[...] }

  private var hasGivenUp = false
  /// True if the member saw all that the steps waited for, and the app ended by them.
  var isThrough: Bool { steps.isEmpty && !hasGivenUp }

  func paint(_ grid: Grid) {
    base.paint(grid)
    guard let step = steps.first else { return }
    let rows = (0..<grid.size.height).map { grid.text(ofRow: $0) }
    guard rows.contains(where: { $0.contains(step.wanted) }) else { return }
    steps.removeFirst()
    screens.append(rows.joined(separator: "\n"))
    step.act(base, rows[0])
  }

  var size: Size { base.size }
  var abilities: TerminalAbilities { base.abilities }
  var waker: @Sendable () -> Void { base.waker }
  func wait(seconds: Int?) -> [InputEvent] {
    let events = base.wait(seconds: seconds)
    // No member sends this: the base ends an app that waits for ever.
    if events == [.terminate] { hasGivenUp = true }
    return events
  }
  var backgroundCount: Int { base.backgroundCount }
  func askBackground() { base.askBackground() }
  func invalidate() { base.invalidate() }
  func suspend() { base.suspend() }
  func handOver(to program: ExternalProgram) -> ExternalProgram.End { base.handOver(to: program) }
  func bell() { base.bell() }
  func copy(_ text: String) { base.copy(text) }
  func tell(_ message: TerminalMessage) { base.tell(message) }
}
