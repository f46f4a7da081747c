internal import TextUI

/// The bytes that xterm sends for keys.
enum KeyBytes {
  static func bytes(of key: Key) -> [UInt8] {
    var number = 1
    if key.modifiers.contains(.shift) { number += 1 }
    if key.modifiers.contains(.alt) { number += 2 }
    if key.modifiers.contains(.control) { number += 4 }
    let alt = key.modifiers.contains(.alt) ? "\u{1B}" : ""
    func letter(_ final: String) -> String { number == 1 ? "\u{1B}[\(final)" : "\u{1B}[1;\(number)\(final)" }
    func tilde(_ code: Int) -> String { number == 1 ? "\u{1B}[\(code)~" : "\u{1B}[\(code);\(number)~" }
    let text: String
    switch key.code {
    case .character(let scalar) where key.modifiers.contains(.control):
      text = alt + String(Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value) & 0x1F))
    case .character(let scalar): text = alt + String(scalar)
    case .enter: text = alt + "\r"
    case .tab: text = alt + "\t"
    case .backTab: text = "\u{1B}[Z"
    case .escape: text = alt + "\u{1B}"
    case .backspace: text = alt + "\u{7F}"
    case .up: text = letter("A")
    case .down: text = letter("B")
    case .right: text = letter("C")
    case .left: text = letter("D")
    case .home: text = letter("H")
    case .end: text = letter("F")
    case .insert: text = tilde(2)
    case .delete: text = tilde(3)
    case .pageUp: text = tilde(5)
    case .pageDown: text = tilde(6)
    case .function(let index):
      switch index {
      case 1...4 where number == 1: text = "\u{1B}O" + ["P", "Q", "R", "S"][index - 1]
      case 1...4: text = letter(["P", "Q", "R", "S"][index - 1])
      default: text = tilde([5: 15, 6: 17, 7: 18, 8: 19, 9: 20, 10: 21, 11: 23, 12: 24][index] ?? 24)
      }
    }
    return Array(text.utf8)
  }
}
