import POSIX

enum ColorAbility: Sendable, Equatable {
  case none, sixteen, palette, trueColor

  /// Follows NO_COLOR (any value: no colours), COLORTERM and TERM. Without a terminal an unset TERM counts as 256
  /// colours, for `byteclub photo view x | less -R`.
  init(_ environment: Environment, isTerminal: Bool) {
    let term = environment["TERM"] ?? (isTerminal ? "dumb" : "xterm-256color")
    if environment["NO_COLOR"] != nil || term == "dumb" || term.hasSuffix("-mono") || term.hasPrefix("vt") {
      self = .none
    } else if let word = environment["COLORTERM"]?.lowercased(), word == "truecolor" || word == "24bit" {
      self = .trueColor
    } else if term.hasSuffix("-direct") {
      self = .trueColor
    } else {
      self = term.contains("256color") || term == "foot" || term == "alacritty" ? .palette : .sixteen
    }
  }
}

enum TerminalSize {
  /// nil without a terminal, or if its size is unknown.
  static func of(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  static func columns(of descriptor: Int32) -> Int? { of(descriptor)?.columns }
}
