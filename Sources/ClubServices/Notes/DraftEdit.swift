/// One change of a text: at `offset`, `removed` bytes go and `inserted` come.
public struct DraftEdit: Sendable, Hashable {
  /// Where, in bytes from the text's start, as the text was before this edit.
  public var offset: Int
  /// How many bytes go.
  public var removed: Int
  /// What comes in their place.
  public var inserted: [UInt8]

  /// Makes an edit.
  public init(offset: Int, removed: Int, inserted: [UInt8]) {
    (self.offset, self.removed, self.inserted) = (offset, removed, inserted)
  }
}

extension DraftEdit {
  /// As bytes for the log: offset, removed and length as LEB128, then what was inserted; one after the other.
  static func encode(_ edits: [DraftEdit]) -> [UInt8] {
    var bytes: [UInt8] = []
    for edit in edits {
      for number in [edit.offset, edit.removed, edit.inserted.count] { append(number, to: &bytes) }
      bytes += edit.inserted
    }
    return bytes
  }

  /// The edits in a row of the log; nil when it holds anything else.
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
    // A negative number is nothing that an editor can mean; it is written as one that no text can hold.
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
