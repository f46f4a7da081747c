import POSIX
import TestKit
import TextUI
import Testing

/// What reaches beyond the screen: title, progress, notifications, and whether the window is looked at.
extension TerminalTests {
  private static let full = ["TERM": "xterm-256color", "TERM_PROGRAM": "ghostty"]
  private static let taken = "\u{1B}[22;2t\u{1B}]2;probe ^[]0;owned^G 日本^J<U+202E>\u{7}\u{1B}]9;4;1;44\u{7}"
  private static let givenBack = "\u{1B}]9;4;0;\u{7}\u{1B}[23;2t"

  private func count(_ bytes: String, in session: PtySession) -> Int {
    session.rawBytes.ranges(of: Array(bytes.utf8)).count
  }

  /// Nothing but what is allowed was sent, and what was taken of the window was given back after it.
  private func expectGivenBackWindow(
    _ session: PtySession, allowing more: EscapeAudit.Allowance = [], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectGivenBack(session, sourceLocation: sourceLocation)
    let raw = session.rawBytes
    let (on, off) = (raw.ranges(of: Array("\u{1B}[22;2t".utf8)), raw.ranges(of: Array("\u{1B}[23;2t".utf8)))
    #expect(on.count == off.count && !on.isEmpty, sourceLocation: sourceLocation)
    #expect((off.last?.lowerBound ?? -1) > (on.last?.lowerBound ?? 0), sourceLocation: sourceLocation)
    let shown = raw.ranges(of: Array("\u{1B}]9;4;1;44\u{7}".utf8)).last?.lowerBound ?? .max
    let gone = raw.ranges(of: Array("\u{1B}]9;4;0;\u{7}".utf8)).last?.lowerBound ?? -1
    #expect(gone > shown, sourceLocation: sourceLocation)
    let allowed = more.union([.window, .notifications])
    #expect(EscapeAudit.findings(in: raw, allowing: allowed) == [], sourceLocation: sourceLocation)
  }

  @Test(
    "Title and progress are given back however the program ends",
    arguments: ["q", "1", "2", "3", "4", "5", "6", "SIGTERM"])
  func windowIsGivenBack(_ end: String) throws {
    let session = try start(Self.full.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 })
    session.press("w", "j")
    try session.wait(for: "key j")
    #expect(count(Self.taken, in: session) == 1)
    if end == "SIGTERM" { session.signal(SIGTERM) } else { session.press(end) }
    _ = try session.waitExit()
    // An index out of range.
    expectGivenBackWindow(session, allowing: end == "2" ? .lastWords : [])
    #expect(count("\u{1B}]9;4;0;\u{7}", in: session) == 1, "once")
  }

  @Test func `they are given back to another program, and taken again after it`() throws {
    let session = try start(Self.full)
    session.press("w", "k")
    try session.wait(for: "end signalled(9)")
    session.press("j")
    try session.wait(for: "key j")
    #expect(count(Self.givenBack, in: session) == 1 && count(Self.taken, in: session) == 2)
    session.press("W", "l")
    try session.wait(for: "key l")
    #expect(count("\u{1B}[23;2t", in: session) == 2 && count("\u{1B}]9;4;0;\u{7}", in: session) == 2)
    session.press("q")
    _ = try session.waitExit()
    expectGivenBackWindow(session)
  }

  @Test(
    "Only what a terminal is known to understand is sent to it",
    arguments: [
      (["TERM": "xterm-256color"], "\u{7}", true, false),
      (
        ["TERM": "xterm-256color", "TERM_PROGRAM": "ghostty"],
        "\u{1B}]9;byteclub: 4;1;44 done ^[]52;c;aGk=^G 日本^J\u{7}", true, true
      ),
      (
        ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm", "TERM_PROGRAM_VERSION": "20240203-110809-5046fc22"],
        "\u{1B}]9;byteclub: ", true, false
      ),
      (
        ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm", "TERM_PROGRAM_VERSION": "20250401-1-x"],
        "\u{1B}]9;byteclub: ", true, true
      ),
      (["TERM": "foot"], "\u{1B}]777;notify;byteclub;4,1,44 done ^[]52,c,aGk=^G 日本^J\u{7}", true, false),
      (["TERM": "rxvt-unicode-256color"], "\u{1B}]777;notify;byteclub;", true, false),
      (["TERM": "xterm-256color", "WT_SESSION": "1"], "\u{7}", true, true),
      (["TERM": "tmux-256color", "TMUX": "/tmp/x,1,0", "TERM_PROGRAM": "ghostty"], "\u{7}", true, false),
      (["TERM": "linux"], "\u{7}", false, false),
    ] as [([String: String], String, Bool, Bool)])
  func onlyWhatIsKnown(_ environment: [String: String], _ notification: String, _ title: Bool, _ progress: Bool) throws
  {
    let session = try start(environment)
    session.press("w", "n", "j")
    try session.wait(for: "key j")
    #expect(count(notification, in: session) > 0)
    #expect(count("\u{1B}]2;", in: session) == (title ? 1 : 0) && count("\u{1B}[22;2t", in: session) == (title ? 1 : 0))
    #expect(count("\u{1B}]9;4;", in: session) == (progress ? 1 : 0))
    if notification == "\u{7}" { #expect(count("\u{1B}]9;byteclub", in: session) == 0) }
    session.press("q")
    _ = try session.waitExit()
    // The Linux console has sequences of its own, which the audit does not know.
    guard environment["TERM"] != "linux" else { return }
    let findings = EscapeAudit.findings(in: session.rawBytes, allowing: [.window, .notifications, .bell])
    #expect(findings == [])
  }

  @Test func `the window tells whether it is looked at`() throws {
    let session = try start()
    session.send("\u{1B}[O")
    try session.wait(for: "not looked at")
    session.send("\u{1B}[I")
    try session.wait("the log") { $0.contains("looked at") }
    session.press("q")
    #expect(try session.waitExit() == .exited(0))
  }
}
