/// Reads a text as vi does: in lines, each with a place behind its last character. A line feed at the end of the text
/// ends the last line and begins none.
///
/// It reads the text in windows, so that walking over characters costs little at any size.
struct ViText {
  let buffer: TextBuffer
  private var window: [UInt8] = []
  private var start = 0

  /// A motion looks at most at so many bytes.
  static let reach = 16 << 20
  private static let windowSize = 16 << 10

  init(_ buffer: TextBuffer) { self.buffer = buffer }

  var count: Int { buffer.count }

  mutating func byte(_ place: Int) -> UInt8 {
    if place < start || place >= start + window.count { load(around: place) }
    return window[place - start]
  }

  private mutating func load(around place: Int) {
    // Walking backwards, the bytes before the place are needed next.
    let before = place < start ? Self.windowSize - 256 : 256
    start = max(0, place - before)
    window = buffer.bytes(in: start..<min(count, start + Self.windowSize))
  }

  /// At the end of a line, before its line feed or carriage return.
  mutating func isLineEnd(_ place: Int) -> Bool {
    guard place < count else { return true }
    let byte = byte(place)
    return byte == 0x0A || byte == 0x0D && place + 1 < count && self.byte(place + 1) == 0x0A
  }

  mutating func isLineStart(_ place: Int) -> Bool { place <= 0 || byte(place - 1) == 0x0A }

  mutating func isEmptyLine(_ place: Int) -> Bool { isLineStart(place) && isLineEnd(place) }

  mutating func lineStart(_ place: Int) -> Int {
    guard place > 0 else { return 0 }
    _ = byte(min(place, count) - 1)
    if let index = window[..<(min(place, count) - start)].lastIndex(of: 0x0A) { return start + index + 1 }
    return buffer.lineStart(at: start)
  }

  func lineEnd(_ place: Int) -> Int { buffer.lineEnd(at: place) }

  /// The start of the next line; nil in the last one.
  mutating func nextLine(_ place: Int) -> Int? {
    var at = place
    _ = at < count ? byte(at) : 0
    let newline: Int?
    if at < count, let index = window[(at - start)...].firstIndex(of: 0x0A) {
      newline = start + index
    } else {
      at = min(count, max(at, start + window.count))
      newline = buffer.newline(from: at)
    }
    guard let newline, newline + 1 < count else { return nil }
    return newline + 1
  }

  /// The start of the line before; nil in the first one.
  mutating func previousLine(_ place: Int) -> Int? {
    let start = lineStart(place)
    return start > 0 ? lineStart(start - 1) : nil
  }

  /// The start of the last line.
  mutating func lastLine() -> Int {
    guard count > 0 else { return 0 }
    return lineStart(byte(count - 1) == 0x0A ? count - 1 : count)
  }

  /// The start of a line by its number from 0, or of the last line.
  mutating func line(_ number: Int) -> Int { min(buffer.start(ofLine: number), lastLine()) }

  /// The end of the character that begins at a place within a line.
  mutating func after(_ place: Int) -> Int {
    guard !isLineEnd(place) else { return place }
    if byte(place) < 0x80, place + 1 >= count || byte(place + 1) < 0x80 { return place + 1 }
    return buffer.glyphEnd(after: place)
  }

  /// The start of the character that ends at a place within a line.
  mutating func before(_ place: Int) -> Int {
    guard !isLineStart(place) else { return place }
    if byte(place - 1) < 0x80, place < 2 || byte(place - 2) < 0x80 { return place - 1 }
    return buffer.glyphStart(before: place)
  }

  /// The last character of a line, or the end of an empty one.
  mutating func lastCharacter(_ place: Int) -> Int { before(lineEnd(place)) }

  mutating func firstNonBlank(_ place: Int) -> Int {
    var at = lineStart(place)
    while at < count, isBlank(byte(at)) { at += 1 }
    return at
  }

  /// The line's last character if there are only blanks.
  mutating func firstText(_ place: Int) -> Int {
    let at = firstNonBlank(place)
    return isLineEnd(at) ? before(at) : at
  }

  /// True for a line without characters other than blanks.
  mutating func isBlankLine(_ place: Int) -> Bool { isLineEnd(firstNonBlank(place)) }

  /// True before the first character of a line that is no blank, or on it.
  mutating func isInIndent(_ place: Int) -> Bool { firstNonBlank(place) >= place }

  func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// A place at which a cursor may stand: on a character, or in an empty line.
  mutating func onCharacter(_ place: Int) -> Int {
    let last = lastLine()
    var at = buffer.glyphBorder(at: min(max(0, place), count))
    if at > last, at >= count, lineStart(at) > last { at = last }
    if !isLineStart(at), isLineEnd(at) { at = before(at) }
    return at
  }

  enum Step { case within, toLineEnd, toNextLine, none }

  /// To the next character, the end of the line, or the next line.
  mutating func step(forward place: inout Int) -> Step {
    if !isLineEnd(place) {
      place = after(place)
      return isLineEnd(place) ? .toLineEnd : .within
    }
    guard place < count else { return .none }
    let next = place + (byte(place) == 0x0D ? 2 : 1)
    guard next < count else { return .none }
    place = next
    return .toNextLine
  }

  /// To the character before, or the end of the line before.
  mutating func step(backward place: inout Int) -> Step {
    if !isLineStart(place) {
      place = before(place)
      return .within
    }
    guard place > 0 else { return .none }
    place -= 1
    if place > 0, byte(place) == 0x0A, byte(place - 1) == 0x0D { place -= 1 }
    return .toNextLine
  }

  /// As `step`, but not to the end of a line with characters.
  mutating func skip(forward place: inout Int) -> Bool {
    var step = step(forward: &place)
    if step == .toLineEnd || step == .toNextLine, !isLineStart(place) { step = self.step(forward: &place) }
    return step != .none
  }

  mutating func skip(backward place: inout Int) -> Bool {
    var step = step(backward: &place)
    if step == .toNextLine, !isLineStart(place) { step = self.step(backward: &place) }
    return step != .none
  }

  /// The first code point of the character at a place; 0 at the end of a line.
  mutating func scalar(_ place: Int) -> UInt32 {
    guard !isLineEnd(place) else { return 0 }
    let byte = byte(place)
    if byte < 0x80 { return max(1, UInt32(byte)) }
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = buffer.bytes(in: place..<min(count, place + 4)).makeIterator()
    guard case .valid(let encoded) = parser.parseScalar(from: &bytes) else { return 0xFFFD }
    return Unicode.UTF8.decode(encoded).value
  }
}
