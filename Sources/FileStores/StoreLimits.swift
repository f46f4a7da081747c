/// What a store can hold.
public struct StoreLimits: Sendable, Hashable {
  /// Bytes of one name; nil where the store does not say.
  public let nameBytes: Int?
  /// Bytes of one file; nil where the store does not say.
  public let fileBytes: UInt64?
  /// Whether `Note.md` and `note.md` are two files.
  public let caseSensitive: Bool
  /// Whether names must be UTF-8.
  public let unicodeNamesOnly: Bool

  /// Makes limits.
  public init(nameBytes: Int?, fileBytes: UInt64?, caseSensitive: Bool, unicodeNamesOnly: Bool) {
    self.nameBytes = nameBytes
    self.fileBytes = fileBytes
    self.caseSensitive = caseSensitive
    self.unicodeNamesOnly = unicodeNamesOnly
  }
}
