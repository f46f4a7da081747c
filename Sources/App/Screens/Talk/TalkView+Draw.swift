internal import ClubServices
internal import FileStores
internal import TextUI

/// Drawing the remarks; each has a line or more.
extension TalkView {
  private struct Line {
    let remark: Int
    let text: [UInt8]
    let role: Role
    let x: Int

    init(remark: Int, text: [UInt8], role: Role, x: Int) {
      (self.remark, self.text, self.role, self.x) = (remark, text, role, x)
    }

    /// Below the remarks.
    init(_ text: String, _ role: Role) { self.init(remark: -1, text: Array(text.utf8), role: role, x: 1) }
  }

  func draw(_ frame: Frame, on canvas: inout Canvas) {
    let size = canvas.size
    canvas.text("Remarks on \(thing)", x: 1, y: 0, style: canvas[.title], width: max(0, size.width - 2))
    let height = size.height - (typing == nil ? 0 : 1)
    canvas.inside(Rect(0, 1, size.width, max(0, height - 1))) { drawRemarks(frame, on: &$0) }
    guard let typing else { return }
    canvas.inside(Rect(0, height, size.width, 1)) {
      FieldLine.draw(
        label(typing.aim, width: $0.size.width), typing.field, note: typing.isSending ? "sending" : "", on: &$0)
    }
  }

  /// Names and words take at most a third of the width.
  private func label(_ aim: TalkItem.Aim, width: Int) -> String {
    func short(_ text: String) -> String { ShortName.beginning(of: text, columns: min(24, width / 3)) }
    return switch aim {
    case .reply(let id): "Answer to \(short(talk?.remark(id)?.member ?? id)): "
    case .correction: "Correct: "
    case .direction(let yaw, let pitch): "Remark at \(Int(yaw.rounded()))\u{B0}, \(Int(pitch.rounded()))\u{B0}: "
    case .words(let words): "Remark on \"\(short(words))\": "
    default: "Remark: "
    }
  }

  private func drawRemarks(_ frame: Frame, on canvas: inout Canvas) {
    let size = canvas.size
    guard let talk else {
      canvas.paragraph(problem ?? "Loading.", x: 1, y: 1)
      return
    }
    guard !talk.remarks.isEmpty || !talk.strange.isEmpty else {
      canvas.paragraph("Nobody has said anything here yet.", x: 1, y: 1)
      return
    }
    let lines = lines(of: talk, size, now: Int(frame.now))
    // The selected remark is in view, its head first.
    let chosen = selected(in: lines)
    let top = max(0, min(chosen.lowerBound + skipped, chosen.upperBound - size.height))
    for (y, line) in lines[top...].prefix(size.height).enumerated() {
      let isSelected = line.remark == selection
      if isSelected { canvas.fill(Rect(0, y, size.width, 1), style: canvas[.selection]) }
      let style = isSelected ? canvas.bar(line.role) : canvas[line.role]
      canvas.text(line.text[...], x: line.x, y: y, style: style, width: max(0, size.width - line.x - 1))
    }
  }

  /// The lines of the selected remark, and those below the last one.
  private func selected(in lines: [Line]) -> Range<Int> {
    let first = lines.firstIndex { $0.remark == selection } ?? 0
    return first..<(isAtLast ? lines.count : (lines.lastIndex { $0.remark == selection } ?? 0) + 1)
  }

  /// The rows of the selected remark, or below the last one, that do not fit on the screen.
  func rowsBelow(_ frame: Frame) -> Int { max(0, surplus(frame) - skipped) }

  /// The rows of the selected remark, and below the last one, that a screen is too small for.
  func surplus(_ frame: Frame) -> Int {
    guard let talk else { return 0 }
    return max(0, selected(in: lines(of: talk, frame.viewSize, now: Int(frame.now))).count - rows(frame))
  }

  func rows(_ frame: Frame) -> Int { max(1, frame.viewSize.height - (typing == nil ? 0 : 1)) }

  var isAtLast: Bool { selection >= (talk?.remarks.count ?? 0) - 1 }

  /// Those that may be in view: each remark has a line or more.
  private func lines(of talk: Talk, _ size: Size, now: Int) -> [Line] {
    let width = size.width
    var lines: [Line] = []
    var colours: [String: Role] = [:]
    for (index, remark) in talk.remarks.prefix(selection + size.height).enumerated() {
      let colour = colours[remark.member] ?? TalkView.members[colours.count % TalkView.members.count]
      colours[remark.member] = colour
      if index < selection - size.height { continue }
      let x = 1 + 2 * remark.depth
      var head = "\(remark.claim)  \(Age.ago(of: Int(remark.time.seconds), now: now))"
      switch remark.item.aim {
      case .words(let words): head += "  on \"\(words)\""
      case .direction(let yaw, let pitch): head += "  at \(Int(yaw.rounded()))\u{B0}, \(Int(pitch.rounded()))\u{B0}"
      default: break
      }
      if remark.isCorrected { head += "  corrected" }
      if !remark.agreed.isEmpty { head += "  +1 \(remark.agreed.joined(separator: ", "))" }
      lines.append(Line(remark: index, text: Array(head.utf8), role: role(of: remark, colour), x: x))
      let text = TextBuffer(Array((remark.isWithdrawn ? "withdrawn" : remark.text).utf8))
      let rows = SoftWrap(width: max(10, width - x - 4)).rows(from: 0, count: TalkView.mostRows + 1, in: text)
      lines += rows.prefix(TalkView.mostRows).map { row in
        let bytes = text.bytes(in: row.start..<row.end)
        return Line(remark: index, text: Array(bytes), role: remark.isWithdrawn ? .dim : .text, x: x + 2)
      }
      if rows.count > TalkView.mostRows {
        lines.append(Line(remark: index, text: Array("(goes on in the file)".utf8), role: .warning, x: x + 2))
      }
    }
    guard selection + size.height >= talk.remarks.count else { return lines }
    if talk.unread > 0 { lines.append(Line("\(talk.unread.grouped) more remarks are in the file.", .warning)) }
    if let words = talk.uncompared {
      let text = TextBuffer(Array(words.utf8))
      let rows = SoftWrap(width: max(10, width - 2)).rows(from: 0, count: TalkView.mostRows, in: text)
      lines += rows.map { Line(remark: -1, text: text.bytes(in: $0.start..<$0.end), role: .dim, x: 1) }
    }
    // Lines that are no remarks are shown unchanged.
    lines += talk.strange.prefix(TalkView.mostRows).map { Line($0, .dim) }
    let more = talk.strange.count - TalkView.mostRows
    return more > 0 ? lines + [Line("\(more.grouped) more lines are in the file.", .warning)] : lines
  }

  private func role(of remark: Talk.Remark, _ colour: Role) -> Role {
    remark.bringer != nil ? .warning : remark.mentions(member) ? .new : colour
  }

  /// Of one remark.
  private static let mostRows = 200
  private static let members: [Role] = [.member1, .member2, .member3, .member4, .member5, .member6]
}
