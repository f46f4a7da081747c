internal import ClubServices
internal import TextUI
internal import Transfers

/// The table of keys that a view has and that can do nothing now: each with its reason, a sentence for the notice line.
extension ClubState {
  /// Nil if the command does something, or says itself why it does not.
  func reason(against command: CommandID) -> String? {
    // While byteclub waits to quit, that notice stays.
    guard question == nil, line == nil, wall == nil, !isLoading, leaving?.isWaiting != true else { return nil }
    if let talk { return reason(against: command, talk) ?? underView(command, "Remarks") }
    if let news { return reason(against: command, news) ?? underView(command, "News") }
    if transfers.isOpen { return reason(against: command, transfers) ?? underView(command, "Transfers") }
    guard !isTabAsking else { return nil }
    let own = ask(
      tab, { $0.reason(against: command, frame) }, { $0.reason(against: command, frame) },
      { $0.reason(against: command, frame) })
    if case .added = tab { return own }
    return reasonOnTab(command) ?? own
  }

  /// Of the tab's own keys of all views, and of its preview.
  private func reasonOnTab(_ command: CommandID) -> String? {
    switch command {
    case .tabNotes where tab == .notes: "This is the tab of notes."
    case .tabPhotos where tab == .photos: "This is the tab of photos."
    case .undo where isCovered && !showsPhoto && !showsUndoableNote: underView(command, "This view")
    case .mergeShow where tab == .notes && notes.merged.map(notes.shows) == true && notes.reader == nil:
      "This is the last merge."
    case .close where isAtRest: "Nothing is open over the list. \(frame.keys.name(of: .quit)) quits."
    case .previewUp, .previewDown, .previewWider, .previewNarrower, .previewToggle: reasonInPreview(command)
    default: nil
    }
  }

  /// Esc has nothing to close, to clear or to stop.
  private var isAtRest: Bool {
    let files = files(on: tab)
    return !canGoBack && frame.notice == nil && files?.marks.isEmpty != false && files?.sought == nil
      && files?.isInAlbum != true
  }

  /// Commands of the lists that a view over them does not take.
  private func underView(_ command: CommandID, _ view: String) -> String? {
    switch command {
    case .undo: "\(view) cannot undo. \(frame.keys.name(of: .close)) leads back to the list, which can."
    case .previewUp, .previewDown, .previewWider, .previewNarrower, .previewToggle:
      "The preview is beside the lists of notes and photos."
    default: nil
    }
  }

  private func reasonInPreview(_ command: CommandID) -> String? {
    guard files(on: tab) != nil else { return nil }
    if hasView { return underView(command, "") }
    guard files(on: tab)?.table != nil else { return "The preview needs the list, which is not read yet." }
    if command == .previewToggle { return nil }
    guard paneWidth != nil else {
      return "No preview is shown. \(frame.keys.name(of: .previewToggle)) shows it."
    }
    if command == .previewUp || command == .previewDown {
      var moved = preview
      moved.scroll(by: command == .previewUp ? -1 : 1)
      guard moved.top == preview.top else { return nil }
      return command == .previewUp ? "The preview begins here." : "The preview ends here."
    }
    var moved = frame
    moved.moveRule(by: command == .previewWider ? -ClubScreen.ruleStep : ClubScreen.ruleStep)
    guard moved.listWidth == frame.listWidth else { return nil }
    return command == .previewWider ? "The preview has its largest width." : "The preview has its smallest width."
  }

  // MARK: Views over any tab

  private func reason(against command: CommandID, _ talk: TalkView) -> String? {
    let isEmpty = talk.talk?.remarks.isEmpty ?? true
    switch command {
    case .talkAgree, .talkFix, .talkWithdraw:
      return talk.selected == nil ? "No remark is selected." : nil
    case .listUp, .listPageUp, .listHalfUp, .listFirst:
      guard talk.isAtStart else { return nil }
      return isEmpty ? "Nobody has said anything here yet." : "This is the first remark."
    case .listDown, .listPageDown, .listHalfDown, .listLast:
      guard talk.isAtEnd(frame) else { return nil }
      return isEmpty ? "Nobody has said anything here yet." : "This is the last remark."
    case .pathMark: return "A remark has nothing to mark."
    case .pathAccept: return talk.typing?.field.isEmpty == true ? "Type the remark first." : nil
    default: return nil
    }
  }

  private func reason(against command: CommandID, _ news: NewsView) -> String? {
    switch command {
    case .newsOpen: news.selected == nil && news.selectedMemory == nil ? "No entry is selected." : nil
    case .talk: news.selected == nil ? "No entry is selected." : nil
    default: news.end(of: command)
    }
  }

  private func reason(against command: CommandID, _ transfers: TransfersState) -> String? {
    if let details = transfers.details {
      switch command {
      case .transfersMark, .transfersUp, .transfersDown:
        return "\(frame.keys.name(of: .close)) leads back to the list, where this works."
      case _ where KeyCommand.named(command)?.place == .reader && TextReader.scroll(command) == nil:
        return "The details of a transfer are only read."
      default:
        return transfers.line(details.id)
          .flatMap { TransferFacts.reader($0, details, frame, limit: transfers.limit).end(of: command) }
      }
    }
    switch command {
    case .listMark, .listReverse, .listNextNew, .listSeeAll, .listLink: return frame.onlyOfFiles(command)
    case .transfersPauseAll: return transfers.lines.isEmpty ? "No transfer is in the list." : nil
    case .transfersPause, .transfersCancel, .transfersRetry, .transfersUp, .transfersDown, .transfersDetails,
      .listOpen, .transfersMark, .transfersDismiss, .listOpenOutside, .listCopyName:
      return transfers.selected == nil ? "No transfer is in the list." : nil
    default: return transfers.rows.end(of: command, "transfer")
    }
  }
}

extension Frame {
  /// For a key of the lists in a list of other things.
  func onlyOfFiles(_ command: CommandID) -> String {
    "\(keys.name(of: command)) works in the lists of notes and photos."
  }
}

extension FileList {
  /// The reason why a command can do nothing in the list now; nil if it can.
  func reason(against command: CommandID, _ frame: Frame) -> String? {
    if renaming != nil {
      return command == .pathComplete || command == .pathMark ? "Type a new name; it has nothing to choose." : nil
    }
    guard !find.isTyping else { return nil }
    switch command {
    case .listOpen, .listMark, .listOpenOutside, .listCopyName, .listLink, .notesExternal, .notesHistory, .notesTrash,
      .notesRename, .notesPin, .photosRename, .photosTrash, .photosInfo, .photosCaption, .photosDownload:
      return targets.isEmpty && selectedAlbum == nil ? emptiness(frame) : nil
    default:
      guard let end = rows.end(of: command, words.one) else { return nil }
      return rows.count == 0 ? emptiness(frame) : end
    }
  }

  private func emptiness(_ frame: Frame) -> String {
    guard let table else { return "The \(words.many) are not listed yet." }
    if table.total > 0 { return "No \(words.one) matches. \(frame.keys.name(of: .close)) shows all." }
    return "The club has no \(words.many) yet. \(frame.keys.name(of: words.making.key)) \(words.making.verb)s one."
  }
}
