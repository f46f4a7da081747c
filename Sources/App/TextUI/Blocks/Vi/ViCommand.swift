/// A command of vi's normal mode, once its keys are complete.
struct ViCommand: Hashable, Sendable {
  /// nil if none was typed. The product, if one was typed before and one behind an operator.
  var count: Int?
  var action: ViAction
  /// The size of the selection on which the command acted, for its repeats.
  var shape: ViShape?

  /// At least 1. More is never meant, and would take long.
  var times: Int { min(max(1, count ?? 1), 99_999) }
}

enum ViAction: Hashable, Sendable {
  case move(ViMotion)
  case operate(ViOperator, ViTarget)
  case insert(ViInsertion)
  case replace(Unicode.Scalar)
  case toggleCase
  case join(withSpace: Bool)
  case put(before: Bool)
  case undo, redo, repeatLast
  case select(lines: Bool)
  case reselect
  case swapEnds
  case extend(ViObject)
  case line(ViLine.Kind)
  case ask(ViKeys.Request)
  case scroll(ViScroll)
}

enum ViOperator: Hashable, Sendable {
  case delete, change, yank, indent, unindent, upper, lower, toggle

  var actsOnLines: Bool { self == .indent || self == .unindent }
}

enum ViTarget: Hashable, Sendable {
  case motion(ViMotion)
  case lines
  case object(ViObject)
  case selection
}

/// The size of a selection.
struct ViShape: Hashable, Sendable {
  var isLines: Bool
  /// Line ends within it.
  var lines: Int
  /// Characters in its last line; nil up to its end.
  var characters: Int?
}

struct ViObject: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case word(isBig: Bool), paragraph
    case quotes(UInt8)
    case brackets(UInt8)
  }

  var kind: Kind
  /// With the blanks, quotes or brackets around it.
  var isWhole: Bool
}

enum ViInsertion: Hashable, Sendable {
  case before, after, lineStart, lineEnd, below, above
}

enum ViScroll: Hashable, Sendable {
  case cursorToTop, cursorToMiddle, cursorToBottom, rowDown, rowUp
}

enum ViMotion: Hashable, Sendable {
  case left, right, up, down, rowUp, rowDown
  /// Space and Backspace go on in the next line and in the one before.
  case forward, back
  case lineStart, text, lineEnd, lastText, column
  /// To the first character that is no blank, some lines down or up.
  case textDown, textUp, textHere
  case word(isBig: Bool), wordEnd(isBig: Bool), wordBack(isBig: Bool), wordEndBack(isBig: Bool)
  case firstLine, lastLine
  case paragraph(isForward: Bool), sentence(isForward: Bool)
  case bracket
  case find(ViFind), findAgain(isReversed: Bool)
  case top, middle, bottom
  case pageDown, pageUp, halfDown, halfUp
  case search(isForward: Bool), searchAgain(isReversed: Bool), wordUnderCursor(isForward: Bool)
}

/// `f`, `F`, `t` and `T`.
struct ViFind: Hashable, Sendable {
  var scalar: Unicode.Scalar
  var isForward: Bool
  /// Up to the character, not on it.
  var isTill: Bool
}
