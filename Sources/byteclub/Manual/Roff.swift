/// Man pages (man(7)), line by line.
struct Roff {
  private(set) var text = ""

  mutating func heading(_ title: String) { text += ".SH \(Roff.quoted(title.uppercased()))\n" }
  mutating func subheading(_ title: String) { text += ".SS \(Roff.quoted(title))\n" }
  mutating func paragraph(_ words: String) { text += ".PP\n" + Roff.escaped(words) + "\n" }
  mutating func item(_ term: String, _ meaning: String) {
    text += ".TP\n.B \(Roff.quoted(term))\n" + (meaning.isEmpty ? "\\&" : Roff.escaped(meaning)) + "\n"
  }
  mutating func block(_ lines: [String]) {
    text += ".PP\n.nf\n.RS 4\n" + lines.map { Roff.escaped($0) + "\n" }.joined() + ".RE\n.fi\n"
  }
  mutating func raw(_ line: String) { text += line + "\n" }

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

  private static func quoted(_ text: String) -> String {
    "\"" + escaped(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\(dq") + "\""
  }
}
