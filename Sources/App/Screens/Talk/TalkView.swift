internal import ClubServices
internal import FileStores
internal import TextUI

/// The remarks on a note or photo, over any tab, with a field for one more.
struct TalkView: Sendable {
  /// The text in the field.
  struct Typing: Sendable {
    let aim: TalkItem.Aim
    let label: String
    var field = TextField()
    var isSending = false
  }

  let thing: StorePath
  /// The place of a new remark: the direction that is looked at, or the whole.
  let place: TalkItem.Aim
  /// nil until the remarks are read.
  private(set) var talk: Talk?
  private(set) var problem: String?
  private(set) var typing: Typing?
  /// The text at the last Esc, for the next remark.
  private var kept = TextField()
  private var selection = 0

  init(_ thing: StorePath, place: TalkItem.Aim) { (self.thing, self.place) = (thing, place) }

  var selected: Talk.Remark? { talk.flatMap { $0.remarks.indices.contains(selection) ? $0.remarks[selection] : nil } }

  var footer: [CommandID] {
    if typing != nil { return [.pathAccept, .pathCancel] }
    return [.talkNew] + (selected == nil ? [] : [.talkReply, .talkAgree, .talkFix, .talkWithdraw]) + [.help, .quit]
  }

  /// Without remarks the field is there at once.
  mutating func take(_ talk: Talk, isReader: Bool) {
    let isFirst = self.talk == nil
    (self.talk, problem) = (talk, nil)
    selection = isFirst ? max(0, talk.remarks.count - 1) : min(selection, max(0, talk.remarks.count - 1))
    if isFirst, talk.remarks.isEmpty, !isReader { begin(place) }
  }

  mutating func fail(_ sentence: String) {
    if talk == nil { problem = sentence }
    typing?.isSending = false
  }

  /// The remark has arrived, or waits on this machine.
  mutating func said(_ item: TalkItem) {
    (typing, kept) = (nil, TextField())
    selection = talk?.remarks.count ?? 0
  }

  mutating func begin(_ aim: TalkItem.Aim) {
    let label =
      switch aim {
      case .reply: "Answer to \(selected?.member ?? ""): "
      case .correction: "Correct: "
      case .direction(let yaw, let pitch): "Remark at \(Int(yaw.rounded()))\u{B0}, \(Int(pitch.rounded()))\u{B0}: "
      default: "Remark: "
      }
    let isCorrection = if case .correction = aim { true } else { false }
    typing = Typing(aim: aim, label: label, field: isCorrection ? TextField(selected?.text ?? "") : kept)
  }

  // MARK: Keys

  func action(for event: InputEvent, _ keys: KeyTable) -> TalkAction? {
    switch event {
    case .key(let key):
      if typing != nil { return .input(keys.command(for: key, in: [.path]).map { .command($0) } ?? .typed(key)) }
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
  mutating func run(_ input: MemberInput, _ frame: inout Frame, _ effects: inout [TalkEffect]) -> Bool {
    switch input {
    case .typed(let key):
      if key.code == .up || key.code == .down {
        move(by: key.code == .up ? -1 : 1)
      } else {
        _ = typing?.field.handle(key)
      }
    case .pasted(let bytes): _ = typing?.field.paste(bytes)
    case .mouse(let mouse):
      if mouse.kind == .wheelUp { move(by: -1) } else if mouse.kind == .wheelDown { move(by: 1) }
    case .command(let command): return run(command, &frame, &effects)
    }
    return false
  }

  private mutating func run(_ command: CommandID, _ frame: inout Frame, _ effects: inout [TalkEffect]) -> Bool {
    if frame.refuses(command) { return false }
    switch command {
    case .pathAccept: send(&effects)
    case .pathCancel, .close, .interrupt:
      guard let typing, !typing.isSending else { return true }
      if case .correction = typing.aim {} else { kept = typing.field }
      self.typing = nil
      // Nothing is behind an empty field.
      return talk?.remarks.isEmpty ?? true
    case .quit: return true
    case .refresh: effects.append(.load(thing))
    case .talkNew: begin(place)
    case .talkReply: if let selected { begin(.reply(to: selected.id)) } else { begin(place) }
    case .talkAgree: if let selected { effects.append(.say("", .agreement(with: selected.id), thing)) }
    case .talkFix: if let selected { begin(.correction(of: selected.id)) }
    case .talkWithdraw: if let selected { effects.append(.say("", .withdrawal(of: selected.id), thing)) }
    case .listUp: move(by: -1)
    case .listDown: move(by: 1)
    case .listPageUp, .listHalfUp: move(by: -5)
    case .listPageDown, .listHalfDown: move(by: 5)
    case .listFirst: selection = 0
    case .listLast: move(by: .max / 2)
    default: break
    }
    return false
  }

  private mutating func send(_ effects: inout [TalkEffect]) {
    guard let typing, !typing.isSending, !typing.field.isEmpty else { return }
    self.typing?.isSending = true
    effects.append(.say(typing.field.string, typing.aim, thing))
  }

  private mutating func move(by step: Int) {
    selection = max(0, min((talk?.remarks.count ?? 0) - 1, selection + step))
  }
}

extension TalkView {
  private struct Line {
    let remark: Int
    let text: [UInt8]
    let role: Role
    let x: Int
  }

  func draw(_ frame: Frame, on canvas: inout Canvas) {
    let size = canvas.size
    canvas.text("Remarks on \(thing)", x: 1, y: 0, style: canvas[.title], width: max(0, size.width - 2))
    let height = size.height - (typing == nil ? 0 : 1)
    canvas.inside(Rect(0, 1, size.width, max(0, height - 1))) { drawRemarks(frame, on: &$0) }
    guard let typing else { return }
    canvas.inside(Rect(0, height, size.width, 1)) {
      FieldLine.draw(typing.label, typing.field, note: typing.isSending ? "sending" : "", on: &$0)
    }
  }

  private func drawRemarks(_ frame: Frame, on canvas: inout Canvas) {
    let size = canvas.size
    guard let talk else {
      canvas.paragraph(problem ?? "Loading.", x: 1, y: 1)
      return
    }
    guard !talk.remarks.isEmpty else {
      canvas.paragraph("Nobody has said anything here yet.", x: 1, y: 1)
      return
    }
    let lines = lines(of: talk, width: size.width, now: Int(frame.now))
    // The selected remark is in view, its head first.
    let first = lines.firstIndex { $0.remark == selection } ?? 0
    let last = lines.lastIndex { $0.remark == selection } ?? 0
    let top = max(0, min(first, last - size.height + 1 > 0 ? last - size.height + 1 : 0))
    for (y, line) in lines[top...].prefix(size.height).enumerated() {
      let isSelected = line.remark == selection
      if isSelected { canvas.fill(Rect(0, y, size.width, 1), style: canvas[.selection]) }
      let style = isSelected ? canvas.bar(line.role) : canvas[line.role]
      canvas.text(line.text[...], x: line.x, y: y, style: style, width: max(0, size.width - line.x - 1))
    }
  }

  private func lines(of talk: Talk, width: Int, now: Int) -> [Line] {
    var lines: [Line] = []
    var colours: [String: Role] = [:]
    for (index, remark) in talk.remarks.enumerated() {
      let x = 1 + 2 * remark.depth
      let colour = colours[remark.member] ?? TalkView.members[colours.count % TalkView.members.count]
      colours[remark.member] = colour
      var head = "\(remark.member)  \(Age.ago(of: Int(remark.time.seconds), now: now))"
      switch remark.item.aim {
      case .words(let words): head += "  on \"\(words)\""
      case .direction(let yaw, let pitch): head += "  at \(Int(yaw.rounded()))\u{B0}, \(Int(pitch.rounded()))\u{B0}"
      default: break
      }
      if remark.isCorrected { head += "  corrected" }
      if !remark.agreed.isEmpty { head += "  +1 \(remark.agreed.joined(separator: ", "))" }
      lines.append(Line(remark: index, text: Array(head.utf8), role: colour, x: x))
      let text = TextBuffer(Array((remark.isWithdrawn ? "withdrawn" : remark.text).utf8))
      let rows = SoftWrap(width: max(10, width - x - 4)).rows(from: 0, count: TalkView.mostRows, in: text)
      lines += rows.map { row in
        let bytes = text.bytes(in: row.start..<row.end)
        return Line(remark: index, text: Array(bytes), role: remark.isWithdrawn ? .dim : .text, x: x + 2)
      }
    }
    return lines
  }

  /// Of one remark.
  private static let mostRows = 200
  private static let members: [Role] = [.member1, .member2, .member3, .member4, .member5, .member6]
}
