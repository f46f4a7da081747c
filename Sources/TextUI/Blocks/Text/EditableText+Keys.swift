extension EditableText {
  /// The keys that mean the same in one line and in many: characters, emacs's keys, Left, Right, Home, End, Delete,
  /// Backspace.
  mutating func handle(_ key: Key) -> EditOutcome {
    // Shift moves as far as the key alone.
    let isPlain = key.modifiers.subtracting(.shift).isEmpty
    switch key.code {
    case .character(let scalar): return character(scalar, key.modifiers)
    case .left: return move(isPlain ? buffer.glyphStart(before: cursor) : buffer.wordStart(before: cursor))
    case .right: return move(isPlain ? buffer.glyphEnd(after: cursor) : buffer.wordEnd(after: cursor))
    case .home: return move(buffer.lineStart(at: cursor))
    case .end: return move(buffer.lineEnd(at: cursor))
    case .backspace:
      return isPlain ? deleteBackward() : kill(to: buffer.wordStart(before: cursor))
    case .delete: return isPlain ? deleteForward() : kill(to: buffer.wordEnd(after: cursor))
    default: return .ignored
    }
  }

  private mutating func character(_ scalar: Unicode.Scalar, _ modifiers: Key.Modifiers) -> EditOutcome {
    switch (modifiers.subtracting(.shift), scalar) {
    case ([], _):
      guard scalar.value >= 0x20, scalar.value != 0x7F else { return .ignored }
      return .edited([type(Array(String(Character(scalar)).utf8))])
    case (.control, "a"): return move(buffer.lineStart(at: cursor))
    case (.control, "e"): return move(buffer.lineEnd(at: cursor))
    case (.control, "b"): return move(buffer.glyphStart(before: cursor))
    case (.control, "f"): return move(buffer.glyphEnd(after: cursor))
    case (.control, "d"): return deleteForward()
    case (.control, "h"): return deleteBackward()
    case (.control, "k"): return killLine()
    case (.control, "u"): return kill(to: buffer.lineStart(at: cursor))
    case (.control, "w"): return kill(to: buffer.wordStart(before: cursor))
    case (.control, "y"): return yank()
    case (.control, "_"), (.alt, "u"): return undo()
    case (.alt, "_"), ([.alt, .control], "_"), (.alt, "r"), (.control, "r"): return redo()
    case (.alt, "b"): return move(buffer.wordStart(before: cursor))
    case (.alt, "f"): return move(buffer.wordEnd(after: cursor))
    case (.alt, "d"): return kill(to: buffer.wordEnd(after: cursor))
    default: return .ignored
    }
  }

  /// To the line's end; there, the line break.
  private mutating func killLine() -> EditOutcome {
    let end = buffer.lineEnd(at: cursor)
    return kill(to: end > cursor ? end : buffer.glyphEnd(after: cursor))
  }

  private mutating func move(_ place: Int) -> EditOutcome {
    move(to: place)
    return .moved
  }
}
