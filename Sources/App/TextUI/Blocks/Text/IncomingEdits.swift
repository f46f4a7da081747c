/// Edits by another member, which come into a text while it is edited. They are no steps of its history.
///
/// Of two edits of one text, each has a form that applies after the other, and both orders give the same text: bytes that
/// one of them has removed are left for neither, bytes that one inserts stay. So undoing takes back what is left of one's
/// own change, and nothing of another member's.
extension EditHistory {
  /// Each edit meets each step: neighbours among more edits are taken in as one, and steps beyond twice as many meetings
  /// are forgotten.
  static let mostMeetings = 1 << 17

  /// The number of edits that may meet the steps.
  var mostEdits: Int { max(1, Self.mostMeetings / max(1, done.count + undone.count)) }

  /// Rewrites all steps for the text that has these edits, too. The saved text is none of its states any more. Returns how
  /// often an edit met a step.
  @discardableResult
  mutating func takeIn(_ edits: [Step]) -> Int {
    var meetings = 0
    let back = Self.rewritten(done.map(\.reversed), over: edits, &meetings)
    replaceSteps(
      done: back.map(\.reversed), undone: Self.rewritten(undone, over: edits, leadsBack: false, &meetings))
    return meetings
  }

  /// `steps` lead away from the text, the last of them first. A step of which nothing is left stays, as an empty one.
  private static func rewritten(
    _ steps: [Step], over edits: [Step], leadsBack: Bool = true, _ meetings: inout Int
  ) -> [Step] {
    var rewritten: [Step] = []
    rewritten.reserveCapacity(steps.count)
    var others = edits
    for step in steps.reversed() {
      // A group is undone as a whole; what would be done again in part is forgotten.
      if meetings > 2 * mostMeetings { return leadsBack ? Array(rewritten.reversed().drop { $0.continues }) : [] }
      // The cursor of a step stood in the text before it.
      let before = others
      let (parts, next) = Step.crossed([step], others, &meetings)
      others = next
      let cursor = (leadsBack ? next : before).reduce(step.cursor) { $1.asEdit.moved($0, staysBefore: true) }
      if parts.isEmpty {
        rewritten.append(Step(offset: cursor, removed: [], inserted: [], cursor: cursor, continues: step.continues))
      }
      for (index, part) in parts.enumerated() {
        let isOuter = index == (leadsBack ? parts.count - 1 : 0)
        rewritten.append(
          Step(
            offset: part.offset, removed: part.removed, inserted: part.inserted, cursor: cursor,
            continues: isOuter ? step.continues : true))
      }
    }
    return rewritten.reversed()
  }
}

extension EditHistory.Step {
  typealias Step = EditHistory.Step

  /// The edit that takes this one back.
  var reversed: Step {
    Step(offset: offset, removed: inserted, inserted: removed, cursor: cursor, continues: continues)
  }

  var isEmpty: Bool { removed.isEmpty && inserted.isEmpty }

  fileprivate var asEdit: TextEdit { TextEdit(offset: offset, removed: removed.count, inserted: inserted) }
  private var end: Int { offset + removed.count }

  /// Two lists of edits of one text, each as it applies after the other. Each is in its order.
  fileprivate static func crossed(
    _ own: [Step], _ others: [Step], _ meetings: inout Int
  ) -> (own: [Step], others: [Step]) {
    if own.count == 1, others.count == 1 {
      meetings += 1
      return (own[0].after(others[0], isFirst: true), others[0].after(own[0], isFirst: false))
    }
    var crossed = (own: own, others: others)
    if others.count > 1 {
      crossed.others = []
      for other in others {
        let (own, parts) = Self.crossed(crossed.own, [other], &meetings)
        crossed.own = own
        crossed.others += parts
      }
    } else if own.count > 1 {
      crossed.own = []
      for step in own {
        let (parts, others) = Self.crossed([step], crossed.others, &meetings)
        crossed.own += parts
        crossed.others = others
      }
    }
    return crossed
  }

  /// This edit as it applies after another one of the same text, as edits in their order. Of two insertions at one place
  /// that of the edit that `isFirst` comes first.
  private func after(_ other: Step, isFirst: Bool) -> [Step] {
    var part = self
    guard offset < other.offset || offset == other.offset && isFirst else {
      if offset < other.end { part.removed = Array(removed.dropFirst(other.end - offset)) }
      part.offset = max(offset, other.end) + other.inserted.count - other.removed.count
      return part.isEmpty ? [] : [part]
    }
    guard end > other.offset else { return isEmpty ? [] : [self] }
    let rest = Array(removed.dropFirst(other.end - offset))
    part.removed = Array(removed.prefix(other.offset - offset))
    if other.inserted.isEmpty {
      part.removed += rest
      return part.isEmpty ? [] : [part]
    }
    // The bytes behind the other's insertion go first, so that the others keep their place.
    let behind = Step(offset: other.offset + other.inserted.count, removed: rest, inserted: [], cursor: cursor)
    return [behind, part].filter { !$0.isEmpty }
  }
}

extension TextEdit {
  /// A place in the text as it is after this edit. At an insertion it `staysBefore` the new bytes, or goes behind them.
  func moved(_ place: Int, staysBefore: Bool) -> Int {
    let end = offset + removed
    if place < offset || place == offset && (removed > 0 || staysBefore) { return place }
    if place >= end { return place + inserted.count - removed }
    return offset + min(place - offset, inserted.count)
  }
}

extension EditableText {
  /// Takes in another member's edits, in their order, which undo leaves alone. Cursor, selection and other `places` stay
  /// with their text. Edits that do not fit are left out. Returns how often an edit met a step of the history.
  @discardableResult
  public mutating func takeIn(_ edits: [TextEdit], moving places: inout [Int]) -> Int {
    let wasModified = isModified
    var all = [cursor, anchor ?? cursor]
    let meetings = replaceUnrecorded(edits) { edit, text in
      let (start, end) = (min(all[0], all[1]), max(all[0], all[1]))
      all = all.map { edit.moved($0, staysBefore: start < end ? $0 == end : text.isBehindItsWord($0)) }
      places = places.map { edit.moved($0, staysBefore: $0 == text.buffer.count) }
    }
    cursor = buffer.glyphBorder(at: all[0])
    if anchor != nil { anchor = buffer.glyphBorder(at: all[1]) }
    guard let meetings else { return 0 }
    if wasModified { markUnsaved() } else { markSaved() }
    return meetings
  }

  /// A place within or at the end of a word belongs to the text before it; at the beginning of a word, or of a line, to the
  /// text behind it.
  private func isBehindItsWord(_ place: Int) -> Bool {
    guard place > 0 else { return false }
    let before = buffer[place - 1]
    if !Self.isBlank(before) { return true }
    return before != 0x0A && (place == buffer.count || Self.isBlank(buffer[place]))
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

extension TextEditor {
  /// False while a search or an unfinished command of vi has places of the text.
  public var canTakeIn: Bool { search == nil && (vi.map { $0.isIdle || $0.mode == .insert } ?? true) }

  /// Takes in another member's edits, in their order. The cursor stays with its word, the view with its first row, and
  /// undo leaves the edits alone.
  public mutating func takeIn(_ edits: [TextEdit]) {
    // Lines that come in above the view stay above it.
    var places = [topOffset, vi?.lastSelection?.anchor ?? 0, vi?.lastSelection?.cursor ?? 0]
    text.takeIn(edits, moving: &places)
    stay(at: places[0])
    vi?.lastSelection?.anchor = places[1]
    vi?.lastSelection?.cursor = places[2]
    // A selection by mouse stays one.
    guard text.selection == nil else { return }
    _ = withVi { keys, editor in
      keys.settle(&editor)
      return .moved
    }
  }
}
