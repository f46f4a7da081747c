import POSIX
import TestKit
import TextUI
import Testing

/// Grapheme clusters on a terminal that answers for their mode (2027), and draws them in parts all the same.
extension TerminalTests {
  private static let family = "👨‍👩‍👧‍👦"

  /// The answers come in one piece; the last is that of the barrier.
  private func session(answering answers: String, _ environment: [String: String] = [:]) throws -> PtySession {
    let probe = try #require(PtySession.builtProgram("TerminalProbe"), "the probe is not built")
    let session = try PtySession(probe, size: Size(90, 16), environment: environment, answers: false)
    try session.wait(for: "probe 90x16")
    try session.waitForBytes("\u{1B}[c")
    session.send(bytes: Array(answers.utf8))
    return session
  }

  @Test(
    "Clusters are sent whole, the row's end is in its place, and the mode is as it was afterwards",
    arguments: [(2, true), (1, false), (3, false)], ["", "truecolor"])
  func whole(setting: (answer: Int, isSet: Bool), colors: String) throws {
    let session = try session(
      answering: "\u{1B}[?2027;\(setting.answer)$y\u{1B}[?62;c", colors.isEmpty ? [:] : ["COLORTERM": colors])
    try session.wait(for: "graphics half-blocks")
    session.press("e")
    try session.waitForOutput("the family") { $0.firstRange(of: Array(Self.family.utf8)) != nil }
    session.press("i")
    try session.wait(for: "key i")
    let row = session.screen.grid
    for (x, text) in [(62, "|"), (65, "|"), (68, "|"), (71, "|"), (72, "e"), (73, "n"), (74, "d"), (75, " ")] {
      #expect(row[x, 14].text == text, "column \(x)")
    }
    #expect(EscapeAudit.findings(in: session.rawBytes, allowing: .graphemes) == [])
    #expect((session.rawBytes.firstRange(of: Array("\u{1B}[?2027h".utf8)) != nil) == setting.isSet)
    session.press("q")
    #expect(try session.waitExit() == .exited(0))
    expectGivenBack(session)
    let output = String(decoding: session.rawBytes, as: UTF8.self)
    #expect(output.contains("\u{1B}[?2027l") == setting.isSet)
    let (held, free) = (output.ranges(of: "\u{1B}[?7l").last, output.ranges(of: "\u{1B}[?7h").last)
    #expect(held.flatMap { held in free.map { held.lowerBound < $0.lowerBound } } == true, "lines wrap again")
  }

  @Test("The mode goes however the program ends, and for another program", arguments: ["4", "5", "SIGTERM", "h"])
  func modeGiven(_ end: String) throws {
    let session = try session(answering: "\u{1B}[?2027;2$y\u{1B}[?62;c")
    try session.waitForBytes("\u{1B}[?2027h")
    if end == "SIGTERM" { session.signal(SIGTERM) } else { session.press(end) }
    if end == "h" { try session.wait(for: "child has it") } else { _ = try session.waitExit() }
    #expect(session.rawBytes.firstRange(of: Array("\u{1B}[?2027l".utf8)) != nil)
  }

  @Test(
    "Without the answer, or with one that comes too late, clusters are their parts",
    arguments: [
      "\u{1B}[?62;c", "\u{1B}[?2027;0$y\u{1B}[?62;c", "\u{1B}[?2027;4$y\u{1B}[?62;c",
      "\u{1B}[?62;c\u{1B}[?2027;1$y", "\u{1B}[?2027;0$y\u{1B}[?2027;1$y\u{1B}[?62;c",
    ])
  func parts(answers: String) throws {
    let session = try session(answering: answers)
    session.press("e")
    try session.wait("the parts") { $0.row(14).contains("👨👩👧👦|") }
    let output = String(decoding: session.rawBytes, as: UTF8.self)
    #expect(!output.unicodeScalars.contains("\u{200D}") && !output.contains("\u{1B}[?2027h"))
    #expect(EscapeAudit.findings(in: session.rawBytes) == [])
  }
}
