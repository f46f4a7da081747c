internal import ClubServices
internal import FileStores
internal import Merge
internal import TextUI

/// The reasons in the tabs of notes and photos.
extension ClubState {
  func reasonInNotes(_ command: CommandID) -> String? {
    guard let view = notes.views.last else { return notes.files.reason(against: command, frame) }
    return reason(against: command, view) ?? reasonOfView(command, view)
  }

  private func reason(against command: CommandID, _ view: NotesView) -> String? {
    switch view {
    case .opening, .form: nil
    case .draft:
      command == .quit
        ? "\(frame.keys.name(of: .draftLater)) decides later, \(frame.keys.name(of: .draftOpen)) goes on with the text."
        : nil
    case .editor(let editor): reason(against: command, inBarOf: editor)
    case .reader(let reader): reader.end(of: command)
    case .version(let version): version.reader.end(of: command)
    case .outline(let outline): outline.list.rows.end(of: command, "heading")
    case .backlinks(let backlinks):
      inRows(
        command, backlinks.list.rows, "link", isRead: backlinks.found != nil, own: [.backlinksOpen],
        unread: "The links are not read yet.", empty: "No other note links here.")
    case .waiting(let list):
      inRows(command, list.list.rows, "text", own: [.draftOpen, .draftDiscard], unread: "", empty: "Nothing waits.")
    case .blame(let view):
      inRows(
        command, view.list.rows, "line", isRead: view.blame != nil, own: [.blameOpen],
        unread: "The versions are not read yet.", empty: "The note is empty.")
    case .trash(let view):
      inRows(
        command, view.list.rows, "file", isRead: view.list.items != nil, own: [.trashRestore, .trashMark],
        unread: "The trash is not read yet.", empty: "The trash is empty.")
    case .history(let history):
      KeyCommand.named(command)?.place == .lists && command != .listOpen
        ? onlyOfFiles(command)
        : inRows(
          command, history.list.rows, "version", isRead: history.versions != nil,
          own: [.listOpen, .historyDifference, .historyRestore],
          unread: "The history is not read yet.", empty: "The note has no versions.")
    case .difference(let view): reason(against: command, view)
    case .conflict(let view): view.editing == nil ? reason(against: command, view) : nil
    }
  }

  /// In a list of a view: `own` are its commands for the selected row.
  private func inRows(
    _ command: CommandID, _ rows: ListState, _ word: String, isRead: Bool = true, own: [CommandID], unread: String,
    empty: String
  ) -> String? {
    let end = rows.end(of: command, word)
    guard rows.count == 0 else { return end }
    return end != nil || own.contains(command) ? isRead ? empty : unread : nil
  }

  private func reason(against command: CommandID, inBarOf editor: NoteEditor) -> String? {
    switch command {
    case .editorFindField, .editorFindPrevious, .editorFindAll:
      editor.bar.field == .line
        ? "Type the number of a line."
        : command == .editorFindAll && editor.text.search == nil ? "Type what to find first." : nil
    default: nil
    }
  }

  private func reason(against command: CommandID, _ view: DifferenceView) -> String? {
    if command == .readerFindNext || command == .readerFindPrevious { return "Find works in lists and notes." }
    var moved = view
    moved.move(command)
    return TextReader.end(of: command, isAtTop: moved.top == view.top, isAtEnd: moved.top == view.top)
  }

  private func reason(against command: CommandID, _ view: ConflictView) -> String? {
    let parts = view.resolution.parts
    let isSettled =
      parts.indices.contains(view.part) && [nil, view.part].contains(view.resolution.nextOpen(from: view.part))
    switch command {
    case .readerEdit, .readerExternal: return "\(frame.keys.name(of: .conflictEdit)) edits this part."
    case .conflictUndo, .conflictRedo: return view.hasParts ? nil : "No choice to undo."
    case .conflictMine where isSettled && parts[view.part].choice == .mine: return "This part is mine."
    case .conflictTheirs where isSettled && parts[view.part].choice == .theirs: return "This part is theirs."
    case .conflictBoth where isSettled && parts[view.part].choice == .both: return "This part has both."
    default:
      var moved = view
      moved.move(command)
      return TextReader.end(of: command, isAtTop: moved.top == view.top, isAtEnd: moved.top == view.top)
    }
  }

  /// Of keys that readers share with a view that has no use for them.
  private func reasonOfView(_ command: CommandID, _ view: NotesView) -> String? {
    switch (command, view) {
    case (.refresh, .opening), (.refresh, .waiting), (.refresh, .history), (.refresh, .trash): nil
    case (.refresh, .reader): "A note that is read follows the club by itself."
    case (.refresh, _): "This view has nothing to refresh."
    case (.readerNextChange, .reader), (.readerPreviousChange, .reader): nil
    case (.readerNextChange, _), (.readerPreviousChange, _): "Changed lines are marked in the note itself."
    default: nil
    }
  }
}

extension ClubState {
  func reasonInPhotos(_ command: CommandID) -> String? {
    if let facts = photos.facts {
      if [.readerFindNext, .readerFindPrevious, .close, .quit].contains(command) { return nil }
      if let end = facts.end(of: command) { return end }
      return TextReader.scroll(command) == nil
        && photos.places.contains(KeyCommand.named(command)?.place ?? .everywhere)
        || command == .refresh ? "These facts are only read." : nil
    }
    if let title = photos.walkTitle {
      if command == .pathAccept, title.isEmpty { return "Type a title first." }
      return command == .pathComplete || command == .pathMark ? "Type a title; it has nothing to choose." : nil
    }
    if photos.giver != nil {
      return command == .pathComplete || command == .pathMark ? "Type a name; it has nothing to choose." : nil
    }
    switch photos.view {
    case nil: return photos.files.reason(against: command, frame)
    case .viewer where photos.files.renaming != nil: return photos.files.reason(against: command, frame)
    case .viewer(let viewer): return reason(against: command, viewer)
    case .path(let prompt): return reason(against: command, prompt)
    // Each key closes it.
    case .dropPage: return nil
    }
  }

  private func reason(against command: CommandID, _ viewer: PhotoViewer) -> String? {
    let isShown = viewer.flat != nil || viewer.look != nil
    var moved = viewer
    switch command {
    case .viewerLeft: moved.step(right: -1, up: 0)
    case .viewerRight: moved.step(right: 1, up: 0)
    case .viewerUp: moved.step(right: 0, up: 1)
    case .viewerDown: moved.step(right: 0, up: -1)
    case .viewerIn: moved.zoom(by: 2)
    case .viewerOut: moved.zoom(by: 0.5)
    case .viewerReset: moved.reset()
    case .viewerFill: moved.fill()
    case .viewerNext, .viewerPrevious:
      return photos.files.table?.row(of: viewer.path) == nil
        ? "The photo is not in the list as it is now, so it has no neighbours." : nil
    default: return nil
    }
    guard isShown else { return viewer.problem == nil ? "The photo is still loading." : "The photo cannot be shown." }
    guard moved.camera == viewer.camera else { return nil }
    return switch command {
    case .viewerIn: "The photo cannot be larger."
    case .viewerOut: "The photo cannot be smaller."
    case .viewerReset, .viewerFill: "The photo is shown so already."
    default: "The photo ends here."
    }
  }

  private func reason(against command: CommandID, _ prompt: PathPrompt) -> String? {
    switch command {
    case .pathMark where prompt.isChecking, .pathComplete where prompt.isChecking,
      .pathAccept where prompt.isChecking:
      "byteclub looks at the file. \(frame.keys.name(of: .pathCancel)) closes."
    case .pathMark where prompt.purpose == .download: "Only an upload takes several files."
    case .pathMark where prompt.isCompleted && prompt.completion.choices.isEmpty: "No picture is here to mark."
    case .pathComplete where prompt.isCompleted && prompt.completion.choices.isEmpty: "No file begins so."
    default: nil
    }
  }
}
