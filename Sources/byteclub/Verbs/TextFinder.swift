/// Finds words in text, whatever their letter case.
struct TextFinder: Sendable {
  /// A line that has all the words.
  struct Line: Sendable, Equatable {
    /// From 1.
    let number: Int
    /// The line, without its end.
    let text: String
  }

  private let words: [[UInt8]]

  /// All of `words` must be in what is found.
  init(_ words: [String]) {
    self.words = words.flatMap { $0.split(separator: " ") }.map { Array($0.lowercased().utf8) }
  }

  /// Whether a name has all the words.
  func matches(_ name: String) -> Bool { matches(Array(name.lowercased().utf8)[...]) }

  /// The lines of a text that have all the words; none for what is no text (a NUL byte is in it).
  func lines(of bytes: [UInt8]) -> [Line] {
    guard !words.isEmpty, !bytes.contains(0) else { return [] }
    var lines: [Line] = []
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      guard matches(lowered(line)) else { continue }
      let bare = line.last == 0x0D ? line.dropLast() : line
      lines.append(Line(number: index + 1, text: String(decoding: bare, as: UTF8.self)))
    }
    return lines
  }

  /// ASCII, which most lines are, is lowered without making a String of it.
  private func lowered(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    if line.allSatisfy({ $0 < 0x80 }) {
      return line.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }[...]
    }
    return Array(String(decoding: line, as: UTF8.self).lowercased().utf8)[...]
  }

  private func matches(_ text: ArraySlice<UInt8>) -> Bool {
    !words.isEmpty && words.allSatisfy { word in TextFinder.contains(text, word) }
  }

  private static func contains(_ text: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
    guard let first = word.first else { return true }
    guard text.count >= word.count else { return false }
    var from = text.startIndex
    while let at = text[from...].firstIndex(of: first), text.endIndex - at >= word.count {
      if text[at..<(at + word.count)].elementsEqual(word) { return true }
      from = at + 1
    }
    return false
  }
}
