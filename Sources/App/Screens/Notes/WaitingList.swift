internal import ClubServices
internal import FileStores
internal import TextUI

/// All texts and changes of names that are not in the club, one a row, with a selection.
struct WaitingList: NotesListView {
  let places: [KeyCommand.Place] = [.draft, .moves]
  let footer: [CommandID] = [.draftOpen, .draftDiscard, .refresh, .help, .quit]
  let sentences = (row: "text", unread: "", empty: "Nothing waits.")
  let own: [CommandID] = [.draftOpen, .draftDiscard]
  let refreshes = true
  var list: SideList<WaitingText>

  init(_ texts: [WaitingText], height: Int) { list = SideList(texts, height: height) }

  mutating func tell(_ texts: [WaitingText]) { list.take(texts) { $0.id == $1.id } }

  /// Beside the texts is the beginning of the chosen one.
  func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    let hasPreview = SideFace.listWidth(canvas.size.width) != nil
    let face = SideFace(
      title: "Waiting: not in the club yet", facts: list.items.map { "\($0.count.grouped)" } ?? "",
      columns: [
        SideColumn("State", 9), SideColumn("Name"), SideColumn("Age", 7, isRight: true),
        SideColumn("Size", 8, isRight: true, least: 50), SideColumn("Text", 22, least: hasPreview ? .max : 78),
      ], empty: "All saved.")
    list.draw(face, frame, on: &canvas) { text, part in
      SideFace.drawPreview(text.listedName, text.isElsewhere ? Self.elsewhere : text.beginning, on: &part)
    } row: { _, text in
      SideRow(cells: [
        SideCell(text.kind.rawValue, text.kind == .discarded ? .dim : .waiting),
        SideCell(name: text.listedName.utf8),
        SideCell(Age.short(of: Int(text.changed.seconds), now: Int(frame.now)).string, .dim),
        SideCell(text.isName ? "" : ByteCount.short(text.bytes).string, .dim),
        SideCell(text.isElsewhere ? Self.elsewhere : text.firstLine, .dim),
      ])
    }
  }

  func handle(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    switch command {
    case .draftOpen:
      guard let text = list.chosen else { return [] }
      return text.isName ? NotesScreen.openRenamed(text, &state, &frame) : NotesScreen.open(text, &state)
    case .draftDiscard: if let text = list.chosen { NotesScreen.askToDiscard(text, &state, frame) }
    case .refresh: return NotesScreen.sendNow(&state, frame) + [NotesScreen.lookWaiting]
    case .draftLater, .close, .quit, .interrupt: state.views.removeLast()
    default: break
    }
    return []
  }

  private static let elsewhere = Array("in another byteclub".utf8)
}

extension WaitingText {
  /// The name for messages.
  var shownName: String {
    if let thing = draft?.remark?.thing { return "a remark on \"\(thing)\"" }
    return title.isEmpty ? "a new note" : "\"\(title)\""
  }

  /// The name in a list.
  var listedName: String {
    if draft?.remark != nil { return shownName }
    return title.isEmpty ? "(no name yet)" : title
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
      if !drafts.isEmpty { state.waiting.append(DraftOffer(drafts: drafts)) }
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
      let followUp = noteSent(path, outcome, &state)
      return followUp + settle(path, outcome, nil, &state, &frame)
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
      if let offer = state.views.last as? DraftOffer, offer.drafts.first?.id == text.id { dropOffer(&state) }
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
    case let opening as OpeningText where opening.path == path:
      frame.say("This is your text. It is not in the club yet.")
      reader.show(opening, &frame)
      state.replaceTop(reader)
    case is WaitingList:
      frame.say("This is your text. It is not in the club yet.")
      state.views.append(reader)
    default: return  // The view was closed meanwhile.
    }
  }

  static func openWaiting(_ state: inout NotesState, _ frame: Frame) -> Commands {
    state.views.append(WaitingList(state.texts, height: frame.bodyHeight))
    return [lookWaiting]
  }

  /// Reads the list of waiting texts again.
  static var lookWaiting: Commands.Element { .run(.lookWaiting, key: "notes.waiting") }

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
  fileprivate static func openRenamed(_ text: WaitingText, _ state: inout NotesState, _ frame: inout Frame) -> Commands
  {
    guard let path = text.path else { return [] }
    if text.isNobodys {
      guard !frame.refusesChange() else { return [] }
      state.question = Question(
        "Send: ", naming: text.shownName, frame.isNarrow ? "?" : " \(text.nameChange)?",
        answers: [.init("y", "send it", .confirmedSend(text)), .init("n", "no", nil)])
      return []
    }
    if text.isMovedToTrash { return openTrash(&state, frame) }
    guard state.scope.isNote(path) else {
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
}
