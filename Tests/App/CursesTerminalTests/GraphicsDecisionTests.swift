import Testing
import TextUI

@testable import CursesTerminal

@Suite struct GraphicsDecisionTests {
  /// A terminal: its environment and what it answers.
  struct Terminal: CustomTestStringConvertible, Sendable {
    let name: String
    var environment: [String: String] = ["TERM": "xterm-256color"]
    var answers = ""
    var pixels: Size?
    let mode: GraphicsMode
    var cell = Size(10, 20)

    var testDescription: String { name }
  }

  static let terminals = [
    Terminal(
      name: "kitty", environment: ["TERM": "xterm-kitty"],
      answers: "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.35.2)\u{1B}\\\u{1B}[6;21;9t\u{1B}[4;504;720t\u{1B}[?62;c",
      mode: .kitty, cell: Size(9, 21)),
    Terminal(
      name: "Ghostty", answers: "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|ghostty 1.1.3\u{1B}\\\u{1B}[6;34;16t\u{1B}[?62;22c",
      mode: .kitty, cell: Size(16, 34)),
    Terminal(
      name: "Konsole", answers: "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|Konsole 24.08.1\u{1B}\\\u{1B}[6;18;8t\u{1B}[?62;1;4c",
      mode: .kitty, cell: Size(8, 18)),
    Terminal(
      name: "WezTerm", environment: ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"],
      answers:
        "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|WezTerm 20240203-110809-5046fc22\u{1B}\\\u{1B}[6;18;8t\u{1B}[?65;4;6;18;22c",
      mode: .iTerm2, cell: Size(8, 18)),
    Terminal(
      name: "iTerm2", environment: ["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"],
      answers: "\u{1B}P>|iTerm2 3.5.4\u{1B}\\\u{1B}[6;16;7t\u{1B}[?62;4c", mode: .iTerm2, cell: Size(7, 16)),
    Terminal(
      name: "foot", environment: ["TERM": "foot"],
      answers: "\u{1B}P>|foot(1.16.2)\u{1B}\\\u{1B}[6;22;10t\u{1B}[?62;4;22c", mode: .sixel, cell: Size(10, 22)),
    Terminal(
      name: "xterm with sixels",
      answers: "\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}[6;13;6t\u{1B}[4;312;480t\u{1B}[?63;1;2;4;6;9;15;22c",
      mode: .sixel, cell: Size(6, 13)),
    Terminal(
      name: "xterm with sixels that names only its window", answers: "\u{1B}[4;312;480t\u{1B}[?63;1;2;4;6;9;15;22c",
      mode: .sixel, cell: Size(6, 13)),
    Terminal(
      name: "xterm with sixels whose system knows its pixels", answers: "\u{1B}[?63;1;2;4;6;9;15;22c",
      pixels: Size(641, 345), mode: .sixel, cell: Size(8, 14)),
    Terminal(
      name: "xterm with sixels of unknown size", answers: "\u{1B}[?63;1;2;4;6;9;15;22c", mode: .halfBlocks),
    Terminal(
      name: "xterm", answers: "\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}[4;312;480t\u{1B}[?64;1;2;6;9;15;22c",
      mode: .halfBlocks, cell: Size(6, 13)),
    Terminal(
      name: "VTE", environment: ["TERM": "xterm-256color", "VTE_VERSION": "7006"],
      answers: "\u{1B}P>|VTE(7006)\u{1B}\\\u{1B}[4;408;720t\u{1B}[?65;1;9c", mode: .halfBlocks, cell: Size(9, 17)),
    Terminal(
      name: "tmux without pass-through", environment: ["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"],
      answers: "\u{1B}P>|tmux 3.3a\u{1B}\\\u{1B}[?1;2c", mode: .halfBlocks),
    Terminal(
      name: "tmux with pass-through in kitty",
      environment: ["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"],
      answers: "\u{1B}P>|tmux 3.3a\u{1B}\\\u{1B}[?1;2c\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.35.2)\u{1B}\\",
      mode: .kittyInTmux),
    Terminal(
      name: "tmux with pass-through in Konsole",
      environment: ["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"],
      answers: "\u{1B}P>|tmux 3.3a\u{1B}\\\u{1B}[?1;2c\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|Konsole 24.08.1\u{1B}\\",
      mode: .halfBlocks),
    Terminal(
      name: "tmux with sixels", environment: ["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"],
      answers: "\u{1B}P>|tmux 3.5\u{1B}\\\u{1B}[6;22;10t\u{1B}[?1;2;4c", mode: .sixel, cell: Size(10, 22)),
    Terminal(name: "the Linux console", environment: ["TERM": "linux"], mode: .halfBlocks),
    Terminal(name: "one that never answers", mode: .halfBlocks),
    Terminal(
      name: "kitty that refuses", answers: "\u{1B}_Gi=31;EINVAL: no\u{1B}\\\u{1B}[?62;c", mode: .halfBlocks),
    Terminal(
      name: "one that makes numbers up", answers: "\u{1B}[6;0;0t\u{1B}[6;9000;9000t\u{1B}[?62;4c", mode: .halfBlocks),
  ]

  private func answers(_ bytes: String) -> GraphicsAnswers {
    var answers = GraphicsAnswers()
    var decoder = InputDecoder()
    for event in decoder.decode(bytes.utf8) {
      if case .report(let report) = event { answers.take(report) } else { Issue.record("\(event) is no answer") }
    }
    return answers
  }

  private func decision(
    _ terminal: Terminal, _ setting: GraphicsSetting = .auto, colors: TerminalAbilities.Colors = .trueColor,
    isASCII: Bool = false
  ) -> GraphicsDecision {
    GraphicsDecision(
      setting, answers(terminal.answers), environment: { terminal.environment[$0] }, colors: colors, isASCII: isASCII,
      window: Size(80, 24), pixels: terminal.pixels)
  }

  @Test("A terminal is used as its answers allow", arguments: terminals)
  func decided(_ terminal: Terminal) {
    let decision = decision(terminal)
    #expect(decision.mode == terminal.mode, "\(decision.reason)")
    #expect(decision.cell == terminal.cell)
    #expect(decision.reason.hasSuffix("."))
  }

  @Test("The config decides against the answers", arguments: terminals, GraphicsSetting.allCases.dropFirst())
  func configured(_ terminal: Terminal, _ setting: GraphicsSetting) {
    let mode = decision(terminal, setting).mode
    let isInTmux = terminal.environment["TMUX"] != nil
    #expect(mode.rawValue == (setting == .kitty && isInTmux ? "kitty in tmux" : setting.rawValue))
  }

  @Test func `without colours and in ASCII there are no pixels unless they are asked for`() {
    let kitty = Self.terminals[0]
    #expect(decision(kitty, colors: .none).mode == .halfBlocks)
    #expect(decision(kitty, isASCII: true).mode == .halfBlocks)
    #expect(decision(kitty, .kitty, colors: .none).mode == .kitty)
  }

  @Test func `pictures are in shared memory only where kitty's protocol is used and has read some`() {
    func shares(_ answer: String, _ setting: GraphicsSetting = .auto) -> Bool {
      GraphicsDecision(
        setting, answers("\u{1B}_Gi=31;OK\u{1B}\\\(answer)\u{1B}[?62;4c"),
        environment: { $0 == "TERM" ? "xterm-kitty" : nil },
        colors: .trueColor, window: Size(80, 24)
      ).sharesMemory
    }
    #expect(shares("\u{1B}_Gi=32;OK\u{1B}\\") && shares("\u{1B}_Gi=32;OK\u{1B}\\", .kitty))
    #expect(!shares("") && !shares("\u{1B}_Gi=32;EBADF:No such object\u{1B}\\"))
    #expect(!shares("\u{1B}_Gi=32;OK\u{1B}\\", .sixel))
  }

  @Test func `the question about shared memory names a pixel, and is not asked through tmux`() {
    var questions = GraphicsQuestions { $0 == "TERM" ? "xterm-kitty" : nil }
    #expect(!questions.all.contains { $0.name == "shared memory" })
    questions.sharedPixel = "/a"
    let asked = questions.all.first { $0.name == "shared memory" }
    #expect(
      asked.map { String(decoding: $0.bytes, as: UTF8.self) } == "\u{1B}_Gi=32,s=1,v=1,S=3,a=q,t=s,f=24;L2E=\u{1B}\\")
    var inTmux = GraphicsQuestions { $0 == "TMUX" ? "/tmp/t,1,0" : "tmux-256color" }
    inTmux.sharedPixel = "/a"
    #expect(!inTmux.all.contains { $0.name == "shared memory" })
  }

  @Test func `a remedy is named where one helps`() {
    let tmux = Self.terminals.first { $0.name == "tmux without pass-through" }
    #expect(tmux.map { decision($0).remedy } == "In tmux's config: set -g allow-passthrough on")
  }

  @Test func `questions are asked only of terminals that do not print them`() {
    for terminal in Self.terminals {
      let bytes = GraphicsQuestions { terminal.environment[$0] }.bytes
      #expect(bytes.isEmpty == (terminal.environment["TERM"] == "linux"))
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(bytes.isEmpty || text.hasSuffix("\u{1B}[c"), "every terminal answers the last one")
      #expect(text.contains("\u{1B}Ptmux;\u{1B}\u{1B}_Gi=31") == (terminal.environment["TMUX"] != nil))
    }
  }

  @Test("Answers are never taken for keys, however they are cut", arguments: terminals)
  func neverKeys(_ terminal: Terminal) {
    var decoder = InputDecoder()
    var events: [InputEvent] = []
    for byte in terminal.answers.utf8 { events += decoder.decode([byte]) }
    let isReport = events.allSatisfy { if case .report = $0 { true } else { false } }
    #expect(isReport)
  }
}
