internal import Basics
internal import TextUI

/// Escape sequences for title, notification, progress and hyperlinks. Pure; the environment decides which ones the
/// terminal supports because none of them can be queried.
/// Sources: title OSC 2, saved and restored by XTPUSHTITLE and XTPOPTITLE (xterm's `ctlseqs`); notifications OSC 9
/// (iTerm2) and OSC 777 (rxvt-unicode, foot); progress OSC 9;4 (ConEmu).
struct WindowSequences {
  enum Notification: Equatable {
    case osc9, osc777, bell
  }

  let hasTitle: Bool
  let notification: Notification
  /// Older terminals show progress as a notification.
  let hasProgress: Bool
  /// Other terminals ignore links at best; VTE 0.50.0 crashed on them. tmux forwards them from 3.4 on.
  let hasHyperlinks: Bool

  /// Columns; the desktop would cut more.
  static let longestText = 200

  /// Other terminals (the Linux console) may print unknown sequences.
  private static let withTitle = [
    "xterm", "tmux", "rxvt", "alacritty", "foot", "wezterm", "ghostty", "kitty", "konsole", "gnome", "vte", "mintty",
    "contour", "st-", "rio",
  ]

  private static let linkingTerms = [
    "alacritty", "contour", "foot", "rio", "tmux", "wezterm", "xterm-ghostty", "xterm-kitty",
  ]
  private static let linkingPrograms: Set<String> = ["ghostty", "iTerm.app", "mintty", "vscode", "WezTerm"]

  init(environment: (String) -> String?) {
    func value(_ name: String) -> String { environment(name) ?? "" }
    hasHyperlinks = Self.hasHyperlinks(value)
    let term = value("TERM")
    let program = value("TERM_PROGRAM")
    // Inside tmux or screen, only the bell is sure to reach the terminal.
    let isInside = !value("TMUX").isEmpty || term.hasPrefix("tmux") || term.hasPrefix("screen")
    hasTitle = Self.withTitle.contains(where: term.hasPrefix) || !value("TMUX").isEmpty
    guard !isInside else {
      notification = .bell
      hasProgress = false
      return
    }
    let isGhostty = program == "ghostty" || term.hasPrefix("xterm-ghostty")
    // Versions are dates; earlier versions show progress as a notification.
    let isNewWezTerm = program == "WezTerm" && value("TERM_PROGRAM_VERSION") >= "20250209"
    hasProgress =
      !value("WT_SESSION").isEmpty || value("ConEmuANSI") == "ON" || isGhostty || isNewWezTerm || program == "mintty"
    if isGhostty || ["iTerm.app", "WezTerm"].contains(program) || term.hasPrefix("xterm-kitty") {
      notification = .osc9
    } else if term.hasPrefix("foot") || term.hasPrefix("rxvt-unicode") || term.hasPrefix("contour") {
      notification = .osc777
    } else {
      notification = .bell
    }
  }

  private static func hasHyperlinks(_ value: (String) -> String) -> Bool {
    let term = value("TERM")
    // The variables below may come from the terminal around GNU screen, which passes no links on.
    if term.hasPrefix("screen"), value("TMUX").isEmpty { return false }
    return linkingTerms.contains(where: term.hasPrefix) || linkingPrograms.contains(value("TERM_PROGRAM"))
      || !value("TMUX").isEmpty || !value("WT_SESSION").isEmpty || Int(value("VTE_VERSION")).map { $0 > 5000 } == true
      || Int(value("KONSOLE_VERSION")).map { $0 >= 201_200 } == true
  }

  /// The program's name comes first, because a leading number would be a command.
  func bytes(notifying text: String) -> [UInt8] {
    let shown = Self.shown(text)
    return switch notification {
    case .osc9: Array("\u{1B}]9;byteclub: \(shown)\u{7}".utf8)
    case .osc777: Array("\u{1B}]777;notify;byteclub;\(shown.replacing(";", with: ","))\u{7}".utf8)
    case .bell: [0x07]
    }
  }

  static func bytes(title: String) -> [UInt8] { Array("\u{1B}]2;\(shown(title))\u{7}".utf8) }

  /// nil removes the progress.
  static func bytes(progress: TerminalProgress?) -> [UInt8] {
    let state = progress.map { ($0.isPaused ? "4;" : "1;") + "\($0.percent)" } ?? "0;"
    return Array("\u{1B}]9;4;\(state)\u{7}".utf8)
  }

  private static func shown(_ text: String) -> String { ShownText.of(text, columns: longestText) }
}

/// Offers text to a terminal's clipboard (OSC 52, xterm's `ctlseqs`). Pure.
enum ClipboardSequence {
  static let longestText = TerminalAbilities.mostCopiedBytes

  /// Without controls other than line feeds and tabs; nil for a text that is too long.
  /// tmux accepts the plain form if `set-clipboard` is `on`, and forwards the wrapped form if `allow-passthrough` is
  /// on. Both are sent; they have the same effect.
  static func bytes(offering text: String, isInTmux: Bool) -> [UInt8]? {
    var kept: [UInt8] = []
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
      if !isControl || scalar == "\n" || scalar == "\t", let units = UTF8.encode(scalar) { kept += units }
    }
    guard kept.count <= longestText else { return nil }
    let offer = Array("\u{1B}]52;c;".utf8) + Base64.encoded(kept) + Array("\u{7}".utf8)
    guard isInTmux else { return offer }
    return offer + Array("\u{1B}Ptmux;\u{1B}".utf8) + offer + Array("\u{1B}\\".utf8)
  }
}
