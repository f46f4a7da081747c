import FileStores

/// The names that byteclub gives to notes. (What other programs put into the club is listed whatever its name.)
enum NoteName {
  /// The name for a new note: as typed, without spaces around it, with `.md` when it has no ending.
  /// - Throws: `badName`, as `checked`.
  static func new(_ typed: String, _ limits: StoreLimits) throws(StoreError) -> StorePath {
    try checked(ended(trimmed(typed), ".md"), limits)
  }

  /// Another name for a note: as typed, without spaces around it, with the note's ending when it has none.
  /// - Throws: `badName`, as `checked`.
  static func renamed(_ typed: String, from path: StorePath, _ limits: StoreLimits) throws(StoreError) -> StorePath {
    let old = String(decoding: path.name, as: UTF8.self)
    guard hasEnding(old), let dot = old.lastIndex(of: ".") else { return try checked(typed, limits) }
    return try checked(ended(trimmed(typed), old[dot...]), limits)
  }

  /// A name with this ending when it has none; a dot at its end is the ending's own.
  private static func ended(_ name: String, _ ending: some StringProtocol) -> String {
    var stem = name[...]
    while stem.last == "." { stem.removeLast() }
    return hasEnding(name) || stem.isEmpty ? name : String(stem) + ending
  }

  /// The names that a typed name may mean, in the order to look for them: itself, and with `.md` when it has no ending.
  static func spellings(_ typed: String) -> [String] { hasEnding(typed) ? [typed] : [typed, "\(typed).md"] }

  /// A name that a note may be given: as typed, without spaces around it.
  /// - Throws: `badName` for one that is empty, hidden, no single name, or holds what a terminal would obey or
  ///   reorder; or is longer than the store takes.
  static func checked(_ typed: String, _ limits: StoreLimits) throws(StoreError) -> StorePath {
    let name = trimmed(typed)
    if let reason = fault(in: name, limits) {
      throw StoreError(
        .badName, name.isEmpty ? "A note needs a name." : "The name \"\(shown(name))\" \(reason)",
        remedy: "Choose another name.")
    }
    return try StorePath.root.appending(name)
  }

  /// The name for the member's own text of a note that another program changed: "a (Ann's version, 2031-01-09).md";
  /// `number` from 1 on.
  static func conflict(
    of path: StorePath, member: String, date: String, number: Int, _ limits: StoreLimits
  ) throws(StoreError) -> StorePath {
    let name = Array(path.name)
    let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? name.count
    let mark = Array(" (\(harmless(member))'s version, \(date))\(number > 1 ? " \(number)" : "")".utf8)
    let ending = name[dot...].prefix(32)
    var stem = name[..<dot].prefix(max(1, (limits.nameBytes ?? 255) - mark.count - ending.count))
    // Not in the middle of a character.
    while stem.count > 1, stem.endIndex < dot, name[stem.endIndex] & 0xC0 == 0x80 { stem = stem.dropLast() }
    return try path.parent.appending(Array(stem) + mark + Array(ending))
  }

  private static func fault(in name: String, _ limits: StoreLimits) -> String? {
    if name.isEmpty { return "is empty." }
    if name.hasPrefix(".") { return "begins with a dot: such files are hidden and are not notes." }
    if PathText.hasSlash(name) { return "contains a slash: notes are at the top of the club." }
    if name.unicodeScalars.contains(where: \.isHostile) { return "contains a control character." }
    // What stands for bytes that are not UTF-8, as in an argument of the command line.
    if name.unicodeScalars.contains("\u{FFFD}") { return "is not UTF-8." }
    let limit = limits.nameBytes ?? 255
    if name.utf8.count > limit {
      return "is longer than the \(limit) bytes that the club's store takes."
    }
    return nil
  }

  /// Letters and digits after the last dot, one letter at least: "v1.2" and "Mr. Smith" have no ending.
  private static func hasEnding(_ name: String) -> Bool {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
    let ending = name[name.index(after: dot)...]
    return ending.count <= 10 && ending.contains { $0.isLetter } && ending.allSatisfy { $0.isLetter || $0.isNumber }
  }

  private static func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// For a sentence: as much as fits a line, and nothing that could drive a terminal.
  private static func shown(_ name: String) -> String {
    let scalars = name.unicodeScalars.map { $0.isHostile ? "\u{FFFD}" : $0 }
    let text = String(String.UnicodeScalarView(scalars.prefix(60)))
    return scalars.count > 60 ? text + "…" : text
  }

  /// A member's name as part of a file's name.
  private static func harmless(_ name: String) -> String {
    let scalars = name.unicodeScalars.map { $0.isHostile || $0 == "/" ? "-" : $0 }
    return String(String.UnicodeScalarView(scalars.prefix(40)))
  }
}
