/// A text to which a log of edits is applied. Typing moves in small steps, so the text keeps a gap where the last edit
/// was: an edit costs what it inserts and the way from the one before, not the text's length.
struct DraftReplay {
  private var bytes: [UInt8]
  private var gap: Range<Int>

  /// Starts from the base text.
  init(_ base: [UInt8]) {
    bytes = base
    gap = base.count..<base.count
  }

  /// Bytes of the text.
  var count: Int { bytes.count - gap.count }

  /// The text.
  var text: [UInt8] { gap.isEmpty ? bytes : Array(bytes[..<gap.lowerBound] + bytes[gap.upperBound...]) }

  /// Applies the edits of one row: all of them, or none when one of them does not fit the text.
  mutating func apply(_ edits: [DraftEdit]) -> Bool {
    var size = count
    for edit in edits {
      guard edit.offset >= 0, edit.offset <= size, edit.removed >= 0, edit.removed <= size - edit.offset else {
        return false
      }
      size += edit.inserted.count - edit.removed
    }
    for edit in edits { apply(edit) }
    return true
  }

  private mutating func apply(_ edit: DraftEdit) {
    moveGap(to: edit.offset)
    gap = gap.lowerBound..<(gap.upperBound + edit.removed)
    if gap.count < edit.inserted.count { grow(by: edit.inserted.count) }
    let end = gap.lowerBound + edit.inserted.count
    bytes.replaceSubrange(gap.lowerBound..<end, with: edit.inserted)
    gap = end..<gap.upperBound
  }

  private mutating func moveGap(to offset: Int) {
    let size = gap.count
    if size > 0 {
      bytes.withUnsafeMutableBufferPointer { bytes in
        if offset < gap.lowerBound {
          let count = gap.lowerBound - offset
          guard let base = bytes.baseAddress else { return }
          (base + offset + size).update(from: base + offset, count: count)
        } else if offset > gap.lowerBound, let base = bytes.baseAddress {
          (base + gap.lowerBound).update(from: base + gap.upperBound, count: offset - gap.lowerBound)
        }
      }
    }
    gap = offset..<(offset + size)
  }

  private mutating func grow(by count: Int) {
    let room = Array(repeating: UInt8(0), count: count + bytes.count / 2 + 64)
    bytes.insert(contentsOf: room, at: gap.upperBound)
    gap = gap.lowerBound..<(gap.upperBound + room.count)
  }
}
