internal import ClubServices
internal import FileStores
internal import TextUI

/// The remarks on a note or photo, over any tab, with a field for one more.
struct TalkView: Sendable {
  typealias Commands = [Command<TalkEffect, TalkPosting, TalkAction>]

  /// The text in the field.
  struct Typing: Sendable {
    var aim: TalkItem.Aim
    var field = TextField(keepsLines: true)
    var isSending = false
    /// From the request for the member's own editor until its text is read: keys do not change the field.
    var isAtEditor = false
    /// False until the first edit begins the draft.
    var hasDraft = false
    /// The names that Tab goes through, and the place of their `@`.
    var completion: (start: Int, names: [String], next: Int)?
  }

  let thing: StorePath
  /// The place of a new remark: the direction that is looked at, or the whole.
  let place: TalkItem.Aim
  /// nil until the remarks are read.
  private(set) var talk: Talk?
  private(set) var problem: String?
  private(set) var typing: Typing?
  /// The text at the last Esc, for the next remark.
  private var kept: Typing?
  private(set) var selection = 0
  /// Rows of the selected remark above the screen.
  private(set) var skipped = 0
  /// The remark that was added just now; the next reading selects it.
  private var added: String?
  /// The name of this member's remarks.
  private(set) var member = ""
  /// Of the club, as far as its lists name them.
  private let members: [String]

  /// `remark` is the id of the remark that is selected first.
  init(
    _ thing: StorePath, place: TalkItem.Aim, remark: String? = nil, members: [String] = [], isReader: Bool = false
  ) {
    (self.thing, self.place, self.members, added) = (thing, place, members, remark)
    // A place is chosen to say something there.
    if case .words = place, !isReader { begin(place) }
  }

  var selected: Talk.Remark? { talk.flatMap { $0.remarks.indices.contains(selection) ? $0.remarks[selection] : nil } }

  var footer: [CommandID] {
    if typing != nil { return [.pathAccept, .pathComplete, .talkExternal, .pathCancel] }
    return [.talkNew] + (selected == nil ? [] : [.talkReply, .talkAgree, .talkFix, .talkWithdraw]) + [.help, .quit]
  }

  /// Without remarks the field is there at once.
  mutating func take(_ talk: Talk, member: String, isReader: Bool) {
    let isFirst = self.talk == nil
    let chosen = added ?? selected?.id
    (self.talk, problem, self.member, added) = (talk, nil, member, nil)
    let last = max(0, talk.remarks.count - 1)
    // Of equal ids the selected one stays.
    if selected?.id != chosen || chosen == nil {
      (selection, skipped) = (talk.remarks.firstIndex { $0.id == chosen } ?? (isFirst ? last : min(selection, last)), 0)
    }
    if isFirst, talk.remarks.isEmpty, typing == nil, !isReader { begin(place) }
  }

  /// Goes on with a text that was typed before, unless another one is in the field.
  mutating func take(_ aim: TalkItem.Aim, _ text: String, _ draft: Draft.ID) -> Commands {
    if let typing {
      // Words that were chosen just now are not exchanged for another place.
      let isChosen = if case .words = typing.aim { typing.aim != aim } else { false }
      guard !typing.hasDraft, !typing.isAtEditor, typing.field.isEmpty, !isChosen else { return [] }
    }
    typing = Typing(aim: aim, field: TextField(text, keepsLines: true), hasDraft: true)
    return [.post(.takeDraft(TalkTyping(thing, aim), draft))]
  }

  mutating func fail(_ effect: TalkEffect, _ sentence: String) {
    switch effect {
    case .load(thing): if talk == nil { problem = sentence }
    case .say(_, let aim, thing): if typing?.aim == aim { typing?.isSending = false }
    case .beginEdit(_, let aim, thing): if typing?.aim == aim { typing?.isAtEditor = false }
    case .endEdit(let copy): if isEdited(copy) { typing?.isAtEditor = false }
    case .load, .say, .findDraft, .dropDraft, .beginEdit, .dropCopy: break
    }
  }

  /// The remark has arrived, or waits on this machine.
  mutating func said(_ item: TalkItem) {
    if let typing, typing.isSending, typing.aim == item.aim { self.typing = nil }
    switch item.aim {
    case .whole, .direction, .words, .reply: added = item.id
    case .correction, .withdrawal, .agreement, .door: break
    }
  }

  func isEdited(_ copy: RemarkCopy) -> Bool {
    copy.thing == thing && typing?.aim == copy.aim && typing?.isAtEditor == true
  }

  /// The text of the editor is one edit of the field; nil leaves the field as it is.
  mutating func take(_ text: String?, of copy: RemarkCopy) -> Commands {
    guard isEdited(copy) else { return [] }
    typing?.isAtEditor = false
    guard let text else { return [] }
    let edits = type { $0.replace(0..<$0.bytes.count, with: Array(text.utf8)) }
    return edits.isEmpty ? [] : edits + [.run(.dropCopy(copy))]
  }

  private mutating func begin(_ aim: TalkItem.Aim) {
    if case .correction = aim {
      typing = Typing(aim: aim, field: TextField(selected?.text ?? "", keepsLines: true))
    } else {
      typing = kept ?? Typing(aim: aim)
      typing?.aim = aim
      kept = nil
    }
  }

  // MARK: Keys

  func action(for event: InputEvent, _ keys: KeyTable) -> TalkAction? {
    switch event {
    case .key(let key):
      if typing != nil {
        return .input(keys.command(for: key, in: [.remark, .path]).map { .command($0) } ?? .typed(key))
      }
      let command = keys.command(for: key, in: [.talk, .moves]) ?? keys.command(for: key, in: [.everywhere])
      guard let command, [.talk, .moves].contains(KeyCommand.named(command)?.place) || TalkView.own.contains(command)
      else { return nil }
      return .input(.command(command))
    case .paste(let bytes): return typing == nil ? nil : .input(.pasted(bytes))
    case .mouse(let mouse): return .input(.mouse(mouse))
    case .resize, .terminate, .resumed, .focus, .background, .report, .abilities: return nil
    }
  }

  /// The commands of every view that work here.
  private static let own: Set<CommandID> = [.close, .quit, .refresh]

  /// - Returns: true if the view is to be closed.
  mutating func run(_ input: MemberInput, _ frame: inout Frame, _ commands: inout Commands) -> Bool {
    if typing?.isAtEditor == true { return false }
    switch input {
    case .typed(let key):
      if key.code == .up || key.code == .down {
        step(key.code == .up ? -1 : 1, frame)
      } else {
        commands += type { $0.handle(key) }
      }
    case .pasted(let bytes): commands += type { $0.paste(bytes) }
    case .mouse(let mouse):
      if mouse.kind == .wheelUp { step(-1, frame) } else if mouse.kind == .wheelDown { step(1, frame) }
    case .command(let command): return run(command, &frame, &commands)
    }
    return false
  }

  private mutating func run(_ command: CommandID, _ frame: inout Frame, _ commands: inout Commands) -> Bool {
    if frame.refuses(command) { return false }
    switch command {
    case .pathAccept: send(&commands)
    case .pathComplete: commands += complete()
    case .talkExternal:
      guard let typing, !typing.isSending else { return false }
      self.typing?.isAtEditor = true
      commands.append(.run(.beginEdit(typing.field.bytes, typing.aim, thing)))
    case .pathCancel, .close, .interrupt:
      guard let typing, !typing.isSending else { return true }
      let isKept = if case .correction = typing.aim { false } else { !typing.field.isEmpty }
      if isKept { kept = typing }
      if typing.hasDraft, !isKept { commands.append(.run(.dropDraft(TalkTyping(thing, typing.aim)))) }
      self.typing = nil
      // Nothing is behind an empty field.
      return talk?.remarks.isEmpty ?? true
    case .quit: return true
    case .refresh: commands.append(TalkView.load(thing))
    case .talkNew: begin(place, &commands)
    case .talkReply: begin(selected.map { .reply(to: $0.id) } ?? place, &commands)
    case .talkAgree: if let selected { commands.append(.run(.say("", .agreement(with: selected.id), thing))) }
    case .talkFix: if let selected { begin(.correction(of: selected.id), &commands) }
    case .talkWithdraw: if let selected { commands.append(.run(.say("", .withdrawal(of: selected.id), thing))) }
    case .listUp: step(-1, frame)
    case .listDown: step(1, frame)
    case .listPageUp, .listHalfUp: step(-5, frame)
    case .listPageDown, .listHalfDown: step(5, frame)
    case .listFirst: move(by: -.max / 2)
    case .listLast:
      move(by: .max / 2)
      skipped = rowsBelow(frame)
    default: break
    }
    return false
  }

  static func load(_ thing: StorePath) -> Commands.Element { .run(.load(thing), key: "talk.load") }

  private mutating func begin(_ aim: TalkItem.Aim, _ commands: inout Commands) {
    begin(aim)
    if let typing, typing.hasDraft { commands.append(.post(.moveDraft(TalkTyping(thing, aim), aim))) }
  }

  private mutating func send(_ commands: inout Commands) {
    guard let typing, !typing.isSending, !typing.field.isEmpty else { return }
    self.typing?.isSending = true
    commands.append(.run(.say(typing.field.string, typing.aim, thing)))
  }

  /// Each edit goes to the draft's log at once. What is being sent does not change.
  private mutating func type(_ edit: (inout TextField) -> EditOutcome) -> Commands {
    guard var typing, !typing.isSending else { return [] }
    let before = typing.field.bytes
    let outcome = edit(&typing.field)
    typing.completion = nil
    defer { self.typing = typing }
    guard case .edited(let edits) = outcome else { return [] }
    let key = TalkTyping(thing, typing.aim)
    let beginning: Commands = typing.hasDraft ? [] : [.post(.beginDraft(key, typing.aim, before))]
    typing.hasDraft = true
    let changes = edits.map { DraftEdit(offset: $0.offset, removed: $0.removed, inserted: $0.inserted) }
    return beginning + [.post(.recordEdits(key, changes))]
  }

  /// Completes the member's name behind the `@` before the cursor; again: the next one.
  private mutating func complete() -> Commands {
    guard let typing else { return [] }
    let bytes = typing.field.bytes
    var completion: (start: Int, names: [String], next: Int)
    if let known = typing.completion {
      completion = known
    } else {
      guard let at = bytes[..<typing.field.cursor].lastIndex(of: UInt8(ascii: "@")) else { return [] }
      let begun = String(decoding: bytes[(at + 1)..<typing.field.cursor], as: UTF8.self).lowercased()
      let all = Set(members + (talk?.remarks.map(\.member) ?? [])).subtracting([member])
      completion = (at + 1, all.filter { $0.lowercased().hasPrefix(begun) }.sorted(), 0)
    }
    guard !completion.names.isEmpty else { return [] }
    let name = Array(completion.names[completion.next].utf8)
    let commands = type { $0.replace(completion.start..<$0.cursor, with: name) }
    completion.next = (completion.next + 1) % completion.names.count
    self.typing?.completion = completion
    return commands
  }

  var isAtStart: Bool { selection == 0 && skipped == 0 }

  func isAtEnd(_ frame: Frame) -> Bool { isAtLast && rowsBelow(frame) == 0 }

  /// Moves by remarks, and through one that is longer than the screen.
  private mutating func step(_ step: Int, _ frame: Frame) {
    let surplus = surplus(frame)
    // A larger screen shows rows that a smaller one has skipped.
    skipped = min(skipped, surplus)
    if step > 0, surplus > skipped {
      skipped += min(surplus - skipped, max(1, rows(frame) - 1))
    } else if step < 0, skipped > 0 {
      skipped = max(0, skipped - max(1, rows(frame) - 1))
    } else {
      move(by: step)
    }
  }

  private mutating func move(by step: Int) {
    (selection, skipped) = (max(0, min((talk?.remarks.count ?? 0) - 1, selection + step)), 0)
  }
}
