/// One change of a text, as a value: can be written to a log and replayed on the same text.
public struct TextEdit: Hashable, Sendable {
  /// Where, in bytes from the text's start.
  public var offset: Int
  /// How many bytes go.
  public var removed: Int
  /// The bytes that come in their place.
  public var inserted: [UInt8]

  /// Makes an edit.
  public init(offset: Int, removed: Int = 0, inserted: [UInt8] = []) {
    self.offset = offset
    self.removed = removed
    self.inserted = inserted
  }

  /// Whether a text of `count` bytes has the bytes that this edit takes away.
  public func fits(_ count: Int) -> Bool {
    offset >= 0 && removed >= 0 && offset <= count && removed <= count - offset
  }
}
