/// Man pages (man(7)), line by line.
public struct Roff {
  public private(set) var text = ""

  public init() {}

  public mutating func heading(_ title: String) { text += ".SH \(Roff.quoted(title.uppercased()))\n" }
  public mutating func subheading(_ title: String) { text += ".SS \(Roff.quoted(title))\n" }
  public mutating func paragraph(_ words: String) { text += ".PP\n" + Roff.escaped(words) + "\n" }
  public mutating func item(_ term: String, _ meaning: String) {
    text += ".TP\n.B \(Roff.quoted(term))\n" + (meaning.isEmpty ? "\\&" : Roff.escaped(meaning)) + "\n"
  }
  /// A section of nouns, each with its verbs and their parameters.
  public mutating func commands(_ nouns: [CommandEntry]) {
    heading("Commands")
    for noun in nouns {
      subheading(noun.name)
      paragraph(noun.about)
      for verb in noun.verbs.isEmpty ? [noun] : noun.verbs {
        let own = verb.parameters.filter { !$0.isShared }
        item(([verb.name] + own.map(\.usage)).joined(separator: " "), noun.verbs.isEmpty ? "" : verb.about)
        guard !own.isEmpty else { continue }
        raw(".RS")
        for parameter in own { item(parameter.spelling, parameter.about) }
        raw(".RE")
      }
    }
  }
  public mutating func raw(_ line: String) { text += line + "\n" }

  public static func escaped(_ text: String) -> String {
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
