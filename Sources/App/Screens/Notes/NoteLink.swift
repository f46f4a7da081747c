internal import ClubServices
internal import FileStores
internal import Markdown

/// The source of what the editor inserts.
enum NoteLink {
  private static let mostRead = 1 << 16

  /// True if a text links by `[[note]]` more than by `[note](path)`.
  static func usesWikiLinks(_ text: [UInt8]) -> Bool {
    var (wiki, plain) = (0, 0)
    let part = text.prefix(mostRead)
    for (first, second) in zip(part, part.dropFirst()) {
      if first == UInt8(ascii: "["), second == first { wiki += 1 }
      if first == UInt8(ascii: "]"), second == UInt8(ascii: "(") { plain += 1 }
    }
    return wiki > plain
  }

  /// A link of a note to a file of the club; `found` returns the file that a link's words lead to from a note, or any.
  static func source(
    to path: StorePath, isPicture: Bool, from note: StorePath, isWiki: Bool,
    found: (LinkWords, StorePath?) -> StorePath?
  ) -> [UInt8] {
    let mark = isPicture ? "!" : ""
    // Some names cannot be written between double brackets.
    let isWiki = isWiki && !"\(path)".contains { "[]|#^".contains($0) }
    let target = LinkMend.link(to: path, isAddress: !isWiki, isPicture: isPicture, from: note, found)
    if isWiki { return Array("\(mark)[[\(target)]]".utf8) }
    let name = String(decoding: path.name, as: UTF8.self)
    let words =
      isPicture ? name[..<(name.lastIndex(of: ".") ?? name.endIndex)] : MarkdownDocument.stem(of: path.name)[...]
    return Array("\(mark)[\(words.map { "[]\\".contains($0) ? "\\\($0)" : "\($0)" }.joined())](\(target))".utf8)
  }

  /// A table with an empty head and so many empty rows.
  static func table(columns: Int, rows: Int) -> [UInt8] {
    func row(_ cell: String) -> String { "|" + String(repeating: "\(cell)|", count: columns) + "\n" }
    return Array((row("   ") + row(" - ") + String(repeating: row("   "), count: rows)).utf8)
  }

  static func words(columns: Int, rows: Int) -> String {
    "\(columns) \(columns == 1 ? "column" : "columns"), \(rows) \(rows == 1 ? "row" : "rows")"
  }

  static let mostCells = 50

  /// The size that a text such as `3 x 4` names; nil for other texts.
  static func tableSize(_ text: String) -> (columns: Int, rows: Int)? {
    let parts = text.lowercased().split { "x× ,".contains($0) }.map { Int($0) }
    guard parts.count == 2, let columns = parts[0], let rows = parts[1], (1...mostCells).contains(columns),
      (1...mostCells).contains(rows)
    else { return nil }
    return (columns, rows)
  }
}
