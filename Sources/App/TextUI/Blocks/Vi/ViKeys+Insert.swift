/// Insert mode, until Escape.
struct ViInsertMode: Sendable {
  /// The command that began it.
  var command: ViCommand
  /// Typed since then, for repeats.
  var inputs: [ViInput] = []
  /// Copies of the typed text in all.
  var copies = 1
  /// Ctrl-R waits for the name of a register.
  var awaitsRegister = false
}

enum ViInput: Hashable, Sendable {
  case typed(Key)
  case pasted([UInt8])
}

extension ViKeys {
  mutating func beginInsert(_ place: ViInsertion, _ command: ViCommand, _ editor: inout TextEditor) {
    if isVisual { return }
    if !isRepeating { editor.text.beginGroup() }
    var text = ViText(editor.text.buffer)
    let cursor = editor.text.cursor
    switch place {
    case .before: break
    case .after: editor.text.move(to: text.after(cursor))
    case .lineStart: editor.text.move(to: text.firstNonBlank(cursor))
    case .lineEnd: editor.text.move(to: text.lineEnd(cursor))
    case .below, .above: openLine(place, &editor)
    }
    insertion = ViInsertMode(command: command, copies: command.times)
    (mode, column) = (.insert, nil)
  }

  mutating func openLine(_ place: ViInsertion, _ editor: inout TextEditor) {
    var text = ViText(editor.text.buffer)
    let cursor = editor.text.cursor
    let at = place == .below ? text.lineEnd(cursor) : text.lineStart(cursor)
    replace(at..<at, with: editor.text.lineBreak, &editor)
    editor.text.move(to: place == .below ? at + editor.text.lineBreak.count : at)
  }

  /// Removes a region and begins insert mode there.
  mutating func beginChange(_ region: ViRegion?, _ command: ViCommand, _ editor: inout TextEditor) {
    if !isRepeating { editor.text.beginGroup() }
    if let region {
      keep(region, &editor)
      editor.text.move(to: region.cursor)
      if !region.range.isEmpty { replace(region.range, with: [], &editor) }
      editor.text.move(to: region.range.lowerBound)
    }
    insertion = ViInsertMode(command: command)
    (mode, column) = (.insert, nil)
  }

  mutating func insert(_ key: Key, _ editor: inout TextEditor) {
    if insertion?.awaitsRegister == true {
      insertion?.awaitsRegister = false
      let bytes = editor.text.killed
      if key.typed.map({ "\"+*0".unicodeScalars.contains($0) }) == true, !bytes.isEmpty {
        insert(.pasted(bytes), &editor)
      }
      return
    }
    switch (key.code, key.modifiers) {
    case (.escape, _), (.character("c"), .control), (.character("["), .control): leaveInsert(&editor)
    case (.character("r"), .control): insertion?.awaitsRegister = true
    case (.character("h"), .control): insert(.typed(Key(.backspace)), &editor)
    case (.character("m"), .control), (.character("j"), .control): insert(.typed(Key(.enter)), &editor)
    case (.character, []), (.character("w"), .control), (.character("u"), .control): insert(.typed(key), &editor)
    case (.enter, _), (.tab, _), (.backspace, _), (.delete, _): insert(.typed(Key(key.code)), &editor)
    case _ where key.isMovement:
      // The text behind a movement is a change of its own.
      _ = editor.perform(Key(key.code, key.modifiers.subtracting(.shift)))
      editor.text.splitGroup()
      insertion = ViInsertMode(command: ViCommand(action: .insert(.before)))
      keepRowColumn()
    default: request = .say("\(key) does nothing in insert mode. Esc ends it.")
    }
  }

  mutating func insert(_ input: ViInput, _ editor: inout TextEditor) {
    if !isRepeating { insertion?.inputs.append(input) }
    switch input {
    case .pasted(let bytes): note(editor.text.insert(bytes))
    case .typed(Key(.character("w"), .control)):
      var text = ViText(editor.text.buffer)
      let cursor = editor.text.cursor
      var place = cursor
      if text.isLineStart(cursor) {
        _ = text.step(backward: &place)
      } else {
        let start = text.lineStart(cursor)
        _ = text.wordBack(&place, 1, isBig: false)
        place = max(place, start)
      }
      note(editor.text.replace(place..<cursor, with: []))
    case .typed(Key(.character("u"), .control)):
      let cursor = editor.text.cursor
      note(editor.text.replace(editor.text.buffer.lineStart(at: cursor)..<cursor, with: []))
    case .typed(let key): note(editor.perform(key))
    }
  }

  mutating func leaveInsert(_ editor: inout TextEditor) {
    guard let insertion else {
      mode = .normal
      return
    }
    repeatInsertion(insertion, &editor)
    if !isRepeating {
      editor.text.endGroup()
      lastChange = ViChange(command: insertion.command, inputs: insertion.inputs)
    }
    (mode, self.insertion) = (.normal, nil)
    var text = ViText(editor.text.buffer)
    editor.text.move(to: text.before(editor.text.cursor))
  }
}
