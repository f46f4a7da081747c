import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// Text of others is shown and never sent to the terminal as it is.
@Suite struct HostileTests {
  static let payloads: [(name: String, bytes: [UInt8])] = [
    ("SGR", Array("a\u{1B}[31mred\u{1B}[0m".utf8)), ("OSC 52", Array("\u{1B}]52;c;cm0gLXJmIH4=\u{07}".utf8)),
    ("OSC 0", Array("\u{1B}]0;owned\u{1B}\\".utf8)), ("DCS", Array("\u{1B}P+q544e\u{1B}\\".utf8)),
    ("raw C1", [0x61, 0x9B, 0x33, 0x31, 0x6D, 0x9D, 0x90]), ("C1 as UTF-8", Array("\u{9B}31m\u{9D}0;x\u{9C}".utf8)),
    ("newline", Array("a\nb".utf8)), ("carriage return", Array("good\rbad".utf8)),
    ("backspace", Array("abc\u{8}\u{8}xyz".utf8)), ("bidi", Array("photo\u{202E}gpj.exe\u{2066}\u{2069}".utf8)),
    ("zero width", Array("pay\u{200B}pal\u{FEFF}\u{2060}\u{AD}".utf8)),
    ("invalid UTF-8", [0x61, 0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80, 0xE2, 0x82]), ("DEL", [0x61, 0x7F, 0x62]),
    ("tab", Array("a\tb\t\tc".utf8)),
  ]

  @Test(arguments: Scene.allCases)
  func `no cell of any view holds what drives a terminal or hides`(scene: Scene) {
    for payload in Self.payloads {
      let sentence = String(decoding: payload.bytes, as: UTF8.self)
      for size in [Size(80, 24), Size(40, 12)] {
        let robot = scene.robot(size, name: payload.bytes, text: payload.bytes, sentence: sentence, member: sentence)
        #expect(robot.grid.fault == nil, "\(payload.name)")
        for key in ["D", "x", "Esc", "R"] {
          robot.press(key)
          #expect(robot.grid.fault == nil, "\(payload.name), then \(key)")
        }
      }
    }
  }

  @Test func `hostile names are shown by their spelling, each on one line`() {
    let robot = Robot()
    robot.happen(.listed(Samples.table(bytes: Self.payloads.map(\.bytes))))
    #expect(robot.rows.count == 14)
    #expect(robot.screen.contains("a^[[31mred^[[0m") && robot.screen.contains("a^Jb"))
    #expect(robot.screen.contains("photo<U+202E>gpj.exe") && robot.screen.contains("pay<U+200B>pal"))
    #expect(robot.screen.contains("a\\xFF\\xC0"))
  }
}

extension Grid {
  /// The first cell that drives a terminal or hides; nil if there is none.
  var fault: String? {
    for y in 0..<size.height {
      for x in 0..<size.width where self[x, y].width > 0 {
        let cell = self[x, y]
        // Most cells: nothing to look up.
        if cell.mark1 == 0, cell.mark2 == 0, cell.base >= 0x20, cell.base < 0x7F { continue }
        for value in [cell.base, cell.mark1, cell.mark2] where value != 0 {
          guard let scalar = Unicode.Scalar(value) else { return "no scalar at \(x),\(y)" }
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
            return "U+\(String(value, radix: 16)) at \(x),\(y)"
          default: break
          }
        }
        if cell.base == 0 { return "nothing at \(x),\(y)" }
      }
    }
    return nil
  }
}
