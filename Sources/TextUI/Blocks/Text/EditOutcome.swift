/// What a key did to a text.
public enum EditOutcome: Hashable, Sendable {
  /// The text changed, by these edits in this order.
  case edited([TextEdit])
  /// The key was used; the text is as it was. The cursor may have moved.
  case moved
  /// The key means nothing here.
  case ignored
}
