import POSIX
import TestKit
import TextUI
import Testing

/// The real terminal, seen from outside: a probe that uses it, on a pty.
@Suite(.serialized) struct TerminalTests {
  private static let size = Size(90, 16)

  func start(
    size: Size = Self.size, _ environment: [String: String] = [:]
  ) throws -> PtySession {
    let probe = try #require(PtySession.builtProgram("TerminalProbe"), "the probe is not built")
    let session = try PtySession(probe, size: size, environment: environment)
    try session.wait(for: "probe \(size.width)x\(size.height)")
    return session
  }

  func expectGivenBack(_ session: PtySession, sourceLocation: SourceLocation = #_sourceLocation) {
    let screen = session.screen
    #expect(!screen.isFullScreen, "the full screen is left", sourceLocation: sourceLocation)
    #expect(screen.grid.cursor != nil, "the cursor is shown", sourceLocation: sourceLocation)
    #expect(!screen.reportsMouse, "the mouse is off", sourceLocation: sourceLocation)
    #expect(session.modes == .cooked, sourceLocation: sourceLocation)
    let raw = session.rawBytes
    for mode in ["1004", "2004", "1049"] {
      let (on, off) = (Array("\u{1B}[?\(mode)h".utf8), Array("\u{1B}[?\(mode)l".utf8))
      let lastOn = raw.ranges(of: on).last?.lowerBound ?? -1
      let lastOff = raw.ranges(of: off).last?.lowerBound ?? -2
      #expect(lastOff > lastOn, "mode \(mode) is off", sourceLocation: sourceLocation)
    }
  }

  // MARK: Giving the terminal back

  @Test(
    "The terminal is given back however the program ends by itself",
    arguments: [
      ("q", PtySession.End.exited(0)), ("1", .exited(7)), ("2", .signalled(SIGILL)), ("3", .signalled(SIGSEGV)),
      ("4", .signalled(SIGABRT)), ("5", .signalled(SIGSEGV)), ("6", .signalled(SIGSEGV)),
    ])
  func givenBackAtTheEnd(_ key: String, _ end: PtySession.End) throws {
    let session = try start(["SWIFT_BACKTRACE": "enable=no"])
    #expect(session.screen.isFullScreen)
    #expect(session.screen.reportsMouse)
    #expect(!session.modes.isCanonical && !session.modes.echoes && !session.modes.hasSignals)
    session.press("p")
    session.press(key)
    #expect(try session.waitExit() == end)
    expectGivenBack(session)
  }

  @Test("The terminal is given back at a signal", arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
  func givenBackAtSignals(_ number: Int32) throws {
    let session = try start()
    session.signal(number)
    #expect(try session.waitExit() == .exited(0))
    expectGivenBack(session)
  }

  @Test func `a terminal that goes away ends the program`() throws {
    let session = try start()
    session.hangUp()
    #expect(try session.waitExit() == .exited(0))
  }

  @Test func `Ctrl-Z stops it with the terminal given back, and fg brings it back`() throws {
    let probe = try #require(PtySession.builtProgram("TerminalProbe"))
    let session = try PtySession("bash", ["--norc", "-i"], size: Size(90, 16), environment: ["PS1": "$ "])
    session.send("'\(probe)'\n")
    try session.wait(for: "probe 90x16")
    // The terminal answers at once; no answer may be typed into the shell.
    try session.waitForBytes("\u{1B}[c")
    session.press("j", "Ctrl-Z")
    try session.wait("the shell's prompt") { $0.contains("Stopped") && !$0.isFullScreen && $0.grid.cursor != nil }
    #expect(!session.screen.reportsMouse)
    session.resize(Size(80, 14))
    session.send("fg\n")
    try session.wait(for: "probe 80x14")
    try session.wait("the log") { $0.contains("resumed") && $0.contains("size 80x14") && $0.contains("item 2") }
    #expect(session.screen.isFullScreen && session.screen.reportsMouse)
    session.press("q")
    try session.wait(for: "probe ended")
    session.send("exit\n")
    #expect(try session.waitExit() == .exited(0))
  }

  @Test("The next program gets no late answer, and a terminal that never answers is left", arguments: [true, false])
  func late(_ answers: Bool) throws {
    let probe = try #require(PtySession.builtProgram("TerminalProbe"))
    let script = "'\(probe)'; read -t 0 && echo typed || echo clean"
    let session = try PtySession("bash", ["-c", script], size: Size(90, 16), answers: false)
    try session.wait(for: "probe 90x16")
    try session.waitForBytes("\u{1B}[c")
    session.press("q")
    if answers { session.send(bytes: Array("\u{1B}[?62;c".utf8)) }
    try session.wait(for: "clean")
    #expect(try session.waitExit() == .exited(0))
  }

  @Test func `Ctrl-Z does not stop it where nobody could continue it`() throws {
    let session = try start()
    session.press("Ctrl-Z")
    try session.wait(for: "resumed")
    session.press("q")
    #expect(try session.waitExit() == .exited(0))
  }

  @Test func `it comes back after others stopped and continued it`() throws {
    let session = try start()
    session.signal(SIGTSTP)
    try session.wait(for: "resumed")
    session.press("j")
    try session.wait(for: "key j")
    session.signal(SIGSTOP)
    session.signal(SIGCONT)
    try session.wait("two lines in the log") { $0.text.ranges(of: "resumed").count == 2 && $0.isFullScreen }
    try session.wait("the mouse") { $0.reportsMouse }
  }

  // MARK: Refusals

  @Test(
    "A terminal that cannot do it is refused in a sentence, without an escape",
    arguments: [("dumb", "cannot move its cursor"), ("", "TERM is not set"), ("nonsense-9", "\"nonsense-9\"")])
  func refusals(_ name: String, _ sentence: String) throws {
    let probe = try #require(PtySession.builtProgram("TerminalProbe"))
    let session = try PtySession(probe, size: Size(200, 5), environment: ["TERM": name])
    #expect(try session.waitExit() == .exited(1))
    #expect(session.screen.text.contains(sentence))
    #expect(!session.rawBytes.contains(0x1B))
    #expect(session.modes == .cooked)
  }

  @Test("Files and pipes are refused", arguments: ["'%' | cat", "'%' </dev/null"])
  func pipesAreRefused(_ command: String) throws {
    let probe = try #require(PtySession.builtProgram("TerminalProbe"))
    let line = command.split(separator: "%", omittingEmptySubsequences: false).joined(separator: probe)
    let session = try PtySession("sh", ["-c", line], size: Size(200, 5))
    _ = try session.waitExit()
    #expect(session.screen.text.contains("its input or output is a file or a pipe"))
    #expect(!session.rawBytes.contains(0x1B))
  }

  @Test(
    "Terminals of many names are drawn on, and only with allowed sequences",
    arguments: [
      "xterm-256color", "xterm", "xterm-kitty", "foot", "wezterm", "xterm-ghostty", "alacritty", "tmux-256color",
      "screen-256color", "linux", "vt100", "vt220", "rxvt", "xterm-mono", "xterm-direct",
    ])
  func manyNames(_ name: String) throws {
    let session = try start(["TERM": name])
    session.press("p", "j", "l", "j")
    session.press("q")
    #expect(try session.waitExit() == .exited(0))
    if name.hasPrefix("xterm") || name.contains("256") {
      #expect(EscapeAudit.findings(in: session.rawBytes) == [])
    }
  }

  // MARK: Input

  @Test func `keys come as they are pressed, the first one, too`() throws {
    let session = try start(size: Size(90, 24))
    session.send(bytes: Array("\u{1B}[A".utf8))
    try session.wait(for: "key Up")
    session.send(bytes: Array("\u{1B}OB".utf8))
    try session.wait(for: "key Down")
    session.press("Esc")
    try session.wait(for: "key Esc")
    session.press("Alt-X", "Ctrl-S", "F5", "Ctrl-Right", "Shift-Tab", "Ctrl-C", "日", "Enter", "Ctrl-J")
    for name in ["Alt-X", "Ctrl-S", "F5", "Ctrl-Right", "Shift-Tab", "Ctrl-C", "日", "Enter", "Ctrl-J"] {
      try session.wait(for: "key \(name)")
    }
    session.paste("q\nx")
    try session.wait(for: "paste q^Jx of 3")
    session.send(bytes: Array("\u{1B}[<0;5;6M\u{1B}[<64;5;6M\u{1B}[?1;2c".utf8))
    try session.wait { $0.contains("press 4,5") && $0.contains("wheelUp 4,5") }
    #expect(!session.screen.contains("key ["))
  }

  @Test func `a large paste arrives whole and is drawn with nothing but text`() throws {
    let session = try start()
    session.paste(String(repeating: "text ", count: 200_000))
    try session.wait { $0.contains("paste text") }
    session.press("x")
    try session.wait(for: "key x")
    #expect(EscapeAudit.findings(in: session.rawBytes) == [])
  }

  @Test func `another thread wakes it`() throws {
    let session = try start()
    session.press("T")
    try session.wait(for: "woken")
  }

  @Test(.timing("the program must sleep for a while")) func `it does nothing while nothing happens`() throws {
    let session = try start()
    session.press("j")
    try session.wait(for: "item 16")
    func switches() -> [Substring] {
      let status = contents(ofFile: "/proc/\(session.process)/status")
      return status.split(separator: "\n").filter { $0.contains("ctxt_switches") && $0.hasPrefix("voluntary") }
    }
    // Asleep in poll when the second reading is like the first.
    var before = switches()
    while true {
      _ = try? session.wait(timeout: .milliseconds(50)) { _ in false }
      let now = switches()
      if now == before { break }
      before = now
    }
    _ = try? session.wait(timeout: .milliseconds(300)) { _ in false }
    #expect(switches() == before)
    #expect(before.count == 1)
  }

  // MARK: Output

  @Test func `what is shown is what was drawn, hostile text as its spelling`() throws {
    let session = try start(["LANG": "C", "LC_ALL": "C"])
    let title = "probe 90x16 palette 日本 é🎈 e\u{301}^[]0;x^G<U+202E>"
    try session.wait("the title") { Array($0.row(0).utf8) == Array(title.utf8) }
    #expect(session.screen.row(5).contains("item 5 大きな名"))
    #expect(session.screen.grid[2, 0].style == .reverse)
    #expect(session.screen.grid[31, 3].style == Style(foreground: .palette(3)))
    #expect(EscapeAudit.findings(in: session.rawBytes) == [])
  }

  @Test func `glyphs of all widths that replace each other leave nothing of the former ones`() throws {
    let session = try start()
    for paint in 1...60 {
      session.press("m")
      try session.wait { $0.row(Self.size.height - 1) == "mixed \(paint)" }
      for y in 0..<(Self.size.height - 1) {
        let row = session.screen.row(y)
        var digits = try #require(UInt64(row.prefix { $0 != " " }))
        var glyphs = "\(digits) "
        while digits > 0 {
          glyphs += ["a", "│", "日"][Int(digits % 3)]
          digits /= 3
        }
        #expect(row == glyphs, "row \(y) of paint \(paint)")
      }
    }
    #expect(EscapeAudit.findings(in: session.rawBytes) == [])
  }

  @Test func `every size is survived`() throws {
    let session = try start()
    let sizes = [(1, 1), (300, 50), (8, 3), (2, 1), (60, 20), (1, 40), (400, 120), (40, 1), (80, 24)]
    for hasPicture in [false, true] {
      if hasPicture { session.press("p") }
      for (width, height) in sizes {
        session.resize(Size(width, height))
        session.press("j")
      }
      for _ in 0..<20 { for (width, height) in sizes { session.resize(Size(width, height)) } }
      session.press("r")
      try session.wait("the last size") {
        $0.row(0).hasPrefix("probe 80x24") && $0.row(23).contains("name")
      }
    }
    session.press("q")
    #expect(try session.waitExit() == .exited(0))
    #expect(EscapeAudit.findings(in: session.rawBytes) == [])
  }

  @Test func `the cursor is shown where it belongs and only when it is asked for`() throws {
    let session = try start()
    #expect(session.screen.grid.cursor == nil)
    session.press("i")
    try session.wait { $0.grid.cursor == Point(3, 2) }
    session.press("i")
    try session.wait { $0.grid.cursor == nil }
  }

  @Test func `a picture has its colours, keeps them while rows beside it scroll, and goes without a trace`() throws {
    let session = try start(["COLORTERM": "truecolor"])
    session.press("p", "i")
    func color(_ x: Int, _ y: Int) -> UInt32 {
      UInt32(x * 7 & 255) << 16 | UInt32(y * 11 & 255) << 8 | UInt32((x + y) * 3 & 255)
    }
    func isWhole(_ screen: ScreenSnapshot, shift: Int) -> Bool {
      for y in 1..<15 {
        for x in 60..<89 {
          let color = color(x + shift, y)
          let style = Style(foreground: .rgb(color), background: .rgb(color ^ 0x0F0F0F))
          guard screen.grid[x, y].style == style, screen.grid[x, y].base == 0x2580 else { return false }
        }
      }
      return screen.grid.cursor == Point(3, 2)
    }
    try session.wait("the picture") { isWhole($0, shift: 0) }
    for step in 1...6 {
      let before = session.rawBytes.count
      session.press("j")
      try session.wait("the picture after step \(step)") { $0.contains("item \(15 + step)") && isWhole($0, shift: 0) }
      #expect(session.rawBytes.count - before < 2000, "the rows beside the picture were written alone")
    }
    let before = session.rawBytes.count
    session.press("x")
    try session.wait("a line of the log") { $0.contains("key x") && isWhole($0, shift: 0) }
    #expect(session.rawBytes.count - before < 500, "the picture was not written")
    session.press("l")
    try session.wait("the next picture") { isWhole($0, shift: 1) }
    session.press("r")
    try session.wait("the picture after a redraw") { isWhole($0, shift: 1) }
    session.press("p")
    try session.wait("no picture") { screen in
      (0..<16).allSatisfy { y in (60..<90).allSatisfy { screen.grid[$0, y].style == .plain || y == 0 } }
    }
    #expect(EscapeAudit.findings(in: session.rawBytes) == [])
  }

  @Test func `a picture keeps its colours in rows that did not change while others scroll across them`() throws {
    let session = try start(["COLORTERM": "truecolor"])
    session.press("p", "u")
    let style = Style(foreground: .rgb(0x12_3456), background: .rgb(0x12_3456 ^ 0x0F0F0F))
    for row in [12, 11, 10, 9, 8] {
      try session.wait("the picture with row \(row)") { screen in
        screen.row(row).contains("the only one")
          && (1..<15).allSatisfy { y in (60..<89).allSatisfy { screen.grid[$0, y].style == style } }
      }
      session.press("j")
    }
  }

  @Test func `where there are 256 colours, a picture has the nearest of them`() throws {
    let session = try start()
    session.press("p")
    let screen = try session.wait("the picture") { $0.grid[70, 5].base == 0x2580 && $0.grid[88, 14].base == 0x2580 }
    func entry(_ index: Int) -> UInt32 {
      if index >= 232 { return UInt32(8 + 10 * (index - 232)) * 0x01_0101 }
      let levels: [UInt32] = [0, 95, 135, 175, 215, 255]
      return levels[(index - 16) / 36] << 16 | levels[(index - 16) / 6 % 6] << 8 | levels[(index - 16) % 6]
    }
    func distance(_ one: UInt32, _ other: UInt32) -> Int {
      var sum = 0
      for (shift, weight) in [(16, 3), (8, 4), (0, 2)] as [(UInt32, Int)] {
        let difference = Int(one >> shift & 255) - Int(other >> shift & 255)
        sum += weight * difference * difference
      }
      return sum
    }
    for y in 1..<15 {
      for x in 60..<89 {
        let color = UInt32(x * 7 & 255) << 16 | UInt32(y * 11 & 255) << 8 | UInt32((x + y) * 3 & 255)
        let index = Int(try #require(screen.grid[x, y].style.foreground.paletteIndex))
        let nearest = try #require((16..<256).map { distance(entry($0), color) }.min())
        #expect(index >= 16 && distance(entry(index), color) == nearest)
      }
    }
  }

  @Test(
    "Colours are those that the terminal has",
    arguments: [
      (["NO_COLOR": "1", "COLORTERM": "truecolor"], "none"), (["TERM": "vt100"], "none"),
      (["TERM": "linux"], "sixteen"), (["TERM": "xterm-16color"], "sixteen"),
      (["TERM": "xterm-88color"], "sixteen"), (["TERM": "xterm-mono"], "none"),
      (["TERM": "xterm"], "sixteen"), (["NO_COLOR": ""], "palette"), (["COLORTERM": "24bit"], "trueColor"),
      (["TERM": "screen-256color", "COLORTERM": "truecolor"], "palette"),
      (["TERM": "screen-256color", "COLORTERM": "truecolor", "TMUX": "x"], "trueColor"),
      (["TERM": "xterm-direct"], "trueColor"), (["TERM": "xterm", "COLORTERM": "truecolor"], "trueColor"),
    ])
  func colors(_ environment: [String: String], _ colors: String) throws {
    let session = try start(environment)
    try session.wait(for: "90x16 \(colors) ")
    session.press("p", "j")
    try session.wait("the picture") { $0.grid[70, 5].base == 0x2580 }
    session.press("q")
    #expect(try session.waitExit() == .exited(0))
    let text = String(decoding: session.rawBytes, as: UTF8.self)
    #expect(text.contains("38;2;") == (colors == "trueColor"))
    #expect(text.contains("38;5;") == (colors == "trueColor" || colors == "palette"))
    if colors == "none" { #expect(!text.contains("[31m")) }
  }

  @Test func `text is offered to the clipboard without its controls; too much text rings the bell`() throws {
    let session = try start()
    session.press("c")
    try session.waitForBytes("\u{1B}]52;c;Y29waWVkIFszMW10ZXh0CuaXpeacrA==\u{7}")
    session.press("C")
    try session.wait("the bell") { $0.bells == 1 }
    #expect(EscapeAudit.findings(in: session.rawBytes, allowing: [.clipboard, .bell]) == [])
    let inTmux = try start(["TMUX": "x"])
    inTmux.press("c")
    try inTmux.waitForBytes("\u{1B}Ptmux;\u{1B}\u{1B}]52;c;Y29waWVkIFszMW10ZXh0CuaXpeacrA==\u{7}\u{1B}\\")
    #expect(EscapeAudit.findings(in: inTmux.rawBytes, allowing: .clipboard) == [])
  }

  @Test func `the mouse is left alone when it is not wanted`() throws {
    let session = try start(["PROBE_NO_MOUSE": "1"])
    #expect(!session.screen.reportsMouse)
    #expect(!String(decoding: session.rawBytes, as: UTF8.self).contains("[?1000"))
  }
}

private func contents(ofFile path: String) -> String {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return "" }
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  return String(decoding: bytes[..<max(0, read(file, &bytes, bytes.count))], as: UTF8.self)
}
