extension Key {
  /// What people call it: `y`, `Enter`, `Ctrl-S`, `Alt-B`, `F1`.
  public var name: String {
    var text = ""
    if modifiers.contains(.control) { text += "Ctrl-" }
    if modifiers.contains(.alt) { text += "Alt-" }
    if modifiers.contains(.shift) || code == .backTab { text += "Shift-" }
    switch code {
    case .character(" "): return text + "Space"
    case .character(let scalar):
      let isCommand = modifiers.contains(.control) || modifiers.contains(.alt)
      return text + (isCommand ? String(scalar).uppercased() : String(scalar))
    case .enter: return text + "Enter"
    case .tab, .backTab: return text + "Tab"
    case .escape: return text + "Esc"
    case .backspace: return text + "Backspace"
    case .delete: return text + "Delete"
    case .insert: return text + "Insert"
    case .up: return text + "Up"
    case .down: return text + "Down"
    case .left: return text + "Left"
    case .right: return text + "Right"
    case .home: return text + "Home"
    case .end: return text + "End"
    case .pageUp: return text + "PgUp"
    case .pageDown: return text + "PgDn"
    case .function(let number): return text + "F\(number)"
    }
  }
}
