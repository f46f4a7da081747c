import TextUI

/// Keys as people write them: characters stand for themselves, `<…>` for one key.
func keys(_ text: String) -> [Key] {
  var keys: [Key] = []
  var rest = text[...]
  while let first = rest.first {
    if first == "<", let end = rest.firstIndex(of: ">") {
      keys.append(key(String(rest[rest.index(after: rest.startIndex)..<end])))
      rest = rest[rest.index(after: end)...]
    } else {
      for scalar in first.unicodeScalars { keys.append(Key(.character(scalar))) }
      rest.removeFirst()
    }
  }
  return keys
}

private func key(_ name: String) -> Key {
  var modifiers: Key.Modifiers = []
  var name = name[...]
  while true {
    if name.hasPrefix("C-") {
      modifiers.insert(.control)
    } else if name.hasPrefix("A-") {
      modifiers.insert(.alt)
    } else {
      break
    }
    name = name.dropFirst(2)
  }
  let codes: [String: Key.Code] = [
    "Enter": .enter, "Tab": .tab, "Esc": .escape, "BS": .backspace, "Del": .delete, "Up": .up, "Down": .down,
    "Left": .left,
    "Right": .right, "Home": .home, "End": .end, "PgUp": .pageUp, "PgDn": .pageDown,
  ]
  if let code = codes[String(name)] { return Key(code, modifiers) }
  return Key(.character(name.unicodeScalars.first ?? "?"), modifiers)
}

/// What a drawing leaves on a screen.
func drawn(_ width: Int, _ height: Int = 1, _ draw: (inout Canvas) -> Void) -> Grid {
  var canvas = Canvas(Size(width, height))
  draw(&canvas)
  return canvas.grid
}
