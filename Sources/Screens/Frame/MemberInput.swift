public import TextUI

/// What a member does, as far as its meaning is known where it is done.
public enum MemberInput: Sendable {
  /// A key that has a meaning where it was pressed.
  case command(CommandID)
  /// A key while text is being typed.
  case typed(Key)
  /// Text was pasted.
  case pasted([UInt8])
  /// The mouse was used; the place is relative to the body.
  case mouse(InputEvent.Mouse)
}
