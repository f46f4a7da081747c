import TestKit
import TextUI
import Testing

extension PtySession {
  /// Waits for a text, patiently.
  @discardableResult
  func see(_ text: String) throws -> ScreenSnapshot { try wait(for: text, timeout: .patient) }

  /// Waits until `byteclub serve` has said how to reach it; returns its port. The end of that line counts: a terminal
  /// passes text on in pieces, and a cut port is one where nobody listens.
  @discardableResult
  func servedPort() throws -> String {
    let screen = try see("\", \"folder\": \"/\"")
    let port = screen.text.split(separator: "\"server\": \"http://127.0.0.1:").last?.prefix { $0.isNumber } ?? ""
    return String(port)
  }

  /// Waits until a text is not on the screen any more.
  @discardableResult
  func seeGone(_ text: String) throws -> ScreenSnapshot {
    try wait("\"\(text)\" to go away", timeout: .patient) { !$0.contains(text) }
  }

  /// Moves down to the row of a name and waits until it is chosen.
  func choose(_ name: String) throws {
    press("g")
    try wait("the first row", timeout: .patient) { $0.chosen != nil }
    for _ in 0..<200 {
      let screen = screen
      guard let chosen = screen.chosen else { break }
      if screen.row(chosen).contains(name) { return }
      press("j")
      try wait("the next row", timeout: .patient) { $0.chosen == chosen + 1 }
    }
    throw MemberHome.Missing(description: "\(name) cannot be chosen; the screen was:\n\(screen.text)")
  }

  /// Opens the chosen note in the editor and types into it.
  func edit(typing text: String = "") throws {
    press("Enter")
    try see("i edit")
    press("i")
    try see("unchanged  line 1  column 1")
    if !text.isEmpty { send(text) }
  }

  /// Writes a note from the list, and waits until it is saved.
  func writeNote(_ title: String, _ text: String) throws {
    press("n")
    try see("Name title")
    send("\(title)\n\(text)")
    try see(text)
    press("Ctrl-Q")
    try see("Saved \"\(title).md\".")
  }

  /// Quits from the list; the terminal must be as it was.
  func quit(sourceLocation: SourceLocation = #_sourceLocation) throws {
    press("q")
    // Right after Esc led back, this key alone does not quit.
    let screen = try wait("the end", timeout: .patient) { $0.contains("again to quit.") || !$0.isFullScreen }
    if screen.isFullScreen { press(":", "q", "Enter") }
    #expect(try waitExit(timeout: .patient) == .exited(0), sourceLocation: sourceLocation)
    expectGivenBack(sourceLocation: sourceLocation)
  }

  /// The terminal is as it was before the program started.
  func expectGivenBack(sourceLocation: SourceLocation = #_sourceLocation) {
    let screen = screen
    #expect(!screen.isFullScreen, "the full screen is left", sourceLocation: sourceLocation)
    #expect(screen.grid.cursor != nil, "the cursor is shown", sourceLocation: sourceLocation)
    #expect(!screen.reportsMouse, "the mouse is off", sourceLocation: sourceLocation)
    #expect(modes == .cooked, sourceLocation: sourceLocation)
    let raw = rawBytes
    for mode in ["2004", "1049"] {
      let (on, off) = (Array("\u{1B}[?\(mode)h".utf8), Array("\u{1B}[?\(mode)l".utf8))
      let lastOn = raw.ranges(of: on).last?.lowerBound ?? -1
      let lastOff = raw.ranges(of: off).last?.lowerBound ?? -2
      #expect(lastOff > lastOn, "mode \(mode) is off", sourceLocation: sourceLocation)
    }
  }
}

extension ScreenSnapshot {
  /// The line of the chosen row of a list; nil when no row is chosen.
  var chosen: Int? { (1..<max(1, grid.size.height - 2)).first { row($0).hasPrefix(" >") } }

  /// The last line: the keys that work now.
  var footer: String { row(grid.size.height - 1) }
}
