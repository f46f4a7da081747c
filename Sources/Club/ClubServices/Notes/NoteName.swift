import Basics
import FileStores

enum NoteName {
  /// The path of a new note: a name, or folders and a name, from `folder` or, with a slash in front, from the top. Removes
  /// spaces around the name, and adds `.md` if it has no extension.
  /// - Throws: `badName`, as `checked`.
  static func new(
    _ typed: String, in folder: StorePath = .root, _ limits: StoreLimits
  ) throws(StoreError) -> StorePath {
    let parts = typed.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
    let isFromTop = parts.count > 1 && parts[0].allSatisfy { $0 == " " }
    var path = isFromTop ? .root : folder
    for part in parts.dropFirst(isFromTop ? 1 : 0).dropLast() {
      path = try path.appending(Array(try checked(part, limits).name))
    }
    return try path.appending(Array(try checked(ended(trimmed(parts.last ?? ""), ".md"), limits).name))
  }

  /// The path of a new note with the nearest name that it can have: without dots and spaces at its start, with "_" for other
  /// signs, and short enough.
  static func made(from typed: String, _ limits: StoreLimits) throws(StoreError) -> StorePath {
    var scalars = String.UnicodeScalarView()
    for scalar in typed.unicodeScalars.drop(while: { $0 == "." || $0 == " " }) {
      scalars.append(scalar.isHostile || scalar == "/" || scalar == "\u{FFFD}" ? "_" : scalar)
    }
    let name = trimmed(String(scalars))
    // Room for the ending.
    let limit = (limits.nameBytes ?? 255) - 3
    var stem = name
    while stem.utf8.count > limit { stem.removeLast() }
    return try checked(ended(stem.isEmpty ? "note" : stem, ".md"), limits)
  }

  /// The path of a note that takes its name from its text: the first line with a letter or a number, without the marks of
  /// Markdown, cut at a word. `number` starts at 1. Nil for a text without such a line.
  static func first(of text: [UInt8], number: Int, _ limits: StoreLimits) throws(StoreError) -> StorePath? {
    let lines = text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).lazy.map { words(ofLine: $0) }
    guard let words = lines.first(where: { $0.contains { $0.isLetter || $0.isNumber } }) else { return nil }
    let path = try made(from: words + ".md", limits)
    guard number > 1 else { return path }
    return try path.parent.appending(NumberedName.numbered(path.name, number, limit: limits.nameBytes ?? 255))
  }

  private static let longestFirst = 60

  private static func words(ofLine line: ArraySlice<UInt8>) -> String {
    var text = String(decoding: line.prefix(1000), as: UTF8.self)[...]
    let marks = Set("#>-+=_~.,;: \t")
    text.removeAll { "*`[]".contains($0) }
    text = text.drop { marks.contains($0) }
    if text.hasPrefix("x "), line.contains(UInt8(ascii: "[")) { text.removeFirst(2) }
    if text.count > longestFirst {
      let cut = text.prefix(longestFirst)
      text = cut.lastIndex(of: " ").map { cut[..<$0] } ?? cut
    }
    while let last = text.last, marks.contains(last) { text.removeLast() }
    return String(text)
  }

  /// The new path of a note. Removes spaces around the name, and adds the note's extension if it has none.
  /// - Throws: `badName`, as `checked`.
  static func renamed(_ typed: String, from path: StorePath, _ limits: StoreLimits) throws(StoreError) -> StorePath {
    let old = String(decoding: path.name, as: UTF8.self)
    guard hasEnding(old), let dot = old.lastIndex(of: ".") else { return try checked(typed, limits) }
    return try checked(ended(trimmed(typed), old[dot...]), limits)
  }

  /// Adds an extension to a name without one, in place of dots at its end.
  private static func ended(_ name: String, _ ending: some StringProtocol) -> String {
    var stem = name[...]
    while stem.last == "." { stem.removeLast() }
    return hasEnding(name) || stem.isEmpty ? name : String(stem) + ending
  }

  /// The possible names for a typed name, in search order: itself, then with `.md` if it has no extension.
  static func spellings(_ typed: String) -> [String] { hasEnding(typed) ? [typed] : [typed, "\(typed).md"] }

  /// Checks a typed name, without the spaces around it.
  /// - Throws: `badName` if the name is empty, hidden, more than one component, too long for the store, or contains
  ///   characters that control or reorder a terminal's output.
  static func checked(_ typed: String, _ limits: StoreLimits) throws(StoreError) -> StorePath {
    let name = trimmed(typed)
    if let reason = fault(in: name, limits) {
      throw StoreError(
        .badName, name.isEmpty ? "A note needs a name." : "The name \"\(shown(name))\" \(reason)",
        remedy: "Choose another name.")
    }
    return try StorePath.root.appending(name)
  }

  /// The path for the member's text after a conflict: "a (Ann's version, 2031-01-09).md". `number` starts at 1.
  static func conflict(
    of path: StorePath, member: String, at time: Timestamp, number: Int, _ limits: StoreLimits
  ) throws(StoreError) -> StorePath {
    let mark = NumberedName.version(of: member, time, number: number)
    return try path.parent.appending(NumberedName.marked(path.name, mark, limit: limits.nameBytes ?? 255))
  }

  private static func fault(in name: String, _ limits: StoreLimits) -> String? {
    if name.isEmpty { return "is empty." }
    if name.hasPrefix(".") { return "begins with a dot: such files are hidden and are not notes." }
    if PathText.hasSlash(name) { return "contains a slash." }
    if let fault = NameText.fault(in: name) { return "\(fault)." }
    let limit = limits.nameBytes ?? 255
    if name.utf8.count > limit {
      return "is longer than the \(limit) bytes that the club's store takes."
    }
    return nil
  }

  /// Letters and digits after the last dot, at least one letter: "v1.2" and "Mr. Smith" have no extension.
  static func hasEnding(_ name: String) -> Bool {
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

  static func shown(_ name: String) -> String {
    let scalars = name.unicodeScalars.map { $0.isHostile ? "\u{FFFD}" : $0 }
    let text = String(String.UnicodeScalarView(scalars.prefix(60)))
    return scalars.count > 60 ? text + "…" : text
  }
}
