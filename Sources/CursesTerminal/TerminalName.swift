internal import TextUI

/// Which description of a terminal to use, and what the environment says about colours. Pure.
struct TerminalName {
  /// Names of descriptions to try, the best first.
  let candidates: [String]
  /// Whether the environment says that the terminal shows 24-bit colour.
  let hasTrueColor: Bool
  /// Whether the user wants no colours (https://no-color.org).
  let wantsNoColors: Bool

  /// Terminals that understand what xterm does and that few systems have descriptions of.
  private static let likeXterm = [
    "xterm", "foot", "wezterm", "ghostty", "kitty", "alacritty", "konsole", "gnome", "vte", "iterm", "mintty",
    "contour", "rio", "st-", "rxvt-unicode", "tmux", "screen", "putty", "vscode", "ms-terminal", "mlterm",
    "eterm-color",
  ]

  /// Reads TERM, COLORTERM, NO_COLOR and TMUX. Nil when TERM is missing.
  init?(environment: (String) -> String?) {
    guard let name = environment("TERM"), !name.isEmpty else { return nil }
    let colorTerm = environment("COLORTERM")?.lowercased() ?? ""
    let isDirect = name.hasSuffix("-direct")
    // GNU screen misreads 24-bit colours, and COLORTERM may come from the terminal around it.
    let isScreen = name.hasPrefix("screen") && (environment("TMUX") ?? "").isEmpty
    hasTrueColor = isDirect || !isScreen && (colorTerm == "truecolor" || colorTerm == "24bit")
    wantsNoColors = !(environment("NO_COLOR") ?? "").isEmpty

    var candidates: [String] = []
    if isDirect {
      // Descriptions with direct colour have no palette, and 65,536 pairs of colours are soon used up.
      candidates.append(name.dropLast("-direct".count) + "-256color")
    } else if name == "xterm", hasTrueColor {
      candidates.append("xterm-256color")
    }
    if !isDirect { candidates.append(name) }
    if Self.likeXterm.contains(where: name.hasPrefix) { candidates.append("xterm-256color") }
    self.candidates = candidates
  }

  /// How many colours to use where ncurses knows `colors` and the terminal's description may say more.
  func abilities(colors: Int, saysTrueColor: Bool) -> TerminalAbilities.Colors {
    if wantsNoColors { return .none }
    if colors < 8 { return .none }
    if hasTrueColor || saysTrueColor { return .trueColor }
    return colors >= 256 ? .palette : .sixteen
  }
}
