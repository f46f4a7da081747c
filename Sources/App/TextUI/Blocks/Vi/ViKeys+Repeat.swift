/// A change that `.` does again.
struct ViChange: Sendable {
  var command: ViCommand
  /// Typed in insert mode.
  var inputs: [ViInput] = []
}

extension ViKeys {
  /// Copies of typed text beyond this are left out, in bytes or keys.
  private static let mostCopied = 16 << 20
  private static let mostKeys = 100_000

  mutating func repeatChange(_ count: Int?, _ editor: inout TextEditor) {
    guard var change = lastChange, !isRepeating else { return }
    if let count { change.command.count = count }
    editor.text.beginGroup()
    isRepeating = true
    run(change.command, &editor)
    if mode == .insert {
      insertion?.inputs = change.inputs
      for input in change.inputs { insert(input, &editor) }
      leaveInsert(&editor)
    }
    isRepeating = false
    editor.text.endGroup()
    if count == nil || !edits.isEmpty { lastChange = change }
  }

  /// Inserts the copies that a count before the command asked for.
  mutating func repeatInsertion(_ insertion: ViInsertMode, _ editor: inout TextEditor) {
    let copies = insertion.copies - 1
    guard copies > 0, !insertion.inputs.isEmpty || insertion.opensLine else { return }
    if let bytes = insertion.plainBytes, !insertion.opensLine {
      guard bytes.count <= Self.mostCopied / copies else { return tooLong() }
      return note(editor.text.insert(Array(repeatElement(bytes, count: copies).joined())))
    }
    guard insertion.inputs.count + 1 <= Self.mostKeys / copies else { return tooLong() }
    let wasRepeating = isRepeating
    isRepeating = true
    for _ in 0..<copies {
      if insertion.opensLine { openLine(.below, &editor) }
      for input in insertion.inputs { insert(input, &editor) }
    }
    isRepeating = wasRepeating
  }

  private mutating func tooLong() { request = .say("So many copies are too long: byteclub made one.") }
}

extension ViInsertMode {
  var opensLine: Bool { command.action == .insert(.below) || command.action == .insert(.above) }

  /// The typed text, if it has only characters.
  var plainBytes: [UInt8]? {
    var bytes: [UInt8] = []
    for input in inputs {
      switch input {
      case .pasted(let more): bytes += more
      case .typed(let key):
        guard let scalar = key.typed else { return nil }
        bytes += Array(String(Character(scalar)).utf8)
      }
    }
    return bytes
  }
}
