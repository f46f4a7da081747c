internal import TextUI

/// The footer's content, small enough to compare at each frame. Making the line takes fifty times as long.
enum ClubFooter {
  case help
  case line
  case finding(inText: Bool)
  /// The words that a remark will quote.
  case quoting
  /// Only a key without a character opens the help.
  case typing([CommandID])
  /// An editor with vi's keys.
  case vi(ViKeys.Mode, isForm: Bool)
  case viLine
  /// In a covered tab the quit key leads back to the list; with `resumes` the pause key resumes. `look` names the next
  /// way to see a photo.
  case commands([CommandID], isCovered: Bool, resumes: Bool = false, look: String? = nil)

  // An initialiser would receive a copy of the whole state.

  static func of(_ state: ClubState) -> ClubFooter {
    if state.help != nil { return .help }
    if let line = state.line { return line.refusal == nil ? .line : .commands([.pathCancel], isCovered: true) }
    if let talk = state.talk { return .commands(talk.footer, isCovered: true) }
    if let news = state.news { return .commands(news.footer, isCovered: true) }
    if state.transfers.isOpen {
      return .commands(
        TransfersScreen.footer(state.transfers), isCovered: true, resumes: TransfersScreen.resumes(state.transfers))
    }
    if state.captionField != nil { return .commands([.pathAccept, .pathCancel], isCovered: true) }
    if state.tab == .notes, state.notes.reader?.quote != nil { return .quoting }
    return state.ask(state.tab, { of(tab: $0) }, { of(tab: $0) }, { of(tab: $0) })
  }

  private static func of(tab: some ClubTab) -> ClubFooter {
    if let vi = tab.vi { return vi.openLine == nil ? .vi(vi.mode, isForm: tab.footer.contains(.formSave)) : .viLine }
    if tab.isFinding { return .finding(inText: tab.hasView) }
    return tab.footer.contains(.help) && tab.takesText
      ? .typing(tab.footer) : .commands(tab.footer, isCovered: tab.isCovered, look: tab.nextLook)
  }

  var content: Int {
    switch self {
    case .help: return 1
    case .line: return 2
    case .viLine: return 5
    case .quoting: return 6
    case .finding(let isInText): return isInText ? 4 : 3
    case .typing(let commands): return ClubFooter.commands(commands, isCovered: false).content ^ 5
    case .vi(let mode, let isForm):
      var hasher = Hasher()
      hasher.combine(mode)
      hasher.combine(isForm)
      return hasher.finalize()
    case .commands(let commands, let isCovered, let resumes, let look):
      var hasher = Hasher()
      hasher.combine(isCovered)
      hasher.combine(resumes)
      hasher.combine(look)
      // One byte for each command, instead of its name.
      commands.withUnsafeBytes { hasher.combine(bytes: $0) }
      return hasher.finalize()
    }
  }

  /// The key table never changes while the program runs.
  func line(_ keys: KeyTable) -> FooterKeys {
    switch self {
    case .help:
      return FooterKeys([.init("Enter", "run"), .init("Up/Down PgUp/PgDn", "move"), .init("Esc", "back")])
    case .line: return FooterKeys(keys.footer([.pathAccept, .pathComplete, .pathCancel]))
    case .quoting:
      return FooterKeys([
        .init("Arrows", "move"), .init("Shift", "mark words"), .init("Enter", "write"), .init("@", "all remarks"),
        .init("Esc", "end"),
      ])
    case .viLine: return FooterKeys([.init("Enter", "run"), .init("Esc", "close")])
    case .finding(let isInText):
      return FooterKeys([
        .init("Enter", isInText ? "keep" : "keep filter"), .init("Up/Down", isInText ? "previous, next" : "move"),
        .init("Esc", "clear"),
      ])
    case .vi(let mode, let isForm):
      return FooterKeys(
        (mode == .normal ? [] : [.init("Esc", "normal")])
          + keys.footer(isForm ? [.formSave, .formDone] : [.editorSave, .editorDone])
          + (mode == .normal ? [.init(":q", "Cancel"), .init("i", "insert")] : [])
          + keys.footer([.help], isTyping: true)
          + (mode == .normal ? [.init("u", "undo"), .init("/", "find")] : []))
    case .typing(let commands): return FooterKeys(keys.footer(commands, isTyping: true))
    case .commands(let commands, let isCovered, let resumes, let look):
      var others: [CommandID: String] = [:]
      if isCovered { others[.quit] = "back" }
      if resumes { others[.transfersPause] = "go on" }
      others[.viewerSwitch] = look
      return FooterKeys(keys.footer(commands, others))
    }
  }
}
