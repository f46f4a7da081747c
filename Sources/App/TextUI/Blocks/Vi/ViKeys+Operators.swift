/// Commands that change the text.
extension ViKeys {
  mutating func change(_ command: ViCommand, _ editor: inout TextEditor) {
    var command = command
    var region: ViRegion?
    if isVisual || command.shape != nil {
      let (found, shape) = selected(command, editor)
      (region, command.shape) = (found, shape)
      leaveVisual(&editor)
    } else if case .operate(let operation, let target) = command.action {
      if case .motion(let motion) = target, seeks(motion, command, &editor) { return }
      switch self.region(operation, target, command, &editor) {
      case .none: return
      case .empty:
        if operation == .change { return beginChange(nil, command, &editor) }
        if !isRepeating, operation != .yank { lastChange = ViChange(command: command) }
        return
      case .some(let found): region = found
      }
    }
    apply(command, region, &editor)
  }

  /// Acts on a region, or at the cursor; the change can be repeated.
  mutating func apply(_ command: ViCommand, _ region: ViRegion?, _ editor: inout TextEditor) {
    let isDone: Bool
    switch command.action {
    case .operate(let operation, _):
      guard let region else { return }
      if operation == .change { return beginChange(region, command, &editor) }
      operate(operation, region, times: command.shape == nil ? 1 : command.times, &editor)
      isDone = operation != .yank
    case .replace(let scalar): isDone = replace(scalar, command.times, region, &editor)
    case .toggleCase: isDone = toggleCase(command.times, &editor)
    case .join(let withSpace): isDone = join(command.times, withSpace: withSpace, region, &editor)
    case .put(let isBefore): isDone = put(command.times, isBefore: isBefore, region, &editor)
    default: isDone = false
    }
    if isDone, !isRepeating { lastChange = ViChange(command: command) }
  }

  /// The selection, or as much text from the cursor on as a repeated command had.
  private func selected(_ command: ViCommand, _ editor: TextEditor) -> (ViRegion, ViShape) {
    var text = ViText(editor.text.buffer)
    let cursor = editor.text.cursor
    var region: ViRegion
    var shape: ViShape
    if let known = command.shape {
      (region, shape) = (text.region(known, at: cursor), known)
    } else {
      region = text.selection(anchor, cursor, isLines: mode == .visualLines)
      shape = text.shape(region, anchor, cursor, toEnd: column == .end)
    }
    var needsLines =
      command.action == .operate(.indent, .selection) || command.action == .operate(.unindent, .selection)
    if case .operate(_, .lines) = command.action { needsLines = true }
    if needsLines, !region.isLines {
      let last = command.shape == nil ? max(anchor, cursor) : max(region.range.lowerBound, region.range.upperBound - 1)
      region = text.lines(region.range.lowerBound, last, cursor: text.lineStart(region.cursor))
      shape.isLines = true
    }
    return (region, shape)
  }

  private enum Found { case none, empty, some(ViRegion) }

  private mutating func region(
    _ operation: ViOperator, _ target: ViTarget, _ command: ViCommand, _ editor: inout TextEditor
  ) -> Found {
    let cursor = editor.text.cursor
    var text = ViText(editor.text.buffer)
    switch target {
    case .motion(let motion):
      guard let move = resolve(motion, command, operation, &editor) else { return .none }
      if move.isFailed {
        editor.text.move(to: move.place)
        return .none
      }
      return text.region(from: cursor, to: move, operation).map { .some($0) } ?? .empty
    case .lines:
      guard let last = text.line(command.times - 1, below: cursor) else { return .none }
      let place = operation == .yank ? cursor : min(cursor, text.firstText(last))
      return .some(text.lines(cursor, last, cursor: place))
    case .object(let object):
      guard let region = text.object(object, command.times, at: cursor, operation) else { return .none }
      guard operation.actsOnLines, !region.isLines else { return .some(region) }
      return .some(text.lines(region.range.lowerBound, region.range.upperBound, cursor: region.cursor))
    case .selection: return .none
    }
  }

  private mutating func operate(
    _ operation: ViOperator, _ region: ViRegion, times: Int, _ editor: inout TextEditor
  ) {
    switch operation {
    case .delete, .change: delete(region, &editor)
    case .yank:
      keep(region, &editor)
      editor.text.move(to: region.cursor)
      column = nil
      request = .copied
    case .indent, .unindent: indent(operation == .indent, region, times, &editor)
    case .upper, .lower, .toggle:
      let bytes = editor.text.buffer.bytes(in: region.range)
      editor.text.move(to: region.cursor)
      replace(region.range, with: LetterCase(operation).of(bytes), &editor)
      editor.text.move(to: region.cursor)
    }
  }

  /// Keeps a region's text for pasting; lines end in a line feed.
  func keep(_ region: ViRegion, _ editor: inout TextEditor) {
    var bytes = editor.text.buffer.bytes(in: region.range)
    if region.isLines { bytes += editor.text.lineBreak }
    editor.text.clipboard = Clipboard(bytes, isLines: region.isLines)
  }

  mutating func delete(_ region: ViRegion, _ editor: inout TextEditor) {
    keep(region, &editor)
    editor.text.move(to: region.cursor)
    guard region.isLines else { return replace(region.range, with: [], &editor) }
    var text = ViText(editor.text.buffer)
    var (start, end) = (region.range.lowerBound, region.range.upperBound)
    if end < text.count {
      end = text.buffer.newline(from: end).map { $0 + 1 } ?? end
    } else if start > 0 {
      _ = text.step(backward: &start)
    }
    replace(start..<end, with: [], &editor)
    text = ViText(editor.text.buffer)
    editor.text.move(to: text.firstText(text.onCharacter(min(region.range.lowerBound, text.count))))
  }

  private mutating func indent(_ isDeeper: Bool, _ region: ViRegion, _ times: Int, _ editor: inout TextEditor) {
    editor.text.move(to: region.cursor)
    let before = editor.text.buffer.bytes(in: region.range)
    var bytes = before
    for _ in 0..<min(times, 99) { bytes = isDeeper ? LineIndent.deeper(bytes) : LineIndent.higher(bytes) }
    if bytes != before { replace(region.range, with: bytes, &editor) }
    var text = ViText(editor.text.buffer)
    editor.text.move(to: text.firstText(region.range.lowerBound))
    column = nil
  }

  private mutating func replace(
    _ scalar: Unicode.Scalar, _ times: Int, _ region: ViRegion?, _ editor: inout TextEditor
  ) -> Bool {
    var text = ViText(editor.text.buffer)
    let cursor = editor.text.cursor
    let character = scalar == "\n" ? editor.text.lineBreak : Array(String(Character(scalar)).utf8)
    if let region {
      // Each character but the ends of lines.
      var bytes: [UInt8] = []
      var place = region.range.lowerBound
      while place < region.range.upperBound {
        let isEnd = text.isLineEnd(place)
        let next = isEnd ? text.nextLine(place) ?? region.range.upperBound : text.after(place)
        bytes += isEnd ? text.buffer.bytes(in: place..<next) : character
        place = next
      }
      replace(region.range, with: bytes, &editor)
      editor.text.move(to: region.range.lowerBound)
      return true
    }
    var end = cursor
    for _ in 0..<times {
      guard !text.isLineEnd(end) else { return false }
      end = text.after(end)
    }
    let bytes = scalar == "\n" ? character : Array(repeatElement(character, count: times).joined())
    replace(cursor..<end, with: bytes, &editor)
    editor.text.move(to: scalar == "\n" ? cursor + bytes.count : cursor + bytes.count - character.count)
    return true
  }

  private mutating func toggleCase(_ times: Int, _ editor: inout TextEditor) -> Bool {
    var text = ViText(editor.text.buffer)
    let cursor = editor.text.cursor
    var end = cursor
    for _ in 0..<times where !text.isLineEnd(end) { end = text.after(end) }
    guard end > cursor else { return false }
    replace(cursor..<end, with: LetterCase.toggled.of(text.buffer.bytes(in: cursor..<end)), &editor)
    return true
  }

  private mutating func join(
    _ times: Int, withSpace: Bool, _ region: ViRegion?, _ editor: inout TextEditor
  ) -> Bool {
    var text = ViText(editor.text.buffer)
    let start = text.lineStart(region?.range.lowerBound ?? editor.text.cursor)
    var last = start
    if let region {
      last = text.lineStart(max(region.range.lowerBound, region.range.upperBound - (region.isLines ? 0 : 1)))
      if last == start { last = text.nextLine(start) ?? start }
    } else {
      last = text.line(max(1, times - 1), below: start) ?? start
    }
    if let region { editor.text.move(to: region.cursor) }
    guard last > start else {
      if region == nil, times > 2 { editor.text.move(to: start) }
      return false
    }
    var (joined, place, line) = (text.buffer.bytes(in: start..<text.lineEnd(start)), 0, start)
    let end = text.lineEnd(last)
    var size = joined.count
    while line < last, let next = text.nextLine(line) {
      line = next
      let from = withSpace ? text.firstNonBlank(next) : next
      let bytes = text.buffer.bytes(in: from..<text.lineEnd(next))
      place = joined.count
      if withSpace, let first = bytes.first, first != 0x29, size > 0, let end = joined.last, end != 0x20, end != 0x09 {
        joined.append(0x20)
      }
      joined += bytes
      size = joined.count
    }
    replace(start..<end, with: joined, &editor)
    editor.text.move(to: start + place)
    return true
  }
}
