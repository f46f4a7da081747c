internal import TextUI

/// Mode 2027: the terminal draws a grapheme cluster as one glyph and moves the cursor by its columns.
/// Source: "Terminal Unicode Core", https://github.com/contour-terminal/terminal-unicode-core
enum GraphemeMode {
  static let number = 2027
  /// DECRQM.
  static let question = (name: "grapheme clusters (mode 2027)", bytes: Array("\u{1B}[?\(number)$p".utf8))

  /// Clusters are drawn in parts.
  case missing
  /// The terminal is in this mode.
  case on
  /// The app turns it on, and off when it leaves.
  case off

  /// Without all answers, and inside tmux, whose cells hold parts, the mode is missing.
  init(_ answers: GraphicsAnswers, _ questions: GraphicsQuestions) {
    guard questions.isAsked, !questions.isInTmux, answers.isOver else {
      self = .missing
      return
    }
    self =
      switch answers.graphemes {
      case 1, 3: .on
      case 2: .off
      default: .missing
      }
  }
}

extension Overlay {
  /// The glyph that ncurses has in place of a cluster, in as many columns. It is no blank, which ncurses might clear.
  static func placeholder(of cell: Cell) -> Cell {
    var cell = cell
    (cell.mark1, cell.mark2) = (0, 0)
    let columns = Unicode.Scalar(cell.base).map(GlyphWidth.columns(of:))
    if columns != Int(cell.width) { cell.base = cell.width == 2 ? 0x3000 : 0xFFFD }
    return cell
  }
}
