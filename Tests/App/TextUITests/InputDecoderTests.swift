import TestKit
import Testing
import TextUI

@Suite struct InputDecoderTests {
  private static func key(_ code: Key.Code, _ modifiers: Key.Modifiers = []) -> InputEvent {
    .key(Key(code, modifiers))
  }

  private static func keys(_ text: String) -> [InputEvent] {
    text.unicodeScalars.map { .key(Key(.character($0))) }
  }

  private static func decode(_ text: String) -> [InputEvent] {
    var decoder = InputDecoder()
    return decoder.decode(text.utf8) + decoder.flush()
  }

  static let keyTable: [(String, String)] = [
    ("\r", "Enter"), ("\n", "Ctrl-J"), ("\t", "Tab"), ("\u{7F}", "Backspace"), ("\u{8}", "Backspace"),
    ("\u{1}", "Ctrl-A"), ("\u{1A}", "Ctrl-Z"), ("\0", "Ctrl-Space"), ("\u{1F}", "Ctrl-_"), ("\u{1C}", "Ctrl-\\"),
    ("\u{1D}", "Ctrl-]"), ("\u{1E}", "Ctrl-^"), ("\u{1B}", "Esc"), ("a", "a"), ("A", "A"), (" ", "Space"),
    ("é", "é"), ("日", "日"), ("🎈", "🎈"),
    ("\u{1B}[A", "Up"), ("\u{1B}OA", "Up"), ("\u{1B}[B", "Down"), ("\u{1B}OB", "Down"), ("\u{1B}[C", "Right"),
    ("\u{1B}[D", "Left"), ("\u{1B}OC", "Right"), ("\u{1B}OD", "Left"),
    ("\u{1B}[H", "Home"), ("\u{1B}OH", "Home"), ("\u{1B}[1~", "Home"), ("\u{1B}[7~", "Home"),
    ("\u{1B}[F", "End"), ("\u{1B}OF", "End"), ("\u{1B}[4~", "End"), ("\u{1B}[8~", "End"),
    ("\u{1B}[2~", "Ins"), ("\u{1B}[3~", "Del"), ("\u{1B}[5~", "PgUp"), ("\u{1B}[6~", "PgDn"),
    ("\u{1B}[1;5C", "Ctrl-Right"), ("\u{1B}[1;3A", "Alt-Up"), ("\u{1B}[1;2D", "Shift-Left"),
    ("\u{1B}[1;6B", "Ctrl-Shift-Down"), ("\u{1B}[3;5~", "Ctrl-Del"), ("\u{1B}[5;3~", "Alt-PgUp"),
    ("\u{1B}[5^", "Ctrl-PgUp"), ("\u{1B}[7$", "Shift-Home"), ("\u{1B}[8@", "Ctrl-Shift-End"),
    ("\u{1B}[a", "Shift-Up"), ("\u{1B}Oa", "Ctrl-Up"), ("\u{1B}\u{1B}[A", "Alt-Up"), ("\u{1B}\u{1B}OA", "Alt-Up"),
    ("\u{1B}OP", "F1"), ("\u{1B}[11~", "F1"), ("\u{1B}[[A", "F1"), ("\u{1B}[P", "F1"), ("\u{1B}OS", "F4"),
    ("\u{1B}[[E", "F5"), ("\u{1B}[15~", "F5"), ("\u{1B}[17~", "F6"), ("\u{1B}[21~", "F10"), ("\u{1B}[23~", "F11"),
    ("\u{1B}[24~", "F12"), ("\u{1B}[1;5R", "Ctrl-F3"), ("\u{1B}[15;2~", "Shift-F5"), ("\u{1B}O5P", "Ctrl-F1"),
    ("\u{1B}[Z", "Shift-Tab"), ("\u{1B}[1;2Z", "Shift-Tab"),
    ("\u{1B}x", "Alt-X"), ("\u{1B}X\u{1B}\\\u{1B}B", "Alt-Shift-B"), ("\u{1B}\r", "Alt-Enter"),
    ("\u{1B}\u{7F}", "Alt-Backspace"), ("\u{1B}\u{1}", "Ctrl-Alt-A"), ("\u{1B}é", "Alt-É"),
    ("\u{1B}[", "Alt-["), ("\u{1B}O", "Alt-Shift-O"), ("\u{1B}_", "Alt-_"), ("\u{1B}]", "Alt-]"),
    ("\u{1B}^", "Alt-^"), ("\u{1B}P", "Alt-Shift-P"), ("\u{1B}X", "Alt-Shift-X"), ("\u{1B}\\", "Alt-\\"),
    ("\u{1B}[97;5u", "Ctrl-A"), ("\u{1B}[83;6u", "Ctrl-Shift-S"), ("\u{1B}[13;2u", "Shift-Enter"),
    ("\u{1B}[9;2u", "Shift-Tab"), ("\u{1B}[27u", "Esc"), ("\u{1B}[27;5;9~", "Ctrl-Tab"), ("\u{1B}[65;2u", "A"),
    ("\u{1B}OM", "Enter"), ("\u{1B}Oq", "1"), ("\u{1B}Ok", "+"),
  ]

  @Test("Keys have their names", arguments: keyTable)
  func keysAreTold(_ bytes: String, _ name: String) throws {
    #expect(Self.decode(bytes) == [.key(try #require(Key(name)))])
  }

  @Test("A key cut between any two bytes is the same key", arguments: keyTable)
  func keysMayBeCut(_ bytes: String, _ name: String) throws {
    let key = InputEvent.key(try #require(Key(name)))
    var decoder = InputDecoder()
    var events: [InputEvent] = []
    for byte in bytes.utf8 { events += decoder.decode(CollectionOfOne(byte)) }
    #expect(events + decoder.flush() == [key])
  }

  @Test(
    "Answers of the terminal are never keys, whole and cut",
    arguments: [
      "\u{1B}[?1;2c", "\u{1B}[>41;354;0c", "\u{1B}[12;40R", "\u{1B}[0n", "\u{1B}[?2026;2$y", "\u{1B}[8;24;80t",
      "\u{1B}[?0u", "\u{1B}[201~", "\u{1B}[=1z", "\u{1B}[1;1R", "\u{1B}[M !!",
      "\u{1B}]10;rgb:1e1e/1e1e/1e1e\u{1B}\\", "\u{1B}]11;rgb:0/0\u{7}", "\u{1B}]52;c;aGk=\u{7}",
      "\u{1B}P>|tmux 3.3a\u{1B}\\", "\u{1B}P1+r524742=38\u{1B}\\", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}^x\u{1B}\\",
      "\u{1B}[<35;4;5M", "\u{1B}[<2;4;5M", "\u{1B}[999999999999999999999999;1~", "\u{1B}[!p",
    ])
  func answersAreSwallowed(_ answer: String) {
    func isKey(_ event: InputEvent) -> Bool { if case .report = event { false } else { true } }
    #expect(Self.decode(answer + "x").filter(isKey) == Self.keys("x"))
    var decoder = InputDecoder()
    var events: [InputEvent] = []
    for byte in (answer + "x").utf8 { events += decoder.decode(CollectionOfOne(byte)) }
    #expect(events.filter(isKey) == Self.keys("x"))
  }

  @Test(
    "Answers about pictures are reports",
    arguments: [
      ("\u{1B}[?62;4;22c", .attributes([62, 4, 22])), ("\u{1B}P>|kitty(0.35.2)\u{1B}\\", .version("kitty(0.35.2)")),
      ("\u{1B}[6;20;10t", .cell(Size(10, 20))), ("\u{1B}[4;480;800t", .window(Size(800, 480))),
      ("\u{1B}_Gi=31,I=2;EINVAL: bad; data\u{1B}\\", .graphics(id: 31, message: "EINVAL: bad; data")),
    ] as [(String, TerminalReport)])
  func reports(_ answer: String, _ report: TerminalReport) {
    #expect(Self.decode(answer) == [.report(report)])
  }

  @Test(
    "The terminal's answer about its background is an event, in one piece or byte by byte",
    arguments: [
      ("]11;rgb:1e1e/2e2e/3e3e\u{1B}\\", 0x1E2E3E), ("]11;rgb:0/8/f\u{7}", 0x0088FF),
      ("]11;rgb:fdfd/f6f6/e3e3\u{7}", 0xFDF6E3), ("]11;rgba:ff/80/00/ff\u{1B}\\", 0xFF8000),
    ] as [(String, UInt32)])
  func backgroundIsTold(_ answer: String, _ rgb: UInt32) {
    #expect(Self.decode("\u{1B}" + answer + "x") == [.background(rgb)] + Self.keys("x"))
    var decoder = InputDecoder()
    let events = ("\u{1B}" + answer + "x").utf8.flatMap { decoder.decode(CollectionOfOne($0)) }
    #expect(events == [.background(rgb)] + Self.keys("x"))
  }

  @Test("Looking at a window, and no longer, is reported, whole and cut", arguments: [("I", true), ("O", false)])
  func focusIsTold(_ final: String, _ isFocused: Bool) {
    let answer = "\u{1B}[" + final
    #expect(Self.decode(answer + "x") == [.focus(isFocused)] + Self.keys("x"))
    var decoder = InputDecoder()
    #expect((answer + "x").utf8.flatMap { decoder.decode(CollectionOfOne($0)) } == [.focus(isFocused)] + Self.keys("x"))
  }

  @Test func `an ESC is undecided until it is flushed or goes on`() {
    var decoder = InputDecoder()
    #expect(decoder.decode("\u{1B}".utf8).isEmpty)
    #expect(decoder.patience == 25)
    #expect(decoder.flush() == [Self.key(.escape)])
    #expect(decoder.patience == nil)
    #expect(decoder.flush().isEmpty)
    #expect(decoder.decode("\u{1B}".utf8).isEmpty)
    #expect(decoder.decode("[A".utf8) == [Self.key(.up)])
    #expect(decoder.patience == nil)
  }

  @Test func `two ESC are two Escape keys, and one before Alt and a letter is one`() {
    #expect(Self.decode("\u{1B}\u{1B}") == [Self.key(.escape), Self.key(.escape)])
    #expect(Self.decode("\u{1B}\u{1B}\u{1B}") == Array(repeating: Self.key(.escape), count: 3))
    #expect(Self.decode("\u{1B}\u{1B}x") == [Self.key(.escape), Self.key(.character("x"), .alt)])
  }

  @Test(
    "Escape just before the terminal's own sequences is a key",
    arguments: [
      "[?62;4c", "[>1;10;0c", "[24;80R", "[?2026;2$y", "[I", "[<0;3;4M", "[<64;1;1M", "[200~x\u{1B}[201~", "[Mabc",
      "[?1u",
      "]11;rgb:00/00/00\u{7}", "P1+r544e=1\u{1B}\\", "_Gi=31;OK\u{1B}\\",
    ])
  func escapeBeforeSequences(_ sequence: String) {
    let alone = Self.decode("\u{1B}" + sequence)
    #expect(Self.decode("\u{1B}\u{1B}" + sequence) == [Self.key(.escape)] + alone)
  }

  @Test(
    "The beginning of an answer waits for a second, what only a member types for 50 ms at most",
    arguments: [
      ("]", 50), ("]11;rgb:1e1e", 1000), ("]x", 50), ("P", 50), ("P>|tmux", 1000), ("P1+r5", 1000), ("Px", 50),
      ("_", 50), ("_Gi=31", 1000), ("_more", 50), ("^x", 50), ("Xx", 50), ("[", 25), ("[?1", 1000), ("O", 25),
    ])
  func beginningsWait(_ begun: String, _ milliseconds: Int) {
    var decoder = InputDecoder()
    #expect(decoder.decode("\u{1B}\(begun)".utf8).isEmpty)
    #expect(decoder.patience == milliseconds)
  }

  @Test(
    "What nobody ends was typed",
    arguments: [
      ("]11;rgb\r", ["Alt-]", "1", "1", ";", "r", "g", "b", "Enter"]),
      ("]11;rgb\u{1B}[A", ["Alt-]", "1", "1", ";", "r", "g", "b", "Up"]),
      ("P11\u{1B}", ["Alt-Shift-P", "1", "1", "Esc"]), ("_é\u{7}", ["Alt-_", "é", "Ctrl-G"]),
      ("_a\u{1B}b", ["Alt-_", "a", "Alt-B"]), ("_a\u{1B}\u{1B}", ["Alt-_", "a", "Esc", "Esc"]),
      ("[12\r", ["Alt-[", "1", "2", "Enter"]), ("[\u{1B}x", ["Alt-[", "Alt-X"]), ("[é", ["Alt-[", "é"]),
      ("[hi", ["Alt-[", "h", "i"]), ("[[x", ["Alt-[", "[", "x"]), ("[Mab", ["Alt-[", "M", "a", "b"]),
      ("O!", ["Alt-Shift-O", "!"]), ("O12", ["Alt-Shift-O", "1", "2"]), ("O\r", ["Alt-Shift-O", "Enter"]),
      ("\u{1B}[12", ["Esc", "Alt-[", "1", "2"]), ("\u{1B}_x", ["Esc", "Alt-_", "x"]),
      ("]8;;\u{18}x", ["Alt-]", "8", ";", ";", "Ctrl-X", "x"]),
    ])
  func unendedIsTyped(_ bytes: String, _ names: [String]) throws {
    let keys = try names.map { InputEvent.key(try #require(Key($0))) }
    #expect(Self.decode("\u{1B}" + bytes) == keys)
    var decoder = InputDecoder()
    var events: [InputEvent] = []
    for byte in ("\u{1B}" + bytes).utf8 { events += decoder.decode(CollectionOfOne(byte)) }
    #expect(events + decoder.flush() == keys)
  }

  @Test func `a string that is longer than 64 KiB is input again`() {
    var decoder = InputDecoder()
    let text = String(repeating: "a", count: InputDecoder.longestString)
    #expect(decoder.decode("\u{1B}]\(text)".utf8).isEmpty)
    let events = decoder.decode("bc".utf8)
    #expect(events.first == Self.key(.character("]"), .alt) && events.count == text.utf8.count + 3)
    #expect(events.suffix(3) == Self.keys("abc")[...])
  }

  /// Beginnings of all sequences, as keys with Alt send them and as lines drop the rest of an answer.
  static let beginnings: [String] =
    ["", "\u{1B}", "\u{1B}\u{1B}", "\u{1B}[1;5", "\u{1B}[?1", "\u{1B}[<0;1", "\u{1B}[M", "\u{1B}[[", "\u{1B}O5"]
    + (0x20..<0x7F).map { "\u{1B}" + String(Unicode.Scalar($0)) }
    + (0x20..<0x7F).map { "\u{1B}\u{1B}" + String(Unicode.Scalar($0)) }
    + ["]11;rgb:1e", "]52;c;", "P>|tm", "P1+r", "_Gi=", "_typed", "^x", "Xy"].map { "\u{1B}" + $0 }

  @Test("No typed byte is lost, whatever came before", arguments: [1, 2, 3] as [UInt64])
  func typedTextIsKept(_ seed: UInt64) {
    var random = SeededNumbers(seed)
    let letters = Array("abcXYZ019 [];<>?_^OPMR~\\|-é漢🎈".unicodeScalars)
    for beginning in Self.beginnings {
      var decoder = InputDecoder()
      _ = decoder.decode(beginning.utf8)
      // A member pauses, and then types.
      while decoder.patience != nil { _ = decoder.flush() }
      var text = ""
      var events: [InputEvent] = []
      for _ in 0..<40 {
        let scalar = letters[Int(random.next() >> 8) % letters.count]
        text.unicodeScalars.append(scalar)
        events += decoder.decode(String(scalar).utf8)
        if random.next() & 3 == 0 { events += decoder.flush() }
      }
      #expect(events + decoder.flush() == Self.keys(text), "after \(beginning.debugDescription)")
    }
  }

  @Test("Text at once behind the introducer of a string is typed, too", arguments: ["]", "_", "^", "P", "X"])
  func textBehindAnIntroducerIsKept(_ introducer: String) throws {
    var random = SeededNumbers(7)
    let letters = Array("abcXYZ019 [];<>?_^OPMR~|-é漢🎈".unicodeScalars)
    for _ in 0..<200 {
      let text = String(
        String.UnicodeScalarView((0..<12).map { _ in letters[Int(random.next() >> 8) % letters.count] }))
      let introduced = InputEvent.key(
        try #require(Key(introducer == "P" || introducer == "X" ? "Alt-Shift-\(introducer)" : "Alt-\(introducer)")))
      for end in ["", "\r", "\u{13}"] {
        var decoder = InputDecoder()
        let events = decoder.decode("\u{1B}\(introducer)\(text)\(end)".utf8) + decoder.flush()
        #expect(Array(events.prefix(text.unicodeScalars.count + 1)) == [introduced] + Self.keys(text))
        #expect(events.count == 1 + text.unicodeScalars.count + end.utf8.count)
      }
    }
  }

  @Test func `bytes that are no UTF-8 are dropped and what follows is not`() {
    var decoder = InputDecoder()
    #expect(
      decoder.decode([0xFF, 0x61, 0xC3, 0x62, 0xE2, 0x82, 0x63, 0x80, 0x9B, 0x64, 0xC0, 0x80]) == Self.keys("abcd"))
    #expect(
      decoder.decode([0xC2, 0x9B, 0xED, 0xA0, 0x80, 0xF4, 0x90, 0x80, 0x80, 0xE0, 0x80, 0x80, 0x65]) == Self.keys("e"))
  }

  @Test func `a paste is text, whatever it holds, with line feeds for line ends`() {
    let text = "a\rb\r\nc\nd\u{1B}[A\u{3}\u{1B}[201\u{1B}[20日"
    #expect(
      Self.decode("x\u{1B}[200~\(text)\u{1B}[201~y") == Self.keys("x") + [
        .paste(Array("a\nb\nc\nd\u{1B}[A\u{3}\u{1B}[201\u{1B}[20日".utf8))
      ] + Self.keys("y"))
  }

  @Test func `the end of a paste may be cut anywhere`() {
    let bytes = Array("\u{1B}[200~hé\u{1B}\u{1B}[201~q".utf8)
    for cut in 0..<bytes.count {
      var decoder = InputDecoder()
      let events = decoder.decode(bytes[..<cut]) + decoder.decode(bytes[cut...])
      #expect(events == [.paste(Array("hé\u{1B}".utf8))] + Self.keys("q"))
      #expect(!decoder.isPasting)
    }
  }

  @Test func `a paste over the limit comes in pieces that cut no character and lose none`() {
    var decoder = InputDecoder()
    _ = decoder.decode("\u{1B}[200~a".utf8)
    let text = Array(String(repeating: "日本", count: InputDecoder.longestPaste / 6 + 1000).utf8)
    let events = decoder.decode(text) + decoder.decode("\u{1B}[201~".utf8)
    var whole: [UInt8] = []
    for event in events {
      guard case .paste(let piece) = event else { Issue.record("\(event) is no paste"); return }
      #expect(piece.count < InputDecoder.longestPaste + 4)
      #expect(String(validating: piece, as: UTF8.self) != nil)
      whole += piece
    }
    #expect(events.count == 2)
    #expect(whole == [0x61] + text)
  }

  @Test func `the mouse's events say what it did and where`() {
    func mouse(_ kind: InputEvent.Mouse.Kind, _ x: Int, _ y: Int) -> InputEvent {
      .mouse(InputEvent.Mouse(kind, at: Point(x, y)))
    }
    #expect(
      Self.decode("\u{1B}[<0;1;1M\u{1B}[<32;3;1M\u{1B}[<0;300;120m\u{1B}[<64;2;2M\u{1B}[<65;2;2M\u{1B}[<16;5;6M")
        == [
          mouse(.press, 0, 0), mouse(.drag, 2, 0), mouse(.release, 299, 119), mouse(.wheelUp, 1, 1),
          mouse(.wheelDown, 1, 1), mouse(.press, 4, 5),
        ])
    #expect(Self.decode("\u{1B}[<1;1;1M\u{1B}[<2;1;1m\u{1B}[<0;0;0M\u{1B}[<0;1M").isEmpty)
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `no bytes crash it, and it is at rest after a terminated string and a flush`(_ seed: UInt64) {
    var random = SeededNumbers(seed)
    var decoder = InputDecoder()
    let likely = Array("\u{1B}\u{1B}\u{1B}[[]OPM<;;?~~0123456789ABCDHu$^@\u{7}\\\r\n".utf8)
    for _ in 0..<1000 {
      let chunk = (0..<256).map { _ in
        let number = random.next()
        return number & 1 == 0 ? UInt8(truncatingIfNeeded: number >> 8) : likely[Int(number >> 8) % likely.count]
      }
      _ = decoder.decode(chunk)
      if chunk[0] & 1 == 0 { _ = decoder.flush() }
    }
    _ = decoder.decode("\u{1B}[201~\u{1B}[201~\u{1B}\\".utf8)
    _ = decoder.flush()
    #expect(decoder.decode("ok".utf8).suffix(2) == Self.keys("ok"))
  }
}

@Suite struct KeyNameTests {
  @Test(
    "A key's name gives the key again",
    arguments: [
      "Ctrl-S", "PgDn", "Space", "F1", "F12", "Alt-B", "Alt-Shift-B", "Shift-Tab", "n", "N", "+", "-", "Ctrl--",
      "Ctrl-Space", "Ctrl-_", "Ctrl-Alt-Del", "Esc", "é", "Alt-É", "日", "Ctrl-Shift-S", "Alt-+", "Shift-F5",
    ])
  func namesRoundTrip(_ name: String) throws {
    let key = try #require(Key(name))
    #expect(key.name == name)
    #expect(Key(key.name) == key)
  }

  @Test(
    "Names may be written in other ways",
    arguments: [
      ("ctrl-s", "Ctrl-S"), ("CTRL-S", "Ctrl-S"), ("pagedown", "PgDn"), ("Escape", "Esc"), ("alt-b", "Alt-B"),
      ("Shift-Ctrl-Up", "Ctrl-Shift-Up"), ("return", "Enter"), ("space", "Space"), ("backtab", "Shift-Tab"),
    ])
  func namesHaveVariants(_ written: String, _ name: String) {
    #expect(Key(written)?.name == name)
  }

  @Test(
    "What names no key is refused",
    arguments: ["", "Ctrl-", "Hyper-X", "F0", "F99", "F01", "ab", "Shift-a", "\u{1B}", " "])
  func nonsenseIsRefused(_ name: String) {
    #expect(Key(name) == nil)
  }
}
