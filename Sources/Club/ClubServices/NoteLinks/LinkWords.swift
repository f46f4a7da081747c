internal import Basics
public import FileStores
internal import Markdown

/// The words of a link to a file of the club: a path, or the end of one, and a heading.
public struct LinkWords: Sendable, Hashable {
  /// Decoded; `.md` may be missing.
  public let path: String
  public let heading: String?
  /// True for `[[words]]`, which find a file in any folder by its name.
  public let isWiki: Bool
  /// True for a picture, which lies beside its note as a rule.
  public let isPicture: Bool

  /// `[[note#heading]]`, or `![[picture]]`, whose name may have a number sign. Nil for a heading alone.
  public init?(wiki: String, isPicture: Bool = false) {
    let isPicture = isPicture && NoteLinks.isPicture(wiki)
    let parts = isPicture ? [wiki[...]] : LinkWords.parts(of: wiki)
    self.init(
      LinkWords.trimmed(parts.first ?? ""), heading: parts.count > 1 ? String(parts[1]) : nil, isWiki: true,
      isPicture: isPicture)
  }

  /// The address of `[text](address)`. Nil for a heading alone and for an address with a scheme.
  public init?(address: String) {
    if let note = LinkWords.joplin(address) {
      self.init(wiki: note)
      return
    }
    let scheme = address.prefix { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }
    if scheme.endIndex < address.endIndex, address[scheme.endIndex] == ":" { return nil }
    let parts = LinkWords.parts(of: address)
    self.init(
      LinkWords.decoded(parts.first ?? ""), heading: parts.count > 1 ? LinkWords.decoded(parts[1]) : nil, isWiki: false)
  }

  private init?(_ path: String, heading: String?, isWiki: Bool, isPicture: Bool = false) {
    guard !path.isEmpty else { return nil }
    (self.path, self.heading, self.isWiki, self.isPicture) = (path, heading, isWiki, isPicture)
  }

  /// The name of the file that Joplin's `:/id` means in its raw export; nil for other addresses.
  private static func joplin(_ address: String) -> String? {
    let name = address.dropFirst(2)
    guard address.hasPrefix(":/"), name.prefix(while: \.isHexDigit).utf8.count == 32,
      name.dropFirst(32).first.map({ $0 == "#" }) ?? true
    else { return nil }
    return String(name)
  }

  private static func parts(of text: String) -> [Substring] {
    text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
  }

  /// The heading of an address that has nothing else.
  public static func heading(of address: String) -> String { decoded(address.dropFirst()) }

  /// The note and the heading of a path that has both, as that of `![[note#heading]]`.
  public var split: LinkWords { heading == nil ? LinkWords(wiki: path) ?? self : self }

  /// True for a path from the top of the club.
  public var isRooted: Bool { path.hasPrefix("/") }

  /// True for a path with dots first, from the note's folder.
  var isFromFolder: Bool { path.hasPrefix("./") || path.hasPrefix("../") }

  /// The places to look at, one after the other. None for a path that leaves the club.
  ///
  /// `[[words]]` are a path, or the end of one, as in Obsidian; with a slash or dots first they are a path. An address is a
  /// path from the note's folder; one that leads nowhere is taken as `[[words]]` are, as Obsidian writes it.
  public func places(from note: StorePath) -> [LinkPlace] {
    let places = writtenPlaces(from: note)
    // A reader has `![[picture]]` as an address, in which its percent signs are encoded.
    guard isWiki || NoteLinks.isPicture(path), !isRooted, path.contains("%") else { return places }
    // Once: a target of percent signs alone would have hundreds of places.
    let plain = LinkWords.decoded(path[...])
    guard plain != path, let words = LinkWords(plain, heading: nil, isWiki: true) else { return places }
    return places + words.writtenPlaces(from: note)
  }

  private func writtenPlaces(from note: StorePath) -> [LinkPlace] {
    let names = path.split(separator: "/").map(String.init)
    if isRooted { return LinkPlace(names, isWhole: true).map { [$0] } ?? [] }
    let folder = note.parent.components.map { String(decoding: $0, as: UTF8.self) }
    let here = isFromFolder || isPicture || !isWiki ? LinkPlace(folder + names, isWhole: true) : nil
    let anywhere = isFromFolder ? nil : LinkPlace(names, isWhole: false)
    return [here, anywhere].compactMap { $0 }
  }

  /// The path that it has if it is written in full; nil for one that leaves the club.
  public func path(from note: StorePath) -> StorePath? {
    places(from: note).first?.paths.first.map { StorePath.root.descending($0[...]) }
  }

  private static func decoded(_ text: Substring) -> String {
    PercentEncoding.decoded(String(text), plusIsSpace: false) ?? String(text)
  }

  private static func trimmed(_ text: Substring) -> String {
    let text = text.drop { $0 == " " || $0 == "\t" }
    return String(text.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}

extension LinkWords {
  /// The words of a target that a note writes; nil for one that leads to no file.
  init?(_ target: WrittenTarget) {
    switch target.form {
    case .wiki: self.init(wiki: target.text)
    case .wikiPicture: self.init(wiki: target.text, isPicture: true)
    case .address, .angled: self.init(address: target.text)
    }
  }
}
