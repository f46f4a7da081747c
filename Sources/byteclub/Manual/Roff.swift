/// The roff of man pages (man(7)), line by line.
struct Roff {
  /// The page so far.
  private(set) var text = ""

  /// A heading of the first order.
  mutating func heading(_ title: String) { text += ".SH \(Roff.quoted(title.uppercased()))\n" }
  /// A heading of the second order.
  mutating func subheading(_ title: String) { text += ".SS \(Roff.quoted(title))\n" }
  /// A paragraph.
  mutating func paragraph(_ words: String) { text += ".PP\n" + Roff.escaped(words) + "\n" }
  /// A term in bold, and what it means.
  mutating func item(_ term: String, _ meaning: String) {
    text += ".TP\n.B \(Roff.quoted(term))\n" + (meaning.isEmpty ? "\\&" : Roff.escaped(meaning)) + "\n"
  }
  /// Lines as they are.
  mutating func block(_ lines: [String]) {
    text += ".PP\n.nf\n.RS 4\n" + lines.map { Roff.escaped($0) + "\n" }.joined() + ".RE\n.fi\n"
  }
  /// A line of roff.
  mutating func raw(_ line: String) { text += line + "\n" }

  /// Text without anything that roff would obey.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }

  /// An argument of a request.
  private static func quoted(_ text: String) -> String {
    "\"" + escaped(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\(dq") + "\""
  }
}
