/// Pasting, as `p` and `P` do: lines between lines, other text beside the cursor.
extension ViKeys {
  /// More is not pasted at once, in bytes.
  static let largestPaste = 256 << 20

  mutating func put(_ times: Int, isBefore: Bool, _ region: ViRegion?, _ editor: inout TextEditor) -> Bool {
    var clipboard = editor.text.clipboard
    clipboard = Clipboard(editor.text.fitting(clipboard.bytes), isLines: clipboard.isLines)
    guard !clipboard.bytes.isEmpty else { return false }
    guard clipboard.bytes.count <= Self.largestPaste / times else {
      request = .say("So much text cannot be pasted at once.")
      return false
    }
    guard let region else {
      put(clipboard, times, isBefore: isBefore, splits: false, &editor)
      return true
    }
    if !isRepeating { editor.text.beginGroup() }
    var text = ViText(editor.text.buffer)
    let wasLast = region.isLines && region.range.lowerBound > 0 && text.nextLine(region.range.upperBound) == nil
    delete(region, &editor)
    // `P` keeps what was copied; `p` takes what was replaced.
    let removed = editor.text.clipboard
    if region.isLines {
      var lines = clipboard
      if !lines.isLines { lines = Clipboard(clipboard.bytes + editor.text.lineBreak, isLines: true) }
      put(lines, times, isBefore: !wasLast, splits: false, &editor)
    } else {
      editor.text.move(to: region.range.lowerBound)
      put(clipboard, times, isBefore: true, splits: true, &editor)
    }
    editor.text.clipboard = isBefore ? clipboard : removed
    if !isRepeating { editor.text.endGroup() }
    return true
  }

  /// `splits`: lines part the present one at the cursor.
  private mutating func put(
    _ clipboard: Clipboard, _ times: Int, isBefore: Bool, splits: Bool, _ editor: inout TextEditor
  ) {
    var text = ViText(editor.text.buffer)
    let cursor = editor.text.cursor
    var bytes = clipboard.bytes
    if times > 1 { bytes = Array(repeatElement(clipboard.bytes, count: times).joined()) }
    guard clipboard.isLines else {
      let place = isBefore ? cursor : text.after(cursor)
      replace(place..<place, with: bytes, &editor)
      if bytes.contains(0x0A) {
        editor.text.move(to: place)
      } else {
        text = ViText(editor.text.buffer)
        editor.text.move(to: text.before(place + bytes.count))
      }
      return
    }
    let place: Int
    var at: Int
    if splits {
      bytes = editor.text.lineBreak + bytes
      (place, at) = (cursor, cursor + editor.text.lineBreak.count)
    } else if isBefore {
      place = text.lineStart(cursor)
      at = place
    } else if let next = text.nextLine(cursor) {
      (place, at) = (next, next)
    } else if text.count > 0, text.byte(text.count - 1) == 0x0A {
      (place, at) = (text.count, text.count)
    } else {
      // The last line has no line feed, and the new last one gets none.
      bytes = editor.text.lineBreak + bytes.dropLast(bytes.suffix(2) == [0x0D, 0x0A] ? 2 : 1)
      (place, at) = (text.count, text.count + editor.text.lineBreak.count)
    }
    replace(place..<place, with: bytes, &editor)
    text = ViText(editor.text.buffer)
    at = min(at, text.count)
    editor.text.move(to: text.firstText(at))
  }
}
