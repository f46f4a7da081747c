/// Why a terminal cannot be used. `description` is a sentence for people that says what to do.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Input or output is a file or a pipe.
  case notATerminal
  /// The TERM variable is missing or empty.
  case unnamed
  /// There is no description of a terminal of this name.
  case unknown(name: String)
  /// A terminal of this name cannot move its cursor.
  case tooSimple(name: String)
  /// This process has taken the terminal already.
  case taken
  /// The system refused, for this reason.
  case system(reason: String)

  /// What happened, and what to do.
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
