/// How many colours a drawing on standard output may have.
enum ColorAbility: Sendable, Equatable {
  case none, sixteen, palette, trueColor

  /// What the variables say: NO_COLOR (any value: none), COLORTERM, TERM. Without a terminal the answer is the same
  /// but for TERM=dumb, so that `byteclub photo view x | less -R` works.
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
