internal import TextUI

/// The words that narrow a list as they are typed.
struct FindField: Sendable {
  var field = TextField()
  /// True while keys go into the field.
  var isTyping = false

  var isActive: Bool { isTyping || !field.isEmpty }

  mutating func clear() { self = FindField() }
}
