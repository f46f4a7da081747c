import TestKit
import TextUI
import Testing

@testable import CursesTerminal

/// Clusters on a terminal of mode 2027, and on one that only says so.
@Suite struct GraphemeModeTests {
  private static let pieces = [
    "👨‍👩‍👧‍👦", "🇩🇪", "🇫🇷", "क्षि", "का", "1️⃣", "❤️", "👍🏽", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    "\u{E01}\u{E33}", "\u{E01}\u{E34}\u{E48}\u{E4C}",
  ]

  private static func row(_ text: String, in width: Int) -> Grid {
    Graphemes.$assumed.withValue(true) {
      var canvas = Canvas(Size(width, 1))
      canvas.text(text, x: 0, y: 0)
      return canvas.grid
    }
  }

  private static var writer: OverlayWriter { OverlayWriter(CellEncoder(.palette, ncursesColors: 256)) }

  private static func overlay(_ grid: Grid, over old: Grid? = nil) -> [UInt8] {
    var writer = Self.writer
    var bytes: [UInt8] = []
    writer.begin(Overlay(colors: false, links: false, graphemes: true))
    grid.withRows { rows in
      if let old {
        old.withRows { writer.paint(rows[0], over: $0[0], isWhole: false, y: 0, grid) }
      } else {
        writer.paint(rows[0], over: nil, isWhole: true, y: 0, grid)
      }
    }
    writer.finish(cursor: (0, 0), pictures: []) { bytes = Array($0) }
    return bytes
  }

  /// The cells that ncurses writes: those whose placeholders differ, and short stretches between them.
  private static func write(_ grid: Grid, over old: Grid?, to terminal: inout CountingTerminal) {
    func cell(_ grid: Grid, _ x: Int) -> Cell {
      grid[x, 0].grapheme == nil ? grid[x, 0] : Overlay.placeholder(of: grid[x, 0])
    }
    let changed = (0..<grid.size.width).filter { x in old.map { cell($0, x) != cell(grid, x) } ?? true }
    var end = -100
    for x in changed where x >= end {
      for column in (x - end <= 16 ? end : x)...x where grid[column, 0].width > 0 {
        terminal.put(cell(grid, column), x: column, y: 0)
      }
      end = x + max(1, Int(grid[x, 0].width))
    }
  }

  @Test(
    "a mode's answer decides, if it came in time and from the terminal itself",
    arguments: [
      ("\u{1B}[?2027;1$y\u{1B}[?62;c", GraphemeMode.on), ("\u{1B}[?2027;2$y\u{1B}[?62;c", .off),
      ("\u{1B}[?2027;3$y\u{1B}[?62;c", .on), ("\u{1B}[?2027;0$y\u{1B}[?62;c", .missing),
      ("\u{1B}[?2027;4$y\u{1B}[?62;c", .missing), ("\u{1B}[?62;c", .missing), ("\u{1B}[?2027;1$y", .missing),
      ("\u{1B}[?62;c\u{1B}[?2027;1$y", .missing), ("\u{1B}[?2027;0$y\u{1B}[?2027;1$y\u{1B}[?62;c", .missing),
      ("\u{1B}[?2026;1$y\u{1B}[?62;c", .missing), ("\u{1B}[?2027$y\u{1B}[?62;c", .missing),
      ("\u{1B}[?2027;1;1$y\u{1B}[?62;c", .missing), ("\u{1B}[2027;1$y\u{1B}[?62;c", .missing),
      ("\u{1B}[?2027;99999999999999$y\u{1B}[?62;c", .missing),
    ])
  func decided(bytes: String, mode: GraphemeMode) {
    var answers = GraphicsAnswers()
    var decoder = InputDecoder()
    for event in decoder.decode(bytes.utf8) { if case .report(let report) = event { answers.take(report) } }
    #expect(GraphemeMode(answers, GraphicsQuestions { $0 == "TERM" ? "foot" : nil }) == mode)
    let inTmux = GraphicsQuestions { $0 == "TMUX" ? "/tmp/t,1,0" : "tmux-256color" }
    #expect(GraphemeMode(answers, inTmux) == .missing)
    #expect(GraphemeMode(answers, GraphicsQuestions { $0 == "TERM" ? "linux" : nil }) == .missing)
  }

  @Test func `the mode is asked for before the barrier, of the terminal itself alone`() {
    func asked(_ environment: [String: String], pictures: Bool) -> String {
      let questions = GraphicsQuestions { environment[$0] }
      return String(decoding: pictures ? questions.bytes : questions.bytesWithoutPictures, as: UTF8.self)
    }
    for pictures in [true, false] {
      #expect(asked(["TERM": "foot"], pictures: pictures).hasSuffix("c"))
      #expect(asked(["TERM": "foot"], pictures: pictures).contains("\u{1B}[?2027$p"))
      #expect(!asked(["TERM": "tmux-256color", "TMUX": "/tmp/t,1,0"], pictures: pictures).contains("2027"))
      #expect(asked(["TERM": "linux"], pictures: pictures).isEmpty)
      #expect(asked(["TERM": "screen"], pictures: pictures).isEmpty)
    }
    #expect(asked(["TERM": "foot"], pictures: false) == "\u{1B}[?2027$p\u{1B}[c")
  }

  @Test("ncurses has a glyph of as many columns in place of a cluster, and no blank", arguments: pieces)
  func placeholder(piece: String) {
    let cell = Self.row(piece, in: 2)[0, 0]
    let placeholder = Overlay.placeholder(of: cell)
    #expect(cell.grapheme != nil && placeholder.grapheme == nil && placeholder.mark1 == 0)
    #expect(Unicode.Scalar(placeholder.base).map(GlyphWidth.columns(of:)) == Int(cell.width))
    #expect(placeholder.base > 0x20)
  }

  @Test func `a cluster is written whole after blanks, and lines do not wrap meanwhile`() {
    let blanks = "\u{1B}[?7l  \u{1B}[1;2H"
    let start = "\u{1B}[1;2H\u{1B}[0;39;49m"
    let behind = "\u{1B}[1;4Hbcdefg"
    let end = "\u{1B}[?7h\u{1B}[0m\u{1B}[1;1H\u{1B}[?2026l"
    let family = String(decoding: Self.overlay(Self.row("a👨‍👩‍👧‍👦bcdefghi", in: 12)), as: UTF8.self)
    #expect(family == start + blanks + "👨‍👩‍👧‍👦" + behind + end)
    let plain = String(decoding: Self.overlay(Self.row("abc 漢字", in: 12)), as: UTF8.self)
    #expect(plain == "\u{1B}[?2026l")
  }

  @Test("every row is as it was drawn, and its end in its place", arguments: CountingTerminal.Counting.allCases)
  func drawn(counting: CountingTerminal.Counting) {
    var generator = SeededNumbers(31)
    let pieces = Self.pieces + ["a", "b ", "漢", "word", "      ", "|"]
    for _ in 0..<TestTier.process.rounds(400) {
      let width = 4 + generator.below(50)
      var terminal = CountingTerminal(Size(width, 1), counting)
      var canvas = Canvas(Size(width, 1))
      var old: Grid?
      var texts = (0..<20).map { _ in pieces[generator.below(pieces.count)] }
      for _ in 0..<6 {
        texts[generator.below(texts.count)] = pieces[generator.below(pieces.count)]
        canvas.begin(Size(width, 1))
        Graphemes.$assumed.withValue(true) { _ = canvas.text(texts.joined(), x: 0, y: 0) }
        canvas.end()
        let grid = canvas.grid
        Self.write(grid, over: old, to: &terminal)
        terminal.feed(Self.overlay(grid, over: old))
        old = grid
        #expect(!terminal.hasWrapped && terminal.wraps)
        for x in 0..<width {
          let cell = grid[x, 0]
          // Terminals that count otherwise show a cluster in their own way, in its place.
          if counting != .clusters, cell.grapheme != nil || cell.width == 0 { continue }
          #expect(terminal.rows[0][x] == grid.text(of: cell), "\(texts.joined()) at \(x)")
        }
      }
    }
  }
}
