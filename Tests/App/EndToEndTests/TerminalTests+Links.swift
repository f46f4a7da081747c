import TestKit
import TextUI
import Testing

/// Hyperlinks (OSC 8), which ncurses does not know.
extension TerminalTests {
  private static let opening = "\u{1B}]8;id="
  private static let closing = "\u{1B}]8;;\u{1B}\\"

  /// Each stretch of linked text, without the sequences in it, and its address, in the order of the bytes.
  private func links(in bytes: some Collection<UInt8>) -> [String] {
    var found: [String] = []
    for piece in String(decoding: bytes, as: UTF8.self).components(between: Self.opening) {
      guard let end = piece.firstRange(of: "\u{1B}\\"), let semicolon = piece.firstIndex(of: ";") else { continue }
      let address = piece[piece.index(after: semicolon)..<end.lowerBound]
      let rest = piece[end.upperBound...]
      let text = rest[..<(rest.firstRange(of: Self.closing)?.lowerBound ?? rest.endIndex)]
      found.append("\(text.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "")) \(address)")
    }
    return found
  }

  private static let shown = [
    "the club's大きな site https://club.example/a", "hostile https://h.example/%1B\\%07%C3%A9",
  ]

  @Test(
    "Links are painted over the cells, in any number of colours, and taken away again",
    arguments: [["COLORTERM": "truecolor"], [:], ["NO_COLOR": "1"]])
  func links(surroundings: [String: String]) throws {
    let session = try start(
      ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"].merging(surroundings) { $1 })
    session.press("o")
    try session.wait(for: "too long")
    // The next frame begins after the overlay of this one.
    session.press("i")
    try session.wait(for: "key i")
    #expect(links(in: session.rawBytes) == Self.shown)
    #expect(session.rawBytes.ranges(of: Array("l.example".utf8)).isEmpty)
    let picture = session.screen.grid
    let before = session.rawBytes.count
    session.press("o")
    // The row of the log's second entry is painted in the same frame as the cells without links.
    try session.wait("the second key") { $0.text.ranges(of: "key o").count == 2 }
    session.press("q")
    _ = try session.waitExit()
    let later = session.rawBytes.dropFirst(before)
    #expect(links(in: later).isEmpty)
    #expect(String(decoding: later, as: UTF8.self).contains("club's"), "the cells are painted without a link")
    let row = picture.size.height - 4
    #expect(picture[0, row].style.attributes.contains(.underline))
    #expect((picture[0, row].style.foreground == .standard) == (surroundings["NO_COLOR"] != nil))
    expectGivenBack(session)
    #expect(EscapeAudit.findings(in: session.rawBytes, allowing: .links) == [])
  }

  @Test(
    "Only terminals that know links get them",
    arguments: [
      (["TERM": "xterm-kitty"], true), (["TERM": "foot"], true), (["TERM": "xterm-256color"], false),
      (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], true),
      (["TERM": "xterm-256color", "VTE_VERSION": "5000"], false),
      (["TERM": "xterm-256color", "VTE_VERSION": "7006"], true),
      (["TERM": "xterm-256color", "KONSOLE_VERSION": "230804"], true),
      (["TERM": "screen-256color", "TMUX": "/tmp/tmux,1,0", "TERM_PROGRAM": "tmux"], true),
      (["TERM": "screen", "TERM_PROGRAM": "WezTerm"], false), (["TERM": "linux"], false),
    ])
  func knowing(surroundings: [String: String], hasLinks: Bool) throws {
    let session = try start(surroundings)
    session.press("o")
    try session.wait(for: "too long")
    session.press("q")
    _ = try session.waitExit()
    #expect(links(in: session.rawBytes) == (hasLinks ? Self.shown : []))
  }
}

extension String {
  /// The parts after each separator.
  fileprivate func components(between separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false).dropFirst().map { $0 }
  }
}
