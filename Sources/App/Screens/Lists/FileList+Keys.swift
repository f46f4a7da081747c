internal import ClubServices
internal import FileStores
internal import TextUI

/// Keys and the mouse in the list.
extension FileList {
  /// The places for key lookup, in order; `own` is the tab's place.
  func places(_ own: KeyCommand.Place) -> [KeyCommand.Place] {
    renaming != nil ? [.path] : find.isTyping ? [] : [own, .albums, .moves, .lists]
  }

  /// The footer's commands: `own` and the key to the news, unless a field is active.
  func footer(_ own: [CommandID]) -> [CommandID] {
    renaming != nil
      ? [.pathAccept, .pathCancel]
      : find.isTyping ? [] : own.prefix(1) + (news.isEmpty ? [] : [.listNextNew]) + own.dropFirst()
  }

  /// Runs a list or global command, or the tab's rename; ignores others.
  mutating func run(_ command: CommandID, _ frame: inout Frame) -> Commands {
    if let field = renaming { return run(command, field) }
    if rows.move(command) {
      find.keepChoice()
      hasMoved = true
      return []
    }
    switch command {
    case words.rename:
      renaming = selected.map { RenameField($0) } ?? selectedFolder.map { RenameField($0, isFolder: true) }
    case .albumsLeave: leaveAlbum()
    case .listMark:
      guard let path = selected else { return [] }
      if marks.remove(path) == nil { marks.insert(path) }
      select(rows.selection + 1)
    case .listSort: return sort(ListOrder(words.order(after: order.by)), &frame)
    case .listReverse: return sort(ListOrder(order.by, isReversed: !order.isReversed), &frame)
    case .listNextNew: selectNextNew(&frame)
    case .listSeeAll: return seeAll(&frame)
    case .listOpenOutside: return selected.map { [.run(.openOutside($0))] } ?? []
    case .listCopyName:
      guard let path = selected else { return [] }
      frame.say("Copied \"\(path)\".")
      return [.copy("\(path)")]
    case .find:
      if !find.isActive { find.before = FindField.Choice(path: selected, album: selectedAlbum?.path, top: rows.top) }
      find.field.offer()
      find.isTyping = true
    case .refresh:
      frame.say("Refreshing.")
      return [list(), .run(.watch, key: words.key("watch"))]
    case .close:
      if sought != nil {
        sought = nil
        frame.say("The search has stopped.")
        return [.cancel(key: words.key("search"))]
      }
      if find.isActive {
        clearFind()
      } else if !marks.isEmpty {
        frame.say("Unmarked \(words.count(marks.count)).")
        dropMarks()
      } else {
        leaveAlbum()
      }
    default: break
    }
    return []
  }

  /// Sorts, and selects the first file: a member sorts to see what comes first.
  private mutating func sort(_ order: ListOrder, _ frame: inout Frame) -> Commands {
    self.order = order
    table?.sort(order.by, isReversed: order.isReversed)
    select(0)
    frame.say("Sorted by \(order.words).")
    return [.run(.keep(.order(order), of: words.many))]
  }

  /// A question about `files`, else about the marked files, else about the selected file or folder; nil if there is none.
  func trashQuestion(_ files: [StorePath]? = nil) -> Question<FileListAction>? {
    let targets = files ?? targets
    if targets.isEmpty, let folder = selectedFolder {
      let count = selectedAlbum.map { $0.count == 0 ? "" : " (\(words.count($0.count)))" } ?? ""
      return Question(
        "Move \"", naming: "\(folder)/", "\" with all in it\(count) to the trash?",
        answers: [.init("y", "yes", .confirmedTrashOfFolder(folder)), .init("n", "no", nil)])
    }
    guard let first = targets.first else { return nil }
    let answers: [Question<FileListAction>.Answer] = [
      .init("y", "yes", .confirmedTrash(targets)), .init("n", "no", nil),
    ]
    return targets.count == 1
      ? Question("Move \"", naming: "\(first)", "\" to the trash?", answers: answers)
      : Question("Move \(targets.count) \(words.many) to the trash?", answers: answers)
  }

  /// A question about a public link to `file`, else to the selected one; nil if there is none.
  func linkQuestion(_ file: StorePath? = nil) -> Question<FileListAction>? {
    guard let path = file ?? selected else { return nil }
    return Question(
      "Share \"", naming: "\(path)", "\" with anyone who has its link?",
      answers: [
        .init("w", "1 week", .confirmedLink(path, .week)), .init("m", "1 month", .confirmedLink(path, .month)),
        .init("n", "no end", .confirmedLink(path, .never)), .init(Key(.escape), "cancel", nil),
      ])
  }

  /// Handles a key while a name or search words are typed.
  mutating func type(_ key: Key) -> Commands {
    guard renaming == nil else {
      renaming?.type { $0.handle(key) }
      return []
    }
    var field = find
    switch key.code {
    case .escape:
      clearFind()
      return stopTexts()
    case .enter:
      // The reason stays in view with the field.
      guard find.query.problem == nil else { return [] }
      (field.isTyping, field.offers) = (false, nil)
      return narrowAndSearch(field) + remember(field.field.string)
    case .tab, .backTab: return goOn(backward: key.code == .backTab)
    case .up where recalls(key), .down where recalls(key): return recall(older: key.code == .up)
    case .up, .down, .pageUp, .pageDown:
      find.field.take()
      _ = rows.handle(key)
      (hasMoved, find.isMoved) = (true, true)
      return []
    default: guard field.field.handle(key) != .ignored else { return [] }
    }
    (field.past, field.offers) = (nil, nil)
    return narrowAndSearch(field)
  }

  /// Handles pasted text while a name or search words are typed.
  mutating func paste(_ bytes: [UInt8]) -> Commands {
    guard renaming == nil else {
      renaming?.type { $0.paste(bytes) }
      return []
    }
    var field = find
    _ = field.field.paste(bytes)
    (field.past, field.offers) = (nil, nil)
    return narrowAndSearch(field)
  }

  /// Applies the find field. New words select the first matching file.
  mutating func narrow(_ field: FindField) {
    let chosen = kept
    let isNew = field.field.bytes != find.field.bytes || field.found?.words != find.found?.words
    let known = (find.query, find.within, find.isMoved)
    find = field
    (find.query, find.within, find.isMoved) = known
    if isNew {
      (find.texts, find.unread, find.within, find.isMoved) = (nil, 0, nil, false)
      find.query = NoteQuery(field.field.string, clock)
      if find.isTyping, find.offers == nil { find.offers = offers(isAsked: false) }
    }
    filterRows()
    guard isNew else { return choose(chosen) }
    guard !field.field.isEmpty || field.found != nil else {
      choose(field.before?.path)
      return select(album: field.before?.album)
    }
    choose(nil)
    rows.select(0)
  }

  /// Removes the filter and restores the earlier selection, unless the member has selected another file since.
  mutating func clearFind() {
    let (chosen, before) = (selected, find.before)
    find = FindField()
    table?.find("")
    choose(before == nil ? chosen : before?.path)
    select(album: before?.album)
    if let before { rows.scroll(by: before.top - rows.top) }
  }

  /// Handles the mouse; true if the selected file should open.
  mutating func point(_ mouse: InputEvent.Mouse) -> Bool {
    guard renaming == nil else { return false }
    switch mouse.kind {
    case .wheelUp, .wheelDown:
      rows.scroll(by: max(1, 3 / rowLines) * (mouse.kind == .wheelUp ? -1 : 1))
      (hasMoved, find.isMoved) = (true, true)
    case .press:
      guard let row = row(at: mouse.point) else { return false }
      if rows.selected == row { return true }
      find.keepChoice()
      select(row)
    default: break
    }
    return false
  }
}
