internal import ClubServices
internal import FileStores
internal import TextUI

/// Texts that are not in the club: their list, and what is done with one of them.
extension NotesScreen {
  /// What the service told of them.
  static func happenToWaiting(_ state: inout NotesState, _ action: NotesAction) -> Commands {
    switch action {
    case .foundWaiting(let texts):
      tell(texts, &state)
      // Not what has been typed since the start.
      let drafts = state.texts.filter { $0.kind == .draft && !$0.isOpen }
      if !drafts.isEmpty { state.waiting.append(.draft(DraftOffer(drafts: drafts))) }
      return state.countToSend > 0 ? send(&state, conflicts: true) : []
    case .waiting(let texts): tell(texts, &state)
    case .readWaiting(let text, let bytes):
      show(text, bytes, &state)
      return looking(state)
    case .sendAsked: return sendNow(&state)
    case .timeToSend:
      state.resending.isTimed = false
      return state.hasToSend ? send(&state, conflicts: false) : []
    case .sent(let path, let outcome):
      // No save of the member's was waited for.
      state.savesUnderway += 1
      return settle(path, outcome, nil, &state)
    case .sentAll(let failure, let texts):
      if let texts { tell(texts, &state) }
      sendingEnded(failure, &state)
    case .keeping(let failure):
      if failure == nil, state.unkept != nil { state.frame.say("byteclub keeps your typing on this machine again.") }
      // What was told before gives way to it.
      if failure != nil, state.unkept == nil { state.frame.notice = nil }
      state.unkept = failure
    case .discarded(let text, let texts):
      if case .draft(let offer) = state.views.last, offer.drafts.first?.id == text.id { dropOffer(&state) }
      tell(texts, &state)
      let end = text.kind == .discarded ? "is deleted." : "is discarded. It stays in :waiting for a week."
      state.frame.say("The text of \(text.shownName) \(end)")
    default: break
    }
    return []
  }

  /// My text of a note, to be read.
  private static func show(_ text: WaitingText, _ bytes: [UInt8], _ state: inout NotesState) {
    guard let path = text.path else { return }
    let entry = FileEntry(
      path: path, kind: .file, size: UInt64(bytes.count), modified: text.changed, revision: text.base)
    var reader = NoteReader(OpenNote(entry: entry, bytes: bytes, draft: nil), size: state.frame.viewSize)
    switch state.views.last {
    case .opening(let opening) where opening.path == path:
      reader.show(opening.sought)
      replaceTop(.reader(reader), &state)
    case .waiting: state.views.append(.reader(reader))
    default: return  // The view was closed meanwhile.
    }
    state.frame.say("This is your text. It is not in the club yet.")
  }

  static func openWaiting(_ state: inout NotesState) -> Commands {
    state.views.append(.waiting(WaitingList(state.texts, height: state.frame.bodyHeight)))
    return [lookWaiting]
  }

  /// Reads what waits anew.
  static var lookWaiting: Commands.Element { .run(.lookWaiting, key: "notes.waiting") }

  static func run(_ command: CommandID, _ list: WaitingList, _ state: inout NotesState) -> Commands {
    var list = list
    switch command {
    case .draftOpen, .listOpen: return list.chosen.map { open($0, &state) } ?? []
    case .draftDiscard: if let text = list.chosen { askToDiscard(text, &state) }
    case .refresh: return sendNow(&state) + [lookWaiting]
    case .draftLater, .close, .quit, .interrupt: state.views.removeLast()
    default: if list.rows.move(command) { replaceTop(.waiting(list), &state) }
    }
    return []
  }

  /// Shows a text that waits: a draft to go on with, a conflict to settle, a text to send to be read.
  static func open(_ text: WaitingText, _ state: inout NotesState) -> Commands {
    switch text.kind {
    case .draft, .discarded: return text.draft.map { [.run(.openDraft($0))] } ?? []
    case .toSend: return [.run(.readWaiting(text), key: "notes.open")]
    case .conflict:
      state.savesUnderway += 1
      return [.run(.send(text))]
    }
  }

  static func askToDiscard(_ text: WaitingText, _ state: inout NotesState) {
    let question = text.kind == .discarded ? "Delete the text of " : "Discard the text of "
    let end = text.kind == .discarded ? " for good?" : state.frame.isNarrow ? "?" : "? It stays in :waiting for a week."
    let word = text.kind == .discarded ? "delete it" : "discard it"
    state.question = Question(
      question, naming: text.shownName, end,
      answers: [.init("y", word, .confirmedDiscard(text)), .init("n", "no", nil)])
  }

  static func draw(_ list: WaitingList, now: Int64, on canvas: inout Canvas) {
    let width = canvas.size.width
    canvas.text("Waiting: texts that are not in the club", x: 1, y: 0, style: .bold, width: max(0, width - 2))
    guard !list.texts.isEmpty else {
      canvas.text(" No text waits. Everything you saved is in the club.", x: 0, y: 2, style: .dim)
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
    canvas.text(text.kind.rawValue, x: 2, y: 0, style: text.kind == .discarded ? .dim : .bold)
    let age = Age.short(of: Int(text.changed.seconds), now: Int(now))
    let isWide = width >= 60
    let nameWidth = isWide ? (width - 34) / 2 : width - 12 - 12
    let name = text.title.isEmpty ? "(no name yet)" : text.title
    canvas.text(name, x: 12, y: 0, width: max(0, nameWidth))
    guard isWide else {
      canvas.text(age, x: width - 1 - age.count, y: 0, style: .dim)
      return
    }
    let ageStart = 12 + nameWidth + 1
    canvas.text(age, x: ageStart + max(0, 10 - age.count), y: 0, style: .dim)
    let size = ByteCount.short(text.bytes)
    canvas.text(size, x: ageStart + 11 + max(0, 8 - size.count), y: 0, style: .dim)
    let start = ageStart + 21
    let line = text.isElsewhere ? Array("open in another byteclub".utf8) : text.firstLine
    canvas.text(line[...], x: start, y: 0, style: .dim, width: max(0, width - start - 1))
  }
}
