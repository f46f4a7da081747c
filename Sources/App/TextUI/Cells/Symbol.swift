public enum Symbol: Sendable {
  case rule
  /// From A to Z or oldest first, and the reverse.
  case ascending, descending
  case online, offline, toSend
  /// Added or changed by another member.
  case new
  /// The done and the missing part of a bar, and a bar of unknown length.
  case barDone, barRest, barUnknown
  /// The position in a list or a text.
  case scroll
  /// A file that stays at the top of its list.
  case pin
  /// Between facts on a line.
  case dot
  /// In a panorama: a place that leads on, and one that only says something.
  case door, remark
  /// The place at which another member looks, and the sides on which that is.
  case gaze, leftward, rightward
  /// A line end in a field of one row.
  case lineEnd
  /// The corners and the upper and lower lines of a frame; `rule` is its sides.
  case topLeft, topRight, bottomLeft, bottomRight, line

  public func scalar(isASCII: Bool) -> Unicode.Scalar {
    switch self {
    case .rule: isASCII ? "|" : "│"
    case .ascending: isASCII ? "^" : "▲"
    case .descending: isASCII ? "v" : "▼"
    case .new: isASCII ? "*" : "●"
    case .online: isASCII ? "*" : "●"
    case .offline: isASCII ? "o" : "○"
    case .toSend: isASCII ? "^" : "↑"
    case .barDone: isASCII ? "#" : "━"
    case .barRest: isASCII ? "-" : "─"
    case .barUnknown: isASCII ? "?" : "┄"
    case .scroll: isASCII ? "|" : "▌"
    case .pin: isASCII ? "!" : "◆"
    case .dot: isASCII ? "-" : "·"
    case .door: isASCII ? "O" : "◆"
    case .remark: isASCII ? "i" : "◇"
    case .gaze: isASCII ? "o" : "◎"
    case .leftward: isASCII ? "<" : "◂"
    case .rightward: isASCII ? ">" : "▸"
    case .lineEnd: isASCII ? "/" : "↵"
    case .topLeft: isASCII ? "+" : "╭"
    case .topRight: isASCII ? "+" : "╮"
    case .bottomLeft: isASCII ? "+" : "╰"
    case .bottomRight: isASCII ? "+" : "╯"
    case .line: isASCII ? "-" : "─"
    }
  }
}

extension Canvas {
  public func symbol(_ symbol: Symbol) -> String { String(symbol.scalar(isASCII: isASCII)) }
}
