internal import TextUI

struct TerminalName {
  let candidates: [String]
  let hasTrueColor: Bool
  /// Its own name says so; the description of another terminal may say more.
  let hasFewColors: Bool
  /// By its own name, or by https://no-color.org.
  let hasNoColors: Bool

  /// Terminals compatible with xterm; few systems have descriptions of them.
  private static let likeXterm = [
    "xterm", "foot", "wezterm", "ghostty", "kitty", "alacritty", "konsole", "gnome", "vte", "iterm", "mintty",
    "contour", "rio", "st-", "rxvt-unicode", "tmux", "screen", "putty", "vscode", "ms-terminal", "mlterm",
    "eterm-color",
  ]

  /// Reads TERM, COLORTERM, NO_COLOR and TMUX. nil if TERM is missing.
  init?(environment: (String) -> String?) {
    guard let name = environment("TERM"), !name.isEmpty else { return nil }
    let colorTerm = environment("COLORTERM")?.lowercased() ?? ""
    let isDirect = name.hasSuffix("-direct")
    // GNU screen misreads 24-bit colours, and COLORTERM may come from the terminal around it.
    let isScreen = name.hasPrefix("screen") && (environment("TMUX") ?? "").isEmpty
    hasTrueColor = isDirect || !isScreen && (colorTerm == "truecolor" || colorTerm == "24bit")
    hasFewColors = ["-color", "-8color", "-16color", "-88color"].contains(where: name.hasSuffix)
    hasNoColors = name.hasSuffix("-mono") || !(environment("NO_COLOR") ?? "").isEmpty

    var candidates: [String] = []
    if isDirect {
      // Descriptions with direct colour have no palette and soon exhaust their 65,536 colour pairs.
      candidates.append(name.dropLast("-direct".count) + "-256color")
    } else if name == "xterm", hasTrueColor {
      candidates.append("xterm-256color")
    }
    if !isDirect { candidates.append(name) }
    if Self.likeXterm.contains(where: name.hasPrefix) { candidates.append("xterm-256color") }
    self.candidates = candidates
  }

  /// `COLORFGBG`, such as `15;0` or `0;default;15`, ends with a basic colour. nil for other texts.
  static func background(colorFGBG text: String) -> Theme.Background? {
    guard let last = text.split(separator: ";").last, let color = Int(last), (0...15).contains(color) else {
      return nil
    }
    return color == 7 || color > 8 ? .light : .dark
  }

  /// `colors` are those of ncurses; `saysTrueColor` is the claim of the terminal's description.
  func abilities(colors: Int, saysTrueColor: Bool) -> TerminalAbilities.Colors {
    if hasNoColors || colors < 8 { return .none }
    if hasTrueColor || saysTrueColor { return .trueColor }
    return colors >= 256 && !hasFewColors ? .palette : .sixteen
  }
}

/// `description` is a sentence for people with a remedy.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  case notATerminal
  case unnamed
  case unknown(name: String)
  case tooSimple(name: String)
  case taken
  case system(reason: String)

  public var description: String {
    switch self {
    case .notATerminal:
      "byteclub draws on a whole terminal, but its input or output is a file or a pipe. "
        + "Start it in a terminal, without redirection."
    case .unnamed:
      "The variable TERM is not set, so the kind of terminal is unknown. Try TERM=xterm-256color."
    case .unknown(let name):
      "This machine does not know the terminal \"\(name)\" (from TERM). "
        + "Install the package ncurses-term, or try TERM=xterm-256color."
    case .tooSimple(let name):
      "The terminal \"\(name)\" (from TERM) cannot move its cursor, which a full screen needs. "
        + "Use another terminal, or try TERM=xterm-256color if this one can do more than its name says."
    case .taken: "byteclub already uses the terminal."
    case .system(let reason): "byteclub could not set up the terminal: \(reason)."
    }
  }
}
