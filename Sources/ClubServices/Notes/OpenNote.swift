public import FileStores

/// A note as it was read.
public struct OpenNote: Sendable {
  /// What kind of bytes it has.
  public enum Content: Sendable, Hashable {
    /// UTF-8 without a NUL.
    case text
    /// Text, perhaps, but not UTF-8: to be shown read-only, as it is.
    case notUTF8
    /// It holds a NUL: to be shown read-only.
    case binary
  }

  /// What the store says of it; `revision` is the base of a later save.
  public let entry: FileEntry
  /// The whole note.
  public let bytes: [UInt8]
  /// What kind of bytes they are.
  public let content: Content
  /// The newest unsaved draft of it that is not open in another byteclub.
  public let draft: Draft?

  /// A note of these bytes; `content` follows from them.
  public init(entry: FileEntry, bytes: [UInt8], draft: Draft?) {
    (self.entry, self.bytes, self.draft) = (entry, bytes, draft)
    content = OpenNote.kind(of: bytes)
  }

  static func kind(of bytes: [UInt8]) -> Content {
    if bytes.contains(0) { return .binary }
    do {
      _ = try UTF8Span(validating: bytes.span)
      return .text
    } catch {
      return .notUTF8
    }
  }
}
