import Database
public import FileStores

public struct DraftEdit: Sendable, Hashable {
  public var offset: Int
  public var removed: Int
  public var inserted: [UInt8]

  public init(offset: Int, removed: Int, inserted: [UInt8]) {
    (self.offset, self.removed, self.inserted) = (offset, removed, inserted)
  }
}

extension DraftEdit {
  /// Encodes edits for the log: offset, removed and length as LEB128, then the inserted bytes.
  static func encode(_ edits: [DraftEdit]) -> [UInt8] {
    var bytes: [UInt8] = []
    for edit in edits {
      for number in [edit.offset, edit.removed, edit.inserted.count] { append(number, to: &bytes) }
      bytes += edit.inserted
    }
    return bytes
  }

  static func decode(_ bytes: [UInt8]) -> [DraftEdit]? {
    var rest = bytes[...]
    var edits: [DraftEdit] = []
    while !rest.isEmpty {
      guard let offset = takeNumber(&rest), let removed = takeNumber(&rest), let count = takeNumber(&rest),
        count <= rest.count
      else { return nil }
      edits.append(DraftEdit(offset: offset, removed: removed, inserted: Array(rest.prefix(count))))
      rest = rest.dropFirst(count)
    }
    return edits
  }

  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    // No editor makes a negative number; it becomes a position outside of any text.
    var rest = number < 0 ? UInt64(Int64.max) : UInt64(number)
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private static func takeNumber(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = bytes.popFirst(), shift < 63 {
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return Int(exactly: number) }
      shift += 7
    }
    return nil
  }
}

/// A gap buffer for logged edits: an edit costs its inserted bytes and its distance from the previous edit, not the
/// length of the text.
struct DraftReplay {
  private var bytes: [UInt8]
  private var gap: Range<Int>

  init(_ base: [UInt8]) {
    bytes = base
    gap = base.count..<base.count
  }

  var count: Int { bytes.count - gap.count }

  var text: [UInt8] { gap.isEmpty ? bytes : Array(bytes[..<gap.lowerBound] + bytes[gap.upperBound...]) }

  /// Applies all edits of a row, or none of them if one does not fit the text.
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

/// Typed text that is not in the store yet.
public struct Draft: Sendable, Identifiable, Hashable {
  public typealias ID = String
  public let id: ID
  public let path: StorePath?
  /// The name: as typed for a new note, otherwise the file name.
  public let title: String
  public let base: Revision?
  public let changed: Timestamp
  public let bytes: Int

  public init(id: ID, path: StorePath?, title: String, base: Revision?, changed: Timestamp, bytes: Int) {
    (self.id, self.path, self.title, self.base) = (id, path, title, base)
    (self.changed, self.bytes) = (changed, bytes)
  }

  init(_ head: DraftRecord) {
    (id, path, base, changed, bytes) = (head.id, head.path, head.base, head.changed, head.bytes)
    title = head.title.isEmpty ? head.path.map { String(decoding: $0.name, as: UTF8.self) } ?? "" : head.title
  }
}
