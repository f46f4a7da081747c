internal import Basics

/// Ways to go on with the last word of a search: names of filters, and values of one.
public struct QueryOffers: Sendable, Hashable {
  public static let most = 50

  /// The texts that may stand in place of the last word, with quotation marks where they have spaces.
  public let texts: [String]
  /// The offset of the part that they replace, which ends with the text.
  public let start: Int
  /// The place of the text that was taken, if one was.
  public var taken: Int?

  /// - Parameters:
  ///   - text: the search up to the cursor.
  ///   - filters: those of the list.
  ///   - isAsked: also offer names of filters for no letter.
  ///   - values: of a filter; they are put in order.
  /// - Returns: nil if there is nothing to offer.
  public init?(_ text: String, filters: [NoteQuery.Filter], isAsked: Bool, values: (NoteQuery.Filter) -> [String]) {
    guard text.utf8.count <= NoteQuery.mostBytes else { return nil }
    let bytes = Array(text.utf8)
    guard let word = QueryOffers.lastWord(bytes) else { return nil }
    start = word.start
    let typed = bytes[word.start...]
    if let filter = word.filter {
      let isQuoted = typed.first == UInt8(ascii: "\"")
      let folded = SearchFold.folded(isQuoted ? typed.dropFirst() : typed)
      let known = filter.values.isEmpty ? Set(values(filter)).sorted() : filter.values
      texts = known.filter { SearchFold.folded($0).starts(with: folded) && !$0.contains("\"") }.prefix(Self.most).map {
        $0.contains { $0.isWhitespace } ? "\"\($0)\" " : "\($0) "
      }
    } else {
      guard isAsked || !typed.isEmpty else { return nil }
      let begun = String(decoding: typed, as: UTF8.self).lowercased()
      texts = filters.map { "\($0.rawValue):" }.filter { $0.hasPrefix(begun) }
    }
    guard !texts.isEmpty else { return nil }
  }

  /// The offers on one line, as many as fit: `Tab: by: before:`.
  public func line(within columns: Int) -> String {
    var line = "Tab:"
    let from = taken.map { ($0 + 1) % texts.count } ?? 0
    for text in texts[from...] {
      let word = text.hasSuffix(" ") ? text.dropLast() : text[...]
      guard line.count + 1 + word.count <= columns else { break }
      line += " \(word)"
    }
    return line == "Tab:" ? "" : line
  }

  /// The part of the last word that offers replace: its value, or the name of a filter to be. nil inside a phrase.
  private static func lastWord(_ bytes: [UInt8]) -> (filter: NoteQuery.Filter?, start: Int)? {
    var index = 0
    while true {
      while index < bytes.count, bytes[index] == 0x20 { index += 1 }
      if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
      let name = index
      while index < bytes.count, (0x61...0x7A).contains(bytes[index] | 0x20) { index += 1 }
      var filter: NoteQuery.Filter?
      if index < bytes.count, bytes[index] == UInt8(ascii: ":") {
        filter = NoteQuery.Filter(rawValue: String(decoding: bytes[name..<index], as: UTF8.self).lowercased())
      }
      let value = filter == nil ? name : index + 1
      index = value
      let isQuoted = index < bytes.count && bytes[index] == UInt8(ascii: "\"")
      if isQuoted { index += 1 }
      while index < bytes.count, bytes[index] != (isQuoted ? UInt8(ascii: "\"") : 0x20) { index += 1 }
      guard index < bytes.count else { return isQuoted && filter == nil ? nil : (filter, value) }
      index += 1
      if index == bytes.count, isQuoted { return nil }
    }
  }
}
