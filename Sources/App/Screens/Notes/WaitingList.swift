internal import ClubServices
internal import FileStores
internal import TextUI

/// All texts and changes of names that are not in the club, one a row, with a selection.
struct WaitingList: Sendable {
  private(set) var texts: [WaitingText]
  var rows = ListState()

  init(_ texts: [WaitingText], height: Int) {
    self.texts = texts
    rows.setCount(texts.count)
    resize(height: height)
  }

  var chosen: WaitingText? {
    rows.selected.flatMap { $0 < texts.count ? texts[$0] : nil }
  }

  /// Takes the present texts; the selection stays on its text.
  mutating func tell(_ texts: [WaitingText]) {
    let before = chosen?.id
    self.texts = texts
    rows.setCount(texts.count)
    if let before, let row = texts.firstIndex(where: { $0.id == before }) { rows.select(row) }
  }

  /// The list has a heading above it.
  mutating func resize(height: Int) { rows.resize(height: max(1, height - 1)) }
}

extension WaitingText {
  /// The name for messages.
  var shownName: String {
    if let thing = draft?.remark?.thing { return "a remark on \"\(thing)\"" }
    return title.isEmpty ? "a new note" : "\"\(title)\""
  }

  /// True if the text belongs to this note and was not discarded.
  func isOf(_ path: StorePath) -> Bool { self.path == path && kind != .discarded && !isNobodys }

  /// The change of a name in words: "renamed from …".
  var nameChange: String { String(decoding: beginning, as: UTF8.self) }

  /// True if the member has saved it and the club does not have it.
  var isSaved: Bool { kind == .toSend || kind == .conflict }
}

extension WaitingText {
  /// A draft whose text has not been read.
  init(_ draft: Draft) {
    self.init(
      id: .draft(draft.id), kind: .draft, path: draft.path, title: draft.title, base: draft.base,
      changed: draft.changed, bytes: draft.bytes, beginning: [])
  }
}

/// Texts that are not in the club: their list, and actions on one of them.
extension NotesScreen {
  /// Takes the service's answer about them.
  static func happenToWaiting(_ state: inout NotesState, _ action: NotesAction, _ frame: inout Frame) -> Commands {
    switch action {
    case .foundWaiting(let texts):
      tell(texts, &state)
      let elsewhere = texts.count { $0.isElsewhere && $0.isSaved }
      if elsewhere > 0 {
        frame.say(
          "Another byteclub on this machine has \(elsewhere == 1 ? "a text" : "\(elsewhere) texts") to send. "
            + ":waiting shows more.")
      }
      // Not what has been typed since the start.
      let drafts = state.texts.filter { $0.kind == .draft && !$0.isOpen && !$0.isName }
      if !drafts.isEmpty { state.waiting.append(.draft(DraftOffer(drafts: drafts))) }
      return state.countToSend > 0 ? send(&state, frame, conflicts: true) : []
    case .failed(.findWaiting, let error):
      frame.complain("byteclub could not read earlier drafts and unsent saves: \(error)")
    case .waiting(let texts): tell(texts, &state)
    case .readWaiting(let text, let bytes):
      show(text, bytes, &state, &frame)
      return looking(state)
    case .sendAsked: return sendNow(&state, frame)
    case .timeToSend:
      state.resending.isTimed = false
      return state.hasToSend ? send(&state, frame, conflicts: false) : []
    case .sent(let path, let outcome):
      // `settle` counts a save down; the member was not waiting for this one.
      state.savesUnderway += 1
      if !state.texts.contains(where: { $0.kind == .toSend && $0.path != path }) { frame.end(.unsent) }
      // The notice of a merge is not replaced by one of all.
      if case .saved(let entry) = outcome {
        state.resending.sent.append(("note", "\(entry.path)", ""))
      } else {
        state.resending.sent = []
      }
      return settle(path, outcome, nil, &state, &frame)
    case .nameSent(let change): state.resending.sent.append((change.noun, "\(change.shown)", change.words))
    case .sentAll(let failure, let texts):
      if let texts { tell(texts, &state) }
      if !state.hasToSend { frame.end(.unsent) }
      sendingEnded(failure, &state, &frame)
    case .keeping(let failure):
      if failure == nil, state.unkept != nil { frame.say("byteclub keeps your typing on this machine again.") }
      // It replaces the earlier notice, but not the failure of an action.
      if failure != nil, state.unkept == nil, !frame.showsFailure { frame.notice = nil }
      state.unkept = failure
    case .discarded(let text, let texts):
      if case .draft(let offer) = state.views.last, offer.drafts.first?.id == text.id { dropOffer(&state) }
      tell(texts, &state)
      if text.isName {
        frame.say("Took back: \(text.shownName) \(text.nameChange).")
      } else {
        let end = text.kind == .discarded ? "is deleted." : "is discarded. It stays in :waiting for a week."
        frame.say("The text of \(text.shownName) \(end)")
      }
    default: break
    }
    return []
  }

  /// My text of a note, to be read.
  private static func show(_ text: WaitingText, _ bytes: [UInt8], _ state: inout NotesState, _ frame: inout Frame) {
    guard let path = text.path else { return }
    let entry = FileEntry(
      path: path, kind: .file, size: UInt64(bytes.count), modified: text.changed, revision: text.base)
    var reader = NoteReader(OpenNote(entry: entry, bytes: bytes, draft: nil), frame)
    switch state.views.last {
    case .opening(let opening) where opening.path == path:
      frame.say("This is your text. It is not in the club yet.")
      reader.show(opening, &frame)
      replaceTop(.reader(reader), &state)
    case .waiting:
      frame.say("This is your text. It is not in the club yet.")
      state.views.append(.reader(reader))
    default: return  // The view was closed meanwhile.
    }
  }

  static func openWaiting(_ state: inout NotesState, _ frame: Frame) -> Commands {
    state.views.append(.waiting(WaitingList(state.texts, height: frame.bodyHeight)))
    return [lookWaiting]
  }

  /// Reads the list of waiting texts again.
  static var lookWaiting: Commands.Element { .run(.lookWaiting, key: "notes.waiting") }

  static func run(_ command: CommandID, _ list: WaitingList, _ state: inout NotesState, _ frame: inout Frame)
    -> Commands
  {
    var list = list
    switch command {
    case .draftOpen: return list.chosen.map { $0.isName ? openRenamed($0, &state, &frame) : open($0, &state) } ?? []
    case .draftDiscard: if let text = list.chosen { askToDiscard(text, &state, frame) }
    case .refresh: return sendNow(&state, frame) + [lookWaiting]
    case .draftLater, .close, .quit, .interrupt: state.views.removeLast()
    default: if list.rows.move(command) { replaceTop(.waiting(list), &state) }
    }
    return []
  }

  /// Opens a waiting text: continues a draft, tries a conflict again, or shows a text to send.
  static func open(_ text: WaitingText, _ state: inout NotesState) -> Commands {
    switch text.kind {
    case .draft, .discarded: return text.draft.map { [.run(.openDraft($0))] } ?? []
    case .toSend: return [.run(.readWaiting(text), key: "notes.open")]
    case .conflict:
      state.savesUnderway += 1
      return [.run(.send(text))]
    }
  }

  /// Opens the note that has another name, or the trash that has the file. A change of nobody is sent on demand.
  private static func openRenamed(_ text: WaitingText, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    guard let path = text.path else { return [] }
    if text.isNobodys {
      guard !frame.refusesChange() else { return [] }
      state.question = Question(
        "Send: ", naming: text.shownName, frame.isNarrow ? "?" : " \(text.nameChange)?",
        answers: [.init("y", "send it", .confirmedSend(text)), .init("n", "no", nil)])
      return []
    }
    if text.isMovedToTrash { return openTrash(&state, frame) }
    guard path.parent.isRoot else {
      frame.say("\"\(path)\" is a photo. Press \(frame.keys.name(of: .tabPhotos)) to see it.")
      return []
    }
    return open(path, &state)
  }

  static func askToDiscard(_ text: WaitingText, _ state: inout NotesState, _ frame: Frame) {
    guard !text.isName else {
      state.question = Question(
        "Take back: ", naming: text.shownName, frame.isNarrow ? "?" : " \(text.nameChange)?",
        answers: [.init("y", "take it back", .confirmedDiscard(text)), .init("n", "no", nil)])
      return
    }
    let question = text.kind == .discarded ? "Delete the text of " : "Discard the text of "
    let end = text.kind == .discarded ? " for good?" : frame.isNarrow ? "?" : "? It stays in :waiting for a week."
    let word = text.kind == .discarded ? "delete it" : "discard it"
    state.question = Question(
      question, naming: text.shownName, end,
      answers: [.init("y", word, .confirmedDiscard(text)), .init("n", "no", nil)])
  }

  static func draw(_ list: WaitingList, now: Int64, on canvas: inout Canvas) {
    let width = canvas.size.width
    canvas.text("Waiting: not in the club yet", x: 1, y: 0, style: canvas[.title], width: max(0, width - 2))
    guard !list.texts.isEmpty else {
      canvas.text(" All saved.", x: 0, y: 2, style: canvas[.dim])
      return
    }
    canvas.inside(Rect(0, 1, width, canvas.size.height - 1)) { part in
      list.rows.draw(
        on: &part,
        content: { row in row < list.texts.count ? content(list.texts[row], now) : nil },
        row: { line, row, _ in if row < list.texts.count { draw(list.texts[row], now, on: &line) } })
    }
  }

  private static func content(_ text: WaitingText, _ now: Int64) -> Int {
    var hasher = Hasher()
    hasher.combine(text)
    hasher.combine(Age.minutes(of: Int(text.changed.seconds), now: Int(now)))
    return hasher.finalize()
  }

  private static func draw(_ text: WaitingText, _ now: Int64, on canvas: inout Canvas) {
    let width = canvas.size.width
    canvas.text(text.kind.rawValue, x: 2, y: 0, style: canvas[text.kind == .discarded ? .dim : .waiting])
    let age = Age.short(of: Int(text.changed.seconds), now: Int(now))
    let isWide = width >= 60
    let nameWidth = isWide ? (width - 34) / 2 : width - 12 - 12
    let remark = text.draft?.remark.map { _ in text.shownName }
    let name = remark ?? (text.title.isEmpty ? "(no name yet)" : text.title)
    canvas.text(name, x: 12, y: 0, width: max(0, nameWidth))
    guard isWide else {
      canvas.text(age, x: width - 1 - age.count, y: 0, style: canvas[.dim])
      return
    }
    let ageStart = 12 + nameWidth + 1
    canvas.text(age, x: ageStart + max(0, 10 - age.count), y: 0, style: canvas[.dim])
    let size = text.isName ? ShortText() : ByteCount.short(text.bytes)
    canvas.text(size, x: ageStart + 11 + max(0, 8 - size.count), y: 0, style: canvas[.dim])
    let start = ageStart + 21
    let line = text.isElsewhere ? Array("in another byteclub".utf8) : text.firstLine
    canvas.text(line[...], x: start, y: 0, style: canvas[.dim], width: max(0, width - start - 1))
  }
}
