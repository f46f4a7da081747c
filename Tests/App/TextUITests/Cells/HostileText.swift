import TextUI
import TestKit

/// Texts that would drive a terminal or hide something if they were written as they are.
enum HostileText {
  static let payloads: [(name: String, bytes: [UInt8])] = [
    ("colours", Array("a\u{1B}[31mred\u{1B}[0m".utf8)),
    ("clipboard", Array("\u{1B}]52;c;cm0gLXJmIH4=\u{07}".utf8)),
    ("title", Array("\u{1B}]0;owned\u{1B}\\".utf8)),
    ("device control", Array("\u{1B}P+q544e\u{1B}\\".utf8)),
    ("raw C1", [0x61, 0x9B, 0x33, 0x31, 0x6D, 0x9D, 0x90]),
    ("C1 as UTF-8", Array("\u{9B}31m\u{9D}0;x\u{9C}".utf8)),
    ("newline", Array("a\nb".utf8)),
    ("carriage return", Array("good\rbad".utf8)),
    ("backspace", Array("abc\u{8}\u{8}\u{8}xyz".utf8)),
    ("bidi", Array("photo\u{202E}gpj.exe\u{2066}\u{2069}".utf8)),
    ("zero width", Array("pay\u{200B}pal\u{FEFF}\u{2060}\u{00AD}".utf8)),
    ("invalid UTF-8", [0x61, 0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80, 0xF8, 0xE2, 0x82]),
    ("delete and null", [0x61, 0x7F, 0x00, 0x62]),
    ("tab", Array("a\tb\t\tc".utf8)),
    ("separators", Array("a\u{2028}b\u{2029}c\u{85}d".utf8)),
    ("tags", Array("a\u{E0001}\u{E0041}\u{E007F}b".utf8)),
    ("marks without end", Array(("a" + String(repeating: "\u{0301}", count: 500)).utf8)),
    ("mark first", Array("\u{0301}abc".utf8)),
    ("marked space", Array("x \u{0301}y".utf8)),
    ("wide", Array("漢字かな交じり文 👩‍👩‍👧 👍🏽 🇩🇪 é".utf8)),
    ("long", [UInt8](repeating: 0x78, count: 3000)),
  ]

  /// Random text of clusters, parts of them and other glyphs.
  static func clusters(_ generator: inout SeededNumbers, count: Int) -> [UInt8] {
    let pieces =
      GraphemeTests.samples.map(\.text) + [
        "a", " ", "漢", "\u{200D}", "\u{FE0F}", "\u{94D}", "\u{1F1E9}", "क", "\t", "e\u{301}",
      ]
    return (0..<count).flatMap { _ in Array(pieces[generator.below(pieces.count)].utf8) }
  }

  /// Random bytes, with much of what is dangerous among them.
  static func random(_ generator: inout SeededNumbers, count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      switch generator.below(6) {
      case 0: bytes.append(UInt8(generator.below(256)))
      case 1: bytes.append(UInt8(generator.below(32)))
      case 2: bytes += payloads[generator.below(payloads.count - 1)].bytes.prefix(generator.below(12))
      case 3:
        if let scalar = Unicode.Scalar(UInt32(generator.below(0x3100))) { bytes += Array(String(scalar).utf8) }
      default: bytes += Array("word ".utf8)
      }
    }
    return bytes
  }

  /// What is wrong with a grid; nil when each cell can be sent to a terminal as it is.
  static func fault(in grid: Grid) -> String? {
    for y in 0..<grid.size.height {
      var x = 0
      while x < grid.size.width {
        let cell = grid[x, y]
        guard let base = Unicode.Scalar(cell.base) else { return "no scalar at \(x),\(y)" }
        guard cell.width == 1 || cell.width == 2 else { return "half a glyph at \(x),\(y)" }
        if let cluster = grid.graphemes[cell] {
          let text = String(decoding: cluster, as: UTF8.self)
          let isSafe = text.count == 1 && text.unicodeScalars.allSatisfy { joins($0) || !isHidden($0) }
          if !isSafe { return "a cluster that is none at \(x),\(y)" }
        } else if let fault = fault(of: cell, base) {
          return "\(fault) at \(x),\(y)"
        }
        if cell.width == 2 {
          guard x + 1 < grid.size.width, grid[x + 1, y].width == 0 else { return "cut glyph at \(x),\(y)" }
        }
        x += Int(cell.width)
      }
    }
    return nil
  }

  private static func fault(of cell: Cell, _ base: Unicode.Scalar) -> String? {
    if isHidden(base) { return "U+\(String(base.value, radix: 16))" }
    if GlyphWidth.columns(of: base) != Int(cell.width) { return "wrong width" }
    for mark in [cell.mark1, cell.mark2] where mark != 0 {
      guard let mark = Unicode.Scalar(mark), !isHidden(mark), GlyphWidth.columns(of: mark) == 0 else { return "mark" }
    }
    return nil
  }

  /// Joiners and tags, which a cluster may have within it.
  private static func joins(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value & 0xFFFF_FFFE == 0x200C || (0xE0030...0xE007F).contains(scalar.value)
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
    default: false
    }
  }
}
