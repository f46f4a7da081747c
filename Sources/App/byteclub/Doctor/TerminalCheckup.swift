import POSIX

enum TerminalCheckup {
  static func findings(_ environment: Environment) -> [Finding] {
    var findings: [Finding] = []
    let isTerminal = isatty(0) == 1 && isatty(1) == 1
    let term = environment["TERM"]
    if isTerminal {
      findings.append(
        Finding(
          verdict: term == nil || term == "dumb" ? .wrong : .good, subject: "Terminal",
          found: term ?? "TERM is not set",
          remedy: term == nil || term == "dumb" ? "Set TERM to your terminal's name, such as xterm-256color." : ""))
      findings.append(size(TerminalSize.of(1)))
    } else {
      findings.append(
        Finding(
          verdict: .note, subject: "Terminal",
          found: "standard input or output is not a terminal, so the app cannot run here",
          remedy: "Start byteclub in a terminal; commands such as \"byteclub note ls\" work without one."))
    }
    let colors =
      switch ColorAbility(environment, isTerminal: isTerminal) {
      case .none: "none"
      case .sixteen: "16"
      case .palette: "256"
      case .trueColor: "24-bit"
      }
    findings.append(
      Finding(
        verdict: .good, subject: "Colours", found: colors,
        remedy: colors == "24-bit" || environment["NO_COLOR"] != nil
          ? "" : "If your terminal shows 24-bit colour, set COLORTERM=truecolor for better pictures."))
    let isUnicode = environment.isUnicode
    findings.append(
      Finding(
        verdict: isUnicode ? .good : .note, subject: "Encoding", found: environment.locale,
        remedy: isUnicode ? "" : "Set LANG to a UTF-8 locale, such as C.UTF-8, to see all letters and marks."))
    let editor = environment["VISUAL"] ?? environment["EDITOR"]
    findings.append(
      Finding(
        verdict: editor == nil ? .note : .good, subject: "Editor", found: editor ?? "none is set",
        remedy: editor == nil ? "Set VISUAL or EDITOR to edit notes with a program of your own." : ""))
    return findings
  }

  private static func size(_ size: (columns: Int, rows: Int)?) -> Finding {
    guard let size else {
      return Finding(
        verdict: .note, subject: "Size", found: "the terminal does not report its size",
        remedy: "Set it with: stty cols 80 rows 24")
    }
    let isSmall = size.columns < 40 || size.rows < 12
    return Finding(
      verdict: isSmall ? .note : .good, subject: "Size", found: "\(size.columns) columns, \(size.rows) rows",
      remedy: isSmall ? "The app needs 40 columns and 12 rows." : "")
  }
}
