public import Basics
public import FileStores
internal import Markdown

/// The evaluation of a search: first by the facts of a list, then by names and texts.
extension NoteQuery {
  /// A list's knowledge of a file.
  public struct Facts: Sendable {
    public var path: StorePath
    public var modified: Timestamp?
    /// The member who wrote the file last; nil if unknown.
    public var author: String?
    /// nil where nobody knows; the filter then lets the file pass.
    public var isUnread: Bool?
    public var isPinned: Bool?

    public init(
      _ path: StorePath, modified: Timestamp? = nil, author: String? = nil, isUnread: Bool? = nil,
      isPinned: Bool? = nil
    ) {
      (self.path, self.modified, self.author) = (path, modified, author)
      (self.isUnread, self.isPinned) = (isUnread, isPinned)
    }

    public init(_ entry: FileEntry) { self.init(entry.path, modified: entry.modified, author: entry.member) }
  }

  /// True if all filters that need no text let a file pass. Of several members or folders, one is enough.
  public func admits(_ facts: Facts) -> Bool {
    var (isBy, isIn): (Bool?, Bool?)
    for term in terms {
      let isHit: Bool
      switch term.filter {
      case .by: isHit = facts.author.map { NoteQuery.isName($0, term.folded) } ?? false
      case .in: isHit = NoteQuery.isBelow(facts.path, term.folded)
      case .since: isHit = facts.modified.map { $0 >= term.moment ?? $0 } ?? false
      case .before: isHit = facts.modified.map { $0 < term.moment ?? $0 } ?? false
      case .is:
        guard let fact = term.value.lowercased() == "pinned" ? facts.isPinned : facts.isUnread else { continue }
        isHit = fact
      case .tag, .has: continue
      }
      switch term.filter {
      case .by where !term.isNegated: isBy = isBy == true || isHit
      case .in where !term.isNegated: isIn = isIn == true || isHit
      default: if isHit == term.isNegated { return false }
      }
    }
    return isBy != false && isIn != false
  }

  /// True if filters by facts may leave files out.
  public var hasFacts: Bool { terms.contains { !$0.filter.needsText } }

  /// The lines with the words; nil unless a file that `admits` lets pass has all that the search asks for.
  public func match(_ name: some StringProtocol, text: [UInt8]) -> TextFinder.Match? {
    guard let match = finder.match(name: name, text: text) else { return nil }
    for term in terms where term.filter.needsText {
      let isHit =
        term.filter == .tag ? QueryText.has(tag: term.folded, text, name: String(name)) : QueryText.hasPhoto(text)
      if isHit == term.isNegated { return nil }
    }
    guard words.isEmpty else { return match }
    return marked.lazy.compactMap { TextFinder(phrases: [$0]).match(name: "", text: text) }.first ?? match
  }

  /// Texts without these folded bytes need not be read.
  var neededBytes: [[UInt8]] { terms.filter { $0.filter == .tag && !$0.isNegated }.map(\.folded) }

  /// True for a whole name, and for one of its words: `ann` of `Ann Lee` and of `ann@club.example`.
  private static func isName(_ author: String, _ folded: [UInt8]) -> Bool {
    let name = SearchFold.folded(author)
    return name == folded || name.split { $0 < 0x80 && !$0.isWordByte }.contains { $0.elementsEqual(folded) }
  }

  /// A folder from the top with a slash before it, else anywhere on the way. The slash alone is the top.
  private static func isBelow(_ path: StorePath, _ folded: [UInt8]) -> Bool {
    let slash = UInt8(ascii: "/")
    let folder = Array(folded.split(separator: slash).joined(separator: [slash]))
    guard !folder.isEmpty else { return path.parent.isRoot }
    let parent = [slash] + SearchFold.folded(path.parent.bytes[...]) + [slash]
    let way = [slash] + folder + [slash]
    return folded.first == slash ? parent.starts(with: way) : ByteSearch(way).first(in: parent[...]) != nil
  }
}

/// Marks in a text that a search asks for.
enum QueryText {
  /// True if a note has a tag or one below it, as `oslo` has `oslo/harbour`, in its text or front matter.
  static func has(tag: [UInt8], _ text: [UInt8], name: String) -> Bool {
    // Most texts do not have its letters.
    guard ByteSearch(tag).first(in: SearchFold.folded(text[...])[...]) != nil,
      MarkdownDocument.isMarkdown(named: Array(name.utf8)[...], beginning: text)
    else { return false }
    return MarkdownDocument.tags(of: text).contains { found in
      let found = SearchFold.folded(found)
      return found.starts(with: tag) && (found.count == tag.count || found[tag.count] == UInt8(ascii: "/"))
    }
  }

  /// `![text](path)` or `![[path]]` of a picture's file.
  static func hasPhoto(_ text: [UInt8]) -> Bool {
    let mark = ByteSearch(Array("![".utf8))
    var start = 0
    while let hit = mark.first(in: text[start...]).map({ start + $0 }) {
      start = hit + 2
      let line = text[start...].prefix(1000).prefix { $0 != 0x0A }
      let path: ArraySlice<UInt8>
      if line.first == UInt8(ascii: "[") {
        path = line.dropFirst().prefix { !"]|#".utf8.contains($0) }
      } else if let open = ByteSearch(Array("](".utf8)).first(in: line) {
        path = line.dropFirst(open + 2).prefix { !") >\"".utf8.contains($0) }
      } else {
        continue
      }
      if PhotoName.isPicture(path.split(separator: UInt8(ascii: "/")).last ?? []) { return true }
    }
    return false
  }
}

extension UInt8 {
  /// A letter, a digit or `_` of ASCII.
  fileprivate var isWordByte: Bool {
    0x30...0x39 ~= self || 0x41...0x5A ~= self || 0x61...0x7A ~= self || self == 0x5F
  }
}
