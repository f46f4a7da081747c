import POSIX
import TextUI
import Testing

@testable import TestKit

/// The harness itself, tried on programs that every system has.
@Suite(.serialized) struct HarnessTests {
  @Test func `a program gets keys, its terminal echoes, and its end is reported`() throws {
    let session = try PtySession("cat", size: Size(40, 5))
    session.send("héllo 日本\n")
    try session.wait("two lines") { $0.row(0) == "héllo 日本" && $0.row(1) == "héllo 日本" }
    session.press("Ctrl-D")
    #expect(try session.waitExit() == .exited(0))
  }

  @Test func `exit codes and signals are distinguished`() throws {
    #expect(try PtySession("sh", ["-c", "exit 7"]).waitExit() == .exited(7))
    #expect(try PtySession("sh", ["-c", "kill -TERM $$"]).waitExit() == .signalled(SIGTERM))
    let session = try PtySession("cat")
    session.signal(SIGKILL)
    #expect(try session.waitExit() == .signalled(SIGKILL))
  }

  @Test func `the terminal is the controlling one, has the asked size, and tells of another`() throws {
    let session = try PtySession(
      "sh", ["-c", "trap 'stty size' WINCH; stty size </dev/tty; while :; do read line && break; done"],
      size: Size(61, 17))
    try session.wait(for: "17 61")
    session.resize(Size(50, 11))
    try session.wait(for: "11 50")
    #expect(session.screen.grid.size == Size(50, 11))
  }

  @Test func `environment and folder are those asked for, and no descriptor leaks`() throws {
    let highest = "for f in /proc/$$/fd/*; do echo ${f##*/}; done | sort -n | tail -1"
    let session = try PtySession(
      "sh", ["-c", "echo \"$GREETING $TERM ${LANG-none}\"; pwd; \(highest)"],
      environment: ["GREETING": "hello", "TERM": "vt100", "LANG": ""], workingDirectory: "/usr")
    #expect(try session.waitExit() == .exited(0))
    #expect(session.screen.row(0) == "hello vt100 none")
    #expect(session.screen.row(1) == "/usr")
    #expect((Int(session.screen.row(2)) ?? 99) <= 10)
  }

  @Test func `modes of the terminal are seen from outside`() throws {
    let session = try PtySession("sh", ["-c", "stty raw -echo; printf ready; read x; stty sane; printf done; read x"])
    try session.wait(for: "ready")
    #expect(session.modes == PtySession.Modes(isCanonical: false, echoes: false, hasSignals: false))
    session.send(bytes: [0x0A])
    try session.wait(for: "done")
    #expect(session.modes == .cooked)
  }

  @Test func `colours, attributes, the cursor and the full screen are seen`() throws {
    let session = try PtySession(
      "printf", [#"\033[?1049h\033[2;3H\033[1;31mred\033[0;7;38;5;200mrev\033[0;48;2;1;2;3mrgb\033[0m日x\033[?25l"#],
      size: Size(30, 4))
    #expect(try session.waitExit() == .exited(0))
    let screen = session.screen
    #expect(screen.isFullScreen)
    #expect(screen.row(1) == "  redrevrgb日x")
    #expect(screen.grid[2, 1].style == Style(.bold, foreground: .palette(1)))
    #expect(screen.grid[5, 1].style == Style(.reverse, foreground: .palette(200)))
    #expect(screen.grid[8, 1].style == Style(background: .rgb(0x010203)))
    #expect(screen.grid[11, 1].width == 2)
    #expect(screen.grid[12, 1].width == 0)
    #expect(screen.place(of: "日x") == Point(11, 1))
    #expect(screen.grid.cursor == nil)
    #expect(screen.cursor == Point(14, 1))
  }

  @Test func `questions to the terminal are answered`() throws {
    let script = #"stty raw -echo; printf '\033[6n'; dd bs=1 count=6 2>/dev/null | tr '\033' E"#
    let session = try PtySession("sh", ["-c", script])
    try session.wait(for: "E[1;1R")
  }

  @Test func `a screen is never the middle of a frame`() throws {
    let frame = #"printf '\033[?2026hhalf '; read x; printf 'whole\033[?20'; read x; printf '26l'; read x"#
    let session = try PtySession("sh", ["-c", "stty -echo; printf ready; read x; \(frame)"])
    try session.wait(for: "ready")
    session.send("\n\n\n")
    #expect(try session.wait(for: "half").row(0) == "readyhalf whole")
  }

  @Test func `the mark of a frame may come in pieces`() {
    let output = Array("a\u{1B}[?2026hb\u{1B}[?25l\u{1B}[?2026lc".utf8)
    for cut in 0...output.count {
      var marks = FrameMarks()
      let parts = marks.parts(of: Array(output[..<cut])) + marks.parts(of: Array(output[cut...]))
      #expect(parts.flatMap(\.bytes) == output)
      // After "a" alone, after the end of the frame, and after "c".
      let whole = parts.filter(\.isWhole).map { String(decoding: $0.bytes.suffix(1), as: UTF8.self) }
      #expect(whole.suffix(2) == ["l", "c"] && parts.count { !$0.isWhole } <= 1 && !marks.isOpen)
    }
  }

  @Test func `each frame since the last input is looked at, also those that come at once`() throws {
    let frames = ["one", "two", "three"].map { #"\033[?2026h\r"# + $0 + #"\033[K\033[?2026l"# }.joined()
    let session = try PtySession("sh", ["-c", "stty -echo; printf ready; read x; printf '\(frames)'; read x"])
    try session.wait(for: "ready")
    session.send("\n")
    // All have come.
    try session.waitForBytes("three\u{1B}[K\u{1B}[?2026l")
    var rows: [String] = []
    try session.wait("the last frame") { screen in
      rows.append(screen.row(0))
      return screen.contains("three")
    }
    #expect(rows == ["one", "two", "three"])
  }

  @Test func `a wait that cannot succeed says what the screen was, at once when the program has ended`() throws {
    let session = try PtySession("sh", ["-c", "echo shown"])
    let error = try #require(throws: PtyError.self) { try session.wait(for: "never", timeout: .seconds(60)) }
    #expect(error.description.contains("shown"))
    let other = try PtySession("cat")
    // at any pace: nothing comes, so the limit has to expire.
    #expect(throws: PtyError.self) { try other.wait(for: "never", timeout: .milliseconds(20)) }
  }

  @Test func `a terminal that is closed ends its program`() throws {
    let session = try PtySession("cat")
    session.hangUp()
    #expect(try session.waitExit() == .signalled(SIGHUP))
  }

  @Test func `a program is gone when its session is`() throws {
    var session: PtySession? = try PtySession("sh", ["-c", "trap '' HUP TERM; echo on; while :; do read x; done"])
    try session?.wait(for: "on")
    let process = try #require(session?.process)
    session = nil
    // Killed at once; the number is free when the other thread has seen its end.
    while kill(process, 0) == 0 { sched_yield() }
    #expect(errno == ESRCH)
  }

  @Test func `a program that is not there is an error`() {
    #expect(throws: PtyError.self) { try PtySession("/no/such/program") }
  }
}

@Suite struct EscapeAuditTests {
  @Test(
    "What drawing needs is allowed",
    arguments: [
      "plain text\r\n\t日本 é e\u{301} 🎈", "\u{1B}[?1049h\u{1B}[22;0;0t\u{1B}[1;24r\u{1B}[m\u{1B}(B\u{1B}[4l\u{1B}[?7h",
      "\u{1B}[H\u{1B}[2J\u{1B}[3;4H\u{1B}[K\u{1B}[5X\u{1B}[1;31;48;5;20m\u{1B}[38;2;1;2;3mx\u{1B}[3b",
      "\u{1B}7\u{1B}[?2026h\u{1B}[?2026l\u{1B}8\u{1B}[?25l\u{1B}[?12l\u{1B}[?25h\u{1B}M\u{1B}D",
      "\u{1B}[?2004h\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?1;1006;1000l\u{1B}=\u{1B}>",
    ])
  func drawingIsAllowed(_ text: String) {
    #expect(EscapeAudit.findings(in: Array(text.utf8)) == [])
  }

  @Test(
    "What could harm is told",
    arguments: [
      "\u{1B}]0;title\u{7}", "\u{1B}]52;c;aGk=\u{7}", "\u{1B}[0c", "\u{1B}[6n", "\u{1B}[21t", "\u{1B}P$qm\u{1B}\\",
      "\u{1B}_Gi=1\u{1B}\\", "\u{1B}c", "\u{1B}[!p", "\u{1B}[?1003h", "\u{1B}[20h", "\u{1B}[5i", "\u{7}", "\u{0}",
      "\u{7F}", "a\u{202E}b", "a\u{200B}b", "a\u{2066}b", "a\u{FEFF}b", "a\u{9B}31m", "\u{1B}", "\u{1B}[3",
      "\u{1B}]2;x",
      "\u{1B}#8", "\u{1B}(A", "☎\u{FE0F}", "\u{1B}[>4;2m", "\u{1B}]8;;http://x\u{1B}\\",
    ])
  func harmIsTold(_ text: String) {
    let visible = text.unicodeScalars.first == "a" ? 1 : text.unicodeScalars.first == "☎" ? 3 : 0
    #expect(EscapeAudit.findings(in: Array(("ok" + text).utf8)).first?.offset == 2 + visible)
  }

  @Test func `a frame that begins in another is reported`() {
    let (begin, end) = ("\u{1B}[?2026h", "\u{1B}[?2026l")
    #expect(EscapeAudit.findings(in: Array((begin + end + end + begin + end).utf8)) == [])
    #expect(EscapeAudit.findings(in: Array((end + begin + "x" + begin).utf8)).map(\.offset) == [17])
  }

  @Test func `text of the full screen outside a frame is reported, once before each frame`() {
    let (begin, end) = ("\u{1B}[?2026h", "\u{1B}[?2026l")
    let whole = "a\u{1B}[?1049;1h" + begin + "b山" + end + "\u{1B}[2;3H" + begin + "c" + end + "\u{1B}[?1049l" + "d"
    #expect(EscapeAudit.findings(in: Array(whole.utf8)) == [])
    let late = "\u{1B}[?1049hb山" + begin + end + "c" + begin + end
    #expect(EscapeAudit.findings(in: Array(late.utf8)).map(\.offset) == [8, 28])
  }

  @Test func `bytes that are no UTF-8 are reported`() {
    #expect(EscapeAudit.findings(in: [0x61, 0x9B, 0x33, 0xC3]).map(\.offset) == [1, 3])
  }

  @Test func `the clipboard is allowed only where a test says so`() {
    let plain = Array("\u{1B}]52;c;aGk=\u{7}x".utf8)
    let wrapped = Array("\u{1B}Ptmux;\u{1B}\u{1B}]52;c;aGk=\u{7}\u{1B}\\x".utf8)
    for bytes in [plain, wrapped] {
      #expect(EscapeAudit.findings(in: bytes).count == 1)
      #expect(EscapeAudit.findings(in: bytes, allowing: .clipboard) == [])
    }
  }
}
