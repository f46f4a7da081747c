internal import TextUI

/// The bytes that reach beyond the screen: title, notification, progress. Pure; what a terminal can do is told by the
/// environment, as none of these can be asked for.
///
/// Facts: title OSC 2, kept and given back by XTPUSHTITLE and XTPOPTITLE (xterm's `ctlseqs`); notifications OSC 9
/// (iTerm2) and OSC 777 (rxvt-unicode, foot); progress OSC 9;4 (ConEmu).
struct WindowSequences {
  /// How a notification is shown.
  enum Notification: Equatable {
    case osc9, osc777, bell
  }

  /// Whether there is a title to be changed and given back.
  let hasTitle: Bool
  /// How a notification is shown.
  let notification: Notification
  /// Whether there is progress. Older terminals take it for a notification: only those are trusted that are known.
  let hasProgress: Bool

  /// The most columns of a title or a notification; the desktop would cut it.
  static let longestText = 200

  /// Terminals with titles that come back; others (the Linux console) may print what they do not know.
  private static let withTitle = [
    "xterm", "tmux", "rxvt", "alacritty", "foot", "wezterm", "ghostty", "kitty", "konsole", "gnome", "vte", "mintty",
    "contour", "st-", "rio",
  ]

  init(environment: (String) -> String?) {
    func value(_ name: String) -> String { environment(name) ?? "" }
    let term = value("TERM")
    let program = value("TERM_PROGRAM")
    // Between tmux, or screen, and the terminal only the bell is sure to pass.
    let isInside = !value("TMUX").isEmpty || term.hasPrefix("tmux") || term.hasPrefix("screen")
    hasTitle = Self.withTitle.contains(where: term.hasPrefix) || !value("TMUX").isEmpty
    guard !isInside else {
      notification = .bell
      hasProgress = false
      return
    }
    let isGhostty = program == "ghostty" || term.hasPrefix("xterm-ghostty")
    // Versions are dates; before this one, progress pops up as a notification.
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

  /// A notification. Its text begins with the program's name: a text that begins with a number would be a command.
  func bytes(notifying text: String) -> [UInt8] {
    let shown = Self.shown(text)
    return switch notification {
    case .osc9: Array("\u{1B}]9;byteclub: \(shown)\u{7}".utf8)
    case .osc777: Array("\u{1B}]777;notify;byteclub;\(shown.replacing(";", with: ","))\u{7}".utf8)
    case .bell: [0x07]
    }
  }

  /// A title.
  static func bytes(title: String) -> [UInt8] { Array("\u{1B}]2;\(shown(title))\u{7}".utf8) }

  /// Progress; nil takes it away.
  static func bytes(progress: TerminalProgress?) -> [UInt8] {
    let state = progress.map { ($0.isPaused ? "4;" : "1;") + "\($0.percent)" } ?? "0;"
    return Array("\u{1B}]9;4;\(state)\u{7}".utf8)
  }

  private static func shown(_ text: String) -> String { ShownText.of(text, columns: longestText) }
}
