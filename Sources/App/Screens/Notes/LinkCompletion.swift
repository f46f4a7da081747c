internal import Basics
internal import ClubServices
internal import FileStores
internal import Markdown
internal import TextUI

/// The files or headings that fit a link, or the folders that fit the name of a new note.
/// The list is at the cursor, and typing goes on under it.
struct LinkCompletion: Sendable {
  enum Opening: Sendable { case wiki, picture, address, tag, folder }

  enum Choice: Sendable {
    case file(StorePath)
    case heading(String)
    case tag(String)
    case folder(String)
  }

  /// The place behind the opening, and the typed text.
  struct Typed: Sendable, Equatable {
    let opening: Opening
    let start: Int
    let words: String

    /// Nil unless the cursor is in the target of a link, outside of code.
    init?(_ text: EditableText) {
      let line = text.buffer.lineStart(at: text.cursor)
      let start = max(line, text.cursor - Typed.longest)
      let before = text.buffer.bytes(in: start..<text.cursor)
      func last(_ word: StaticString) -> Int? {
        let bytes = Array("\(word)".utf8)
        return before.indices.reversed().first { before[$0...].starts(with: bytes) }
      }
      let (wiki, address) = (last("[["), last("]("))
      if let wiki, wiki > address ?? -1, !before[wiki...].contains(UInt8(ascii: "]")) {
        let isPicture = wiki > 0 && before[wiki - 1] == UInt8(ascii: "!")
        opening = isPicture ? .picture : .wiki
        self.start = start + wiki + 2
        words = String(decoding: before[(wiki + 2)...], as: UTF8.self)
      } else if let address, !before[(address + 2)...].contains(where: { ")<\"".utf8.contains($0) }),
        Typed.isLinkText(before[..<address])
      {
        opening = .address
        self.start = start + address + 2
        words = String(decoding: before[(address + 2)...], as: UTF8.self)
      } else if let sign = Typed.tag(before) {
        opening = .tag
        self.start = start + sign + 1
        words = String(decoding: before[(sign + 1)...], as: UTF8.self)
      } else {
        return nil
      }
      // An alias is free text, and a web address is not of the club.
      if words.contains("|") || words.contains(":") { return nil }
      // Shells write tests as "[[ -f a ]]".
      if opening != .tag, words.first == " " { return nil }
      if MarkdownTint.isCode(at: text.cursor, in: text.buffer) { return nil }
    }

    /// The name of a new note, behind its last slash.
    init(folder name: String) {
      let last = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last
      (opening, words, start) = (.folder, name, name.utf8.count - (last?.count ?? 0))
    }

    private static let longest = 300

    /// True if a line can end in the text of a link: `[words`, or `![` of a picture. In `list[1](` a word is before it.
    private static func isLinkText(_ line: ArraySlice<UInt8>) -> Bool {
      var depth = 1
      let open = line.indices.reversed().first { index in
        if line[index] == UInt8(ascii: "]") { depth += 1 }
        if line[index] == UInt8(ascii: "[") { depth -= 1 }
        return depth == 0
      }
      guard let open else { return false }
      guard open > line.startIndex else { return open + 1 < line.endIndex }
      let before = line[open - 1]
      if before == UInt8(ascii: "!") { return true }
      let isName =
        (0x61...0x7A).contains(before | 0x20) || (0x30...0x39).contains(before) || "_)]".utf8.contains(before)
      return open + 1 < line.endIndex && !isName
    }

    /// The rest of a link that is closed in its line: the bytes from the cursor to the end of the name, and to the end of
    /// the link. Nil for a link that is open.
    func rest(in text: EditableText, isHeading: Bool) -> (name: Int, link: Int)? {
      guard opening != .tag else { return nil }
      let last = min(text.buffer.lineEnd(at: text.cursor), text.cursor + Typed.longest)
      let rest = text.buffer.bytes(in: text.cursor..<max(last, text.cursor))
      let (end, others) = opening == .address ? (")", "( <") : ("]]", "[")
      let close = rest.indices.first { rest[$0...].starts(with: end.utf8) }
      guard let close, !rest[..<close].contains(where: { others.utf8.contains($0) }) else { return nil }
      let marks = opening == .address ? (isHeading ? "" : "#") : isHeading ? "|" : "|#"
      let name = rest[..<close].firstIndex { marks.utf8.contains($0) } ?? close
      return (name, close + end.utf8.count)
    }

    /// The number sign of a tag with at least one letter, at the end of a text.
    private static func tag(_ text: [UInt8]) -> Int? {
      guard let sign = text.lastIndex(of: UInt8(ascii: "#")), sign + 1 < text.count,
        sign == 0 || " \t([{,;".utf8.contains(text[sign - 1])
      else { return nil }
      return text[(sign + 1)...].allSatisfy {
        (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 >= 0x80 || "_-/".utf8.contains($0)
      } ? sign : nil
    }
  }

  let typed: Typed
  let choices: [Choice]
  var selection = 0
  /// True from the first time that the member moves the selection.
  var isMoved = false
  /// The place of a link whose list the member has closed.
  var closedAt: Int?
  var isOpen: Bool { closedAt == nil }
  /// The headings of the last note, read once.
  var headings: (note: StorePath, names: [String])?

  var chosen: Choice? { choices.indices.contains(selection) ? choices[selection] : nil }

  /// True if Enter writes the chosen name. Otherwise Enter ends the line, or leads from the name of a note to its text.
  var isMeant: Bool { isMoved || (typed.opening != .folder && typed.words.contains { $0.isLetter || $0.isNumber }) }

  private static let most = 30
  private static let rows = 7

  /// A list without rows, for the headings of a note that has been read.
  init(_ typed: Typed, headings names: [String], of note: StorePath) {
    (self.typed, choices, headings) = (typed, [], (note, names))
  }

  /// The folders that go on with the name of a new note; nil without any.
  init?(folder name: String, of choices: [String], as old: LinkCompletion?) {
    typed = Typed(folder: name)
    closedAt = old?.closedAt == typed.start ? typed.start : nil
    guard !choices.isEmpty || closedAt != nil else { return nil }
    self.choices = closedAt == nil ? choices.prefix(Self.most).map(Choice.folder) : []
  }

  /// Moves the choice, or closes the list; false for other commands.
  mutating func choose(_ command: CommandID) -> Bool {
    switch command {
    case .completionUp, .completionDown:
      let count = choices.count
      selection = (selection + (command == .completionUp ? count - 1 : 1)) % max(1, count)
      isMoved = true
    case .completionClose: self = LinkCompletion(closed: self)
    default: return false
    }
    return true
  }

  /// A list that stays closed until another link is begun.
  init(closed list: LinkCompletion) {
    (typed, choices, headings, closedAt) = (list.typed, [], list.headings, list.typed.start)
  }

  /// The list for the present text; nil without a fitting name.
  init?(
    _ typed: Typed, of note: StorePath, notes: inout EntryTable, photos: EntryTable?, tags: [String] = [],
    as old: LinkCompletion?
  ) {
    self.typed = typed
    closedAt = old?.closedAt == typed.start ? typed.start : nil
    headings = old?.headings
    var choices: [Choice] = []
    if typed.opening == .tag {
      let words = typed.words.lowercased()
      // Enter behind a whole tag ends the line.
      let isWhole = tags.contains { $0.lowercased() == words }
      choices =
        isWhole
        ? []
        : tags.lazy.filter { $0.lowercased().hasPrefix(words) }.prefix(Self.most).map(
          Choice.tag)
    } else if let mark = typed.words.firstIndex(of: "#"), typed.opening != .picture {
      let sought = typed.words[typed.words.index(after: mark)...].lowercased()
      if let headings, headings.note == LinkCompletion.note(of: typed, from: note, notes) {
        choices = headings.names.filter { sought.isEmpty || $0.lowercased().contains(sought) }.map(Choice.heading)
      }
    } else {
      let words = PercentEncoding.decoded(typed.words, plusIsSpace: false) ?? typed.words
      if typed.opening != .picture { choices = notes.best(for: words, most: Self.most).map(Choice.file) }
      if var photos, choices.count < Self.most {
        choices += photos.best(for: words, most: Self.most - choices.count).map(Choice.file)
      }
      if choices.count < Self.most {
        choices += notes.pictures(for: words, most: Self.most - choices.count).map(Choice.file)
      }
    }
    guard !choices.isEmpty || headings != nil || closedAt != nil else { return nil }
    self.choices = closedAt == nil ? choices : []
  }

  /// The note before a number sign; this one without a name. Nil without a sign.
  static func note(of typed: Typed, from note: StorePath, _ notes: EntryTable) -> StorePath? {
    guard let mark = typed.words.firstIndex(of: "#"), typed.opening != .picture else { return nil }
    let name = String(typed.words[..<mark])
    guard !name.isEmpty else { return note }
    let words = typed.opening == .wiki ? LinkWords(wiki: name) : LinkWords(address: name)
    return words.flatMap { notes.path(of: $0, from: note) }
  }

  /// The edit that writes the chosen name, and closes a link that is open; the place for the cursor is behind the link.
  func edit(
    in text: EditableText, of note: StorePath, found: (LinkWords, StorePath?) -> StorePath?
  ) -> (edit: TextEdit, cursor: Int)? {
    // A merge or an inserted picture may have changed the text under the list.
    guard Typed(text) == typed else { return nil }
    var new: String
    var isHeading = false
    let isAddress = typed.opening == .address
    switch chosen {
    case .folder, nil: return nil
    case .file(let path):
      new = LinkMend.link(
        to: path, isAddress: isAddress, isPicture: typed.opening == .picture, from: note, found)
    case .tag(let tag): new = tag
    case .heading(let heading):
      let anchor = isAddress ? LinkTarget.anchor(Array(heading.utf8)) : heading.filter { !"[]|#".contains($0) }
      new = typed.words.prefix { $0 != "#" } + "#" + anchor
      isHeading = true
    }
    let rest = typed.rest(in: text, isHeading: isHeading)
    if rest == nil, typed.opening != .tag { new += isAddress ? ")" : "]]" }
    let edit = TextEdit(
      offset: typed.start, removed: text.cursor - typed.start + (rest?.name ?? 0), inserted: Array(new.utf8))
    return (edit, edit.offset + edit.inserted.count + (rest.map { $0.link - $0.name } ?? 0))
  }

  /// The part of a canvas below the cursor, or above it where more room is. Nil without room, and without choices.
  private func place(at cursor: Point, in size: Size) -> Rect? {
    let (below, above) = (size.height - cursor.y - 1, cursor.y)
    let height = min(choices.count, Self.rows, max(below, above))
    let width = min(44, size.width)
    guard chosen != nil, height > 0, width > 4 else { return nil }
    return Rect(
      max(0, min(cursor.x, size.width - width)), below >= height ? cursor.y + 1 : cursor.y - height, width, height)
  }

  private func first(ofRows count: Int) -> Int { max(0, min(selection - count / 2, choices.count - count)) }

  /// The number of the choice at a point of a canvas, beside a cursor there.
  func row(at point: Point, cursor: Point, in size: Size) -> Int? {
    guard let place = place(at: cursor, in: size), place.contains(point) else { return nil }
    return first(ofRows: place.height) + point.y - place.y
  }

  /// The cursor is a cell of the grid.
  func draw(at cursor: Point, on canvas: inout Canvas) {
    let here = Point(cursor.x - canvas.bounds.x, cursor.y - canvas.bounds.y)
    guard let place = place(at: here, in: canvas.size) else { return }
    let first = first(ofRows: place.height)
    canvas.inside(place) { list in
      for y in 0..<place.height { draw(choices[first + y], isChosen: first + y == selection, y: y, on: &list) }
    }
    canvas.restoreCursor(cursor)
  }

  private func draw(_ choice: Choice, isChosen: Bool, y: Int, on canvas: inout Canvas) {
    let width = canvas.size.width
    let style = isChosen ? canvas[.selection] : canvas[.text]
    canvas.fill(Rect(0, y, width, 1), style: style)
    canvas.text(isChosen ? ">" : canvas.symbol(.rule), x: 0, y: y, style: isChosen ? style : canvas[.border])
    switch choice {
    case .heading(let text), .tag(let text), .folder(let text):
      canvas.text(text, x: 2, y: y, style: style, width: width - 3)
    case .file(let path):
      let used = canvas.text(MarkdownDocument.stem(of: path.name), x: 2, y: y, style: style, width: width - 3)
      guard !path.parent.isRoot, used + 6 < width else { return }
      canvas.text("\(path.parent)/", x: used + 4, y: y, style: isChosen ? style : canvas[.dim], width: width - used - 5)
    }
  }
}

/// Completing links while they are typed.
extension NotesScreen {
  /// Shows what fits the link at the cursor, after a key has changed the text.
  static func complete(_ state: inout NotesState) -> Commands {
    guard let (text, note, old) = state.linkedText, text.vi.map({ $0.mode == .insert }) ?? true,
      var table = state.files.table, let typed = LinkCompletion.Typed(text.text)
    else { return show(nil, &state) }
    let new = LinkCompletion(typed, of: note, notes: &table, photos: state.photos, tags: state.tags ?? [], as: old)
    state.files.table = table
    let sought = LinkCompletion.note(of: typed, from: note, table)
    var commands = show(new, &state)
    if typed.opening == .tag, state.tags == nil {
      state.tags = []
      commands.append(.run(.findTags, key: "notes.tags"))
    }
    guard let sought, new?.headings?.note != sought, new?.closedAt == nil else { return commands }
    return commands + [.run(.headings(sought), key: "notes.headings")]
  }

  /// Takes the headings of the note that the typed link names.
  static func take(headings names: [String], of path: StorePath, _ state: inout NotesState) -> Commands {
    guard let (text, note, _) = state.linkedText, let table = state.files.table,
      let typed = LinkCompletion.Typed(text.text)
    else { return [] }
    guard LinkCompletion.note(of: typed, from: note, table) == path else { return [] }
    return show(LinkCompletion(typed, headings: names, of: path), &state) + complete(&state)
  }

  /// Runs a command while the list of names is open; nil closes the list, and the command is for the text.
  static func runInList(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands? {
    guard var completion = state.shownCompletion else { return nil }
    if command == .completionEnter, !completion.isMeant { return type(Key(.enter), &state, &frame) }
    if completion.choose(command) { return show(completion, &state) }
    switch command {
    case .completionTake, .completionEnter:
      if var form = state.views.last as? NewNoteForm, !form.isInText {
        let commands = form.takeFolder()
        state.replaceTop(form)
        return commands
      }
      guard let (text, note, _) = state.linkedText else { return nil }
      let taking = completion.edit(in: text.text, of: note) { state.onlyFile(of: $0, from: $1) }
      guard let taking else { return complete(&state) }
      return show(nil, &state)
        + write(
          &state, frame.now,
          { text in
            let outcome = text.apply([taking.edit])
            text.move(to: taking.cursor)
            return outcome
          }, inName: { _ in .ignored })
    default:
      _ = show(nil, &state)
      return nil
    }
  }

  static func show(_ completion: LinkCompletion?, _ state: inout NotesState) -> Commands {
    if var form = state.views.last as? NewNoteForm {
      form.completion = completion
      state.replaceTop(form)
    }
    return changeEditor(&state) { editor in
      editor.completion = completion
      return []
    }
  }
}

extension NotesState {
  /// The file of the club that a link of a note leads to; without a note, of one at the top. Nil if several may be meant.
  func onlyFile(of words: LinkWords, from note: StorePath?) -> StorePath? {
    let found = Set(
      [
        files.path(of: words, from: note), photos?.path(of: words, from: note),
        files.table?.picture(of: words, from: note),
      ].compactMap { $0 })
    return found.count == 1 ? found.first : nil
  }

  /// The list at the cursor of the topmost text, or of the name of a new note.
  var shownCompletion: LinkCompletion? { linkedText?.list ?? (views.last as? NewNoteForm)?.completion }

  /// The topmost text if links are completed in it, with its note and the list that is shown.
  var linkedText: (text: TextEditor, note: StorePath, list: LinkCompletion?)? {
    switch views.last {
    case let editor as NoteEditor where editor.bar.field == nil: (editor.text, editor.path ?? .root, editor.completion)
    case let form as NewNoteForm where form.isInText: (form.text, form.notePath, form.completion)
    default: nil
    }
  }
}
