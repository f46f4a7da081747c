internal import TextUI

/// Which keys the last line tells: little enough to be compared for each frame. The line itself is only made when this
/// is another one than in the frame before; making it takes fifty times as long.
enum ClubFooter {
  /// The help is open.
  case help
  /// A command is typed.
  case line
  /// Words to find are typed, for a list or for the text of a note.
  case finding(inText: Bool)
  /// A text is typed, in which only a key that types nothing opens the help.
  case typing([CommandID])
  /// The keys of the tab; one that quits only leads back to the list while something covers it, and one that pauses goes
  /// on with what is paused.
  case commands([CommandID], isCovered: Bool, resumes: Bool = false)

  // Functions, as an initialiser would be handed a copy of all of the state.

  /// For what is on the screen.
  static func of(_ state: ClubState) -> ClubFooter {
    if state.help != nil { return .help }
    if state.line != nil { return .line }
    if state.transfers.isOpen {
      return .commands(
        TransfersScreen.footer(state.transfers), isCovered: true, resumes: TransfersScreen.resumes(state.transfers))
    }
    switch state.tab {
    case .notes: return of(tab: state.notes)
    case .photos: return of(tab: state.photos)
    }
  }

  private static func of(tab: some FileTab) -> ClubFooter {
    if tab.isFinding { return .finding(inText: tab.hasView) }
    return tab.footer.contains(.help) && tab.takesText
      ? .typing(tab.footer) : .commands(tab.footer, isCovered: tab.isCovered)
  }

  /// A hash value of it.
  var content: Int {
    switch self {
    case .help: return 1
    case .line: return 2
    case .finding(let isInText): return isInText ? 4 : 3
    case .typing(let commands): return ClubFooter.commands(commands, isCovered: false).content ^ 5
    case .commands(let commands, let isCovered, let resumes):
      var hasher = Hasher()
      hasher.combine(isCovered)
      hasher.combine(resumes)
      // A byte each, instead of their names.
      commands.withUnsafeBytes { hasher.combine(bytes: $0) }
      return hasher.finalize()
    }
  }

  /// The line. The table of keys is the same for as long as the program runs.
  func line(_ keys: KeyTable) -> FooterKeys {
    switch self {
    case .help:
      return FooterKeys([
        .init("Up/Down PgUp/PgDn g/G", "scroll"), .init("j/k Space Ctrl-F Ctrl-B", "too"), .init("Esc", "back"),
      ])
    case .line:
      return FooterKeys(keys.footer([.pathAccept, .pathComplete, .pathCancel]).map { .init($0.key, $0.word) })
    case .finding(let isInText):
      return FooterKeys([
        .init("Enter", isInText ? "keep" : "keep filter"), .init("Up/Down", isInText ? "previous, next" : "move"),
        .init("Esc", "clear"),
      ])
    case .typing(let commands):
      let help = keys.keys(for: .help).first { $0.typed == nil }
      return FooterKeys(
        keys.footer(commands).compactMap { item in
          guard item.word == KeyCommand.named(.help)?.hint else { return .init(item.key, item.word) }
          return help.map { .init($0.name, item.word) }
        })
    case .commands(let commands, let isCovered, let resumes):
      var others: [String: String] = [:]
      if isCovered, let quit = KeyCommand.named(.quit)?.hint { others[quit] = "back" }
      if resumes, let pause = KeyCommand.named(.transfersPause)?.hint { others[pause] = "go on" }
      return FooterKeys(keys.footer(commands).map { .init($0.key, others[$0.word] ?? $0.word) })
    }
  }
}
