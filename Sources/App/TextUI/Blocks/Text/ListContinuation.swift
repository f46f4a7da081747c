/// The beginning of a list item: its indentation, marker, and check box.
struct ListContinuation: Equatable {
  /// The beginning of the next item: the number counts up, the check box is empty.
  let next: [UInt8]
  /// The length of this item's beginning, in bytes.
  let length: Int

  /// Longer beginnings are no list.
  static let longest = 64

  /// nil for a line without a marker.
  init?(_ line: [UInt8]) {
    var index = line.firstIndex { ![0x20, 0x09, UInt8(ascii: ">")].contains($0) } ?? line.count
    var next = Array(line[..<index])
    let digits = line[index...].prefix { (0x30...0x39).contains($0) }
    if !digits.isEmpty, digits.count <= 9, digits.endIndex < line.count,
      [UInt8(ascii: "."), UInt8(ascii: ")")].contains(line[digits.endIndex]),
      let number = Int(String(decoding: digits, as: UTF8.self))
    {
      next += Array("\(number + 1)".utf8) + [line[digits.endIndex]]
      index = digits.endIndex + 1
    } else if index < line.count, [UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+")].contains(line[index]) {
      next.append(line[index])
      index += 1
    } else {
      return nil
    }
    let spaces = line[index...].prefix { $0 == 0x20 || $0 == 0x09 }
    guard !spaces.isEmpty else { return nil }
    next += spaces
    index = spaces.endIndex
    let box = Array(line[index...].prefix(4))
    if box.count == 4, box[0] == UInt8(ascii: "["), box[2] == UInt8(ascii: "]"), box[3] == 0x20,
      [0x20, UInt8(ascii: "x"), UInt8(ascii: "X")].contains(box[1])
    {
      next += Array("[ ] ".utf8)
      index += 4
    }
    self.next = next
    length = index
  }
}

extension TextEditor {
  /// Within a list the new line begins the next item. On an item without text, Enter ends the list.
  mutating func breakLine() -> Outcome {
    let buffer = text.buffer
    let start = buffer.lineStart(at: text.cursor)
    let end = buffer.lineEnd(at: text.cursor)
    let line = buffer.bytes(in: start..<min(end, start + ListContinuation.longest))
    guard text.selection == nil, let item = ListContinuation(line), text.cursor - start >= item.length else {
      return .edited([text.breakLine()])
    }
    guard end - start > item.length else { return text.replace(start..<end, with: []) }
    return .edited([text.breakLine(before: item.next)])
  }

  /// Indents the selected lines by a tab, as one undo step.
  mutating func indent() -> Outcome {
    changeLines(LineIndent.deeper)
  }

  /// Takes a tab, or up to four spaces, from the beginning of the selected lines or of the cursor's line.
  mutating func unindent() -> Outcome {
    changeLines(LineIndent.higher)
  }

  /// True if the selection goes beyond a line.
  var selectsLines: Bool {
    guard let selection = text.selection else { return false }
    return text.buffer.newline(from: selection.lowerBound).map { $0 < selection.upperBound } ?? false
  }

  private mutating func changeLines(_ change: ([UInt8]) -> [UInt8]) -> Outcome {
    let selection = text.selection
    let range = lines(of: selection ?? text.cursor..<text.cursor)
    let old = text.buffer.bytes(in: range)
    let new = change(old)
    guard new != old else { return .moved }
    let (cursor, start) = (text.cursor, range.lowerBound)
    let outcome = text.replace(range, with: new)
    if selection == nil {
      text.move(to: max(start, cursor + new.count - old.count))
    } else {
      text.select(start..<(start + new.count))
    }
    return outcome
  }

  /// From the start of the first line to the end of the last one, without its line feed.
  func lines(of range: Range<Int>) -> Range<Int> {
    let buffer = text.buffer
    var last = range.upperBound
    if last > range.lowerBound, buffer[last - 1] == 0x0A { last -= 1 }
    return buffer.lineStart(at: range.lowerBound)..<max(last, buffer.newline(from: last) ?? buffer.count)
  }
}
