import Imaging

/// Texts of people without an account, made harmless: they come from strangers, and members see them.
enum DropText {
  /// The name of a giver who says none.
  static let somebody = "Somebody"
  private static let mostNameLetters = 60
  private static let mostNameBytes = 200
  private static let mostCaptionLetters = 2_000
  private static let mostFileBytes = 180

  /// A giver's name on one line; nil if nothing is left of it. It has no parentheses, so that only the server can say whose
  /// guest somebody is.
  static func guest(_ text: String) -> String? {
    let scalars = text.unicodeScalars.map { MemberList.isShowable($0) && !isParenthesis($0) ? $0 : " " }
    let words = String(String.UnicodeScalarView(scalars)).split(separator: " ").joined(separator: " ")
    return cut(Folding.composed(words), letters: mostNameLetters, bytes: mostNameBytes)
  }

  /// A caption's note, of lines; nil if nothing is left of it.
  static func caption(_ text: String) -> String? { lines(text, letters: mostCaptionLetters) }

  static func lines(_ text: String, letters: Int) -> String? {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
      String(String.UnicodeScalarView(line.unicodeScalars.map { MemberList.isShowable($0) ? $0 : " " }))
    }
    return cut(lines.joined(separator: "\n"), letters: letters, bytes: 4 * letters)
  }

  private static func cut(_ text: String, letters: Int, bytes: Int) -> String? {
    var text = String(text.prefix(letters))
    while text.utf8.count > bytes { text.removeLast() }
    let end = text.reversed().drop(while: \.isWhitespace)
    let trimmed = String(end.reversed()).drop(while: \.isWhitespace)
    return trimmed.isEmpty ? nil : String(trimmed)
  }

  private static func isParenthesis(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .openPunctuation, .closePunctuation: true
    default: false
    }
  }

  /// A name in the club for a picture of this format, from the name that it had at the giver's.
  static func fileName(_ name: String, _ format: PictureFormat) -> String {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    let scalars = Folding.composed(String(last)).unicodeScalars.drop { $0 == "." || $0 == " " }
      .map { MemberList.isShowable($0) && !":*?\"<>|".unicodeScalars.contains($0) ? $0 : "_" as Unicode.Scalar }
    let whole = String(String.UnicodeScalarView(scalars))
    var (stem, ending) = (whole[...], PictureFormat.endings.first { $0.value == format }?.key ?? format.rawValue)
    // HEIC and AVIF cannot always be told apart by their beginning.
    let named = PictureFormat.named(whole)
    if named == format || named?.isHEIF == true && format.isHEIF, let dot = whole.lastIndex(of: ".") {
      (stem, ending) = (whole[..<dot], String(whole[whole.index(after: dot)...]))
    }
    while stem.utf8.count > mostFileBytes { stem.removeLast() }
    while stem.last?.isWhitespace == true { stem.removeLast() }
    let made = (stem.isEmpty ? "photo" : stem) + "." + ending
    return ClubIndex.mayBeCalled(String(made)) ? String(made) : "photo." + ending
  }

  /// The reason why bytes are no picture for the club.
  static let refusal = "it is no JPEG, PNG, WebP, GIF, HEIC or AVIF picture"
}
