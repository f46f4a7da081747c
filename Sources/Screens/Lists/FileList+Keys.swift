internal import FileStores
internal import TextUI

/// What keys and the mouse do in the list.
extension FileList {
  /// Where keys are looked up, the nearest first, when those of `own` work in the list.
  func places(_ own: KeyCommand.Place) -> [KeyCommand.Place] {
    renaming != nil ? [.path] : find.isTyping ? [] : [own, .lists]
  }

  /// The commands for the footer, which are `own` while nothing is typed.
  func footer(_ own: [CommandID]) -> [CommandID] {
    renaming != nil ? [.pathAccept, .pathCancel] : find.isTyping ? [] : own
  }

  /// Runs a command of the lists' place, of all places, or of the tab that is the same on each; passes over others.
  mutating func run(_ command: CommandID, _ frame: inout Frame) -> Commands {
    if let field = renaming { return run(command, field) }
    if rows.move(command) {
      find.before = nil
      hasMoved = true
      return []
    }
    switch command {
    case words.rename: renaming = selected.map(RenameField.init)
    case .listMark:
      guard let path = selected else { return [] }
      if marks.remove(path) == nil { marks.insert(path) }
      select(rows.selection + 1)
    case .listSort:
      let chosen = selected
      let order = table?.order.next ?? .name
      table?.sort(order)
      choose(chosen)
      frame.say("Sorted by \(order.word).")
    case .listOpenOutside: return selected.map { [.run(.openOutside($0))] } ?? []
    case .listCopyName:
      guard let path = selected else { return [] }
      frame.say("Copied \"\(path)\".")
      return [.copy("\(path)")]
    case .find:
      if !find.isActive { find.before = FindField.Choice(path: selected, top: rows.top) }
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
        frame.say("Unmarked \(marks.count == 1 ? "one \(words.one)" : "\(marks.count) \(words.many)").")
        dropMarks()
      }
    default: break
    }
    return []
  }

  /// Asks about the marked files, or else the chosen one; nil when there is none.
  func trashQuestion() -> Question<FileListAction>? {
    let targets = targets
    guard let first = targets.first else { return nil }
    let answers: [Question<FileListAction>.Answer] = [
      .init("y", "yes", .confirmedTrash(targets)), .init("n", "no", nil),
    ]
    return targets.count == 1
      ? Question("Move \"", naming: "\(first)", "\" to the trash?", answers: answers)
      : Question("Move \(targets.count) \(words.many) to the trash?", answers: answers)
  }

  /// A key while a name or words to find are typed.
  mutating func type(_ key: Key) {
    guard renaming == nil else {
      renaming?.type { $0.handle(key) }
      return
    }
    var field = find
    switch key.code {
    case .escape: return clearFind()
    case .enter: field.isTyping = false
    case .up, .down, .pageUp, .pageDown:
      _ = rows.handle(key)
      hasMoved = true
      return
    default: guard field.field.handle(key) != .ignored else { return }
    }
    narrow(field)
  }

  /// Text was pasted while a name or words to find are typed.
  mutating func paste(_ bytes: [UInt8]) {
    guard renaming == nil else {
      renaming?.type { $0.paste(bytes) }
      return
    }
    var field = find
    _ = field.field.paste(bytes)
    narrow(field)
  }

  /// Other words to find choose the first file that has them.
  mutating func narrow(_ field: FindField) {
    let chosen = selected
    let isNew = field.field.bytes != find.field.bytes || field.found?.words != find.found?.words
    find = field
    table?.find(field.field.string, among: field.found.map { Set($0.files.keys) })
    guard isNew else { return choose(chosen) }
    guard !field.field.isEmpty || field.found != nil else { return choose(field.before?.path) }
    choose(nil)
    rows.select(0)
  }

  /// All files again, and what was chosen before they were narrowed, unless something else was chosen since.
  mutating func clearFind() {
    let (chosen, before) = (selected, find.before)
    find = FindField()
    table?.find("")
    choose(before == nil ? chosen : before?.path)
    if let before { rows.scroll(by: before.top - rows.top) }
  }

  /// The mouse was used on the list; true when the chosen file is to be opened.
  mutating func point(_ mouse: InputEvent.Mouse) -> Bool {
    guard renaming == nil else { return false }
    switch mouse.kind {
    case .wheelUp, .wheelDown:
      rows.scroll(by: max(1, 3 / rowLines) * (mouse.kind == .wheelUp ? -1 : 1))
      hasMoved = true
    case .press:
      guard let row = rows.row(atLine: mouse.point.y / rowLines) else { return false }
      if rows.selected == row { return true }
      find.before = nil
      select(row)
    default: break
    }
    return false
  }
}
