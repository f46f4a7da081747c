/// Words of a line, as in a shell: quotes and backslashes keep blanks.
package struct TypedWords {
  /// An open quote ends with the line.
  package private(set) var words: [String] = []
  /// The word that is being typed; the end of the line after a space.
  package private(set) var lastStart: String.Index

  package init(_ line: String, blanks: Set<Character> = [" "]) {
    lastStart = line.endIndex
    var word: String?
    var quote: Character?
    var isEscaped = false
    for index in line.indices {
      let character = line[index]
      if blanks.contains(character), quote == nil, !isEscaped {
        if let word { words.append(word) }
        word = nil
        continue
      }
      if word == nil { (word, lastStart) = ("", index) }
      if isEscaped {
        word?.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else {
        word?.append(character)
      }
    }
    if let word { words.append(word) } else { lastStart = line.endIndex }
  }

  /// By scalars: names that only look the same differ.
  package static func common(_ one: String, _ other: String) -> String {
    let same = zip(one.unicodeScalars, other.unicodeScalars).prefix { $0 == $1 }.map(\.0)
    return String(String.UnicodeScalarView(same))
  }

  /// As typed in a line. Without `isWhole` the quote stays open.
  package static func quoted(_ word: String, isWhole: Bool = true) -> String {
    guard word.contains(where: { " '\"\\".contains($0) }) else { return word }
    let inside = word.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    return "\"\(inside)" + (isWhole ? "\"" : "")
  }
}
